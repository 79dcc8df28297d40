// Package oracle gathers the oracles of all problems behind one question: what are the optima of this instance? They are for tests
// only, are written from the definitions in docs/problems, and share no code with the methods, bounds and verifiers under test.
package oracle

import (
	"fmt"
	"math"
	"slices"

	cloningoracle "schedgap/exact/cloning/oracle"
	flexoracle "schedgap/exact/flex/oracle"
	pocdoracle "schedgap/exact/pocd/oracle"
	redundancyoracle "schedgap/exact/redundancy/oracle"
	speculationoracle "schedgap/exact/speculation/oracle"
	"schedgap/models/cloning"
	"schedgap/models/flex"
	"schedgap/models/pocd"
	"schedgap/models/redundancy"
	"schedgap/models/speculation"
)

// An Optimum is a range in which the optimal value lies. Its ends differ only where an optimal schedule ends so near to the latest
// time at which a job is in time that a float64 cannot say on which side.
type Optimum struct{ Lo, Hi float64 }

func exactly(v float64) Optimum { return Optimum{v, v} }

// Optima are the optimal values of a small instance file by reference. A reference is missing where no solution of its class exists,
// or where there are too many to try them. All decisions are tried: four jobs take milliseconds, six minutes.
func Optima(problem string, file []byte) (map[string]Optimum, error) {
	switch problem {
	case "flex":
		in, err := flex.Problem.ParseInstance("instance", file)
		if err != nil {
			return nil, err
		}
		return flexOptima(in), nil
	case "redundancy":
		in, err := redundancy.Problem.ParseInstance("instance", file)
		if err != nil {
			return nil, err
		}
		return map[string]Optimum{redundancy.Opt: exactly(redundancyoracle.Opt(in))}, nil
	case "pocd":
		in, err := pocd.Problem.ParseInstance("instance", file)
		if err != nil {
			return nil, err
		}
		return map[string]Optimum{pocd.Opt: exactly(pocdoracle.Opt(in, false)), pocd.OptAll: exactly(pocdoracle.Opt(in, true))}, nil
	case "cloning":
		in, err := cloning.Problem.ParseInstance("instance", file)
		if err != nil {
			return nil, err
		}
		return cloningOptima(in), nil
	case "speculation":
		in, err := speculation.Problem.ParseInstance("instance", file)
		if err != nil {
			return nil, err
		}
		return map[string]Optimum{speculation.Opt: exactly(speculationoracle.Opt(in))}, nil
	}
	return nil, fmt.Errorf("there is no oracle for %s", problem)
}

// nearly is by how much, relative to the tolerance of due dates, that tolerance is made less and more for the two ends of a range:
// 4e-15 of the date, which a few roundings of a completion time do not exceed.
const nearly = 4e-6

// merged is the same for the packing scheme, which completes jobs at one time where the times differ by 1e-12 of themselves: up to
// ten jobs one after the other.
const merged = 1e-2

func flexOptima(in *flex.Instance) map[string]Optimum {
	optima := map[string]Optimum{}
	add := func(reference string, nearly float64, optimum func(in *flex.Instance) (float64, bool)) {
		late, early := Forgiving(in, flex.Tolerance*(1+nearly)), Forgiving(in, flex.Tolerance*(1-nearly))
		lo, ok := optimum(late)
		if !ok {
			return
		}
		hi := lo
		if late != early {
			hi, _ = optimum(early)
		}
		optima[reference] = Optimum{lo, hi}
	}
	add(flex.Opt, nearly, func(in *flex.Instance) (float64, bool) { return flexoracle.Opt(in), true })
	add(flex.OptMPS, merged, func(in *flex.Instance) (float64, bool) { v, _ := flexoracle.BestMPS(in); return v, true })
	allocations := 1.0
	for j := range in.Jobs {
		allocations *= float64(in.Jobs[j].Max)
	}
	if allocations <= 5000 {
		add(flex.OptMoldable, nearly, flexoracle.Moldable)
	}
	return optima
}

// Forgiving is in with due dates of step penalties later by a tolerance, relative to their size: the oracle compares exactly, the
// definition of in time does not. It is in itself where no penalty is a step.
func Forgiving(in *flex.Instance, tolerance float64) *flex.Instance {
	later := func(t float64) float64 { return t + tolerance*math.Abs(t) }
	out := *in
	out.Jobs = slices.Clone(in.Jobs)
	steps := false
	for j := range out.Jobs {
		job := &out.Jobs[j]
		if !in.MetricOf(j).Steps() {
			continue
		}
		steps = true
		if job.Deadline != nil {
			d := later(*job.Deadline)
			job.Deadline = &d
		}
		job.Steps = slices.Clone(job.Steps)
		for k := range job.Steps {
			job.Steps[k].At = later(job.Steps[k].At)
		}
	}
	if !steps {
		return in
	}
	return &out
}

// cloningOptima counts time from the first arrival, as flowtimes do not depend on it and the oracle goes from slot to slot.
func cloningOptima(in *cloning.Instance) map[string]Optimum {
	out := *in
	out.Jobs = slices.Clone(in.Jobs)
	first := math.MaxInt
	for j := range out.Jobs {
		first = min(first, out.Jobs[j].Arrival)
	}
	for j := range out.Jobs {
		out.Jobs[j].Arrival -= first
	}
	optima := map[string]Optimum{}
	for reference, fixed := range map[string]bool{cloning.Opt: false, cloning.OptNonpreemptive: true} {
		if v := cloningoracle.Opt(&out, fixed); v >= 0 {
			optima[reference] = exactly(float64(v))
		}
	}
	return optima
}
