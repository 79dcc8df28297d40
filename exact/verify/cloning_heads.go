package verify

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"schedgap/models/cloning"
)

// CloningHeads is the kind of proof that bounds each job alone by sets of its phases (docs/bounds-and-proofs.md#heads-and-tails).
const CloningHeads = "cloning-heads"

// A CloningSet is phases of a job, both by place: the least of their heads, the slots that their work takes together and the least
// of their tails come one after the other.
type CloningSet struct {
	Job    int   `json:"job"`
	Phases []int `json:"phases"`
}

// mostPath limits the spans of a job in sum, so that all heads, tails and ends are exact.
const mostPath = 1 << 52

// checkCloningHeads checks that the jobs' ends add up to the bound. A job has any number of sets.
func checkCloningHeads(r *reader, in *cloning.Instance) error {
	proven, err := cloningHeads(in, func(set *CloningSet) (bool, error) {
		if r.next == len(r.Lines) {
			return false, nil
		}
		return true, r.read(set)
	})
	if err != nil {
		return err
	}
	return conclude(*r.Header.Bound, proven, "sets")
}

// CloningHeadsBound returns the bound on the sum of flowtimes, in both regimes, that sets of phases prove.
func CloningHeadsBound(in *cloning.Instance, sets []CloningSet) (float64, error) {
	next := 0
	return cloningHeads(in, func(set *CloningSet) (bool, error) {
		if next == len(sets) {
			return false, nil
		}
		*set = sets[next]
		next++
		return true, nil
	})
}

// cloningHeads is the bound by the sets that next hands out until it reports false.
func cloningHeads(in *cloning.Instance, next func(*CloningSet) (bool, error)) (float64, error) {
	c := &cloningProof{in: in}
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
		var set CloningSet
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
	return roundDown(new(big.Rat).SetInt(sum)), nil
}

// alone measures the phases.
func (c *cloningProof) alone() error {
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
func (c *cloningProof) end(set *CloningSet) (int64, error) {
	count := c.begin[set.Job+1] - c.begin[set.Job]
	var least []float64 // of every resource that any of them demands
	head, tail, work := int64(math.MaxInt64), int64(math.MaxInt64), integer(0)
	worth := make([]interval, len(c.in.Resources))
	for i, k := range set.Phases {
		if k < 0 || k >= count || i > 0 && k <= set.Phases[i-1] {
			return 0, fmt.Errorf("phases[%d] = %d must be from 0 to %d and above the one before it", i, k, count-1)
		}
		ph := &c.phases[c.begin[set.Job]+k]
		head, tail = min(head, ph.head), min(tail, ph.tail)
		volume := integer(ph.Tasks).times(integer(int(ph.units)))
		work = work.plus(volume)
		if least == nil {
			least = append(least, ph.Demand...)
		}
		for r, d := range ph.Demand {
			least[r] = min(least[r], d)
			worth[r] = worth[r].plus(volume.times(point(d)))
		}
	}
	if len(set.Phases) == 0 {
		return 0, errors.New("phases must not be empty")
	}
	slots := int64(0)
	if fit := c.room(least); fit > 0 {
		slots = whole(work.over(integer(int(fit))))
	}
	for r := range worth {
		if c.totals[r].hi > 0 && worth[r].lo > 0 {
			slots = max(slots, whole(worth[r].over(c.totals[r])))
		}
	}
	if slots > mostPath {
		return 0, errors.New("the phases take too long")
	}
	return head + slots + tail, nil
}

// room is how many copies of at least a demand the cluster holds at a time.
func (c *cloningProof) room(demand []float64) int64 {
	fit := int64(0)
	for _, l := range c.limits {
		fit = min(fit+int64(cloning.Copies(demand, l.Capacity, cloning.MostCopies))*int64(l.Servers), 1<<60)
	}
	return fit
}
