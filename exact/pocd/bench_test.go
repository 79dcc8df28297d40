package pocd

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/pocd"
)

func read(tb testing.TB, file string) *pocd.Instance {
	tb.Helper()
	data, err := os.ReadFile(file)
	fail.On(tb, err)
	in, err := pocd.Problem.ParseInstance(file, data)
	fail.On(tb, err)
	return in
}

// larger makes an instance of jobs with up to 10 tasks, which no two jobs have in common, at a random load.
func larger(rng *rand.Rand, alpha float64, jobs int) *pocd.Instance {
	in := snapshot(rng, alpha, jobs, 1+rng.IntN(10), 0)
	in.Capacity += rng.IntN(2 * (in.BaseLoad() - jobs))
	return in
}

// snapshot makes jobs as in section VI-A of the paper: t_min about 120 s, β ≤ 2, deadlines of 1.2 to 4 times t_min, tasks at
// any progress, of which half straggle.
func snapshot(rng *rand.Rand, alpha float64, jobs, tasks, spare int) *pocd.Instance {
	in := &pocd.Instance{Alpha: alpha, MaxCopies: 5}
	in.Name = fmt.Sprintf("snapshot-%dx%d", jobs, tasks)
	for j := range jobs {
		job := pocd.Job{ID: fmt.Sprint("j", j), Deadline: 120 * (1.2 + 2.8*rng.Float64())}
		job.Elapsed = 0.5 * rng.Float64() * (job.Deadline - 120)
		beta := 1.1 + 0.9*rng.Float64()
		for i := range tasks {
			job.Tasks = append(job.Tasks, pocd.Task{
				ID: fmt.Sprint("t", i), Progress: 0.6 * rng.Float64(), TMin: 108 + 24*rng.Float64(), Beta: beta,
				Straggler: rng.IntN(2) == 0,
			})
		}
		in.Jobs = append(in.Jobs, job)
	}
	in.Capacity = in.BaseLoad() + spare
	return in
}

func benchmark(b *testing.B, a *pocd.Algorithm, in *pocd.Instance, solver, model string) {
	b.ReportAllocs()
	for b.Loop() {
		p := pass(in)
		p.Solver, p.Model = solver, model
		out, err := a.Run(b.Context(), p)
		if err != nil || out.Status != models.Optimal {
			b.Fatalf("%s: %v", out.Status, err)
		}
	}
}

// 1,000 jobs of 20 tasks and 20,000 spare machines, with copies for stragglers and for all tasks. Near twins are the hardest
// that were found: 1,000 times one job whose deadline differs by a millionth, at most one copy a task, 13,452 machines.
func BenchmarkDPLarge(b *testing.B) {
	for _, alpha := range []float64{0, 0.5} {
		rng := rand.New(rand.NewPCG(1, 1))
		in := snapshot(rng, alpha, 1000, 20, 20_000)
		opt, all := algorithm(pocd.Opt, nil), algorithm(pocd.OptAll, nil)
		b.Run(fmt.Sprintf("alpha=%v/opt", alpha), func(b *testing.B) { benchmark(b, opt, in, "dp", "") })
		b.Run(fmt.Sprintf("alpha=%v/opt-all", alpha), func(b *testing.B) { benchmark(b, all, in, "dp", "") })
		twins := snapshot(rng, alpha, 1000, 20, 13_452)
		twins.MaxCopies = 1
		for j := range twins.Jobs {
			id := twins.Jobs[j].ID
			twins.Jobs[j] = twins.Jobs[0]
			twins.Jobs[j].ID = id
		}
		for j := range twins.Jobs {
			twins.Jobs[j].Deadline *= 1 + 1e-6*rng.Float64()
		}
		b.Run(fmt.Sprintf("alpha=%v/near-twins", alpha), func(b *testing.B) { benchmark(b, all, twins, "dp", "") })
	}
}
