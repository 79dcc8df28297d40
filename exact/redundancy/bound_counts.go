package redundancy

import (
	"context"
	"math"
	"slices"

	"schedgap/exact/prices"
	"schedgap/models/proof"
)

// A counter bounds how many of the jobs that arrive from one on can be done by a moment. Prices of machine time until then prove
// it: if the k+1 cheapest of these jobs would pay more than all machines are worth, at most k of them are done.
type counter struct {
	chains  []*prices.Chain // each of the jobs with at least some work; its set s: the last s+1 of them to arrive
	members [][]pending     // by chain
	known   map[level]*shown
	inner   *subproblem
	costs   []float64
	used    []float64
}

// A level is a number of a chain's jobs from first on.
type level struct{ chain, first, most int }

// A shown level holds until a time, which prices prove; until the time failed it could not be shown.
type shown struct {
	until, failed float64
	proof         proof.CountProof
}

// Sets are counted up to mostLevels jobs, and over as many arrivals as manyArrivals.
const (
	mostLevels   = 12
	manyArrivals = 24
	proofSteps   = 30
	mostProofs   = 3000 // in a round
	sizesOfWork  = 4    // least works by which there are sets
	// proofMargin is by how much, relatively, payments must be more than what the machines are worth.
	proofMargin = 1e-9
)

func newCounter(env *envelope, jobs []pending) *counter {
	c := &counter{known: map[level]*shown{}, inner: newSubproblem(env, []float64{0}, []float64{0})}
	works := make([]float64, len(jobs))
	for j := range jobs {
		works[j] = jobs[j].work
	}
	slices.Sort(works)
	for i := range sizesOfWork {
		if i > 0 && works[i*len(works)/sizesOfWork] == works[(i-1)*len(works)/sizesOfWork] {
			continue
		}
		var list []pending
		chain := &prices.Chain{First: make([]int, len(jobs))}
		for j := len(jobs) - 1; j >= 0; j-- {
			if chain.First[j] = len(list); jobs[j].work >= works[i*len(works)/sizesOfWork] {
				list = append(list, jobs[j])
			} else {
				chain.First[j] = -1
			}
		}
		chain.Sets = len(list)
		for j := range chain.First {
			if chain.First[j] < 0 {
				chain.First[j] = chain.Sets
			}
		}
		slices.Reverse(list)
		c.chains, c.members = append(c.chains, chain), append(c.members, list)
	}
	return c
}

// violated lists count rows that r's columns violate by more than slack.
func (c *counter) violated(ctx context.Context, r *prices.Relaxation, slack float64) []prices.Row {
	var rows []prices.Row
	tries := mostProofs
	for i, chain := range c.chains {
		for first := range chain.Sets {
			set := chain.Sets - 1 - first
			k := 1
			for most := range min(mostLevels, set+1) {
				for k < len(r.At) && r.Counted(i, set, k) <= float64(most)+slack {
					k++
				}
				if k == len(r.At) {
					break
				}
				if ctx.Err() != nil || tries <= 0 {
					return rows
				}
				last, shown := c.latest(level{i, first, most}, k, r.At, &tries)
				if last > 0 {
					rows = append(rows, prices.Row{Chain: i, Set: set, Point: last, Most: float64(most), Proof: shown})
				}
			}
		}
	}
	return rows
}

// latest is the last grid point found, from k on, by which l holds; 0 if k is none.
func (c *counter) latest(l level, k int, at []float64, tries *int) (int, *proof.CountProof) {
	p := c.known[l]
	if p == nil {
		p = &shown{until: math.Inf(-1), failed: math.Inf(1)}
		c.known[l] = p
	}
	holds := func(k int) bool {
		if at[k] <= p.until {
			return true
		}
		if at[k] >= p.failed || *tries <= 0 {
			return false
		}
		*tries--
		if !c.prove(l, at[k], p) {
			p.failed = at[k]
			return false
		}
		return true
	}
	if !holds(k) {
		return 0, nil
	}
	step := 1
	for k+step < len(at) && holds(k+step) {
		k += step
		step *= 2
	}
	for ; step > 0; step /= 2 {
		if k+step < len(at) && holds(k+step) {
			k += step
		}
	}
	kept := p.proof
	return k, &kept
}

// prove looks for prices that show that l holds until a time, and keeps them in p.
func (c *counter) prove(l level, until float64, p *shown) bool {
	in, jobs, first, most := c.inner, c.members[l.chain], l.first, l.most
	begin := jobs[first].arrival
	at := []float64{begin}
	end := first
	for ; end < len(jobs) && jobs[end].arrival < until; end++ {
		if a := jobs[end].arrival; a > at[len(at)-1] {
			at = append(at, a)
		}
	}
	if until <= begin || end-first <= most { // not even as many have arrived
		p.until, p.proof = until, proof.CountProof{}
		return true
	}
	if len(at) > manyArrivals {
		return false
	}
	at = append(at, until)
	in.at = at
	in.price = slices.Repeat([]float64{1}, len(at)-1)
	in.dearest = math.Inf(1)
	machines := float64(len(in.env.gain))
	c.used = slices.Grow(c.used[:0], len(at))[:len(at)-1]
	for step := range proofSteps {
		worth := 0.0
		for i, v := range in.price {
			worth += v * machines * (at[i+1] - at[i])
		}
		c.costs = c.costs[:0]
		for _, j := range jobs[first:end] {
			c.costs = append(c.costs, in.payment(j.arrival, j.work))
		}
		sorted := slices.Sorted(slices.Values(c.costs))
		least := 0.0
		for _, v := range sorted[:most+1] {
			least += v
		}
		if least > worth*(1+proofMargin)+1e-300 {
			p.until, p.proof = until, proof.CountProof{Grid: at, Price: slices.Clone(in.price)}
			return true
		}
		// Scaled so that the dearest of the jobs that fit costs 1, the prices say that worth + Σ max(0, 1 − cost) jobs fit.
		if step == 0 {
			scale := 1 / sorted[most]
			if !(scale > 0) || math.IsInf(scale, 0) {
				return false
			}
			worth *= scale
			for i := range in.price {
				in.price[i] *= scale
			}
			for i := range c.costs {
				c.costs[i] *= scale
			}
		}
		fit := worth
		for i := range c.used {
			c.used[i] = -machines * (at[i+1] - at[i])
		}
		for i, v := range c.costs {
			if v < 1 {
				fit += 1 - v
				in.payFor(jobs[first+i].arrival, jobs[first+i].work, c.used)
			}
		}
		norm := 0.0
		for i, g := range c.used {
			if in.price[i] > 0 || g > 0 {
				norm += g * g / (at[i+1] - at[i])
			}
		}
		if norm == 0 {
			return false
		}
		length := (fit - float64(most+1) + 0.02) / norm
		if length <= 0 {
			length = 0.02 / norm
		}
		for i, g := range c.used {
			in.price[i] = max(0, in.price[i]+length*g/(at[i+1]-at[i]))
		}
	}
	return false
}

// payment is the least that a job pays to be done before the last point of the grid; ∞ when it cannot be.
func (p *subproblem) payment(from, work float64) float64 {
	p.offerAll(from, work)
	cost, left := 0.0, work
	for _, o := range p.offer {
		w := min(left, o.work)
		cost += w * o.unit
		left -= w
	}
	if last := p.at[len(p.at)-1]; left > 1e-12*work+1e-15*last*p.env.h[len(p.env.h)-1] {
		return math.Inf(1)
	}
	return cost
}

// payFor adds the machine time that payment is for to used.
func (p *subproblem) payFor(from, work float64, used []float64) {
	p.offerAll(from, work)
	left := work
	for _, o := range p.offer {
		w := min(left, o.work)
		used[o.interval] += w / o.gain
		left -= w
	}
}

// offerAll makes the offers of all intervals but the last one, which never ends, to a job.
func (p *subproblem) offerAll(from, work float64) {
	p.forget()
	for k := p.interval(from); k+1 < len(p.at); k++ {
		p.add(k, p.at[k+1]-max(from, p.at[k]), work)
	}
}
