package cloning

import (
	"fmt"
	"math/big"
	"math/bits"

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
	moved, _ := kernel.FromFirst(in)
	if err := p.shape(len(in.Jobs)); err != nil {
		return nil, err
	}
	c := &priced{Needs: Measure(moved, mostProfiles), prices: p}
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

// priced are an instance's needs at prices.
type priced struct {
	core.Effort
	*Needs
	prices *Prices
	price  [][]int64 // of a copy, by phase and interval
	order  [][]int   // by phase, the intervals by price
	worth  *big.Int
}

// shape returns why prices cannot be any of an instance with so many jobs.
func (p *Prices) shape(jobs int) error {
	if p.Bits < 0 || p.Bits > 40 {
		return fmt.Errorf("bits %d must be from 0 to 40", p.Bits)
	}
	if most := core.GridPoints + 4*jobs; len(p.Grid) < 2 || len(p.Grid) > most || p.Grid[0] != 0 {
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

// Weighed is ⌊price·weight / 2^30⌋, at most 2^62: what something of a weight costs.
func Weighed(price, weight int64) int64 {
	hi, lo := bits.Mul64(uint64(price), uint64(weight))
	if hi >= 1<<28 {
		return 1 << 62
	}
	return int64(hi<<34 | lo>>30)
}
