package decoder

import (
	"context"
	"math"
	"slices"
	"time"

	"schedgap/models/cloning"
)

// An Index derives keys from prices of capacity. The price falls from 1 to 0 as (1 − t/T)^Power, with T = Horizon times the
// cluster's work. Running a phase one slot earlier brings its job's end one slot nearer. It also costs more, for the phase and
// for the phases behind it: rate times the fall of the price over their lengths. The cheapest phase comes first.
//
// Without a horizon the price falls all the time alike, and a phase counts with all that its job has left when the phase may begin, phases
// beside it too. So a job's phases share the servers, and the job with least work left is served first.
type Index struct{ Horizon, Power, Clones float64 }

const least, most = 0.3, 1e3 // exponents

// Keys returns a key for each phase of the model.
func (x Index) Keys(m *Model) Keys {
	n := len(m.phases)
	keys := Keys{make([]float64, n), make([]float64, n)}
	rate := make([]float64, n)
	work := 0.0
	for k := range m.phases {
		f := &m.phases[k]
		for r, d := range f.Demand {
			if d > 0 {
				rate[k] = max(rate[k], d/m.total[r]*float64(f.Tasks))
			}
		}
		work += rate[k] * f.Mean
	}
	free := max(x.Horizon*work, math.SmallestNonzeroFloat64)
	price := func(t float64) float64 { return math.Pow(max(0, 1-t/free), x.Power) }
	length := func(p *cloning.Phase) float64 { return p.Mean }
	for j := range m.in.Jobs {
		base := m.first[j]
		var costs []float64
		if x.Horizon > 0 {
			costs = Costs(&m.in.Jobs[j], rate[base:], length, price)
		} else {
			costs = m.Remaining(j)
		}
		for i, cost := range costs {
			k := int(base) + i
			f := &m.phases[k]
			keys.Key[k] = math.Log(cost)
			if f.copies > 1 {
				second := rate[k]*math.Exp(f.gains[1]) - (rate[k] - cost)
				keys.Clones[k] = least
				if c := x.Clones * math.Log(second/cost) / f.gains[1]; c > least {
					keys.Clones[k] = min(c, most)
				}
			}
		}
	}
	return keys
}

// Costs returns for each phase of a job how much more it costs to begin now than a slot later. rate is the capacity that a
// phase holds, price the price of capacity by slots from now. Phases behind begin as early as they can. All costs are positive.
func Costs(job *cloning.Job, rate []float64, length func(*cloning.Phase) float64, price func(float64) float64) []float64 {
	order, children := job.Order(), job.Children()
	costs, begin := make([]float64, len(order)), make([]float64, len(order))
	for i, k := range order {
		for _, q := range order[i:] {
			begin[q] = -1
		}
		begin[k] = 0
		for _, q := range order[i:] {
			t := begin[q]
			if t < 0 {
				continue
			}
			end := t + length(&job.Phases[q])
			costs[k] += rate[q] * (price(t) - price(end))
			for _, c := range children[q] {
				begin[c] = max(begin[c], end)
			}
		}
		costs[k] = max(costs[k], 1e-6*rate[k]*length(&job.Phases[k]), math.SmallestNonzeroFloat64)
		if !(costs[k] < math.MaxFloat64) { // extremes of demands and lengths
			costs[k] = math.MaxFloat64
		}
	}
	return costs
}

// Remaining returns for each phase of a job the slots that the job needs on the whole cluster, by the resource that it needs most, once
// the phases before it are done. All are positive.
func (m *Model) Remaining(j int) []float64 {
	job := &m.in.Jobs[j]
	order := job.Order()
	slots, before := make([]float64, len(order)), make([]bool, len(order))
	later := 1 - 1e-6*float64(j)/float64(len(m.in.Jobs)) // jobs with the same work follow one another
	for i, k := range order {
		clear(before)
		for _, q := range slices.Backward(order[:i+1]) {
			if q == k || before[q] {
				for _, parent := range job.Phases[q].Parents {
					before[parent] = true
				}
			}
		}
		for r, total := range m.total {
			work := 0.0
			for q, done := range before {
				if f := &job.Phases[q]; !done && f.Demand[r] > 0 {
					work += f.Demand[r] / total * float64(f.Tasks) * f.Mean
				}
			}
			slots[k] = max(slots[k], work)
		}
		slots[k] = min(max(slots[k], math.SmallestNonzeroFloat64), math.MaxFloat64) * later
	}
	return slots
}

// prices are the horizons and powers that Start tries.
var prices = func() (list []Index) {
	for _, power := range []float64{2, 1, 4} {
		for _, horizon := range []float64{0.5, 1, 0.3, 0.75, 1.5, 0.2, 3, 0.1} {
			list = append(list, Index{Horizon: horizon, Power: power})
		}
	}
	return append(list, Index{})
}()

// Start are the best keys that a grid of indices gives; of half of the grid and less where that would take more than a tenth of
// the time until ctx ends.
func (m *Model) Start(ctx context.Context) Keys {
	began, until := time.Now(), time.Duration(math.MaxInt64)
	if end, ok := ctx.Deadline(); ok {
		until = time.Until(end) / 10
	}
	d := newDecoder(m)
	var best Keys
	low := math.Inf(1)
	for _, clones := range []float64{1, 0.6, 1.3, 0.8} {
		for _, x := range prices {
			if best.Key != nil && (ctx.Err() != nil || time.Since(began) > until) {
				return best
			}
			x.Clones = clones
			keys := x.Keys(m)
			d.set(keys)
			if best.Key == nil {
				best = keys
			}
			if v := d.value(low); v < low {
				best, low = keys, v
			}
		}
	}
	return best
}

// Phases is the number of phases of all jobs.
func (m *Model) Phases() int { return len(m.phases) }
