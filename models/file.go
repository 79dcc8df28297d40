package models

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"schedgap/models/strict"
)

// FormatVersion is the version of the instance files.
const FormatVersion = 1

// PeekProblem returns the problem that an instance file says it belongs to.
func PeekProblem(file string, data []byte) (string, error) {
	f, err := strict.Open(file, data)
	if err != nil {
		return "", err
	}
	var head struct {
		Problem string `json:"problem"`
	}
	f.Head(&head)
	return head.Problem, f.Err()
}

// instanceHead has the first fields of the instance files of all problems.
type instanceHead struct {
	Problem string `json:"problem"`
	Version int    `json:"version" doc:"of the format"`
	Header
}

// solutionHead has the first fields of the solution files of all problems.
type solutionHead struct {
	Problem   string   `json:"problem"`
	Instance  string   `json:"instance" doc:"the instance's name"`
	Algorithm string   `json:"algorithm"`
	Objective *float64 `json:"objective,omitempty" doc:"claimed, compared with the checker's"`
}

// ParseInstance reads and validates the contents of an instance file.
func (p *Problem[I, S]) ParseInstance(file string, data []byte) (I, error) {
	var none I
	f, err := strict.Open(file, data)
	if err != nil {
		return none, err
	}
	var head instanceHead
	if p.Bare {
		head = p.bareHead(f, file)
	} else {
		f.Head(&head)
	}
	p.wantProblem(f, head.Problem)
	if head.Version != FormatVersion {
		f.Fail("version", "%d is not a known version; this program reads version %d", head.Version, FormatVersion)
	}
	if err := CheckName(head.Name); err != nil {
		f.Fail("name", "%v", err)
	}
	if head.Lineage != nil {
		head.Lineage, err = lineage(head.Lineage)
		if err != nil {
			f.Fail("lineage", "%v", err)
		}
	}
	if f.Err() != nil {
		return none, f.Err()
	}
	in := p.DecodeInstance(f, head.Header)
	if f.Err() != nil {
		return none, f.Err()
	}
	return in, nil
}

// bareHead reads a head of which all may be missing.
func (p *Problem[I, S]) bareHead(f *strict.File, file string) instanceHead {
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	bare := struct {
		Problem string          `json:"problem,omitempty"`
		Version int             `json:"version,omitempty"`
		Name    string          `json:"name,omitempty"`
		Lineage json.RawMessage `json:"lineage,omitempty"`
	}{p.Name, FormatVersion, name, nil}
	f.Head(&bare)
	return instanceHead{bare.Problem, bare.Version, Header{bare.Name, bare.Lineage}}
}

// lineage brings a lineage into canonical form.
func lineage(text []byte) (json.RawMessage, error) {
	var v any
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber() // seeds are 64 bits wide, which a float64 is not
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

func (p *Problem[I, S]) wantProblem(f *strict.File, name string) {
	if name != p.Name {
		f.Fail("problem", "%q is not %q", name, p.Name)
	}
}

// MarshalInstance returns the instance file of in: canonical, defaults written out, one line ending in a newline.
func (p *Problem[I, S]) MarshalInstance(in I) ([]byte, error) {
	h := in.Head()
	var body any = in
	if p.EncodeInstance != nil {
		body = p.EncodeInstance(in)
	}
	out, err := strict.Join(instanceHead{p.Name, FormatVersion, h}, body)
	if err != nil {
		return nil, fmt.Errorf("instance %s: %w", h.Name, err)
	}
	return append(out, '\n'), nil
}

// Digest is the SHA-256 of an instance file, in hexadecimal.
func Digest(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:])
}

// A SolutionFile is a solution with its envelope.
type SolutionFile[S any] struct {
	Algorithm string
	Claimed   *float64 // the objective it claims; nil: none
	Solution  S
}

// ParseSolution reads the contents of a solution file for in. Unknown ids and another instance's name are errors.
func (p *Problem[I, S]) ParseSolution(file string, data []byte, in I) (SolutionFile[S], error) {
	var none, sf SolutionFile[S]
	f, err := strict.Open(file, data)
	if err != nil {
		return none, err
	}
	want := in.Head().Name
	var head solutionHead
	if p.Bare {
		bare := struct {
			Problem   string   `json:"problem,omitempty"`
			Instance  string   `json:"instance,omitempty"`
			Algorithm string   `json:"algorithm,omitempty"`
			Objective *float64 `json:"objective,omitempty"`
		}{Problem: p.Name, Instance: want}
		f.Head(&bare)
		head = solutionHead(bare)
	} else {
		f.Head(&head)
	}
	p.wantProblem(f, head.Problem)
	if head.Instance != want {
		f.Fail("instance", "%q is not the instance's name %q", head.Instance, want)
	}
	if f.Err() != nil {
		return none, f.Err()
	}
	sf.Algorithm, sf.Claimed = head.Algorithm, head.Objective
	sf.Solution = p.DecodeSolution(f, in)
	if f.Err() != nil {
		return none, f.Err()
	}
	return sf, nil
}

// MarshalSolution returns the solution file of s as one line without a newline.
func (p *Problem[I, S]) MarshalSolution(in I, algorithm string, claimed *float64, s S) ([]byte, error) {
	return p.MarshalSolutionUpTo(math.MaxInt, in, algorithm, claimed, s)
}

// MarshalSolutionUpTo is MarshalSolution. A file that would be longer than most bytes is strict.ErrLong, which costs no more time
// than writing so many.
func (p *Problem[I, S]) MarshalSolutionUpTo(most int, in I, algorithm string, claimed *float64, s S) ([]byte, error) {
	name := in.Head().Name
	out, err := strict.JoinUpTo(most, solutionHead{p.Name, name, algorithm, claimed}, p.EncodeSolution(in, s))
	if err != nil {
		return nil, fmt.Errorf("solution of %s: %w", name, err)
	}
	return out, nil
}

// CheckClaim is Check with the claimed objective, if any, compared with the checker's, and with every violation explained.
func (p *Problem[I, S]) CheckClaim(in I, s S, claimed *float64) Report {
	r := p.Check(in, s)
	if claimed != nil && r.Objective != nil {
		if a := (Accuracy{Amount: p.Amount(in), Rounding: r.Rounding}); !a.Near(*claimed, *r.Objective) {
			d := math.Abs(*claimed - *r.Objective)
			r.Violations = append(r.Violations, Violation{Constraint: "objective", Where: "objective", Amount: d})
		}
	}
	p.explain(r.Violations)
	return r
}
