package cloning

import (
	"errors"
	"fmt"
	"math"
	"math/big"

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
	c := &needs{in: in}
	if err := c.alone(); err != nil {
		return 0, err
	}
	ends := make([]int64, len(in.Jobs))
	for j := range ends {
		for k := c.begin[j]; k < c.begin[j+1]; k++ {
			ends[j] = max(ends[j], c.phases[k].head+c.phases[k].span)
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
		sum.Add(sum, big.NewInt(end+int64(c.first)-int64(in.Jobs[j].Arrival)))
	}
	return core.RoundDown(new(big.Rat).SetInt(sum)), nil
}

// alone measures the phases.
func (c *needs) alone() error {
	c.group()
	c.measure()
	for j := range c.in.Jobs {
		sum := float64(c.in.Jobs[j].Arrival - c.first)
		for k := c.begin[j]; k < c.begin[j+1]; k++ {
			sum += float64(c.phases[k].span)
		}
		if sum > mostPath {
			return fmt.Errorf("job %s takes too long", c.in.Jobs[j].ID)
		}
	}
	return nil
}

// end is the moment before which the set's job cannot be done.
func (c *needs) end(set *Set) (int64, error) {
	count := c.begin[set.Job+1] - c.begin[set.Job]
	var least []float64 // of every resource that any of them demands
	head, tail, work := int64(math.MaxInt64), int64(math.MaxInt64), core.Integer(0)
	worth := make([]core.Interval, len(c.in.Resources))
	for i, k := range set.Phases {
		if k < 0 || k >= count || i > 0 && k <= set.Phases[i-1] {
			return 0, fmt.Errorf("phases[%d] = %d must be from 0 to %d and above the one before it", i, k, count-1)
		}
		ph := &c.phases[c.begin[set.Job]+k]
		head, tail = min(head, ph.head), min(tail, ph.tail)
		volume := core.Integer(ph.Tasks).Times(core.Integer(int(ph.units)))
		work = work.Plus(volume)
		if least == nil {
			least = append(least, ph.Demand...)
		}
		for r, d := range ph.Demand {
			least[r] = min(least[r], d)
			worth[r] = worth[r].Plus(volume.Times(core.Point(d)))
		}
	}
	if len(set.Phases) == 0 {
		return 0, errors.New("phases must not be empty")
	}
	slots := int64(0)
	if fit := c.room(least); fit > 0 {
		slots = whole(work.Over(core.Integer(int(fit))))
	}
	for r := range worth {
		if c.totals[r].Hi > 0 && worth[r].Lo > 0 {
			slots = max(slots, whole(worth[r].Over(c.totals[r])))
		}
	}
	if slots > mostPath {
		return 0, errors.New("the phases take too long")
	}
	return head + slots + tail, nil
}

// room is how many copies of at least a demand the cluster holds at a time.
func (c *needs) room(demand []float64) int64 {
	fit := int64(0)
	for _, l := range c.limits {
		fit = min(fit+int64(cloning.Copies(demand, l.Capacity, cloning.MostCopies))*int64(l.Servers), 1<<60)
	}
	return fit
}
