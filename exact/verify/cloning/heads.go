package cloning

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"schedgap/exact/verify/cloning/kernel"

	"schedgap/exact/verify/core"
	"schedgap/models/cloning"
)

// Heads is the kind of proof that bounds each job alone by sets of its phases (docs/bounds-and-proofs.md#heads-and-tails).
const Heads = "cloning-heads"

// A Set is phases of a job, both by place: the least of their heads, the slots that their work takes together and the least
// of their tails come one after the other.
type Set struct {
	Job    int   `json:"job"`
	Phases []int `json:"phases"`
}

// mostPath limits the spans of a job in sum, so that all heads, tails and ends are exact.
const mostPath = 1 << 52

// checkHeads checks that the jobs' ends add up to the bound. A job has any number of sets.
func checkHeads(r *core.Reader, in *cloning.Instance) error {
	proven, err := headsBound(in, func(set *Set) (bool, error) {
		if r.Next == len(r.Lines) {
			return false, nil
		}
		return true, r.Read(set)
	})
	if err != nil {
		return err
	}
	return core.Conclude(*r.Header.Bound, proven, "sets")
}

// HeadsBound returns the bound on the sum of flowtimes, in both regimes, that sets of phases prove.
func HeadsBound(in *cloning.Instance, sets []Set) (float64, error) {
	next := 0
	return headsBound(in, func(set *Set) (bool, error) {
		if next == len(sets) {
			return false, nil
		}
		*set = sets[next]
		next++
		return true, nil
	})
}

// headsBound is the bound by the sets that next hands out until it reports false.
func headsBound(in *cloning.Instance, next func(*Set) (bool, error)) (float64, error) {
	in, _ = kernel.FromFirst(in)
	c := Measure(in, 0)
	if err := c.short(); err != nil {
		return 0, err
	}
	ends := make([]int, len(in.Jobs))
	for j := range ends {
		for k := c.First[j]; k < c.First[j+1]; k++ {
			ends[j] = max(ends[j], c.Need[k].Head+c.Need[k].Span)
		}
	}
	for {
		var set Set
		more, err := next(&set)
		if err != nil {
			return 0, err
		}
		if !more {
			break
		}
		if set.Job < 0 || set.Job >= len(ends) {
			return 0, fmt.Errorf("job %d is none of %d", set.Job, len(ends))
		}
		end, err := c.end(&set)
		if err != nil {
			return 0, err
		}
		ends[set.Job] = max(ends[set.Job], end)
	}
	sum := new(big.Int)
	for j, end := range ends {
		sum.Add(sum, big.NewInt(int64(end-in.Jobs[j].Arrival)))
	}
	return core.RoundDown(new(big.Rat).SetInt(sum)), nil
}

// short is an error of a job whose spans add up to too much.
func (c *Needs) short() error {
	for j := range c.In.Jobs {
		sum := float64(c.In.Jobs[j].Arrival)
		for k := c.First[j]; k < c.First[j+1]; k++ {
			sum += float64(c.Need[k].Span)
		}
		if sum > mostPath {
			return fmt.Errorf("job %s takes too long", c.In.Jobs[j].ID)
		}
	}
	return nil
}

// end is the moment before which the set's job cannot be done. Its slots are no more than the sum of its phases' spans, so that they need
// no limit: no more copies of a phase fit than of the least demand.
func (c *Needs) end(set *Set) (int, error) {
	count := c.First[set.Job+1] - c.First[set.Job]
	var least []float64 // of every resource that any of them demands
	head, tail, work := math.MaxInt, math.MaxInt, core.Integer(0)
	worth := make([]core.Interval, len(c.In.Resources))
	for i, k := range set.Phases {
		if k < 0 || k >= count || i > 0 && k <= set.Phases[i-1] {
			return 0, fmt.Errorf("phases[%d] = %d must be from 0 to %d and above the one before it", i, k, count-1)
		}
		n := &c.Need[c.First[set.Job]+k]
		head, tail = min(head, n.Head), min(tail, n.Tail)
		volume := n.volume()
		work = work.Plus(volume)
		if least == nil {
			least = append(least, n.Demand...)
		}
		for r, d := range n.Demand {
			least[r] = min(least[r], d)
			worth[r] = worth[r].Plus(volume.Times(core.Point(d)))
		}
	}
	if len(set.Phases) == 0 {
		return 0, errors.New("phases must not be empty")
	}
	slots := whole(work.Over(core.Integer(c.Holds(least))))
	for r := range worth {
		if worth[r].Lo > 0 {
			slots = max(slots, whole(worth[r].Over(c.totals[r])))
		}
	}
	return head + slots + tail, nil
}
