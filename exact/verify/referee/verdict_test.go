package referee

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/proof"
)

// One job of 1.5 units of work on one slot ends at 1.5, and has not ended at 1. What is no instance or solution is bad input, in one sentence.
func TestCheck(t *testing.T) {
	const instance = `{"problem":"flex","version":1,"name":"one","slots":1,` +
		`"objective":{"metric":"response","aggregate":"sum","weighted":false},"jobs":[{"id":"only","work":1.5}]}`
	solution := func(end string) string {
		return `{"problem":"flex","instance":"one","algorithm":"fair","intervals":[{"start":0,"end":` + end + `,"slots":{"only":1}}]}`
	}
	for _, c := range []struct {
		name, instance, solution string // empty: there is no such file
		feasible                 bool
		value                    float64 // 0: there is none
		violations               int
		err                      string
	}{
		{"good", instance, solution("1.5"), true, 1.5, 0, ""},
		{"too short", instance, solution("1"), false, 0, 1, ""},
		{"no instance", "", solution("1.5"), false, 0, 0, "instance.json: no such file"},
		{"no problem", "{}", solution("1.5"), false, 0, 0, "instance.json: "},
		{"another problem", `{"problem":"flax"}`, solution("1.5"), false, 0, 0, `problem: unknown problem "flax"; did you mean "flex"?`},
		{"an instance that is none", strings.Replace(instance, `"slots":1,`, "", 1), solution("1.5"), false, 0, 0, "instance.json: "},
		{"no solution", instance, "", false, 0, 0, "solution.json: no such file"},
		{"a solution that is none", instance, "[]", false, 0, 0, "solution.json: "},
	} {
		dir := t.TempDir()
		files := [2]string{filepath.Join(dir, "instance.json"), filepath.Join(dir, "solution.json")}
		for i, text := range []string{c.instance, c.solution} {
			if err := os.WriteFile(files[i], []byte(text), 0o600); err != nil || text == "" && os.Remove(files[i]) != nil {
				t.Fatal(err)
			}
		}
		j, err := Check(files[0], files[1])
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want %q", c.name, err, c.err)
			}
			continue
		}
		if err != nil || j.Feasible != c.feasible || (j.Objective == nil) != (c.value == 0) ||
			c.value != 0 && *j.Objective != c.value || len(j.Violations) != c.violations {
			t.Errorf("%s: %+v, %v", c.name, j, err)
		}
	}
}

// A proof is verified with its gap, one that claims more is refused with a reason and the gap that it claims, and what is no proof is bad
// input.
func TestVerify(t *testing.T) {
	var f struct {
		Instance json.RawMessage
		Header   proof.Header
		Lines    []json.RawMessage
	}
	data, err := os.ReadFile(filepath.Join("..", "testdata", "invalid", "pocd-two.json"))
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	fail.On(t, err)
	dir := t.TempDir()
	instance, file := filepath.Join(dir, "instance.json"), filepath.Join(dir, "proof")
	fail.On(t, os.WriteFile(instance, f.Instance, 0o600))
	value, bound := *f.Header.Value, *f.Header.Bound
	for claimed, want := range map[float64]bool{bound: true, bound - 1: false} {
		f.Header.Bound = &claimed
		var lines []any
		for _, l := range f.Lines {
			lines = append(lines, l)
		}
		var b bytes.Buffer
		err := proof.Write(&b, f.Header, lines)
		if err == nil {
			err = os.WriteFile(file, b.Bytes(), 0o600)
		}
		fail.On(t, err)
		v, err := Verify(t.Context(), instance, file)
		if err != nil || v.Problem != "pocd" || v.Instance != "pocd-two" || v.Reference != "opt" || *v.Value != value || *v.Bound != claimed ||
			v.Verified != want || v.Optimal != want || v.Gap == nil || *v.Gap != value-claimed || (v.Reason == nil) != want {
			t.Errorf("the bound %v: %+v, %v", claimed, v, err)
		}
	}
	for want, files := range map[string][2]string{
		"none: no such file": {filepath.Join(dir, "none"), file}, "nothing: no such file": {instance, filepath.Join(dir, "nothing")},
		"instance.json: ": {instance, instance},
	} {
		if _, err := Verify(t.Context(), files[0], files[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", files, err, want)
		}
	}
}

// A verifier that fails has not verified, and one that does not end ends with its context. A gap beyond all numbers is none.
func TestVerdict(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	gives := func(v models.Verdict, err error) func() (models.Verdict, error) {
		return func() (models.Verdict, error) { return v, err }
	}
	over := make(chan struct{})
	defer close(over)
	waits := func() (models.Verdict, error) { <-over; return models.Verdict{}, nil }
	breaks := func() (models.Verdict, error) { panic("no number") }
	proven := models.Verdict{Gap: number(2), Optimal: true}
	refused := gives(models.Verdict{}, errors.New("why"))
	for name, c := range map[string]struct {
		verify       func() (models.Verdict, error)
		value, bound *float64
		want         Verdict // but for what the proof says
		reason       string
	}{
		"verified":       {gives(proven, nil), number(5), number(3), Verdict{Verified: true, Optimal: true, Gap: number(2)}, ""},
		"a bound":        {gives(models.Verdict{}, nil), nil, number(3), Verdict{Verified: true}, ""},
		"refused":        {refused, number(5), number(3), Verdict{Gap: number(2)}, "why"},
		"a false bound":  {refused, nil, number(3), Verdict{}, "why"},
		"no bound":       {refused, number(5), nil, Verdict{}, "why"},
		"far":            {refused, number(1e308), number(-1e308), Verdict{}, "why"},
		"a broken rule":  {breaks, number(5), number(3), Verdict{Gap: number(2)}, "the verifier failed: no number"},
		"without an end": {waits, nil, nil, Verdict{}, ""},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		if name == "without an end" {
			cancel()
		}
		in := &instance{name: "in", verify: func(*proof.Proof) (models.Verdict, error) { return c.verify() }}
		got, err := in.verdict(ctx, "flex", &proof.Proof{Header: proof.Header{Reference: "opt", Value: c.value, Bound: c.bound}})
		cancel()
		if name == "without an end" {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		want := c.want
		want.Problem, want.Instance, want.Reference, want.Value, want.Bound = "flex", "in", "opt", c.value, c.bound
		if c.reason != "" {
			want.Reason = &c.reason
		}
		if d := cmp.Diff(&want, got); d != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, d)
		}
	}
}
