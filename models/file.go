package models

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"

	"schedgap/models/strict"
)

// FormatVersion is the version of the instance files.
const FormatVersion = 1

// PeekProblem returns the problem that an instance file says it belongs to.
func PeekProblem(file string, data []byte) (string, error) {
	f, err := strict.Parse(file, data)
	if err != nil {
		return "", err
	}
	problem := f.Text("problem")
	return problem, f.Err()
}

// ParseInstance reads and validates the contents of an instance file.
func (p *Problem[I, S]) ParseInstance(file string, data []byte) (I, error) {
	var none I
	f, err := strict.Parse(file, data)
	if err != nil {
		return none, err
	}
	p.wantProblem(f)
	if version := f.Int("version"); version != FormatVersion {
		f.Fail("version", "%d is not a known version; this program reads version %d", version, FormatVersion)
	}
	h := Header{Name: f.Text("name")}
	if err := CheckName(h.Name); err != nil {
		f.Fail("name", "%v", err)
	}
	if v := f.Get("lineage"); v != nil {
		f.Item("lineage").Fields()
		if h.Lineage, err = lineage(v.Raw()); err != nil {
			f.Fail("lineage", "%v", err)
		}
	}
	in := p.DecodeInstance(f, h)
	if err := f.Done(); err != nil {
		return none, err
	}
	return in, nil
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

func (p *Problem[I, S]) wantProblem(f strict.Fields) {
	if name := f.Text("problem"); name != p.Name {
		f.Fail("problem", "%q is not %q", name, p.Name)
	}
}

// MarshalInstance returns the instance file of in: canonical, defaults written out, one line ending in a newline.
func (p *Problem[I, S]) MarshalInstance(in I) ([]byte, error) {
	h := in.Head()
	head, err := json.Marshal(struct {
		Problem string `json:"problem"`
		Version int    `json:"version"`
		Header
	}{p.Name, FormatVersion, h})
	if err != nil {
		return nil, fmt.Errorf("instance %s: %w", h.Name, err)
	}
	out, err := splice(head, p.EncodeInstance(in))
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
	f, err := strict.Parse(file, data)
	if err != nil {
		return none, err
	}
	p.wantProblem(f)
	if name, want := f.Text("instance"), in.Head().Name; name != want {
		f.Fail("instance", "%q is not the instance's name %q", name, want)
	}
	sf.Algorithm = f.Text("algorithm")
	if f.Has("objective") {
		claimed := f.Float("objective")
		sf.Claimed = &claimed
	}
	sf.Solution = p.DecodeSolution(f, in)
	if err := f.Done(); err != nil {
		return none, err
	}
	return sf, nil
}

// MarshalSolution returns the solution file of s as one line without a newline.
func (p *Problem[I, S]) MarshalSolution(in I, algorithm string, claimed *float64, s S) ([]byte, error) {
	head, err := json.Marshal(struct {
		Problem   string   `json:"problem"`
		Instance  string   `json:"instance"`
		Algorithm string   `json:"algorithm"`
		Objective *float64 `json:"objective,omitempty"`
	}{p.Name, in.Head().Name, algorithm, claimed})
	if err != nil {
		return nil, fmt.Errorf("solution of %s: %w", in.Head().Name, err)
	}
	out, err := splice(head, p.EncodeSolution(in, s))
	if err != nil {
		return nil, fmt.Errorf("solution of %s: %w", in.Head().Name, err)
	}
	return out, nil
}

// splice appends the fields of body, which marshals to an object, to the object head.
func splice(head []byte, body any) ([]byte, error) {
	n := len(head) - 1
	out := bytes.NewBuffer(head[:n]) // of bodies, which are large, every copy counts
	if err := json.NewEncoder(out).Encode(body); err != nil {
		return nil, err
	}
	whole := bytes.TrimSuffix(out.Bytes(), []byte("\n"))
	fields := whole[n:]
	if len(fields) < 2 || fields[0] != '{' {
		return nil, fmt.Errorf("%T does not marshal to a JSON object", body)
	}
	if len(fields) == 2 {
		return append(whole[:n], '}'), nil
	}
	fields[0] = ','
	return whole, nil
}

// CheckClaim is Check with the claimed objective, if any, compared with the checker's, and with every violation explained.
func (p *Problem[I, S]) CheckClaim(in I, s S, claimed *float64) Report {
	r := p.Check(in, s)
	if claimed != nil && r.Objective != nil {
		if d := math.Abs(*claimed - *r.Objective); !(d <= ClaimTolerance*max(math.Abs(*r.Objective), 1e-9)) {
			r.Violations = append(r.Violations, Violation{Constraint: "objective", Where: "objective", Amount: d})
		}
	}
	p.explain(r.Violations)
	return r
}
