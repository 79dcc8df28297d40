package milptest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"schedgap/exact/milp"
)

// Benchmark measures s on 20 small random models, 10 knapsacks and 10 generalised assignments, and reports the
// geometric mean of their solve times as ms/solve.
func Benchmark(b *testing.B, s milp.Solver) {
	var models []*milp.Model
	for seed := range uint64(10) {
		models = append(models, twoKnapsacks(seed), assignment(seed))
	}
	logs, n := 0.0, 0
	for b.Loop() {
		for _, m := range models {
			begin := time.Now()
			r, err := s.Solve(context.Background(), m, milp.Options{})
			if err != nil {
				b.Fatal(err)
			}
			if r.Status != milp.Optimal {
				b.Fatalf("%s: %s (%s)", m.Name, r.Status, r.Raw)
			}
			logs += math.Log(time.Since(begin).Seconds() * 1e3)
			n++
		}
	}
	b.ReportMetric(math.Exp(logs/float64(n)), "ms/solve")
}

// twoKnapsacks: 25 items, two capacities of 40 % of the weights, values close to the weights.
func twoKnapsacks(seed uint64) *milp.Model {
	const items = 25
	rng := rand.New(rand.NewPCG(seed, 1))
	m := &milp.Model{Name: fmt.Sprint("knapsack-", seed), Maximize: true}
	rows, sums := make([][]milp.Term, 2), make([]float64, 2)
	for j := range items {
		weight := 0.0
		for i := range rows {
			w := float64(10 + rng.IntN(90))
			rows[i] = append(rows[i], milp.Term{Col: j, Coef: w})
			sums[i] += w
			weight += w
		}
		m.Binary(fmt.Sprint("x", j), weight+float64(rng.IntN(40)))
	}
	for i, terms := range rows {
		m.AddRow(fmt.Sprint("capacity", i), -milp.Inf, math.Floor(.4*sums[i]), terms...)
	}
	return m
}

// assignment: 12 jobs to 3 machines whose capacities are 38 % of each machine's total load, at least cost.
func assignment(seed uint64) *milp.Model {
	const jobs, machines = 12, 3
	rng := rand.New(rand.NewPCG(seed, 2))
	m := &milp.Model{Name: fmt.Sprint("assignment-", seed)}
	loads, sums := make([][]milp.Term, machines), make([]float64, machines)
	for j := range jobs {
		var one []milp.Term
		for i := range machines {
			x := m.Binary(fmt.Sprintf("x%d_%d", j, i), float64(10+rng.IntN(40)))
			w := float64(5 + rng.IntN(20))
			one = append(one, milp.Term{Col: x, Coef: 1})
			loads[i] = append(loads[i], milp.Term{Col: x, Coef: w})
			sums[i] += w
		}
		m.AddRow(fmt.Sprint("job", j), 1, 1, one...)
	}
	for i, terms := range loads {
		m.AddRow(fmt.Sprint("capacity", i), -milp.Inf, math.Ceil(.38*sums[i]), terms...)
	}
	return m
}
