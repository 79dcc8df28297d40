package redundancy

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"

	"schedgap/exact/verify"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

var (
	errBetter = errors.New("redundancy: a schedule may be worth less than the bound")
	errNodes  = errors.New("redundancy: the proof has too many nodes")
)

// proveShares is the tree that proves bound on shared machines.
func proveShares(ctx context.Context, in *redundancy.Instance, prices []any, bound float64) (*proof.ShareTree, error) {
	p := &shareProver{shareProgram: newShareProgram(in), bound: bound}
	return verify.RedundancyShareTree(ctx, in, prices, bound, p.choose)
}

// A shareProver says what the nodes of a proof on shared machines are.
type shareProver struct {
	*shareProgram
	bound float64
	nodes int
}

// choose makes a node a leaf where the linear program is worth the bound, else the question on which the program's solution is least of one
// mind: which of two jobs is done first, whether one is done by a moment, or, when that is clear, how many copies one has.
func (p *shareProver) choose(n *verify.RedundancyShared) (proof.ShareNode, error) {
	if p.nodes++; p.nodes > provenNodes {
		return proof.ShareNode{}, errNodes
	}
	sets := make([][]uint64, n.Intervals())
	for k := range sets {
		var err error
		if sets[k], err = n.Sets(k); err != nil {
			return proof.ShareNode{}, err
		}
		if len(sets[k]) == 0 { // no schedule is left, so any weights do
			return proof.ShareNode{Weights: make([]float64, len(n.Lo))}, nil
		}
	}
	x := p.solve(n, sets, p.bound)
	if x.proves {
		if w := p.rounded(n, x.weights); w != nil {
			return proof.ShareNode{Weights: w}, nil
		}
	}
	if node, ok := p.inOrder(n, x); ok {
		return node, nil
	}
	if node, ok := p.mixed(n, x); ok {
		return node, nil
	}
	return proof.ShareNode{}, errBetter
}

// rounded are the weights with as few digits as prove the bound, nil: none do.
func (p *shareProver) rounded(n *verify.RedundancyShared, u []float64) []float64 {
	for _, digits := range []int{3, 5, 8, 12, 15} {
		for less := range 2 { // one less in the last digit: after the last arrival no rounding may be left
			list := make([]float64, len(u))
			for j, v := range u {
				if v > 0 {
					unit := math.Floor(math.Log10(v)) - float64(digits) + 1
					whole := math.Floor(v/math.Pow(10, unit)*(1+1e-15)) - float64(less)
					list[j], _ = strconv.ParseFloat(strconv.FormatFloat(max(0, whole), 'f', 0, 64)+"e"+strconv.Itoa(int(unit)), 64)
				}
			}
			if v, err := n.Bound(list); err == nil && v >= p.bound {
				return list
			}
		}
	}
	return nil
}

// provenPart is the part of all time above which a part counts.
const provenPart = 1e-9

// least is the size of times that count.
func (x *sharePoint) least() float64 {
	sum := 0.0
	for _, t := range x.time {
		sum += t
	}
	return provenPart * sum
}

// inOrder asks for the order of two jobs, or where all are in one order for the window of a job, of which the solution says both: that with the
// largest product of the times for which it does.
func (p *shareProver) inOrder(n *verify.RedundancyShared, x *sharePoint) (node proof.ShareNode, ok bool) {
	best, least := 0.0, x.least()
	better := func(a, b float64) bool {
		if min(a, b) <= least || a*b <= best {
			return false
		}
		best, ok = a*b, true
		return true
	}
	open := make([]uint64, len(x.runs)) // jobs that complete later
	for i, r := range x.runs {
		open[i] = r.set | ^n.Here(r.interval)
	}
	for j := range n.Lo {
		for i := range j {
			if n.Ordered(i, j) || n.Ordered(j, i) {
				continue
			}
			first, second := 0.0, 0.0
			for q := range x.runs {
				switch open[q]>>i&1<<1 | open[q]>>j&1 {
				case 1:
					first += x.time[q]
				case 2:
					second += x.time[q]
				}
			}
			if better(first, second) {
				node = proof.ShareNode{Pair: []int{i, j}}
			}
		}
	}
	for j := 0; j < len(n.Lo) && node.Pair == nil; j++ {
		for m := n.Lo[j] + 1; m <= n.Hi[j]; m++ {
			done, left := 0.0, 0.0
			for i, r := range x.runs {
				switch {
				case r.interval < m && open[i]>>j&1 == 0:
					done += x.time[i]
				case r.interval >= m && open[i]>>j&1 == 1:
					left += x.time[i]
				}
			}
			if better(done, left) {
				node = proof.ShareNode{Window: []int{j, m}}
			}
		}
	}
	return node, ok
}

// mixed asks for the copies of a job, of which the solution mixes several between two events: those with the largest lesser part, about their mean.
func (p *shareProver) mixed(n *verify.RedundancyShared, x *sharePoint) (node proof.ShareNode, ok bool) {
	best := x.least()
	least := best
	for _, r := range x.runs {
		for _, a := range r.parts {
			times := make([]float64, p.in.Machines+1) // that it has so many copies, by shares
			for q, other := range x.runs {
				if other.interval != r.interval || other.set != r.set {
					continue
				}
				for _, b := range other.parts {
					if b.job == a.job {
						times[b.copies] += x.time[q] * float64(b.machines) / float64(b.copies)
					}
				}
			}
			time, machines := 0.0, 0.0
			low, high := 0, 0
			for c, v := range times {
				time, machines = time+v, machines+v*float64(c)
				if v > least {
					if low == 0 {
						low = c
					}
					high = c
				}
			}
			if v := time - slices.Max(times); v > best && low < high {
				best, ok = v, true
				node = proof.ShareNode{Copies: []int{r.interval, a.job, min(high-1, max(low, int(machines/time)))}}
				for other := range n.Lo {
					if r.set>>other&1 == 1 {
						node.Set = append(node.Set, other)
					}
				}
			}
		}
	}
	return node, ok
}
