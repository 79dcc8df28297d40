package catalog

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/cloning"
)

// plantedLimit is what each algorithm of BenchmarkPlanted may take.
const plantedLimit = 60 * time.Second

// A planting draws n jobs of OPT with cloning, all there at time 0, so that a schedule is known whose k-th job is done when all servers
// together can first have done the work of the k smallest. Its total flowtime is the least: no k jobs need less work than these.
type planting struct {
	name string
	draw func(rng *rand.Rand, n int) (in *cloning.Instance, optimum float64)
}

var plantings = []planting{
	// One task a job that fills a server; the shortest first on the first free server (Conway, Maxwell and Miller 1967). Its proof is
	// another than that above: the k-th job is not done at the earliest moment, but the sum is least.
	{"spt", func(rng *rand.Rand, n int) (*cloning.Instance, float64) {
		in := plantedCluster(5, 1)
		for range n {
			plant(in, cloning.Phase{Tasks: 1, Demand: []float64{.6, .6}, Mean: float64(1 + rng.IntN(20))})
		}
		slices.SortStableFunc(in.Jobs, func(a, b cloning.Job) int { return int(a.Phases[0].Mean - b.Phases[0].Mean) })
		free, optimum := make([]float64, len(in.Servers)), 0.
		for _, j := range in.Jobs {
			slices.Sort(free)
			free[0] += j.Phases[0].Mean
			optimum += free[0]
		}
		return shuffled(rng, in), optimum
	}},
	// Tasks in pairs that fill a server together, and fill it with no others.
	{"pairs", func(rng *rand.Rand, n int) (*cloning.Instance, float64) {
		in := plantedCluster(5, 1)
		var work []int
		for range n {
			tasks := min(40, int(2/rng.Float64())) // Pareto of shape 1, from 2 on
			a, b := halves(rng)
			plant(in, cloning.Phase{Tasks: tasks, Demand: a, Mean: 1}, cloning.Phase{Tasks: tasks, Demand: b, Mean: 1})
			work = append(work, tasks)
		}
		return shuffled(rng, in), together(work, len(in.Servers))
	}},
	// Pairs, then one task a server, and copies whose speedup is their number. Each job needs its phases' copies on all 12 servers to be
	// done in time: in 12 tasks, 6 of two copies, or 4 of three.
	{"copies", func(rng *rand.Rand, n int) (*cloning.Instance, float64) {
		in := plantedCluster(12, 3)
		var work []int
		for range n {
			var slots [2]int
			phase := func(slots int, demand []float64) cloning.Phase {
				copies := 1 + rng.IntN(3)
				return cloning.Phase{Tasks: 12 / copies, Demand: demand, Mean: float64(slots * copies)}
			}
			for k := range slots {
				slots[k] = 1 + rng.IntN(8)
			}
			a, b := halves(rng)
			last := phase(slots[1], []float64{1, .3})
			last.Parents = []int{0, 1}
			plant(in, phase(slots[0], a), phase(slots[0], b), last)
			work = append(work, 12*(slots[0]+slots[1]))
		}
		return shuffled(rng, in), together(work, len(in.Servers))
	}},
}

// together is the sum of the first moments at which servers can have done the k smallest works, for each k.
func together(work []int, servers int) float64 {
	slices.Sort(work)
	done, total := 0, 0
	for _, w := range work {
		done += w
		total += (done + servers - 1) / servers
	}
	return float64(total)
}

// halves are demands that fill a server together.
func halves(rng *rand.Rand) (a, b []float64) {
	for range 2 {
		x := float64(50+rng.IntN(925)) / 1024 // sums are exact
		a, b = append(a, x), append(b, 1-x)
	}
	return a, b
}

func plantedCluster(servers, copies int) *cloning.Instance {
	in := &cloning.Instance{Resources: []string{"cpu", "mem"}, MaxCopies: copies, MaxCopiesPerServer: 1}
	in.Name = "planted"
	for i := range servers {
		in.Servers = append(in.Servers, cloning.Server{ID: fmt.Sprint("s", i+1), Capacity: []float64{1, 1}})
	}
	return in
}

// plant adds a job.
func plant(in *cloning.Instance, phases ...cloning.Phase) {
	for i := range phases {
		phases[i].ID = fmt.Sprint("p", i+1)
		for r := range in.MaxCopies {
			phases[i].Speedup = append(phases[i].Speedup, float64(r+1))
		}
	}
	in.Jobs = append(in.Jobs, cloning.Job{Phases: phases})
}

// shuffled names the jobs in an order that says nothing of them.
func shuffled(rng *rand.Rand, in *cloning.Instance) *cloning.Instance {
	rng.Shuffle(len(in.Jobs), func(i, j int) { in.Jobs[i], in.Jobs[j] = in.Jobs[j], in.Jobs[i] })
	for i := range in.Jobs {
		in.Jobs[i].ID = fmt.Sprint("j", i+1)
	}
	return in
}

// runPlanted runs an algorithm on an instance.
func runPlanted(tb testing.TB, p *bench.Problem, in *cloning.Instance, algorithm string) *bench.Result {
	tb.Helper()
	data, err := cloning.Problem.MarshalInstance(in)
	if err != nil {
		tb.Fatal(err)
	}
	instance, err := p.ParseInstance("planted.json", data)
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(tb.Context(), plantedLimit)
	defer cancel()
	return p.Run(ctx, instance, bench.Request{Algorithm: algorithm, Threads: 1, Seed: 1}, bench.Observer{})
}

// witness is the planted schedule: job by job, those with least work first, each copy on the first server that is free.
func witness(in *cloning.Instance) cloning.Solution {
	work := func(job int) (sum float64) {
		for k, f := range in.Jobs[job].Phases {
			if k != 1 { // the other half of pairs
				sum += float64(f.Tasks) * f.Mean
			}
		}
		return sum
	}
	s := cloning.Solution{Regime: cloning.Nonpreemptive}
	free := make([]int, len(in.Servers))
	for _, job := range models.OrderBy(len(in.Jobs), work) {
		begun := slices.Clone(free)
		for k, f := range in.Jobs[job].Phases {
			copies := 1
			if in.MaxCopies > 1 {
				copies = len(in.Servers) / f.Tasks
			}
			if k == 1 {
				copy(free, begun)
			}
			for i := range f.Tasks * copies {
				v := slices.Index(free, slices.Min(free))
				end := free[v] + int(f.Mean)/copies
				s.Copies = append(s.Copies, cloning.Copy{Task: cloning.Task{Job: job, Phase: k, Index: i % f.Tasks}, Server: v, Start: free[v], End: end})
				free[v] = end
			}
		}
	}
	return s
}

// TestPlanted: the checker accepts the planted schedule and finds its value, and for three jobs opt proves it.
func TestPlanted(t *testing.T) {
	p, err := registry(t).Problem("cloning")
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range plantings {
		in, optimum := family.draw(rand.New(rand.NewPCG(58, 100)), 100)
		if v := cloning.Problem.Check(in, witness(in)); !v.Feasible(nil) || *v.Objective != optimum {
			t.Errorf("%s: the schedule has %v %v, planted is %v", family.name, show(v.Objective), v.Violations, optimum)
		}
		in, optimum = family.draw(rand.New(rand.NewPCG(58, 9)), 3)
		if res := runPlanted(t, p, in, "opt"); res.Status != bench.Optimal || *res.Objective != optimum {
			t.Errorf("%s: %s %s, planted is %v", family.name, res.Status, show(res.Objective), optimum)
		}
	}
}

// BenchmarkPlanted (make bench-planted) states the values and bounds of 100 jobs over their planted optimum, so that it is known which of
// the two is loose.
func BenchmarkPlanted(b *testing.B) {
	registry, err := New()
	if err != nil {
		b.Fatal(err)
	}
	p, err := registry.Problem("cloning")
	if err != nil {
		b.Fatal(err)
	}
	for _, family := range plantings {
		for _, algorithm := range []string{"lb-price", "lb-srpt", "lb-path", "best", "best-nonpreemptive", "dollymp2", "tetris", "srpt"} {
			b.Run(family.name+"/"+algorithm, func(b *testing.B) {
				in, optimum := family.draw(rand.New(rand.NewPCG(58, 100)), 100)
				for b.Loop() {
					res := runPlanted(b, p, in, algorithm)
					b.ReportMetric(0, "ns/op")
					if res.Bound != nil {
						b.ReportMetric(*res.Bound/optimum, "bound")
					}
					if res.Objective != nil {
						b.ReportMetric(*res.Objective/optimum, "value")
					}
					b.ReportMetric(*res.CPUSeconds, "cpu-s")
				}
			})
		}
	}
}
