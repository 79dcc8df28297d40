package ratio

import (
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"schedgap/bench"
	"schedgap/models"
)

// A Row is one record against one reference: one row of ratios.parquet. A ratio is objective/optimum for minimisation and
// optimum/objective for maximisation, so that it is at least 1 for a value of the reference's class; a difference is
// objective − optimum, mirrored likewise, so that it is at least 0. The low end uses the best known value, the high end
// the best proven bound. Nulls: the end is not known, or Undefined, or Excluded says why.
type Row struct {
	UnitID         string   `parquet:"unit_id"`
	Problem        string   `parquet:"problem,dict"`
	Instance       string   `parquet:"instance,dict"`
	InstanceSHA256 string   `parquet:"instance_sha256,dict"`
	Suite          string   `parquet:"suite,dict"`
	Source         string   `parquet:"source,dict"`
	Metric         *string  `parquet:"metric,optional,dict"`
	NJobs          *int64   `parquet:"n_jobs,optional"`
	Algorithm      string   `parquet:"algorithm,dict"`
	Params         string   `parquet:"params,dict"`
	Solver         *string  `parquet:"solver,optional,dict"`
	Model          *string  `parquet:"model,optional,dict"`
	Seed           int64    `parquet:"seed"`
	Kind           string   `parquet:"kind,dict"`
	Status         string   `parquet:"status,dict"`
	Class          string   `parquet:"class,dict"`
	Reference      string   `parquet:"reference,dict"`
	Comparison     string   `parquet:"comparison,dict"`
	Objective      *float64 `parquet:"objective,optional"`
	BestValue      *float64 `parquet:"best_value,optional"`
	BestBound      *float64 `parquet:"best_bound,optional"`
	RatioLo        *float64 `parquet:"ratio_lo,optional"`
	RatioHi        *float64 `parquet:"ratio_hi,optional"`
	DifferenceLo   *float64 `parquet:"difference_lo,optional"`
	DifferenceHi   *float64 `parquet:"difference_hi,optional"`
	Exact          bool     `parquet:"exact"`     // the optimum is proven
	Undefined      bool     `parquet:"undefined"` // exactly one of objective and best value is zero, or one is negative
	Excluded       *string  `parquet:"excluded,optional,dict"`

	Unit *Unit `parquet:"-"`
}

// Rows yields the rows of a problem, one a unit and reference to which its class is related.
func (p *Problem) Rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for _, u := range p.Units {
			for _, ref := range p.Reported {
				if p.Related(u.Class, ref) && !yield(p.Row(u, ref)) {
					return
				}
			}
		}
	}
}

// Row compares one unit with one reference.
func (p *Problem) Row(u *Unit, reference string) Row {
	in, best := u.In, u.In.Best[reference]
	row := Row{
		UnitID: u.UnitID, Problem: u.Problem, Instance: u.Instance, InstanceSHA256: u.InstanceSHA256, Suite: u.Suite,
		Source: in.Source, NJobs: u.NJobs, Algorithm: u.Algorithm, Params: u.Params, Solver: u.Solver, Model: u.Model,
		Seed: u.Seed, Kind: u.Kind, Status: u.Status, Class: u.Class, Reference: reference,
		Comparison: in.Comparison.String(), Objective: u.Value, BestValue: best.Value, BestBound: best.Bound,
		Exact: best.Proven, Unit: u,
	}
	if in.metric != "" {
		row.Metric = &in.metric
	}
	if why, compare := p.excluded(u, reference); why != "" {
		row.Excluded = &why
		if !compare {
			return row
		}
	}
	v := snap(*u.Value)
	if best.Value != nil {
		row.DifferenceLo = p.difference(v, *best.Value)
		if in.Comparison != models.Difference {
			row.RatioLo = p.quotient(v, snap(*best.Value))
			row.Undefined = row.RatioLo == nil
		}
	}
	if best.Bound != nil {
		row.DifferenceHi = p.difference(v, *best.Bound)
		if in.Comparison != models.Difference && !row.Undefined {
			row.RatioHi = p.quotient(v, snap(*best.Bound))
		}
	}
	return row
}

// excluded says why a unit does not count among the others, and whether it can be compared all the same.
func (p *Problem) excluded(u *Unit, reference string) (why string, compare bool) {
	switch {
	case bench.Status(u.Status) == bench.Skipped:
		return "not applicable", false
	case u.Kind == string(models.Bound):
		return "bound", false
	case u.Value == nil:
		return "no solution: " + u.Status, false
	case u.In.Trouble != "":
		return u.In.Trouble, false
	case u.Mark != "" && !(u.AtHome && p.ReferenceWithin(u.Class, reference)):
		return u.Mark, true
	}
	return "", true
}

func (p *Problem) difference(value, optimum float64) *float64 {
	d := float64(p.Sense) * (value - optimum)
	return &d
}

// quotient is nil where the quotient means nothing: a single zero, or a negative value.
func (p *Problem) quotient(value, optimum float64) *float64 {
	num, den := value, optimum
	if p.Sense == models.Maximize {
		num, den = optimum, value
	}
	q := 1.0
	switch {
	case num == 0 && den == 0:
	case num <= 0 || den <= 0:
		return nil
	default:
		q = num / den
	}
	return &q
}

func snap(x float64) float64 {
	if math.Abs(x) < Zero {
		return 0
	}
	return x
}

// WriteParquet writes the rows of all problems.
func (s *Set) WriteParquet(w io.Writer) error {
	pw := parquet.NewGenericWriter[Row](
		w, parquet.Compression(&zstd.Codec{}), parquet.CreatedBy("schedgap", strconv.Itoa(bench.SchemaVersion), ""),
		parquet.KeyValueMetadata(bench.SchemaKey, strconv.Itoa(bench.SchemaVersion)),
	)
	batch := make([]Row, 0, 4096)
	flush := func() error {
		_, err := pw.Write(batch)
		batch = batch[:0]
		return err
	}
	for _, p := range s.Problems {
		for row := range p.Rows() {
			if batch = append(batch, row); len(batch) == cap(batch) {
				if err := flush(); err != nil {
					return fmt.Errorf("ratios: %w", err)
				}
			}
		}
	}
	if err := flush(); err != nil {
		return fmt.Errorf("ratios: %w", err)
	}
	if err := pw.Close(); err != nil {
		return fmt.Errorf("ratios: %w", err)
	}
	return nil
}
