package compare_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/models/fail"
	"schedgap/reports/compare"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

// nights are the results of n nights of three algorithms on ten instances: a command, a deterministic heuristic, and a search
// whose values are another one every night. change has its way with the rows of a night.
func nights(n int, change func(night int, r *bench.Record)) (sides []compare.Side) {
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range n {
		var records []bench.Record
		for i := range 10 {
			name := fmt.Sprintf("i%d", i)
			records = append(records, fake.Optimal(fake.Problem(), name, "opt", 10), solved(name, "fair", 11),
				solved(name, "flex-ls", 10+rng.Float64()), solved(name, "mine", 12))
		}
		for i := range records {
			r := &records[i]
			r.BinaryVersion, r.Suite = fmt.Sprint("v", k), "small"
			if r.Algorithm == "mine" {
				r.Kind, r.CommandSHA256 = "external", fake.Ptr("aaaaaaaaaaaaaaaa")
			}
			if i%4 == 1 && i < 20 {
				r.Suite = "other"
			}
			change(k, r)
		}
		sides = append(sides, compare.Side{Name: fmt.Sprint("night", k), Records: ratio.Pack(records)})
	}
	return sides
}

// TestNights: every step is found in its night, with what else changed in it; a search's noise is none, and a command's step is its
// own.
func TestNights(t *testing.T) {
	in := compare.Input{Nights: true, Gates: gates(t, "ratio=1%"), Sides: nights(7, func(night int, r *bench.Record) {
		switch {
		case r.Algorithm == "mine" && night >= 3:
			r.CommandSHA256, r.Objective = fake.Ptr("bbbbbbbbbbbbbbbb"), fake.Ptr(13.0)
		case r.Algorithm == "fair" && r.Instance == "i4" && night >= 5:
			r.Objective = fake.Ptr(10.0)
		}
	})}
	r := run(t, in)
	var got []string
	for _, s := range r.Steps {
		got = append(got, fmt.Sprint(s.Night, " ", s.Algorithm, " ", s.Worse, " ", s.Cause))
	}
	want := []string{
		"night5 fair false schedgap v4 → v5",
		"night3 mine true the command's files changed: aaaaaaaaaaaa → bbbbbbbbbbbb",
	}
	if !slices.Equal(got, want) {
		t.Errorf("steps %q, want %q", got, want)
	}
	if len(r.Regressions) > 0 || len(r.Nights) != 7 {
		t.Errorf("regressions %v of %d nights", r.Regressions, len(r.Nights))
	}
	in.Sides = in.Sides[:4]
	r = run(t, in)
	if len(r.Regressions) != 1 || r.Regressions[0].Algorithm != "mine" {
		t.Errorf("the night of the step: %v", r.Regressions)
	}
}

// TestNightsPlots: one plot a suite, with a line for each of its algorithms.
func TestNightsPlots(t *testing.T) {
	r := run(t, compare.Input{Nights: true, Sides: nights(3, func(int, *bench.Record) {})})
	plots, err := r.Plots()
	fail.On(t, err)
	for i, want := range []struct {
		name string
		has  []string
	}{{"other.svg", []string{">fair<"}}, {"small.svg", []string{">fair<", ">flex-ls<", ">mine<", ">opt<", ">night0<"}}} {
		if len(plots) != 2 || plots[i].Name != want.name {
			t.Fatalf("plots %+v", plots)
		}
		for _, text := range want.has {
			if !bytes.Contains(plots[i].SVG, []byte(text)) {
				t.Errorf("%s lacks %s", want.name, text)
			}
		}
	}
	two := run(t, compare.Input{Nights: true, Sides: nights(3, func(_ int, r *bench.Record) {
		r.Suite = "small"
		if r.Instance >= "i5" {
			r.Problem, r.Sense = "pocd", fake.Maximize().Sense.String()
		}
	})})
	plots, err = two.Plots()
	if err != nil || len(plots) != 2 || plots[0].Name != "small-flex.svg" || plots[1].Name != "small-pocd.svg" {
		t.Errorf("two problems of a suite: %d plots, %v", len(plots), err)
	}
	var text strings.Builder
	if err := r.Text(&text, false); err != nil || !strings.Contains(text.String(), "night2 against night1, the last two of 3 nights") {
		t.Errorf("%v\n%s", err, text.String())
	}
}
