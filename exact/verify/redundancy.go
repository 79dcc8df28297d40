package verify

import (
	"cmp"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// Redundancy checks a proof about a redundancy instance whose canonical file has the given hash. A nil error says that its claim is
// proven.
func Redundancy(p *proof.Proof, in *redundancy.Instance, sha256 string) (models.Verdict, error) {
	of := []string{redundancy.Opt}
	return follow(p, redundancy.Problem.Name, in, sha256, map[string]rule[*redundancy.Instance]{
		proof.Prices: {references: of, check: checkRedundancyPrices},
		proof.RedundancyTree: {
			references: of, check: checkRedundancyTree,
			suits: func(in *redundancy.Instance) error {
				if len(in.Jobs) > RedundancyJobs {
					return refused("proofs of the kind %s have at most %d jobs", proof.RedundancyTree, RedundancyJobs)
				}
				return nil
			},
			solution: solution(true, func(in *redundancy.Instance, s *proof.Schedule, _ string) (interval, models.Accuracy, error) {
				exact, err := RedundancyValue(in, s.Solution)
				if err != nil {
					return interval{}, models.Accuracy{}, err
				}
				value := RoundUp(exact)
				return point(value), models.Accuracy{}, nil
			}),
		},
	})
}

// checkRedundancyPrices checks a bound by prices.
func checkRedundancyPrices(lines *reader, in *redundancy.Instance) error {
	f, err := readRedundancyPrices(lines, len(lines.Lines), in)
	if err != nil {
		return err
	}
	sum := 0.0
	for j := range in.Jobs {
		sum = below(sum, f.costs(j, []interval{point(0)}, 1)[0])
	}
	if err := f.spent(); err != nil {
		return err
	}
	return conclude(*lines.Header.Bound, below(sum, -f.r.worth(in.Machines)), "prices")
}

// redundancyPrices evaluates what jobs buy: the r-th machine of a job gains h(r) − h(r−1). That a later machine may be bought
// without the ones before it only makes work cheaper.
type redundancyPrices struct {
	*effort
	in      *redundancy.Instance
	r       *relaxation
	arrival []interval // from the first one on
	gain    []float64
}

// readRedundancyPrices reads the lines up to one of prices, and checks their counts.
func readRedundancyPrices(lines *reader, to int, in *redundancy.Instance) (*redundancyPrices, error) {
	r, err := readPrices(lines, to, len(in.Jobs), func(j int) string { return in.Jobs[j].ID })
	if err != nil {
		return nil, err
	}
	f := &redundancyPrices{effort: &lines.effort, in: in, r: r, gain: gainsOf(in.Speedup)}
	first := slices.MinFunc(in.Jobs, func(a, b redundancy.Job) int { return cmp.Compare(a.Arrival, b.Arrival) }).Arrival
	for j := range in.Jobs {
		f.arrival = append(f.arrival, point(in.Jobs[j].Arrival).minus(point(first)).positive())
	}
	for i, c := range r.counts {
		if err := f.holds(c, r.grid[c.point]); err != nil {
			return nil, refused("count %d: %v", i, err)
		}
	}
	return f, nil
}

// costs[i] is a lower bound on the flowtime and the payments of job j, for machines and counts, if it completes in window i. Window i of n
// begins at begin[i] and ends where the next one begins; the last one never ends. Each is the least over the intervals of the grid in the
// window: the waiting until the interval begins, what the job buys before, and the rest of its work at the least cost of a unit there, time
// included.
func (f *redundancyPrices) costs(j int, begin []interval, n int) []float64 {
	r, arrival, work := f.r, f.arrival[j], f.in.Jobs[j].Work
	early := max(begin[0].lo, arrival.plus(point(work).over(point(f.in.Speedup[f.in.Machines-1]))).lo)
	list, bought := slices.Repeat([]float64{math.Inf(1)}, n), gainMarket{effort: f.effort, gain: f.gain}
	first, last := 0, n-1
	for k, at := range r.grid {
		end := math.Inf(1)
		if k < len(r.price) {
			end = r.grid[k+1]
		}
		if end <= arrival.lo {
			continue
		}
		sell := func(v float64) { bought.add(point(end).minus(most(point(at), arrival)).hi, v) }
		if end <= early { // it is not done before the interval ends
			sell(r.price[k])
			continue
		}
		wait := point(at).minus(arrival).positive().lo
		if n < len(begin) && at >= begin[n].hi || wait >= list[last] && at >= begin[last].hi {
			break
		}
		v := 0.0
		if k < len(r.price) {
			v = r.price[k]
		}
		late := math.Inf(1)
		for m := 1; m <= f.in.Machines; m++ {
			late = min(late, down(down(1+down(v*float64(m)))/f.in.Speedup[m-1]))
		}
		cost := below(below(wait, bought.payment(work, late)), r.paid(j, k))
		for first < last && begin[first+1].hi <= at {
			first++
		}
		for i := first; i <= last && begin[i].lo < end; i++ {
			if begin[i].lo > at { // what is done before the window begins is bought, and waits
				more := gainMarket{
					effort: f.effort, gain: f.gain, length: slices.Clone(bought.length), price: slices.Clone(bought.price),
					offers: slices.Clone(bought.offers),
				}
				more.add(begin[i].minus(most(point(at), arrival)).hi, v)
				wait := begin[i].minus(arrival).positive().lo
				list[i] = min(list[i], below(below(wait, more.payment(work, late)), r.paid(j, k)))
				continue
			}
			list[i] = min(list[i], cost)
		}
		if k < len(r.price) {
			sell(v)
		}
	}
	return list
}

// holds checks a count row at time t. It holds if at most as many jobs of its set arrive before t as it allows, or if any one more
// would pay more than all machines earn until t, or until a later moment.
func (f *redundancyPrices) holds(c count, t float64) error {
	var able []int
	for _, j := range c.set {
		if f.arrival[j].lo < t {
			able = append(able, j)
		}
	}
	if c.most < 0 {
		return refused("%d jobs", c.most)
	}
	if len(able) <= c.most {
		return nil
	}
	p := c.proof
	if p == nil || len(p.Grid) < 2 {
		return refused("there are no prices that show it")
	}
	if err := checkPrices(p.Grid, p.Price, len(f.in.Jobs)); err != nil {
		return err
	}
	if p.Grid[len(p.Grid)-1] < t {
		return refused("its prices end at %v, before %v", p.Grid[len(p.Grid)-1], t)
	}
	worth := worth(p.Grid, p.Price, f.in.Machines)
	var costs []float64
	for _, j := range c.set {
		from := f.arrival[j]
		s := gainMarket{effort: f.effort, gain: f.gain}
		s.add(point(p.Grid[0]).minus(from).hi, 0) // before the prices begin
		for i, v := range p.Price {
			s.add(point(p.Grid[i+1]).minus(most(point(p.Grid[i]), from)).hi, v)
		}
		possible := 0.0
		for _, o := range s.offers {
			possible = up(possible + up(o.work))
		}
		if possible >= f.in.Jobs[j].Work { // else it cannot be done
			costs = append(costs, s.payment(f.in.Jobs[j].Work, math.Inf(1)))
		}
	}
	if err := f.spent(); err != nil {
		return err
	}
	if len(costs) <= c.most {
		return nil
	}
	slices.Sort(costs)
	sum := 0.0
	for _, v := range costs[:c.most+1] {
		sum = below(sum, v)
	}
	if sum <= worth {
		return refused("%d of its jobs can pay %v, and the machines are worth %v", c.most+1, sum, worth)
	}
	return nil
}
