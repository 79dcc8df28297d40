package verify_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"schedgap/exact"
	exactcloning "schedgap/exact/cloning"
	exactflex "schedgap/exact/flex"
	exactpocd "schedgap/exact/pocd"
	exactredundancy "schedgap/exact/redundancy"
	exactspeculation "schedgap/exact/speculation"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// A prover makes the proof about an instance file.
type prover func(t *testing.T, file []byte) (proof.Header, []any)

// provers are the algorithms that proofs of testdata/invalid are made by.
var provers = map[string]prover{
	"flex opt":                  optimumBy(exactflex.Opt),
	"flex lb-price":             boundBy(flex.Problem, exactflex.LBPrice),
	"pocd opt":                  optimumBy(exactpocd.Opt),
	"cloning opt":               optimumBy(exactcloning.Opt),
	"cloning opt-nonpreemptive": optimumBy(exactcloning.OptNonpreemptive),
	"cloning lb-price":          boundBy(cloning.Problem, exactcloning.LBPrice),
	"redundancy opt":            optimumBy(exactredundancy.Opt),
	"redundancy lb-price":       boundBy(redundancy.Problem, exactredundancy.LBPrice),
	"speculation opt":           optimumBy(exactspeculation.Opt),
}

func optimumBy[I models.Instance, S any](target *exact.Target[I, S]) prover {
	p, m := target.Problem, target.Methods[0]
	return func(t *testing.T, file []byte) (proof.Header, []any) {
		t.Helper()
		in, h := headed(t, p, target.Reference, file)
		out, err := target.Alone(t.Context(), m, &models.Pass[I, S]{Instance: in, Threads: 1}, nil)
		if err != nil || out.Status != models.Optimal {
			t.Fatalf("%s: %s, %v", h.Instance, out.Status, err)
		}
		value := *p.Check(in, out.Solution).Objective
		claim, err := m.Prove(t.Context(), in, out.Solution, value, value)
		if err != nil || claim == nil {
			t.Fatalf("%s: no proof: %v", h.Instance, err)
		}
		h.Kind, h.Value, h.Bound = claim.Kind, claim.Value, claim.Bound
		return h, claim.Lines
	}
}

func boundBy[I models.Instance, S any](p *models.Problem[I, S], a *models.Algorithm[I, S]) prover {
	return func(t *testing.T, file []byte) (proof.Header, []any) {
		t.Helper()
		in, h := headed(t, p, a.Reference, file)
		params := models.Defaults(a.Params)
		params["steps"] = 200
		out, err := a.Run(t.Context(), &models.Pass[I, S]{
			Instance: in, Params: params, Threads: 1, Improved: func(S) {},
			Bounded: func(float64) {},
		})
		if err != nil || out.Proof == nil {
			t.Fatalf("%s: no proof: %v", h.Instance, err)
		}
		h.Kind, h.Bound = out.Proof.Kind, out.Bound
		return h, out.Proof.Lines
	}
}

func headed[I models.Instance, S any](t *testing.T, p *models.Problem[I, S], reference string, file []byte) (I, proof.Header) {
	t.Helper()
	in, err := p.ParseInstance("instance", file)
	fail.On(t, err)
	canonical, err := p.MarshalInstance(in)
	fail.On(t, err)
	return in, proof.Header{
		Format: proof.Format, Version: proof.Version, Problem: p.Name, Instance: in.Head().Name, SHA256: models.Digest(canonical),
		Reference: reference,
	}
}

// again makes the forgery's proof again, if a method made it, and writes the file: a line a line of the proof, and a line a lie.
func (f *forgery) again(t *testing.T, file string) {
	t.Helper()
	if f.By == "" {
		return
	}
	var of struct{ Problem string }
	fail.On(t, json.Unmarshal(f.Instance, &of))
	header, lines := provers[of.Problem+" "+f.By](t, f.Instance)
	f.Header, f.Lines = packedJSON(t, header), nil
	for _, l := range lines {
		f.Lines = append(f.Lines, packedJSON(t, l))
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n\"by\": %q,\n\"instance\": %s,\n\"header\": %s,\n\"lines\": [\n", f.By, f.Instance, f.Header)
	for i, l := range f.Lines {
		fmt.Fprintf(&b, "%s%s\n", l, comma(i, len(f.Lines)))
	}
	b.WriteString("],\n\"lies\": [\n")
	for i, l := range f.Lies {
		fmt.Fprintf(&b, "%s%s\n", packedJSON(t, l), comma(i, len(f.Lies)))
	}
	b.WriteString("]\n}\n")
	fail.On(t, os.WriteFile(file, b.Bytes(), 0o666))
}

func packedJSON(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	fail.On(t, err)
	return text
}

func comma(i, n int) string {
	if i+1 < n {
		return ","
	}
	return ""
}
