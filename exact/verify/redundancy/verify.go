package redundancy

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"schedgap/exact/verify/core"
	"schedgap/models"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// Verify checks a proof about a redundancy instance whose canonical file has the given hash. A nil error says that its claim is
// proven.
func Verify(p *proof.Proof, in *redundancy.Instance, sha256 string) (models.Verdict, error) {
	of := []string{redundancy.Opt}
	return core.Follow(p, redundancy.Problem.Name, in, sha256, map[string]core.Rule[*redundancy.Instance]{
		proof.Prices: {References: of, Check: checkPrices},
		proof.RedundancyTree: {
			References: of, Check: checkTree,
			Suits: func(in *redundancy.Instance) error {
				if len(in.Jobs) > MostJobs {
					return fmt.Errorf("proofs of the kind %s have at most %d jobs", proof.RedundancyTree, MostJobs)
				}
				return nil
			},
			Solution: core.Solution(true, func(in *redundancy.Instance, s *proof.Schedule, _ string) (core.Interval, models.Accuracy, error) {
				exact, err := Value(in, s.Solution)
				if err != nil {
					return core.Interval{}, models.Accuracy{}, err
				}
				value := core.RoundUp(exact)
				return core.Point(value), models.Accuracy{}, nil
			}),
		},
	})
}

// checkPrices checks a bound by prices.
func checkPrices(lines *core.Reader, in *redundancy.Instance) error {
	f, err := readPurchases(lines, len(lines.Lines), in)
	if err != nil {
		return err
	}
	sum := 0.0
	for j := range in.Jobs {
		sum = core.Below(sum, f.costs(j, []core.Interval{core.Point(0)}, 1)[0])
	}
	if err := f.Spent(); err != nil {
		return err
	}
	return core.Conclude(*lines.Header.Bound, core.Below(sum, -f.r.Worth(in.Machines)), "prices")
}

// purchases evaluates what jobs buy: the r-th machine of a job gains h(r) − h(r−1). That a later machine may be bought
// without the ones before it only makes work cheaper.
type purchases struct {
	*core.Effort
	in      *redundancy.Instance
	r       *core.Relaxation
	arrival []core.Interval // from the first one on
	gain    []float64
}

// readPurchases reads the lines up to one of prices, and checks their counts.
func readPurchases(lines *core.Reader, to int, in *redundancy.Instance) (*purchases, error) {
	r, err := core.ReadRelaxation(lines, to, len(in.Jobs), func(j int) string { return in.Jobs[j].ID })
	if err != nil {
		return nil, err
	}
	f := &purchases{Effort: &lines.Effort, in: in, r: r, gain: core.Gains(in.Speedup)}
	first := slices.MinFunc(in.Jobs, func(a, b redundancy.Job) int { return cmp.Compare(a.Arrival, b.Arrival) }).Arrival
	for j := range in.Jobs {
		f.arrival = append(f.arrival, core.Point(in.Jobs[j].Arrival).Minus(core.Point(first)).Positive())
	}
	for i, c := range r.Counts {
		if err := f.holds(c, r.Grid[c.Point]); err != nil {
			return nil, fmt.Errorf("count %d: %v", i, err)
		}
	}
	return f, nil
}

// costs[i] is a lower bound on the flowtime and the payments of job j, for machines and counts, if it completes in window i. Window i of n
// begins at begin[i] and ends where the next one begins; the last one never ends. Each is the least over the intervals of the grid in the
// window: the waiting until the interval begins, what the job buys before, and the rest of its work at the least cost of a unit there, time
// included.
func (f *purchases) costs(j int, begin []core.Interval, n int) []float64 {
	r, arrival, work := f.r, f.arrival[j], f.in.Jobs[j].Work
	early := max(begin[0].Lo, arrival.Plus(core.Point(work).Over(core.Point(f.in.Speedup[f.in.Machines-1]))).Lo)
	list, bought := slices.Repeat([]float64{math.Inf(1)}, n), core.Market{Effort: f.Effort, Gain: f.gain}
	first, last := 0, n-1
	for k, at := range r.Grid {
		end := math.Inf(1)
		if k < len(r.Price) {
			end = r.Grid[k+1]
		}
		if end <= arrival.Lo {
			continue
		}
		sell := func(v float64) { bought.Add(core.Point(end).Minus(core.Most(core.Point(at), arrival)).Hi, v) }
		if end <= early { // it is not done before the interval ends
			sell(r.Price[k])
			continue
		}
		wait := core.Point(at).Minus(arrival).Positive().Lo
		if n < len(begin) && at >= begin[n].Hi || wait >= list[last] && at >= begin[last].Hi {
			break
		}
		v := 0.0
		if k < len(r.Price) {
			v = r.Price[k]
		}
		late := math.Inf(1)
		for m := 1; m <= f.in.Machines; m++ {
			late = min(late, core.Down(core.Down(1+core.Down(v*float64(m)))/f.in.Speedup[m-1]))
		}
		cost := core.Below(core.Below(wait, bought.Payment(work, late)), r.Paid(j, k))
		for first < last && begin[first+1].Hi <= at {
			first++
		}
		for i := first; i <= last && begin[i].Lo < end; i++ {
			if begin[i].Lo > at { // what is done before the window begins is bought, and waits
				more := core.Market{
					Effort: f.Effort, Gain: f.gain, Length: slices.Clone(bought.Length), Price: slices.Clone(bought.Price),
					Offers: slices.Clone(bought.Offers),
				}
				more.Add(begin[i].Minus(core.Most(core.Point(at), arrival)).Hi, v)
				wait := begin[i].Minus(arrival).Positive().Lo
				list[i] = min(list[i], core.Below(core.Below(wait, more.Payment(work, late)), r.Paid(j, k)))
				continue
			}
			list[i] = min(list[i], cost)
		}
		if k < len(r.Price) {
			sell(v)
		}
	}
	return list
}

// holds checks a count row at time t. It holds if at most as many jobs of its set arrive before t as it allows, or if any one more
// would pay more than all machines earn until t, or until a later moment.
func (f *purchases) holds(c core.Count, t float64) error {
	var able []int
	for _, j := range c.Set {
		if f.arrival[j].Lo < t {
			able = append(able, j)
		}
	}
	if c.Most < 0 {
		return fmt.Errorf("%d jobs", c.Most)
	}
	if len(able) <= c.Most {
		return nil
	}
	p := c.Proof
	if p == nil || len(p.Grid) < 2 {
		return fmt.Errorf("there are no prices that show it")
	}
	if err := core.CheckPrices(p.Grid, p.Price, len(f.in.Jobs)); err != nil {
		return err
	}
	if p.Grid[len(p.Grid)-1] < t {
		return fmt.Errorf("its prices end at %v, before %v", p.Grid[len(p.Grid)-1], t)
	}
	worth := core.Worth(p.Grid, p.Price, f.in.Machines)
	var costs []float64
	for _, j := range c.Set {
		from := f.arrival[j]
		s := core.Market{Effort: f.Effort, Gain: f.gain}
		s.Add(core.Point(p.Grid[0]).Minus(from).Hi, 0) // before the prices begin
		for i, v := range p.Price {
			s.Add(core.Point(p.Grid[i+1]).Minus(core.Most(core.Point(p.Grid[i]), from)).Hi, v)
		}
		possible := 0.0
		for _, o := range s.Offers {
			possible = core.Up(possible + core.Up(o.Work))
		}
		if possible >= f.in.Jobs[j].Work { // else it cannot be done
			costs = append(costs, s.Payment(f.in.Jobs[j].Work, math.Inf(1)))
		}
	}
	if err := f.Spent(); err != nil {
		return err
	}
	if len(costs) <= c.Most {
		return nil
	}
	slices.Sort(costs)
	sum := 0.0
	for _, v := range costs[:c.Most+1] {
		sum = core.Below(sum, v)
	}
	if sum <= worth {
		return fmt.Errorf("%d of its jobs can pay %v, and the machines are worth %v", c.Most+1, sum, worth)
	}
	return nil
}
