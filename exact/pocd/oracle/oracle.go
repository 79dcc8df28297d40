// Package oracle solves tiny pocd instances by trying every decision, for the tests of other packages only.
//
// It is written from the definition of the problem and shares no code with the packages under test except the types of an
// instance. q_i is a rational number, rounded once; probabilities are kept as logarithms with as many digits at 1 as at 0.
package oracle

import (
	"math"
	"math/big"

	"schedgap/models/pocd"
)

// Opt is the best objective over all r with Σ r within the spare machines, 0 ≤ r_i ≤ max_copies, and r_i = 0 unless the task
// is a straggler or all is true. Values below the range of a float64 are −Inf.
func Opt(in *pocd.Instance, all bool) float64 {
	spare := in.Capacity - len(in.Jobs)
	for j := range in.Jobs {
		spare -= len(in.Jobs[j].Tasks)
	}
	var jobs [][]outcome
	for j := range in.Jobs {
		if list := outcomes(in, &in.Jobs[j], all); list != nil {
			jobs = append(jobs, list)
		}
	}
	if len(jobs) == 0 {
		if math.IsInf(in.Alpha, 1) {
			return 1
		}
		return 0
	}
	best := math.Inf(-1)
	var try func(k, spare int, sum, least float64)
	try = func(k, spare int, sum, least float64) {
		if k == len(jobs) {
			if math.IsInf(in.Alpha, 1) {
				sum = least
			}
			best = max(best, sum)
			return
		}
		for _, o := range jobs[k] {
			if o.copies <= spare {
				try(k+1, spare-o.copies, sum+o.utility, min(least, o.utility))
			}
		}
	}
	try(0, spare, 0, math.Inf(1))
	return best
}

// An outcome is one way to give a job copies. For α = inf its utility is p_j.
type outcome struct {
	copies  int
	utility float64
}

// outcomes lists all ways to give a job copies; none if it is hopeless, which is worth 0 for α < 1 and nothing for α ≥ 1.
func outcomes(in *pocd.Instance, job *pocd.Job, all bool) []outcome {
	q := make([]float64, len(job.Tasks))
	for i := range q {
		q[i] = logQ(job, i)
		if q[i] == 0 {
			return nil
		}
	}
	var list []outcome
	var try func(i, copies int, logP float64)
	try = func(i, copies int, logP float64) {
		if i == len(q) {
			list = append(list, outcome{copies, utility(in.Alpha, logP)})
			return
		}
		most := 0
		if all || job.Tasks[i].Straggler {
			most = in.MaxCopies
		}
		for r := range most + 1 {
			try(i+1, copies+r, logP+logOneMinus(job.Tasks[i].Beta*float64(r+1)*q[i]))
		}
	}
	try(0, 0, 0)
	return list
}

func utility(alpha, logP float64) float64 {
	switch {
	case math.IsInf(alpha, 1):
		return math.Exp(logP)
	case alpha == 1:
		return logP
	}
	return math.Exp((1-alpha)*logP) / (1 - alpha)
}

// logQ is ln min(1, (1−φ)·t_min / (D−τ)), and 0 past the deadline. Less than 1e-9·D between the two times counts as nothing.
func logQ(job *pocd.Job, i int) float64 {
	t := &job.Tasks[i]
	exactly := func(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }
	left := exactly(job.Deadline)
	left.Sub(left, exactly(job.Elapsed))
	need := big.NewRat(1, 1)
	need.Sub(need, exactly(t.Progress)).Mul(need, exactly(t.TMin))
	slack := new(big.Rat).Sub(left, need)
	if slack.Cmp(new(big.Rat).Mul(big.NewRat(1, 1e9), exactly(job.Deadline))) <= 0 {
		return 0
	}
	if f, _ := new(big.Rat).Quo(slack, left).Float64(); f < 0.5 {
		return math.Log1p(-f)
	}
	f, _ := need.Quo(need, left).Float64()
	return math.Log(f)
}

// logOneMinus is ln(1 − eˣ) for x < 0.
func logOneMinus(x float64) float64 {
	if x < -1 {
		return math.Log1p(-math.Exp(x))
	}
	return math.Log(-math.Expm1(x))
}
