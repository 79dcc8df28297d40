package flex

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"sort"

	"schedgap/exact/verify/core"
	"schedgap/exact/verify/onemachine"
	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

// machine is the bound that the steps of a dynamic program prove.
func machine(r *core.Reader, in *flex.Instance) (float64, error) {
	var line proof.MachineLine
	if err := r.Read(&line); err != nil {
		return 0, err
	}
	start := line.Start
	if start == nil || line.Prune != nil || line.Remember || line.Count != nil {
		return 0, fmt.Errorf("the first line has no start, or more than that")
	}
	p, err := Machine(in, start.Bits)
	if err != nil {
		return 0, err
	}
	if start.Target > onemachine.MostCost || start.Target < -onemachine.MostCost {
		return 0, fmt.Errorf("target: %d is too large", start.Target)
	}
	ctx := r.Context()
	r.Spend(100 * len(p.Work) * p.Total)
	g, err := onemachine.New(ctx, p)
	if err != nil {
		return 0, err
	}
	for !g.Closed {
		r.Spend(10*g.Arcs() + 1000)
		err := r.Spent()
		if err == nil {
			err = machineStep(ctx, r, g, start.Target)
		}
		if err != nil {
			return 0, err
		}
	}
	return scaledDown(start.Target, start.Bits), nil
}

// machineStep takes the step of the next line.
func machineStep(ctx context.Context, r *core.Reader, g *onemachine.Graph, target int64) error {
	var line proof.MachineLine
	err := r.Read(&line)
	switch {
	case err != nil:
		return err
	case line.Start != nil || !core.Single(line.Prune != nil, line.Remember, line.Count != nil):
		return fmt.Errorf("a step is one of prune, remember, count")
	case line.Remember:
		return g.Remember(ctx, target)
	case line.Count != nil:
		return g.Count(ctx, *line.Count, target)
	}
	return g.Prune(line.Prune, target)
}

// scaledDown is v / 2^bits, rounded down.
func scaledDown(v int64, bits int) float64 {
	q := new(big.Rat).SetInt64(v)
	return core.RoundDown(q.Quo(q, power(bits)))
}

// power is 2^bits.
func power(bits int) *big.Rat {
	q := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(bits, -bits))))
	if bits < 0 {
		q.Inv(q)
	}
	return q
}

// mostTotal is the longest that all jobs may last, in units, and mostBits the largest scale of costs, either way.
const (
	mostTotal = 1 << 20
	mostBits  = 1100
)

// Works are the works in their greatest common divisor. An error says why the instance is none of one machine: jobs must have no
// minima and be able to hold all slots, so that serving them one at a time is best, and works must be few units.
func Works(in *flex.Instance) (works []int, total int, err error) {
	unit, sum := new(big.Rat), new(big.Rat)
	for j := range in.Jobs {
		job := &in.Jobs[j]
		if job.Min > 0 || job.Max < in.Slots || in.Objective.Aggregate != flex.Sum {
			return nil, 0, errors.New("it is no sum over jobs that have no minima and can hold all slots")
		}
		work := core.Exactly(job.Work)
		unit = divisor(unit, work)
		sum.Add(sum, work)
	}
	sum.Quo(sum, unit)
	n := len(in.Jobs)
	if n > onemachine.MostJobs || sum.Cmp(core.Natural(min(mostTotal, onemachine.MostNodes/n))) > 0 {
		return nil, 0, errors.New("there are too many jobs and units of work")
	}
	for j := range in.Jobs {
		works = append(works, int(new(big.Rat).Quo(core.Exactly(in.Jobs[j].Work), unit).Num().Int64()))
	}
	return works, int(sum.Num().Int64()), nil
}

// Machine is an instance as a problem of one machine, with the works of Works. Costs are penalties times 2^bits, rounded down;
// an error may say that they are too large for the scale. Time is in units of works over the slots. The alphabet of jobs goes by the
// first time at which a job costs more than at first, of equals by the file.
func Machine(in *flex.Instance, bits int) (*onemachine.Problem, error) {
	works, total, err := Works(in)
	switch {
	case err != nil:
		return nil, err
	case max(bits, -bits) > mostBits:
		return nil, errors.New("costs have a strange scale")
	}
	n := len(works)
	p := &onemachine.Problem{Work: works, Total: total, Rank: make([]int, n)}
	step := new(big.Rat).Quo(core.Exactly(in.Jobs[0].Work), core.Natural(in.Slots*works[0])) // of time
	jobs := exactJobs(in)
	for j := range jobs {
		cost, err := jobs[j].costs(total, step, power(bits))
		if err != nil {
			return nil, err
		}
		p.Cost = append(p.Cost, cost)
	}
	for i, j := range models.OrderBy(n, func(j int) int { return free(p.Cost[j]) }) {
		p.Rank[j] = i
	}
	return p, nil
}

// firstAfter is the first time from 0 on that is after last.
func firstAfter(last *big.Int) int {
	if last.Sign() < 0 {
		return 0
	}
	return int(last.Int64()) + 1
}

// free is the first time at which a cost is more than at first.
func free(cost []int64) int {
	return sort.Search(len(cost), func(t int) bool { return cost[t] > cost[0] })
}

// costs are the job's penalties times scale at 0, step, 2·step, …, rounded down.
func (f *exactJob) costs(total int, step, scale *big.Rat) ([]int64, error) {
	cost := make([]int64, total+1)
	rate := new(big.Rat).Mul(f.rate, scale)
	if !f.metric.Steps() {
		slope, due := new(big.Rat).Mul(rate, step), new(big.Rat).Mul(rate, core.Exactly(f.due))
		below := new(big.Int).Mul(slope.Denom(), due.Denom())
		rise := new(big.Int).Mul(slope.Num(), due.Denom())
		at := new(big.Int).Mul(due.Num(), slope.Denom())
		at.Neg(at)
		floor := new(big.Int)
		for t := range cost {
			if f.metric != flex.Tardiness || at.Sign() > 0 {
				floor.Div(at, below) // Div rounds down, as below is positive
				if !floor.IsInt64() {
					return nil, errors.New("penalties are too large for the scale")
				}
				cost[t] = floor.Int64()
			}
			at.Add(at, rise)
		}
		return cost, nil
	}
	from, paid := 0, int64(0) // in force from that time on; each time is filled once, however many steps there are
	for _, s := range f.steps {
		q := new(big.Rat).Quo(s.passed, step)
		last := new(big.Int).Div(q.Num(), q.Denom()) // the last time that is not after the step
		if last.Cmp(big.NewInt(int64(total))) >= 0 {
			break
		}
		q.Mul(core.Exactly(s.penalty), rate)
		v := new(big.Int).Div(q.Num(), q.Denom())
		if !v.IsInt64() {
			return nil, errors.New("penalties are too large for the scale")
		}
		next := firstAfter(last)
		for t := from; t < next; t++ {
			cost[t] = paid
		}
		from, paid = next, v.Int64()
	}
	for t := from; t <= total; t++ {
		cost[t] = paid
	}
	return cost, nil
}
