package worst_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/exact/flex/oracle"
	"schedgap/models/fail"
	"schedgap/models/flex"
)

var (
	conjectureTime = flag.Duration("conjecture", 0, "how long to look for a counter-example, per number of jobs; 0: a few instances")
	conjectureOut  = flag.String("conjecture-out", "", "file for the counts of -conjecture")
)

// tried are the counts of one number of jobs.
type tried struct {
	Jobs     int     `json:"jobs"`
	Exact    int     `json:"exact"`    // instances decided in rational numbers
	Floating int     `json:"floating"` // instances whose two optima agree to 1e-9
	Largest  float64 `json:"largest"`  // ratio of the two optima − 1 among these
	Counter  string  `json:"counter"`  // a counter-example
}

// TestConjecture looks for malleable jobs with maxima and no minima of which no list schedule minimises Σ w·C: Beaumont,
// Bonichon, Eyraud-Dubois and Marchal (IPDPS 2012) conjecture that there are none. Two searches that share no bound, opt and
// opt-mps, have to agree to 1e-9; up to five jobs all completion orders and all priority orders are compared in rational numbers
// besides.
func TestConjecture(t *testing.T) {
	p := problem(t, "flex")
	var all []tried
	for n := 3; n <= 10; n++ {
		c := tried{Jobs: n}
		rng := rand.New(rand.NewPCG(uint64(n), 20120521))
		most := []int{0, 0, 0, 20, 3, 0, 5, 3, 1, 0, 0}[n] // of a short test
		for began := time.Now(); *conjectureTime > 0 && time.Since(began) < *conjectureTime || *conjectureTime == 0 &&
			c.Exact+c.Floating < most; {
			typed := weighted(n, rng)
			file, err := flex.Problem.MarshalInstance(typed)
			fail.On(t, err)
			in, err := p.ParseInstance("conjecture", file)
			fail.On(t, err)
			if n <= 5 {
				if gap := oracle.PackingGap(typed); gap.Sign() > 0 {
					c.Counter = string(file)
					t.Errorf("a counter-example, by %v: %s", gap, file)
				}
				c.Exact++
			}
			value := func(algorithm string) float64 {
				res := p.Run(t.Context(), in, bench.Request{Algorithm: algorithm, Seed: 1, Threads: 1}, bench.Observer{})
				if res.Status != bench.Optimal {
					t.Fatalf("%s: %s %s: %s", algorithm, res.Status, res.Error, file)
				}
				return *res.Objective
			}
			excess := value("opt-mps")/value("opt") - 1
			c.Largest = max(c.Largest, excess)
			c.Floating++
			if excess > 1e-9 {
				c.Counter = string(file)
				t.Errorf("a counter-example beyond rounding, by %v: %s", excess, file)
			}
		}
		all = append(all, c)
	}
	if *conjectureOut == "" {
		return
	}
	data, err := json.MarshalIndent(all, "", "  ")
	if err == nil {
		err = os.WriteFile(*conjectureOut, append(data, '\n'), 0o644)
	}
	fail.On(t, err)
}

// weighted is a random instance of small integers, in which ties of all kinds are common.
func weighted(n int, rng *rand.Rand) *flex.Instance {
	in := &flex.Instance{Slots: 2 + rng.IntN(2*n), Objective: flex.Objective{
		Metric: flex.Response, Aggregate: flex.Sum,
		Weighted: true,
	}}
	in.Name = "conjecture"
	kind, spread := rng.IntN(4), 2+rng.IntN(30)
	for j := range n {
		work, weight := 1+rng.IntN(spread), 1+rng.IntN(spread)
		switch kind {
		case 1:
			weight = work // every order has the same Smith ratios
		case 2:
			weight = 1
		case 3:
			work = 1
		}
		in.Jobs = append(in.Jobs, flex.Job{
			ID: fmt.Sprint("j", j+1), Work: float64(work), Weight: float64(weight), Max: 1 + rng.IntN(in.Slots),
		})
	}
	return in
}
