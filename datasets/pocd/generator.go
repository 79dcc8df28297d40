package pocd

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/datasets/derive"
	"schedgap/models"
	"schedgap/models/pocd"
)

// Generator makes snapshots of the paper's experiments: Alamro et al., Shed+, IEEE TNSM 2020, section VI-A.
//
// The paper has map-only jobs of 5, 10 and 20 tasks that run in one wave, Pareto durations with t_min 120 s and an
// exponent of at most 2, at most 5 copies, deadlines relative to the median of default Hadoop's execution times, and load as
// running tasks over machines.
//
// Our choices where it leaves them open:
//
//   - A task's running attempt has a duration X drawn from Pareto(t_min, beta) and progresses evenly, so that at elapsed time
//     τ its progress is τ/X. Tasks with X ≤ τ are done and hold no machine; when all would be, one is drawn again given that
//     it still runs.
//   - β_i is the paper's estimate (14) for the remaining time X − τ: X/(X − t_min), at most 2.
//   - The deadline is a uniform factor from 0.8 to 1.2 times the median of a job with one extra attempt of
//     every task from the start, t_min·(1 − 2^(−1/N))^(−1/(2·beta)): 237, 295 and 370 s for 5, 10 and 20 tasks at the
//     defaults, which agrees with the paper's Figure 9.
//   - A task straggles when its estimated finish X is after the deadline (section II), unless the option stragglers gives a
//     share; then these are the tasks with the greatest X over deadline.
//   - τ is a uniform share of the deadline, from 0.1 to 0.4.
//
// Times have one decimal, β four, progress six. Sizes, deadlines, elapsed times and durations have random streams of their own,
// so an option leaves all other draws unchanged.
var Generator = &models.Generator[*pocd.Instance]{
	Doc: "snapshots of jobs of 5, 10 and 20 tasks with Pareto durations\n\n" +
		"Alamro et al., Shed+: Optimal Dynamic Speculation to Meet Application Deadlines in Cloud, IEEE TNSM 2020, section VI-A. " +
		"Attempts progress evenly; β by eq. (14); a task straggles when it would end after the deadline.",
	Params: generatorParams(),
	Fixed: models.Fixed{
		"beta_max": mostBetaSeen, "deadline_from": leastDeadline, "deadline_to": mostDeadline, "elapsed_from": leastElapsed,
		"elapsed_to": mostElapsed,
	},
	Generate: generate,
}

// The paper's greatest β, and what it leaves open.
const (
	mostBetaSeen                = 2.0      // greatest estimated shape of a task
	leastDeadline, mostDeadline = 0.8, 1.2 // over Hadoop's median execution time
	leastElapsed, mostElapsed   = 0.1, 0.4 // over the deadline
)

func generatorParams() []models.Param {
	return slices.Concat([]models.Param{
		models.Between("jobs", 10, 1, 1e6, "number of jobs"),
		models.Between("tasks", 0, 0, 1e5, "tasks of a job at its start; 0: 5, 10 or 20, equally likely"),
		models.Between("t_min", 120.0, 1e-3, 1e9, "least duration of an attempt, seconds"),
		models.Between("beta", 1.5, 0.1, 100, "shape of the durations"),
		models.Between("stragglers", -1.0, -1, 1,
			"share of the running tasks that straggle; below 0: those that would end after the deadline"),
	}, decisionParams())
}

func generate(name string, v models.Values, rng *rand.Rand) (*pocd.Instance, error) {
	streams := derive.Streams(rng, 4)
	sizes, deadlines, elapsed, durations := streams[0], streams[1], streams[2], streams[3]

	in := &pocd.Instance{Header: models.Header{Name: name}, Jobs: make([]pocd.Job, v.Int("jobs"))}
	lateness := make([][]float64, len(in.Jobs)) // estimated finish over deadline
	for j := range in.Jobs {
		job := &in.Jobs[j]
		job.ID = fmt.Sprintf("j%d", j+1)
		n := v.Int("tasks")
		if size := sizes.IntN(3); n == 0 {
			n = [...]int{5, 10, 20}[size]
		}
		median := hadoopMedian(v.Float("t_min"), v.Float("beta"), n)
		job.Deadline = max(0.1, derive.RoundTo(median*derive.Between(leastDeadline, mostDeadline, deadlines), 1))
		job.Elapsed = derive.RoundTo(job.Deadline*derive.Between(leastElapsed, mostElapsed, elapsed), 1)
		attempts := drawAttempts(n, v.Float("t_min"), v.Float("beta"), job.Elapsed, durations)
		job.Tasks = observe(attempts, job.Elapsed, job.Deadline)
		for _, a := range attempts {
			if a.duration <= job.Elapsed {
				continue
			}
			t := &job.Tasks[len(lateness[j])]
			t.TMin = v.Float("t_min")
			t.Beta = estimatedShape(a.duration, t.TMin)
			lateness[j] = append(lateness[j], a.duration/job.Deadline)
		}
	}
	if share := v.Float("stragglers"); share >= 0 {
		markStragglers(in, lateness, share)
	}
	return in, settle(in, v)
}

// hadoopMedian is the median time of a job of n tasks with two attempts each: t with (1 − (t_min/t)^(2β))^n = 1/2.
func hadoopMedian(tMin, beta float64, n int) float64 {
	return tMin * math.Pow(-math.Expm1(-math.Ln2/float64(n)), -1/(2*beta))
}

// drawAttempts draws the durations of n attempts, not all of them at most elapsed.
func drawAttempts(n int, tMin, beta, elapsed float64, rng *rand.Rand) []attempt {
	attempts, running := make([]attempt, n), false
	draw := func(least float64) float64 { return least * math.Pow(1-rng.Float64(), -1/beta) }
	for i := range attempts {
		attempts[i] = attempt{fmt.Sprintf("t%d", i+1), draw(tMin)}
		running = running || attempts[i].duration > elapsed
	}
	if i := rng.IntN(n); !running {
		// A Pareto variable given that it exceeds elapsed is one with that minimum.
		attempts[i].duration = max(draw(elapsed), math.Nextafter(elapsed, math.Inf(1)))
	}
	return attempts
}

// estimatedShape is eq. (14) with t_rem = X − τ and φ = τ/X: (X−τ)/((X−τ) − (1−τ/X)·t_min) = X/(X − t_min).
func estimatedShape(duration, tMin float64) float64 {
	if duration <= tMin {
		return mostBetaSeen
	}
	return min(mostBetaSeen, derive.RoundTo(duration/(duration-tMin), 4))
}

// markStragglers makes the share of tasks with the greatest lateness the stragglers, ties by file order.
func markStragglers(in *pocd.Instance, lateness [][]float64, share float64) {
	type place struct{ job, task int }
	var places []place
	for j := range in.Jobs {
		for i := range in.Jobs[j].Tasks {
			in.Jobs[j].Tasks[i].Straggler = false
			places = append(places, place{j, i})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(lateness[b.job][b.task], lateness[a.job][a.task]) })
	for _, p := range places[:int(math.Round(share*float64(len(places))))] {
		in.Jobs[p.job].Tasks[p.task].Straggler = true
	}
}
