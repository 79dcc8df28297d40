package ratio

import (
	"context"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"

	"schedgap/bench"
	"schedgap/models"
)

// A PriceRow is what a restriction costs on one instance: one row of prices.parquet, which has the instances' features and factors
// besides. It compares the optimum of a restricted class with that of a wider one, so a price is never below 1, nor a difference
// below 0. The low end uses the bound of the restricted class and the value of the wider one, the high end the value and the bound.
type PriceRow struct {
	Problem        string  `parquet:"problem,dict"`
	Instance       string  `parquet:"instance,dict"`
	InstanceSHA256 string  `parquet:"instance_sha256"`
	Source         string  `parquet:"source,dict"`
	Metric         *string `parquet:"metric,optional,dict"` // if the problem has several
	Family         string  `parquet:"family,dict"`          // as in ratios
	NJobs          *int64  `parquet:"n_jobs,optional" unit:"jobs"`
	Restricted     string  `parquet:"restricted,dict"` // the class inside
	Reference      string  `parquet:"reference,dict"`  // the class around it
	Comparison     string  `parquet:"comparison,dict"` // as in ratios
	// best known value of the restricted class in the result set
	RestrictedValue *float64 `parquet:"restricted_value,optional" unit:"the problem's"`
	// best proven bound of the restricted class
	RestrictedBound *float64 `parquet:"restricted_bound,optional" unit:"the problem's"`
	// best known value of the class around it
	BestValue *float64 `parquet:"best_value,optional" unit:"the problem's"`
	// best proven bound of the class around it
	BestBound *float64 `parquet:"best_bound,optional" unit:"the problem's"`
	Exact     bool     `parquet:"exact"`                           // both optima are proven
	PriceLo   *float64 `parquet:"price_lo,optional" unit:"ratio"`  // optimum of the restricted class over that of the wider one, inverse for maximisation
	PriceHi   *float64 `parquet:"price_hi,optional" unit:"ratio"`  // its high end
	RegretLo  *float64 `parquet:"regret_lo,optional" unit:"scale"` // their difference over the scale of the instance
	RegretHi  *float64 `parquet:"regret_hi,optional" unit:"scale"` // its high end
	// the restriction costs nothing: the two optima are one to 1e-9; null: not known
	Free *bool `parquet:"free,optional"`

	In *Instance `parquet:"-"`
}

// restricted appends the classes of restricted exact algorithms to the references of a problem that has records of them.
func restricted(p *bench.Problem, records []*Record) *bench.Problem {
	all := *p
	for _, r := range records {
		of, limits := models.ParseLimits(r.Reference)
		i := slices.IndexFunc(p.References, func(ref models.Reference) bool { return ref.Name == of })
		if r.Problem != p.Name || limits == nil || i < 0 ||
			slices.ContainsFunc(all.References, func(ref models.Reference) bool { return ref.Name == r.Reference }) {
			continue
		}
		ref := models.Reference{Name: r.Reference, Doc: p.References[i].Doc, Within: of, Waives: p.References[i].Waives}
		for _, limit := range p.Restrictions {
			if most, has := limits[limit.Name]; has {
				ref.Doc += "; " + limit.Doc + ": at most " + strconv.Itoa(most)
			}
		}
		all.References = append(slices.Clip(all.References), ref)
	}
	return &all
}

// Prices yields what restrictions cost: of every class that lies inside another, against the problem's first and against those
// around it with none between, on the instances on which a method proved a bound of the inner one's own, and some method one of the
// outer.
func (p *Problem) Prices() iter.Seq[PriceRow] {
	inside := func(inner, outer string) bool { return inner != outer && p.ReferenceWithin(inner, outer) }
	return func(yield func(PriceRow) bool) {
		for _, inner := range p.Classes {
			for _, outer := range p.Classes {
				between := slices.ContainsFunc(p.Classes, func(c string) bool { return inside(inner, c) && inside(c, outer) })
				if !inside(inner, outer) || between && outer != p.Classes[0] {
					continue
				}
				for _, in := range p.Instances {
					if row, ok := p.price(in, inner, outer); ok && !yield(row) {
						return
					}
				}
			}
		}
	}
}

// price compares two classes on an instance; false: they cannot be compared.
func (p *Problem) price(in *Instance, inner, outer string) (row PriceRow, ok bool) {
	own := slices.ContainsFunc(in.Units, func(u *Unit) bool { return u.bound != nil && u.Reference == inner })
	r, w := in.Best(inner), in.Best(outer)
	if !own || in.Trouble != "" || w.Bound == nil {
		return row, false
	}
	row = PriceRow{
		Problem: p.Name, Instance: in.Name, InstanceSHA256: in.SHA256, Source: in.Source, Metric: orNil(in.metric), Family: in.Family(),
		NJobs: in.Units[0].NJobs, Restricted: inner, Reference: outer, Comparison: in.Comparison.String(), RestrictedValue: r.Value,
		RestrictedBound: r.Bound, BestValue: w.Value, BestBound: w.Bound, Exact: r.Proven && w.Proven, In: in,
	}
	costs := func(value, optimum *float64) (ratio, regret *float64, same bool) {
		if value == nil || optimum == nil {
			return nil, nil, false
		}
		difference := max(0, float64(p.Sense)*(*value-*optimum))
		same = difference == 0 || in.Equal(*value, *optimum)
		if same {
			difference = 0
		}
		regret = new(difference / in.Scale(outer))
		if q := p.quotient(in.snap(*value), in.snap(*optimum)); in.Comparison != models.Difference && !math.IsNaN(q) {
			ratio = new(max(1, q))
		}
		return ratio, regret, same
	}
	var notLess, notMore bool
	row.PriceLo, row.RegretLo, notLess = costs(r.Bound, w.Value)
	row.PriceHi, row.RegretHi, notMore = costs(r.Value, w.Bound)
	switch {
	case notMore:
		row.Free = new(true)
	case row.RegretLo != nil && !notLess:
		row.Free = new(false)
	}
	return row, true
}

// WritePrices writes the prices of all problems.
func (s *Set) WritePrices(ctx context.Context, w io.Writer) error {
	row := new(PriceRow)
	t := s.table(row)
	return t.write(w, "prices.parquet", func(yield func(error) bool) {
		for _, p := range s.Problems {
			for *row = range p.Prices() {
				t.describe(row.In)
				if !yield(ctx.Err()) {
					return
				}
			}
		}
	})
}
