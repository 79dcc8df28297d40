package oracle

import (
	"cmp"
	"math/big"
	"math/rand/v2"
	"slices"

	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// A Run is a schedule in rationals.
type Run struct {
	Done  []*big.Rat // by job: when it completes
	Value *big.Rat   // the sum of flowtimes
	Gaps  []Gap

	in      *redundancy.Instance
	moments []*big.Rat
}

// A Gap is the time between two events that are not at once: after how many of the moments at which jobs arrive, from 0,
// with which jobs there and unfinished, and the copies of each, 0: none.
type Gap struct {
	Moment int
	Set    uint64
	Copies []int
}

// RandomRun draws copies, and with multitasking shares, at each event. Once all have arrived jobs run in the order of the
// work that they have left, and equal jobs complete in their order in the file: the two orders that may be chosen freely.
func RandomRun(rng *rand.Rand, in *redundancy.Instance) *Run {
	n := len(in.Jobs)
	r := &Run{in: in, Done: make([]*big.Rat, n), Value: new(big.Rat)}
	order, h, left := byArrival(in), speedups(in), make([]*big.Rat, n)
	for i, j := range order {
		if i == 0 || in.Jobs[j].Arrival > in.Jobs[order[i-1]].Arrival {
			r.moments = append(r.moments, rat(in.Jobs[j].Arrival))
		}
		left[j] = rat(in.Jobs[j].Work)
	}
	t, last := r.moments[0], len(r.moments)-1
	for done := 0; done < n; {
		k := 0
		for k < last && r.moments[k+1].Cmp(t) <= 0 {
			k++
		}
		g := Gap{Moment: k, Copies: make([]int, n)}
		var active []int
		for _, j := range order {
			if rat(in.Jobs[j].Arrival).Cmp(t) <= 0 && r.Done[j] == nil {
				active = append(active, j)
				g.Set |= 1 << j
			}
		}
		if k < last {
			rng.Shuffle(len(active), func(a, b int) { active[a], active[b] = active[b], active[a] })
		} else {
			slices.SortStableFunc(active, func(a, b int) int { return left[a].Cmp(left[b]) })
			active = active[:1]
		}
		rate, free := make([]*big.Rat, n), in.Machines
		for _, j := range active {
			c := rng.IntN(free + 1)
			if k == last {
				c = max(1, c)
			}
			free -= c
			if c == 0 {
				continue
			}
			g.Copies[j], rate[j] = c, h[c]
			if in.Multitasking && rng.IntN(2) == 0 {
				rate[j] = new(big.Rat).Mul(h[c], big.NewRat(int64(1+rng.IntN(4)), 4))
			}
		}
		var length *big.Rat
		if k < last {
			length = new(big.Rat).Sub(r.moments[k+1], t)
		}
		for j, v := range rate {
			if v != nil {
				if d := new(big.Rat).Quo(left[j], v); length == nil || d.Cmp(length) < 0 {
					length = d
				}
			}
		}
		t = new(big.Rat).Add(t, length)
		for j, v := range rate {
			if v == nil {
				continue
			}
			left[j] = new(big.Rat).Sub(left[j], new(big.Rat).Mul(v, length))
			if left[j].Sign() == 0 {
				r.Done[j] = t
				done++
				r.Value.Add(r.Value, new(big.Rat).Sub(t, rat(in.Jobs[j].Arrival)))
			}
		}
		r.Gaps = append(r.Gaps, g)
	}
	r.rename()
	return r
}

// rename has equal jobs complete in their order in the file.
func (r *Run) rename() {
	n := len(r.Done)
	by := make([]int, n) // whose part each job plays
	for j := range by {
		by[j] = j
	}
	slices.SortStableFunc(by, func(a, b int) int { return r.Done[a].Cmp(r.Done[b]) })
	part := make([]int, n) // by the old name
	for j := range n {
		a := r.in.Jobs[j]
		for i, old := range by {
			if old < 0 {
				continue
			}
			if b := r.in.Jobs[old]; b.Arrival == a.Arrival && b.Work == a.Work {
				part[old], by[i] = j, -1
				break
			}
		}
	}
	done := make([]*big.Rat, n)
	for old, j := range part {
		done[j] = r.Done[old]
	}
	r.Done = done
	for i := range r.Gaps {
		g := &r.Gaps[i]
		set, copies := uint64(0), make([]int, n)
		for old, j := range part {
			set |= g.Set >> old & 1 << j
			copies[j] = g.Copies[old]
		}
		g.Set, g.Copies = set, copies
	}
}

// Moments is how many moments there are at which jobs arrive, Last the last of them by which j is not done.
func (r *Run) Moments() int { return len(r.moments) }

// Last is the last moment that is no later than j's completion.
func (r *Run) Last(j int) (k int) {
	for k+1 < len(r.moments) && r.moments[k+1].Cmp(r.Done[j]) <= 0 {
		k++
	}
	return k
}

// Sides reports in which of a node's two children the schedule is, by the definition in docs/bounds-and-proofs.md.
func (r *Run) Sides(q proof.TreeNode) (less, more bool) {
	switch {
	case q.Window != nil:
		less = r.Done[q.Window[0]].Cmp(r.moments[q.Window[1]]) < 0
		return less, !less
	case q.Pair != nil:
		c := r.Done[q.Pair[0]].Cmp(r.Done[q.Pair[1]])
		return c <= 0, c >= 0
	}
	set := uint64(0)
	for _, j := range q.Set {
		set |= 1 << j
	}
	i := slices.IndexFunc(r.Gaps, func(g Gap) bool { return g.Moment == q.Copies[0] && g.Set == set })
	whole, most := !r.in.Multitasking, q.Copies[2]
	if i < 0 { // that time has no length
		return !whole || most > 0, true
	}
	c := cmp.Compare(r.Gaps[i].Copies[q.Copies[1]], most)
	none := r.in.Multitasking && r.Gaps[i].Copies[q.Copies[1]] == 0
	return c <= 0 || none, c > 0 || none
}
