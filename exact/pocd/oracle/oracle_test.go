package oracle

import (
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/models/fail"
	"schedgap/models/pocd"
)

// halves has two jobs of one task with q^β = 1/2, so R(r) = 1 − 2^−(r+1), and the second's is no straggler.
func halves(alpha float64, spare int) *pocd.Instance {
	task := pocd.Task{ID: "t", TMin: 50, Beta: 1, Straggler: true}
	slow := task
	slow.Straggler = false
	return &pocd.Instance{Alpha: alpha, Capacity: 4 + spare, MaxCopies: 3, Jobs: []pocd.Job{
		{ID: "a", Deadline: 100, Tasks: []pocd.Task{task}},
		{ID: "b", Deadline: 120, Elapsed: 20, Tasks: []pocd.Task{slow}},
	}}
}

func TestByHand(t *testing.T) {
	inf := math.Inf(1)
	for _, tc := range []struct {
		name  string
		alpha float64
		spare int
		all   bool
		want  float64
	}{
		{"no copies: 1/2 + 1/2", 0, 0, false, 1},
		{"two copies for the straggler: 7/8 + 1/2", 0, 2, false, 1.375},
		{"one for each: 3/4 + 3/4", 0, 2, true, 1.5},
		{"max_copies: 15/16 + 1/2", 0, 9, false, 1.4375},
		{"the product 3/4 · 3/4", 1, 2, true, math.Log(9. / 16)},
		{"−1/p: −4/3 − 4/3", 2, 2, true, -8. / 3},
		{"the least", inf, 3, false, 0.5},
		{"the least of 3/4 and 7/8", inf, 3, true, 0.75},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := Opt(halves(tc.alpha, tc.spare), tc.all); math.Abs(got-tc.want) > 1e-14 {
				t.Errorf("%v, want %v", got, tc.want)
			}
		})
	}
}

// A job past its deadline and one with q = 1 are hopeless: worth 0 for α < 1, left out for α ≥ 1.
func TestHopelessByHand(t *testing.T) {
	for alpha, want := range map[float64]float64{0: 0, 0.5: 0, 1: 0, 2: 0, math.Inf(1): 1} {
		in := halves(alpha, 2)
		in.Jobs[0].Elapsed = 100
		in.Jobs[1].Tasks[0].TMin = 100
		if got := Opt(in, true); got != want {
			t.Errorf("α = %v: %v, want %v", alpha, got, want)
		}
		in.Jobs[1].Tasks[0].TMin = 50
		if got, want := Opt(in, false), utility(alpha, -math.Ln2); got != want {
			t.Errorf("α = %v with one job left: %v, want %v", alpha, got, want)
		}
	}
}

// Every random instance survives the reader of instance files, and all traits occur.
func TestRandomInstances(t *testing.T) {
	rng, seen := rand.New(rand.NewPCG(1, 1)), map[string]int{}
	for range 500 {
		in := RandomInstance(rng, 0)
		data, err := pocd.Problem.MarshalInstance(in)
		fail.On(t, err)
		if _, err := pocd.Problem.ParseInstance("random.json", data); err != nil {
			t.Fatal(err)
		}
		if n := len(in.Hopeless()); n > 0 {
			seen["hopeless"]++
			if n == len(in.Jobs) {
				seen["all hopeless"]++
			}
		}
		if in.Spare() == 0 {
			seen["no spare machine"]++
		}
		if Opt(in, true) > Opt(in, false) {
			seen["stragglers bind"]++
		}
	}
	if len(seen) != 4 {
		t.Errorf("traits %v", seen)
	}
}
