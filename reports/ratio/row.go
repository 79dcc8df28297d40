package ratio

import (
	"iter"
	"math"

	"schedgap/bench"
	"schedgap/models"
)

// A Row is one record against one reference: one row of ratios.parquet. A ratio is objective/optimum for minimisation and
// optimum/objective for maximisation, so that it is at least 1 for a value of the reference's class, up to rounding; a
// difference is objective − optimum, or its negative for maximisation, so that it is at least 0. The low end uses the best known
// value, the high end the best proven bound. A regret is a difference over the instance's scale. A ratio is infinite where a
// value that is not optimal or the optimum is 0. Nulls: the end is not known, or Undefined, or Excluded says why.
type Row struct {
	UnitID         string  `parquet:"unit_id"`
	Problem        string  `parquet:"problem,dict"`
	Instance       string  `parquet:"instance,dict"`
	InstanceSHA256 string  `parquet:"instance_sha256,dict"`
	Suite          string  `parquet:"suite,dict"`
	Source         string  `parquet:"source,dict"`
	Metric         *string `parquet:"metric,optional,dict"` // if the problem has several
	Family         string  `parquet:"family,dict"`          // metric, source and varying factors, as in tables
	NJobs          *int64  `parquet:"n_jobs,optional" unit:"jobs"`
	NTasks         *int64  `parquet:"n_tasks,optional" unit:"tasks"`
	NMachines      *int64  `parquet:"n_machines,optional" unit:"machines"`
	Algorithm      string  `parquet:"algorithm,dict"`
	Params         string  `parquet:"params,dict"`
	Solver         *string `parquet:"solver,optional,dict"`
	Model          *string `parquet:"model,optional,dict"`
	Seed           int64   `parquet:"seed"`
	Kind           string  `parquet:"kind,dict"`
	Status         string  `parquet:"status,dict"`
	// the smallest class that contains the algorithm's solutions
	Class     string `parquet:"class,dict"`
	Reference string `parquet:"reference,dict"` // the class whose optimum is compared with
	// how values are compared: `quotient`, `quotient-zero` (0/0 is 1) or `difference`; the last two use regret
	Comparison      string `parquet:"comparison,dict"`
	models.Findings        // Objective is null without an accepted solution that counts
	// there is an accepted solution; if not, ratio, difference and regret are infinite; they are null for algorithms that do not
	// apply or give bounds only, and where the optimum is unknown
	Solved bool `parquet:"solved"`
	// best known value of the reference in the result set
	BestValue    *float64 `parquet:"best_value,optional" unit:"the problem's"`
	BestBound    *float64 `parquet:"best_bound,optional" unit:"the problem's"`    // best proven bound
	RatioLo      *float64 `parquet:"ratio_lo,optional" unit:"ratio"`              // to the best value
	RatioHi      *float64 `parquet:"ratio_hi,optional" unit:"ratio"`              // to the best bound
	DifferenceLo *float64 `parquet:"difference_lo,optional" unit:"the problem's"` // to the best value
	DifferenceHi *float64 `parquet:"difference_hi,optional" unit:"the problem's"` // to the best bound
	// of regret, fixed by the instance
	Scale    float64  `parquet:"scale" unit:"the problem's"`
	RegretLo *float64 `parquet:"regret_lo,optional" unit:"scale"` // difference_lo over the scale
	RegretHi *float64 `parquet:"regret_hi,optional" unit:"scale"` // difference_hi over the scale
	// the optimum is proven: best value and bound agree within 1e-9
	Exact bool `parquet:"exact"`
	// the objective is the proven optimum, to 1e-6; null if the unit makes no solutions of the reference
	Optimal   *bool `parquet:"optimal,optional"`
	Undefined bool  `parquet:"undefined"` // the quotient is undefined: a value is negative
	// why the unit is not counted, such as a waived constraint
	Excluded *string `parquet:"excluded,optional,dict"`

	WallSeconds *float64 `parquet:"wall_seconds,optional" unit:"s"`
	models.Work
	TimeLimitSeconds *float64 `parquet:"time_limit_seconds,optional" unit:"s"`

	Unit *Unit `parquet:"-"`
}

// Rows yields the rows of a problem, one for each unit and reported reference to which its class is related.
func (p *Problem) Rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for _, u := range p.Units {
			for _, reference := range p.Reported {
				if u.Related(reference) && !yield(p.Row(u, reference)) {
					return
				}
			}
		}
	}
}

// Row compares one unit with one reference.
func (p *Problem) Row(u *Unit, reference string) Row {
	in, d := u.In, p.Distance(u, reference)
	row := Row{
		UnitID: u.UnitID, Problem: u.Problem, Instance: u.Instance, InstanceSHA256: u.InstanceSHA256, Suite: u.Suite,
		Source: in.Source, Metric: orNil(in.metric), Family: in.Family(), NJobs: u.NJobs, NTasks: u.NTasks, NMachines: u.NMachines,
		Algorithm: u.Algorithm, Params: u.Params, Solver: u.Solver, Model: u.Model, Seed: u.Seed, Kind: u.Kind, Status: u.Status,
		Class: u.Class, Reference: reference, Comparison: in.Comparison.String(), BestValue: d.Best.Value,
		Solved: u.Value != nil, BestBound: d.Best.Bound, Scale: d.Scale, Exact: d.Best.Proven, Undefined: d.Undefined,
		Excluded:    orNil(d.Excluded),
		WallSeconds: u.WallSeconds, Findings: u.Findings, Work: u.Work, TimeLimitSeconds: u.TimeLimitSeconds, Unit: u,
	}
	row.Objective = u.Value
	ends := [...]float64{d.RatioLo, d.RatioHi, d.DifferenceLo, d.DifferenceHi, d.DifferenceLo / d.Scale, d.DifferenceHi / d.Scale}
	if is, sense := u.Optimal(reference); sense {
		row.Optimal = &is
	}
	for i, to := range []**float64{&row.RatioLo, &row.RatioHi, &row.DifferenceLo, &row.DifferenceHi, &row.RegretLo, &row.RegretHi} {
		if !math.IsNaN(ends[i]) {
			*to = &ends[i]
		}
	}
	return row
}

// A Distance is how far a unit is from a reference: the numbers of a Row, with NaN for null.
type Distance struct {
	in                         *Instance
	value                      float64 // that is compared
	Best                       Best
	RatioLo, RatioHi           float64
	DifferenceLo, DifferenceHi float64
	Scale                      float64 // of regret
	Undefined                  bool
	Excluded                   string // empty: it counts
	Lost                       bool   // the unit ended without a solution where the reference is known, which is as bad as can be
}

// lost reports whether a unit ended without a solution where the reference is known and the algorithm applies.
func (u *Unit) lost(d *Distance) bool {
	return u.Value == nil && bench.Status(u.Status) != bench.Skipped && u.Kind != string(models.Bound) && u.In.Trouble == "" &&
		d.Best.Value != nil && d.Best.Bound != nil
}

// Ends are the low and the high end of the ratio or of the regret, which is 0 where the two values differ by no more than
// rounding.
func (d *Distance) Ends(regret bool) (lo, hi float64) {
	switch {
	case d.Lost:
		return math.Inf(1), math.Inf(1)
	case regret:
		return d.unrounded(d.DifferenceLo, d.Best.Value) / d.Scale, d.unrounded(d.DifferenceHi, d.Best.Bound) / d.Scale
	}
	return d.RatioLo, d.RatioHi
}

// unrounded is the difference to a value, if it is more than rounding.
func (d *Distance) unrounded(difference float64, to *float64) float64 {
	if to != nil && d.in.Equal(d.value, *to) {
		return 0
	}
	return difference
}

// Distance compares one unit with one reference.
func (p *Problem) Distance(u *Unit, reference string) Distance {
	in := u.In
	nan := math.NaN()
	d := Distance{
		in: in, value: nan, Best: in.Best(reference), Scale: in.Scale(reference), RatioLo: nan, RatioHi: nan, DifferenceLo: nan,
		DifferenceHi: nan,
	}
	compare := false
	d.Excluded, compare = u.excluded(reference)
	if !compare {
		d.Lost = u.lost(&d)
		if d.Lost {
			d.DifferenceLo, d.DifferenceHi = math.Inf(1), math.Inf(1)
			if in.Comparison != models.Difference {
				d.RatioLo, d.RatioHi = math.Inf(1), math.Inf(1)
			}
		}
		return d
	}
	v := in.snap(*u.Value)
	if best := d.Best.Value; best != nil {
		if u.external() && u.WhyNot == "" && u.to(reference).within && p.Sense.Better(v, *best) {
			v = in.snap(*best) // no more than rounding is between them, see improves
		}
		d.DifferenceLo = float64(p.Sense) * (v - *best)
		if in.Comparison != models.Difference {
			d.RatioLo = p.quotient(v, in.snap(*best))
			d.Undefined = math.IsNaN(d.RatioLo)
		}
	}
	d.value = v
	if bound := d.Best.Bound; bound != nil {
		d.DifferenceHi = float64(p.Sense) * (v - *bound)
		if in.Comparison != models.Difference && !d.Undefined {
			d.RatioHi = p.quotient(v, in.snap(*bound))
			if math.IsInf(d.RatioHi, 1) && !math.IsInf(d.RatioLo, 1) {
				d.RatioHi = nan // a bound of 0 says nothing
			}
		}
	}
	return d
}

// excluded says why a unit does not count among the others, and whether it can be compared all the same.
func (u *Unit) excluded(reference string) (why string, compare bool) {
	switch {
	case bench.Status(u.Status) == bench.Skipped:
		return "not applicable", false
	case u.Kind == string(models.Bound):
		return "bound", false
	case u.Value == nil && u.WhyNot != "" && !(u.WaivedByClass && u.to(reference).within):
		return u.WhyNot + "; no solution: " + u.Status, false // so that it is not taken for a failure among the comparable ones
	case u.Value == nil:
		return "no solution: " + u.Status, false
	case u.In.Trouble != "":
		return u.In.Trouble, false
	case u.Rounded:
		return "beyond a proven bound within the tolerance", false
	case u.WhyNot != "" && !(u.WaivedByClass && u.to(reference).within):
		return u.WhyNot, true
	}
	return "", true
}

// quotient is NaN where it means nothing, as of a negative value, and infinite over zero alone.
func (p *Problem) quotient(value, optimum float64) float64 {
	num, den := value, optimum
	if p.Sense == models.Maximize {
		num, den = optimum, value
	}
	switch {
	case num == 0 && den == 0:
		return 1
	case num < 0 || den < 0:
		return math.NaN()
	}
	return num / den
}
