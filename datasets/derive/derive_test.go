package derive

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedgap/datasets/trace"
	"schedgap/models"
	"schedgap/models/trials"
)

// frame is one of n strata over the instants 100 to 200, with a job submitted at each.
func frame(n int) (*Frame, []*trace.Job) {
	f := &Frame{Request: models.DeriveRequest{N: n, Seed: 5}, Trace: &trace.Trace{Format: "toy"}, From: 100, To: 200}
	var jobs []*trace.Job
	for at := f.From; at < f.To; at++ {
		jobs = append(jobs, &trace.Job{Submit: at})
	}
	return f, jobs
}

// Strata part the span: each job belongs to one, a job at an edge to the one that begins there. Instants lie in their stratum.
func TestStrata(t *testing.T) {
	for _, n := range []int{1, 3, 4, 100} {
		f, jobs := frame(n)
		var of []*trace.Job
		for i := range n {
			s := f.Stratum(i)
			own := s.Of(jobs)
			of = append(of, own...)
			if len(own) == 0 || own[0].Submit != s.Begin || i > 0 && s.Begin != f.Stratum(i-1).End {
				t.Errorf("stratum %d of %d, [%d, %d), has %d jobs", i, n, s.Begin, s.End, len(own))
			}
			for range trials.Count(100) {
				if at := f.Instant(s); at < s.Begin || at > s.End {
					t.Errorf("the instant %d of the stratum [%d, %d)", at, s.Begin, s.End)
				}
			}
		}
		if !slices.Equal(of, jobs) {
			t.Errorf("%d strata have %d of %d jobs", n, len(of), len(jobs))
		}
	}
	f, _ := frame(4)
	if a, b, again := f.Stratum(1), f.Stratum(2), f.Stratum(1); a.Rand.Uint64() == b.Rand.Uint64() || f.Name(a) != "toy-seed5-002" ||
		again.Rand.Uint64() != f.Stratum(1).Rand.Uint64() {
		t.Errorf("the randomness of strata, %s", f.Name(a))
	}
}

// A derivation is a stand-in whose strata give an instance or none.
type derivation struct {
	*Frame
	gives []bool
	err   error
}

func (d derivation) Instance(_ context.Context, s Stratum) (models.Instance, bool, error) {
	return nil, d.gives[s.Index], d.err
}

func (d derivation) Missing() string { return "nothing there" }
func (d derivation) None() error     { return errNone }

var errNone = errors.New("none")

// Each yields what there is, tells of every stratum without an instance, and fails where no stratum has one.
func TestEach(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		gives         []bool
		err           error
		given, missed int
		want          error
	}{
		{[]bool{true, true}, nil, 2, 0, nil},
		{[]bool{false, true, false}, nil, 1, 2, nil},
		{[]bool{false, false}, nil, 0, 2, errNone},
		{[]bool{true, true}, broken, 0, 0, broken},
	} {
		f, _ := frame(len(c.gives))
		given, missed := 0, 0
		f.Request.Missed = func(string) { missed++ }
		open := func(context.Context, models.DeriveRequest) (derivation, error) {
			return derivation{f, c.gives, c.err}, nil
		}
		var failed error
		for _, err := range Each(open)(t.Context(), f.Request) {
			if err == nil {
				given++
			} else {
				failed = err
			}
		}
		if given != c.given || missed != c.missed || !errors.Is(failed, c.want) {
			t.Errorf("%v: %d given, %d missed, %v", c.gives, given, missed, failed)
		}
	}
	f, _ := frame(3)
	open := func(context.Context, models.DeriveRequest) (derivation, error) {
		return derivation{f, []bool{true, true, true}, nil}, nil
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	given := 0
	for _, err := range Each(open)(ctx, f.Request) {
		if err == nil {
			given++
			cancel()
		} else if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if given != 1 {
		t.Errorf("%d instances after the context's end", given)
	}
}

// The sentences name the numbers: what is missing in a stratum is that stratum's, what is missing in all is the most of any.
func TestReasons(t *testing.T) {
	f, _ := frame(2)
	f.Request.Dir, f.Request.Params = "traces", models.Values{"jobs": 4}
	f.Stratum(0)
	if !f.Short(3, "jobs", "jobs at once") {
		t.Error("3 of 4 are enough")
	}
	f.Stratum(1)
	if !f.Short(1, "jobs", "jobs at once") || f.Missing() != "there are at most 1 jobs at once, fewer than jobs=4" {
		t.Errorf("missing: %s", f.Missing())
	}
	if says := f.None().Error(); !strings.Contains(says, "traces: an instance needs 4 jobs at once (jobs), and in none of the 2 parts of the window "+
		"are there more than 3") {
		t.Error(says)
	}
	if f.Short(4, "jobs", "jobs at once") {
		t.Error("4 of 4 are too few")
	}
	if says := f.None().Error(); !strings.Contains(says, "with jobs at once or without") || !strings.Contains(f.Missing(), "the rest") {
		t.Error(says, f.Missing())
	}
}

// Samples are ascending, without repetition, and every index has a chance; draws stay in their range.
func TestDraws(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[int]bool{}
	for range 200 {
		s := Sample(6, 3, rng)
		if len(s) != 3 || !slices.IsSorted(s) || len(slices.Compact(slices.Clone(s))) != 3 || s[0] < 0 || s[2] > 5 {
			t.Fatalf("sample %v", s)
		}
		for _, i := range s {
			seen[i] = true
		}
		if x := Between(2, 5, rng); x < 2 || x >= 5 {
			t.Errorf("%v is not between 2 and 5", x)
		}
	}
	if len(seen) != 6 || !slices.Equal(Sample(3, 9, rng), []int{0, 1, 2}) {
		t.Errorf("indices %v", seen)
	}
	a, b := Streams(rand.New(rand.NewPCG(3, 4)), 2), Streams(rand.New(rand.NewPCG(3, 4)), 2)
	a[0].Uint64() // draws of one stream change no other
	if x, y := a[1].Uint64(), b[1].Uint64(); x != y || x == b[0].Uint64() {
		t.Error("streams depend on each other")
	}
}

// A mended table of speedups falls nowhere and rises by no more than before.
func TestConcave(t *testing.T) {
	for _, c := range []struct{ table, want []float64 }{
		{[]float64{1, 1.8, 2.4, 2.8}, []float64{1, 1.8, 2.4, 2.8}},
		{[]float64{1, 3, 5, 3.5}, []float64{1, 2, 3, 3.5}},
		{[]float64{1, 2, 1.5, 3}, []float64{1, 2, 2, 2}},
		{[]float64{1, 1.5, 2.5, 2.25}, []float64{1, 1.5, 2, 2.25}},
		{[]float64{1, 1.23456}, []float64{1, 1.235}},
	} {
		Concave(c.table)
		if !slices.Equal(c.table, c.want) {
			t.Errorf("%v, want %v", c.table, c.want)
		}
	}
}
