package cloning

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"schedgap/exact/verify/cloning/kernel"
	"schedgap/exact/verify/core"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/proof"
	"schedgap/models/strict"
)

// Prices are the prices of a bound for cloning (docs/bounds-and-proofs.md#prices-of-cloning), in units of 2^-Bits slots.
// Time is counted from the first arrival.
type Prices struct {
	Bits       int       `json:"bits"`
	Grid       []int     `json:"grid"` // interval i is the slots Grid[i]+1 … Grid[i+1]; Grid[0] is 0; later everything is free
	Classes    []Class   `json:"classes"`
	Surrogates [][]int64 `json:"surrogates"` // by interval and surrogate, class by class
}

// A Class is servers whose surrogate constraints are priced together.
type Class struct {
	Servers    [][]float64 `json:"servers"` // their different capacities
	Largest    []float64   `json:"largest"` // by resource, what surrogates are relative to
	Surrogates []Surrogate `json:"surrogates"`
}

// A Surrogate is a weight of copies whose sum on a server is at most the server's own: a resource, or, for Parts ≥ 1,
// (⌈d/u⌉ − 1)/Parts of it with u = Largest·(1 + 2e-9)/(Parts + 1).
type Surrogate struct {
	Resource int `json:"resource"`
	Parts    int `json:"parts"`
}

// Verify checks a proof about a cloning instance whose canonical file has the given hash. A nil error says that its claim is proven.
func Verify(p *proof.Proof, in *cloning.Instance, sha256 string) (models.Verdict, error) {
	both := []string{cloning.Opt, cloning.OptNonpreemptive}
	return core.Follow(p, cloning.Problem.Name, in, sha256, map[string]core.Rule[*cloning.Instance]{
		proof.Prices: {References: []string{cloning.Opt}, Check: checkPrices},
		Heads:        {References: both, Check: checkHeads, Solution: core.Solution(false, scheduleWorth)},
		States: {
			References: both, Check: checkStates,
			Solution: core.Solution(true, scheduleWorth),
		},
	})
}

// scheduleWorth is what a schedule costs.
func scheduleWorth(in *cloning.Instance, s *Schedule, reference string) (core.Interval, models.Accuracy, error) {
	cost, err := s.Cost(in, reference == cloning.OptNonpreemptive)
	return core.Point(float64(cost)), models.Accuracy{Whole: true}, err
}

// checkPrices checks a bound by prices.
func checkPrices(r *core.Reader, in *cloning.Instance) error {
	var form pricesForm
	if err := r.Read(&form); err != nil {
		return err
	}
	prices, err := form.prices()
	if err != nil {
		return err
	}
	proven, err := Bound(in, prices)
	if err != nil {
		return err
	}
	return core.Conclude(*r.Header.Bound, core.RoundDown(new(big.Rat).SetInt(proven)), "prices")
}

// A listed is a JSON list. given says whether the field is there; null gives an empty list.
type listed[T any] struct {
	items []T
	given bool
}

// ReadValue implements strict.Reader.
func (l *listed[T]) ReadValue(v *strict.Value) error {
	l.given = true
	if string(v.Raw()) == "null" {
		return nil
	}
	return v.Into(&l.items)
}

// A named reads surrogates, which earlier versions called gauges.
type named[T any] struct {
	Surrogates listed[T] `json:"surrogates" is:"optional"`
	Gauges     listed[T] `json:"gauges" is:"optional"`
}

// surrogates are those of a place in the file, which must have one of the names. Where there are none, genuine files have null.
func (n *named[T]) surrogates(place string) ([]T, error) {
	switch {
	case n.Surrogates.given && n.Gauges.given:
		return nil, fmt.Errorf("%sgauges: is a duplicate of surrogates, whose earlier name it is", place)
	case !n.Surrogates.given && !n.Gauges.given:
		return nil, fmt.Errorf("%ssurrogates: required field is missing", place)
	case n.Gauges.given:
		return n.Gauges.items, nil
	}
	return n.Surrogates.items, nil
}

// A pricesForm is a line with Prices, as all builds wrote it.
type pricesForm struct {
	Bits    int   `json:"bits"`
	Grid    []int `json:"grid"`
	Classes []struct {
		Servers [][]float64 `json:"servers"`
		Largest []float64   `json:"largest"`
		named[Surrogate]
	} `json:"classes"`
	named[[]int64]
	Copies [][]int64 `json:"copies" is:"optional"` // prices of another kind, which are no longer checked
}

func (f *pricesForm) prices() (p *Prices, err error) {
	if f.Copies != nil {
		return nil, fmt.Errorf("prices of copies are of an earlier version: make the proof again, by solve -a lb-price --proof")
	}
	p = &Prices{Bits: f.Bits, Grid: f.Grid, Classes: make([]Class, len(f.Classes))}
	for i := range f.Classes {
		class := &f.Classes[i]
		p.Classes[i] = Class{Servers: class.Servers, Largest: class.Largest}
		p.Classes[i].Surrogates, err = class.surrogates(fmt.Sprintf("classes[%d].", i))
		if err != nil {
			return nil, err
		}
	}
	p.Surrogates, err = f.surrogates("")
	return p, err
}

// Bound returns the bound on the sum of flowtimes, in both regimes, that the prices prove, rounded up to a whole number.
// What cannot be prices of the instance is an error.
func Bound(in *cloning.Instance, p *Prices) (*big.Int, error) {
	c := &needs{in: in, prices: p}
	if err := c.shape(); err != nil {
		return nil, err
	}
	c.group()
	c.measure()
	if err := c.quote(); err != nil {
		return nil, err
	}
	value := new(big.Int)
	for j := range in.Jobs {
		v, err := c.job(j)
		if err != nil {
			return nil, err
		}
		value.Add(value, big.NewInt(v))
	}
	value.Sub(value, c.worth)
	// ⌈value / 2^bits⌉
	value.Neg(value)
	value.Rsh(value, uint(p.Bits))
	return value.Neg(value), nil
}

type needs struct {
	core.Effort
	in     *cloning.Instance
	prices *Prices
	first  int // the first arrival
	phases []phase
	begin  []int // by job, its first phase; and the number of phases
	worth  *big.Int
	limits []kernel.Class
	totals []core.Interval // by resource, of all servers
}

// A phase has the needs of a phase's tasks.
type phase struct {
	*cloning.Phase
	gain        []float64 // of each copy that matters, from above, descending
	long, least int64     // slots of a task in one copy, and in all
	units       int64     // copies times slots that a task takes at least
	profiles    [][]int64 // minimal vectors: by r, the slots with at least r copies; nil means too many
	span        int64     // slots that all tasks take
	head, tail  int64
	price       []int64 // of a copy, by interval
	order       []int   // intervals by price
}

func (c *needs) shape() error {
	p := c.prices
	if p.Bits < 0 || p.Bits > 40 {
		return fmt.Errorf("bits %d must be from 0 to 40", p.Bits)
	}
	if most := core.GridPoints + 4*len(c.in.Jobs); len(p.Grid) < 2 || len(p.Grid) > most || p.Grid[0] != 0 {
		return fmt.Errorf("grid must begin with 0 and have from 2 to %d points", most)
	}
	for i, at := range p.Grid[1:] {
		if at <= p.Grid[i] || at > 1<<40 {
			return fmt.Errorf("grid[%d] = %d must be more than grid[%d] = %d and at most 2^40", i+1, at, i, p.Grid[i])
		}
	}
	columns := 0
	for _, class := range p.Classes {
		columns += len(class.Surrogates)
	}
	if len(p.Surrogates) != len(p.Grid)-1 {
		return fmt.Errorf("surrogates has %d rows and must have %d", len(p.Surrogates), len(p.Grid)-1)
	}
	for i, row := range p.Surrogates {
		if len(row) != columns {
			return fmt.Errorf("surrogates[%d] has %d prices and must have %d", i, len(row), columns)
		}
		for k, v := range row {
			if v < 0 || v > 1<<60 {
				return fmt.Errorf("surrogates[%d][%d] = %d must be from 0 to 2^60", i, k, v)
			}
		}
	}
	return nil
}

// group groups the servers and adds up their resources.
func (c *needs) group() {
	c.limits, _ = kernel.Group(c.in.Servers)
	c.totals = make([]core.Interval, len(c.in.Resources))
	for r := range c.totals {
		for _, l := range c.limits {
			c.totals[r] = c.totals[r].Plus(core.Point(cloning.Limit(l.Capacity[r])).Times(core.Integer(l.Servers)))
		}
	}
}

// measure finds what the tasks of every phase need, and heads and tails by longest paths: the slots that must pass before a phase and
// after it. Spans are lower bounds, so heads and tails are, too. None is beyond farthest, so that no sum of theirs overflows.
func (c *needs) measure() {
	c.first = math.MaxInt
	for j := range c.in.Jobs {
		c.first = min(c.first, c.in.Jobs[j].Arrival)
	}
	for j := range c.in.Jobs {
		job := &c.in.Jobs[j]
		base := len(c.phases)
		c.begin = append(c.begin, base)
		for k := range job.Phases {
			c.phases = append(c.phases, c.phase(&job.Phases[k]))
		}
		order := job.Order()
		for _, k := range order {
			ph := &c.phases[base+k]
			ph.head = int64(job.Arrival - c.first)
			for _, parent := range ph.Parents {
				ph.head = min(farthest, max(ph.head, c.phases[base+parent].head+c.phases[base+parent].span))
			}
		}
		for i := len(order) - 1; i >= 0; i-- {
			ph := &c.phases[base+order[i]]
			for _, parent := range ph.Parents {
				c.phases[base+parent].tail = min(farthest, max(c.phases[base+parent].tail, ph.tail+ph.span))
			}
		}
	}
	c.begin = append(c.begin, len(c.phases))
}

func (c *needs) phase(p *cloning.Phase) phase {
	room, fit := int64(0), int64(0)
	for _, l := range c.limits {
		n := int64(cloning.Copies(p.Demand, l.Capacity, cloning.MostCopies))
		fit = min(fit+n*int64(l.Servers), 1<<60)
		room += min(n, int64(c.in.MaxCopiesPerServer)) * int64(min(l.Servers, c.in.MaxCopies))
	}
	most := int(max(1, min(room, int64(c.in.MaxCopies))))
	for most > 1 && p.Speedup[most-1] == p.Speedup[most-2] {
		most--
	}
	ph := phase{Phase: p, gain: core.Gains(p.Speedup[:most]), units: int64(p.Volume(most))}
	ph.long, ph.least = int64(p.Slots(cloning.Progress{}, 1)), int64(p.Slots(cloning.Progress{}, most))
	ph.profiles, ph.span = ph.listProfiles(), ph.least
	volume := core.Integer(p.Tasks).Times(core.Integer(int(ph.units)))
	if fit > 0 {
		ph.span = max(ph.span, whole(volume.Over(core.Integer(int(fit)))))
	}
	for r, d := range p.Demand {
		if d > 0 {
			ph.span = max(ph.span, whole(volume.Times(core.Point(d)).Over(c.totals[r])))
		}
	}
	return ph
}

// whole is ⌈v.lo⌉ for v ≥ 0, at most farthest.
func whole(v core.Interval) int64 { return int64(min(farthest, math.Ceil(v.Lo))) }

// farthest bounds numbers of slots that are lower bounds: the sum of a head, a span and a tail fits into 64 bits.
const farthest = 1 << 60

// mostProfiles is the largest number of profiles, and of slots that a task takes in one copy, for which a phase has a list of profiles.
const mostProfiles = 64

// listProfiles lists the minimal vectors of the numbers of slots with at least 1, 2, … copies that complete a task.
func (ph *phase) listProfiles() [][]int64 {
	if ph.long > mostProfiles {
		return nil
	}
	var list [][]int64
	now := make([]int64, len(ph.gain)+1) // and none with more
	// try chooses how many slots have at least r + 1 copies. done is the progress of the slots with more.
	var try func(r int, done cloning.Progress)
	try = func(r int, done cloning.Progress) {
		if r == 0 {
			now[0] = now[1]
			if !ph.Done(done) {
				now[0] += int64(ph.Slots(done, 1))
			}
			if profile := now[:len(now)-1]; !slices.ContainsFunc(list, func(w []int64) bool { return kernel.NoMore(w, profile) }) {
				list = append(list, slices.Clone(profile))
			}
			return
		}
		for n := now[r+1]; len(list) <= mostProfiles; n++ {
			now[r] = n
			after := ph.After(done, int(n-now[r+1]), r+1)
			try(r-1, after)
			if ph.Done(after) {
				return
			}
		}
	}
	try(len(ph.gain)-1, cloning.Progress{})
	if len(list) > mostProfiles {
		return nil
	}
	return list
}

// Weighed is ⌊price·weight / 2^30⌋, at most 2^62: what something of a weight costs.
func Weighed(price, weight int64) int64 {
	hi, lo := bits.Mul64(uint64(price), uint64(weight))
	if hi >= 1<<28 {
		return 1 << 62
	}
	return int64(hi<<34 | lo>>30)
}
