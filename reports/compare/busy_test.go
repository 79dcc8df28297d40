package compare_test

import (
	"encoding/xml"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/reports/compare"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

// busy are rounds of 20 units on a machine with other work: bursts stretch the wall times of a whole round by up to four times
// and single ones by half, processor times by a
// twenty-fifth and a fifteenth. Head's work is factor times base's.
func busy(rng *rand.Rand, rounds int, factor float64) (in compare.Input) {
	side := func(factor float64) compare.Side {
		var records []bench.Record
		wall, cpu := math.Exp(0.7*math.Abs(rng.NormFloat64())), math.Exp(0.04*rng.NormFloat64())
		for i := range 20 {
			r := solved(fmt.Sprint(i), "fair", 10)
			seconds := factor * (0.05 + 0.01*float64(i))
			r.WallSeconds = fake.Ptr(seconds * wall * math.Exp(0.5*math.Abs(rng.NormFloat64())))
			r.CPUSeconds = fake.Ptr(seconds * cpu * math.Exp(0.07*rng.NormFloat64()))
			records = append(records, r)
		}
		return compare.Side{Records: ratio.Pack(records)}
	}
	in.Base, in.Head = side(1), side(factor)
	for range rounds {
		in.Again = append(in.Again, compare.Round{Base: side(1), Head: side(factor)})
	}
	return in
}

// TestBusyMachine: what scripts/gate does with times that vary by far more than its threshold: identical code passes and is not
// called faster, and work that is longer by a quarter does not pass.
func TestBusyMachine(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		factor      float64
		least, most int
	}{{1, 0, 0}, {1.25, 95, 100}} {
		alarms := 0
		for range 100 {
			in := busy(rng, 0, c.factor)
			in.Gates = gates(t, "time=10%")
			r := run(t, in)
			for len(r.Unsure()) > 0 && len(in.Again) < 4 {
				in.Again = append(in.Again, busy(rng, 1, c.factor).Again...)
				r = run(t, in)
			}
			if len(r.Regressions) > 0 {
				alarms++
			}
			if len(r.Improvements) > 0 {
				t.Errorf("work of factor %v: %v", c.factor, r.Improvements)
			}
		}
		if alarms < c.least || alarms > c.most {
			t.Errorf("work of factor %v: %d alarms in 100 comparisons", c.factor, alarms)
		}
	}
}

// TestVerdicts: what the intervals allow no verdict on is said to be so, and is no regression.
func TestVerdicts(t *testing.T) {
	times := func(n int, head func(i int) float64) (base, other []bench.Record) {
		for i := range n {
			b, h := solved(fmt.Sprint(i), "fair", 10), solved(fmt.Sprint(i), "fair", 10)
			b.WallSeconds, h.WallSeconds = fake.Ptr(1.0), fake.Ptr(head(i))
			base, other = append(base, b), append(other, h)
		}
		return base, other
	}
	for _, c := range []struct {
		name    string
		n       int
		head    func(i int) float64
		verdict compare.Verdict
		fails   bool
	}{
		{"twice as long", 10, func(int) float64 { return 2 }, compare.Slower, true},
		{"half as long", 10, func(int) float64 { return 0.5 }, compare.Faster, false},
		{"the same", 10, func(int) float64 { return 1.01 }, compare.Similar, false},
		{"here and there", 10, func(i int) float64 { return 0.2 + 2.5*float64(i%2) }, compare.NotEnough, false},
		{"two instances", 2, func(int) float64 { return 2 }, compare.NotEnough, false},
	} {
		base, head := times(c.n, c.head)
		r := run(t, compare.Input{
			Base: compare.Side{Records: ratio.Pack(base)}, Head: compare.Side{Records: ratio.Pack(head)}, Gates: gates(t, "time=20%"),
		})
		if got := r.Algorithms[0].Time.Verdict; got != c.verdict || len(r.Regressions) > 0 != c.fails {
			t.Errorf("%s: %s, regressions %v", c.name, got, r.Regressions)
		}
		if (c.name == "half as long") != (len(r.Improvements) > 0) {
			t.Errorf("%s: improvements %v", c.name, r.Improvements)
		}
	}
}

// TestFormats: programs read what is written for them, whatever is in a name or an error; a crash shows what stderr ended with.
func TestFormats(t *testing.T) {
	base := []bench.Record{solved("a,b:<c>%", "fair", 10), solved("x", "spt", 1)}
	head := []bench.Record{solved("a,b:<c>%", "fair", 12), fake.Row(fake.Problem(), "x", "spt", bench.Crash)}
	head[1].Error = fake.Ptr("killed by signal 11\nstarting\nnull pointer: 0%\n\n")
	r := run(t, compare.Input{
		Base: compare.Side{Records: ratio.Pack(base)}, Head: compare.Side{Records: ratio.Pack(head)},
		Gates: gates(t, compare.DefaultGates),
	})
	var github, junit strings.Builder
	if err := r.GitHub(&github); err != nil {
		t.Fatal(err)
	}
	if err := r.JUnit(&junit); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(github.String(), "::error title="); got != 2 ||
		!strings.Contains(github.String(), "null pointer%3A 0%25") &&
			!strings.Contains(github.String(), "killed by signal 11 … null pointer: 0%25") {
		t.Errorf("%d errors in\n%s", got, github.String())
	}
	var suite struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Cases    []struct {
			Class   string `xml:"classname,attr"`
			Name    string `xml:"name,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
			} `xml:"failure"`
		} `xml:"testcase"`
	}
	if err := xml.Unmarshal([]byte(junit.String()), &suite); err != nil {
		t.Fatal(err)
	}
	failed := map[string]string{}
	for _, c := range suite.Cases {
		if c.Failure != nil {
			failed[c.Name+" "+c.Class] = c.Failure.Message
		}
	}
	if suite.Tests != len(suite.Cases) || suite.Failures != 2 || len(failed) != 2 || failed["ratio schedgap.flex.fair"] == "" ||
		!strings.Contains(failed["correctness schedgap.flex.spt"], "null pointer: 0%") {
		t.Errorf("%d of %d: %v\n%s", suite.Failures, suite.Tests, failed, junit.String())
	}
}
