// Package pocd is the speculation problem of Shed+ (Alamro et al., IEEE TNSM 2020): a snapshot of running jobs, some of whose
// tasks straggle, and spare virtual machines for extra attempts; maximise the utility of the jobs' probabilities of completion
// before their deadlines (PoCD). Problem declares it; an Instance is a snapshot and Copies its solution. exact/pocd and
// heuristics/pocd solve it, datasets/pocd makes instances, and models/pocd/sim decides again over time.
//
// Symbols: λ·m = Capacity, α = Alpha, D_j = Deadline, τ_j = Elapsed, φ_i = Progress, t_min = TMin, β_i = Beta, r_i = extra
// copies of task i, q_i = LogQ, R_i(r) = LogR, p_j = LogP. Probabilities are kept as natural logarithms, so that neither
// those close to 1 nor those close to 0 lose digits.
package pocd

import (
	"math"
	"math/big"

	"schedgap/models"
)

// An Instance is one moment at which copies are decided.
type Instance struct {
	models.Header
	Capacity  int     // virtual machines, at least BaseLoad
	Alpha     float64 // fairness, in [0, MaxAlpha] or +Inf
	MaxCopies int     // the most extra copies of a task, ≥ 0
	Jobs      []Job   // in file order, which breaks ties everywhere
}

// MaxAlpha bounds the finite values of Alpha.
const MaxAlpha = 50

// Head implements models.Instance.
func (in *Instance) Head() models.Header { return in.Header }

// A Job meets its deadline when all its tasks do.
type Job struct {
	ID       string  `json:"id" is:"id,unique"`
	Deadline float64 `json:"deadline" is:">=0" doc:"D_j"` // seconds after the job's start
	Elapsed  float64 `json:"elapsed" is:">=0" doc:"τ_j"`  // seconds since the job's start
	Tasks    []Task  `json:"tasks" is:"some" doc:"the unfinished tasks"`
}

// A Task has one running attempt. Attempts take a Pareto distributed time (TMin, Beta) for the whole task, and a copy starts
// at the running attempt's progress.
type Task struct {
	ID        string  `json:"id" is:"id,unique"`
	Progress  float64 `json:"progress" is:">=0 <1" doc:"φ_i, the largest of the task's attempts"`
	TMin      float64 `json:"t_min" is:">0" doc:"least duration of an attempt"` // seconds
	Beta      float64 `json:"beta" is:">0" doc:"β_i, shape of the Pareto distribution of durations"`
	Straggler bool    `json:"straggler" doc:"whether the task may get copies"`
}

// BaseLoad is the machines that every decision needs: one a task and one a job's master.
func (in *Instance) BaseLoad() int {
	load := len(in.Jobs)
	for j := range in.Jobs {
		load += len(in.Jobs[j].Tasks)
	}
	return load
}

// Spare is the machines left for extra copies.
func (in *Instance) Spare() int { return in.Capacity - in.BaseLoad() }

// Tolerance is the relative tolerance of comparisons with deadlines.
const Tolerance = 1e-9

// Late reports exactly whether q_i counts as 1: even the fastest attempt would end later than D_j·(1 − 10^-9).
func (job *Job) Late(i int) bool {
	t := &job.Tasks[i]
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	end := rat(1)
	end.Sub(end, rat(t.Progress)).Mul(end, rat(t.TMin)).Add(end, rat(job.Elapsed))
	limit := big.NewRat(999_999_999, 1_000_000_000)
	return end.Cmp(limit.Mul(limit, rat(job.Deadline))) >= 0
}

// LogQ is ln q_i, q_i = min(1, (1−φ_i)·t_min / (D−τ)), 0 where the task is Late; the job is hopeless then.
func (job *Job) LogQ(i int) float64 {
	t := &job.Tasks[i]
	// Mantissas and powers of two: of the powers only their difference matters, and 2^100 is as much as any more.
	deadline, own := math.Frexp(job.Deadline)
	tMin, e := math.Frexp(t.TMin)
	e = min(e-own, 100)
	// Near q = 1 the logarithm is made of the difference of the two times, so that difference is taken without rounding.
	left, leftLow := twoSum(deadline, -min(2, math.Ldexp(job.Elapsed, -own)))
	done := t.Progress * tMin
	need, needLow := twoSum(tMin, -done)
	needLow -= math.FMA(t.Progress, tMin, -done)
	slack := (left - math.Ldexp(need, e)) + (leftLow - math.Ldexp(needLow, e))
	edge := slack - Tolerance*deadline
	switch {
	case edge < -1e-12*Tolerance, edge < 1e-12*Tolerance && job.Late(i):
		return 0
	case slack < left/2:
		return math.Log1p(-slack / left)
	case e < -500:
		return math.Log((need+needLow)/left) + float64(e)*math.Ln2
	}
	return math.Log(math.Ldexp(need+needLow, e) / left)
}

// A Miss is β_i·ln q_i, the logarithm of the probability that one attempt of task i misses the deadline, in units of 2^-512: in
// units of 1 it may be too small for a float64. It is 0 if and only if q_i is 1.
type Miss float64

// LogMiss is the Miss of task i.
func (job *Job) LogMiss(i int) Miss { return Miss(job.Tasks[i].Beta * (job.LogQ(i) * 0x1p512)) }

// LogR is ln R_i(r), R_i(r) = 1 − q_i^(β_i(r+1)), of a task whose LogMiss is miss: the probability that one of its r+1
// attempts meets the deadline (eq. 9). It is −Inf when q_i = 1.
func LogR(miss Miss, r int) float64 {
	copies := float64(r + 1)
	if miss > -0x1p-400 { // 1 − eˣ is −x to all digits
		return math.Log(-float64(miss)*copies) - 512*math.Ln2
	}
	return Log1mexp(float64(miss) * 0x1p-512 * copies)
}

// Hopeless reports whether p_j = 0 whatever the copies: the job is past its deadline or has a task with q_i = 1.
func (job *Job) Hopeless() bool {
	for i := range job.Tasks {
		if job.LogMiss(i) == 0 {
			return true
		}
	}
	return false
}

// LogP is ln p_j, p_j = Π_i R_i(r_i) (eq. 12), for the copies of each task; −Inf when the job is hopeless. Counts that are
// missing or negative are 0.
func (job *Job) LogP(copies []int) float64 {
	var p Sum
	for i := range job.Tasks {
		r := 0
		if i < len(copies) {
			r = max(0, copies[i])
		}
		p.Add(LogR(job.LogMiss(i), r))
	}
	return p.Value()
}
