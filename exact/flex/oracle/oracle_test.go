package oracle

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/trials/property"
)

var (
	makespan      = flex.Objective{Metric: flex.Response, Aggregate: flex.Max}
	totalResponse = flex.Objective{Metric: flex.Response, Aggregate: flex.Sum}
)

func job(id string, work float64, m, M int) flex.Job {
	return flex.Job{ID: id, Work: work, Min: m, Max: M, Weight: 1}
}

func withDeadline(j flex.Job, d float64) flex.Job {
	j.Deadline = &d
	return j
}

func instance(slots int, o flex.Objective, jobs ...flex.Job) *flex.Instance {
	in := &flex.Instance{Slots: slots, Objective: o, Jobs: jobs}
	in.Name = "tiny"
	return in
}

// alike makes n jobs that differ in their ids only.
func alike(n int, j flex.Job) []flex.Job {
	var jobs []flex.Job
	for i := range n {
		j.ID = string(rune('a' + i))
		jobs = append(jobs, j)
	}
	return jobs
}

func drawInstance(t *rapid.T, maxJobs int) *flex.Instance {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	return RandomInstance(rng, rapid.IntRange(1, maxJobs).Draw(t, "jobs"))
}

// near allows for the rounding of floating-point completion times, not for different optima of small integer data.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

func wantRat(t *testing.T, what string, got *big.Rat, want string) {
	t.Helper()
	w, _ := new(big.Rat).SetString(want)
	if got.Cmp(w) != 0 {
		t.Errorf("%s = %v, want %v", what, got.RatString(), w.RatString())
	}
}

// TestOptima compares optima with values worked out by hand.
func TestOptima(t *testing.T) {
	sla := func(id string, work float64, steps ...flex.Step) flex.Job {
		j := job(id, work, 0, 1)
		j.Steps = steps
		return j
	}
	for _, tc := range []struct {
		name     string
		in       *flex.Instance
		opt, mps string
	}{
		// Two jobs run, the third waits until 2 and ends at 4. Rotating the three over two slots ends at 3·2/2.
		{"Lemma 1 without minima", instance(2, makespan, alike(3, job("", 2, 0, 1))...), "3", "4"},
		// Slots 3, 3, 1 until 2; then the third has 6 − 2 = 4 left at 3 slots: 2 + 4/3. At 7/3 slots each: 6·3/7.
		{"Lemma 1 with minima", instance(7, makespan, alike(3, job("", 6, 1, 3))...), "18/7", "10/3"},
		// One after the other on both slots, shortest first: 1 + 3 + 6.
		{
			"shortest first",
			instance(2, totalResponse, job("a", 6, 0, 2), job("b", 2, 0, 2), job("c", 4, 0, 2)),
			"10", "10",
		},
		// b has a slot until it ends at 2, so a has 3 until then and 2 left at 4 slots: 2.5 + 2.
		{"binding minimum", instance(4, totalResponse, job("a", 8, 0, 4), job("b", 2, 1, 1)), "9/2", "9/2"},
		// W/w is 2 for a and 1 for b: b ends at 4, a at 6, 4·4 + 1·6.
		{"weights", instance(
			1, flex.Objective{Metric: flex.Response, Aggregate: flex.Sum, Weighted: true},
			job("a", 2, 0, 1), flex.Job{ID: "b", Work: 4, Max: 1, Weight: 4},
		), "22", "22"},
		// a at 2 is 3 early, b at 6 is 1 early; the other way round b at 4 is 3 early and a at 6 is 1 late.
		{"negative lateness", instance(
			1, flex.Objective{Metric: flex.Lateness, Aggregate: flex.Max},
			withDeadline(job("a", 2, 0, 1), 5), withDeadline(job("b", 4, 0, 1), 7),
		), "-1", "-1"},
		// Until 2 there is room for 2·2 = 4 of the 8 units of a and b: one of them is late, and c is in time before it.
		{"one tardy job", instance(
			2, flex.Objective{Metric: flex.Tardy, Aggregate: flex.Sum},
			withDeadline(job("a", 4, 0, 2), 2), withDeadline(job("b", 4, 0, 2), 2), withDeadline(job("c", 4, 0, 2), 4),
		), "1", "1"},
		// All three are in time if they rotate; MPS delays one to 4.
		{"tardy needs rotation", instance(
			2, flex.Objective{Metric: flex.Tardy, Aggregate: flex.Sum},
			alike(3, withDeadline(job("", 2, 0, 1), 3))...,
		), "0", "1"},
		// a first: a 0, b at 3 pays 2. b first: b at 2 pays 0, a at 3 pays 5.
		{"steps", instance(
			1, flex.Objective{Metric: flex.SLA, Aggregate: flex.Sum},
			sla("a", 1, flex.Step{At: 1, Penalty: 1}, flex.Step{At: 2, Penalty: 5}), sla("b", 2, flex.Step{At: 2, Penalty: 2}),
		), "2", "2"},
		// At 5/3 slots each all end at 18/5, stretch 3/5. MPS gives 2, 2, 1 slots until 3; then the third has 6 − 3 = 3 left
		// at 2 slots: 3 + 3/2 = 9/2, stretch 3/4.
		{"stretch", instance(
			5, flex.Objective{Metric: flex.Stretch, Aggregate: flex.Max}, alike(3, job("", 6, 1, 2))...,
		), "3/5", "3/4"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v, _ := opt(tc.in)
			wantRat(t, "Opt", v, tc.opt)
			v, order := bestMPS(tc.in)
			wantRat(t, "BestMPS", v, tc.mps)
			wantRat(t, "BestMPS's order", value(tc.in, mps(tc.in, order), new(big.Rat)), tc.mps)
		})
	}
}

// TestChain: the optimum is attained by a schedule that the checker accepts, and no MPS, moldable or fair schedule is
// better.
func TestChain(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := drawInstance(t, 4)
		best, s := opt(in)
		v, completes, violations := Check(in, s)
		if !completes || len(violations) > 0 || !near(v, rounded(best)) {
			t.Fatalf("Opt = %v, its schedule %v, violations %v", rounded(best), v, violations)
		}
		if v, _ := bestMPS(in); less(v, best) {
			t.Fatalf("BestMPS = %v < Opt = %v", v, best)
		}
		if v, ok := Moldable(in); ok && v < rounded(best)-1e-9 {
			t.Fatalf("Moldable = %v < Opt = %v", v, rounded(best))
		}
		if v := in.Value(Fair(in)); v < rounded(best)-1e-9*max(1, math.Abs(v)) {
			t.Fatalf("Fair = %v < Opt = %v", v, rounded(best))
		}
	})
}

// TestMoldable covers a choice, a minimum of one slot each, and an instance with too few slots for that.
func TestMoldable(t *testing.T) {
	// 12/3 + 3/1 = 7 against 12/2 + 3/2 = 7.5 and 12/1 + 3/3 = 13.
	if v, ok := Moldable(instance(4, totalResponse, job("a", 12, 0, 4), job("b", 3, 0, 4))); !ok || v != 7 {
		t.Errorf("Moldable = %v, %v, want 7", v, ok)
	}
	if v, ok := Moldable(instance(2, totalResponse, alike(3, job("", 2, 0, 1))...)); ok {
		t.Errorf("Moldable = %v with three jobs on two slots", v)
	}
}

// TestCheck breaks one rule at a time in the schedule a: 2 slots until 2, b: 1 slot until 2 and 2 until 3.
func TestCheck(t *testing.T) {
	in := instance(3, totalResponse, job("a", 4, 1, 2), job("b", 4, 1, 2))
	iv := func(start, end, a, b float64) flex.Interval {
		return flex.Interval{Start: start, End: end, Changes: []flex.Share{{Job: 0, Slots: a}, {Job: 1, Slots: b}}}
	}
	only := func(start, end float64, changes ...flex.Share) flex.Interval {
		return flex.Interval{Start: start, End: end, Changes: changes}
	}
	for _, tc := range []struct {
		name      string
		s         flex.Schedule
		objective float64
		want      []string
	}{
		{"good", flex.Schedule{iv(0, 2, 2, 1), iv(2, 3, 0, 2)}, 5, nil},
		{"allocations stay in force", flex.Schedule{iv(0, 1, 2, 1), only(1, 2), iv(2, 3, 0, 2)}, 5, nil},
		{"waiting without a minimum", flex.Schedule{iv(0, 2, 2, 0), iv(2, 4, 0, 2)}, 6, []string{"minimum"}},
		{"above the maximum", flex.Schedule{iv(0, 4.0/3, 3, 0), iv(4.0/3, 10.0/3, 0, 2)}, 14.0 / 3, []string{"maximum", "minimum"}},
		{"too many slots", flex.Schedule{iv(0, 2, 2, 2)}, 4, []string{"slots"}},
		{"gap", flex.Schedule{iv(0, 2, 2, 1), iv(3, 4, 0, 2)}, 6, []string{"contiguity"}},
		{"late start", flex.Schedule{iv(1, 3, 2, 1), iv(3, 4, 0, 2)}, 7, []string{"contiguity"}},
		{"too little work", flex.Schedule{iv(0, 2, 2, 1), iv(2, 2.5, 0, 2)}, math.NaN(), []string{"work"}},
		{"too much work", flex.Schedule{iv(0, 2, 2, 1), iv(2, 4, 0, 2)}, 6, []string{"work"}},
		{"slots after the end", flex.Schedule{iv(0, 2, 2, 1), iv(2, 3, 1, 2)}, 5, []string{"maximum", "work"}},
		{"nothing", nil, math.NaN(), []string{"work", "work"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v, completes, violations := Check(in, tc.s)
			var names []string
			for _, s := range violations {
				name, _, _ := bytes.Cut([]byte(s), []byte(":"))
				names = append(names, string(name))
			}
			slices.Sort(names)
			if !slices.Equal(names, tc.want) {
				t.Errorf("violations %v, want %v", violations, tc.want)
			}
			if completes == math.IsNaN(tc.objective) || completes && !near(v, tc.objective) {
				t.Errorf("objective %v, completes %v, want %v", v, completes, tc.objective)
			}
		})
	}
}

// TestRandomInstances: every instance survives the reader of instance files, seeds repeat, and every trait occurs.
func TestRandomInstances(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(400) {
		in := RandomInstance(rand.New(rand.NewPCG(seed, 1)), 4)
		data, err := flex.Problem.MarshalInstance(in)
		fail.On(t, err)
		if _, err := flex.Problem.ParseInstance("random.json", data); err != nil {
			t.Fatal(err)
		}
		again, err := flex.Problem.MarshalInstance(RandomInstance(rand.New(rand.NewPCG(seed, 1)), 4))
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("seed %d gives %s and %s (%v)", seed, data, again, err)
		}
		maxima, rigid := 0, 0
		for j, a := range in.Jobs {
			maxima += a.Max
			if a.Min == a.Max {
				rigid = 1
			}
			for _, b := range in.Jobs[:j] {
				if a.Work == b.Work && a.Min == b.Min && a.Max == b.Max && a.Weight == b.Weight {
					seen["identical jobs"]++
				}
			}
		}
		seen[in.Objective.String()]++
		seen["rigid job"] += rigid
		if in.TotalMin() == 0 {
			seen["no minima"]++
		}
		if maxima < in.Slots {
			seen["maxima below S"]++
		}
	}
	// 4 metrics with sum and max and 2 with sum only, each weighted and not.
	if traits := 20 + 4; len(seen) != traits {
		t.Errorf("%d traits of %d: %v", len(seen), traits, seen)
	}
}
