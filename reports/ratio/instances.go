package ratio

import (
	"context"
	"io"
	"slices"

	"schedgap/bench"
)

// An InstanceRow is one instance against one reference: one row of instances.parquet, which has the instances'
// features and factors besides.
type InstanceRow struct {
	Problem        string  `parquet:"problem,dict"`
	Instance       string  `parquet:"instance,dict"`
	InstanceSHA256 string  `parquet:"instance_sha256"`
	Source         string  `parquet:"source,dict"`
	Metric         *string `parquet:"metric,optional,dict"` // if the problem has several
	Family         string  `parquet:"family,dict"`          // as in ratios
	NJobs          *int64  `parquet:"n_jobs,optional" unit:"jobs"`
	NTasks         *int64  `parquet:"n_tasks,optional" unit:"tasks"`
	NMachines      *int64  `parquet:"n_machines,optional" unit:"machines"`
	// the class of value and bound
	Reference  string   `parquet:"reference,dict"`
	Comparison string   `parquet:"comparison,dict"`                          // as in ratios
	BestValue  *float64 `parquet:"best_value,optional" unit:"the problem's"` // best known value in the result set
	ValueBy    *string  `parquet:"value_by,optional,dict"`                   // the first algorithm that has it
	BestBound  *float64 `parquet:"best_bound,optional" unit:"the problem's"` // best proven bound in the result set
	// the first algorithm that proved it
	BoundBy *string `parquet:"bound_by,optional,dict"`
	Proven  bool    `parquet:"proven"` // value and bound agree within 1e-9
	// a unit has a proof of the optimum that `verify` accepts
	Verified bool     `parquet:"verified"`
	Gap      *float64 `parquet:"gap,optional" unit:"fraction"` // |value − bound| / |value|, 0 if proven; for values near 0 as in bounds and proofs
	Scale    float64  `parquet:"scale" unit:"the problem's"`   // of regret, as in ratios
	// why the instance has no ratios: a contradiction, or it cannot be read
	Trouble *string `parquet:"trouble,optional,dict"`
}

// WriteInstances writes a row for every instance and reported reference.
func (s *Set) WriteInstances(ctx context.Context, w io.Writer) error {
	row := new(InstanceRow)
	t := s.table(row)
	return t.write(w, "instances.parquet", func(yield func(error) bool) {
		for _, p := range s.Problems {
			for _, in := range p.Instances {
				t.describe(in)
				for _, reference := range p.Classes {
					*row = p.instanceRow(in, reference)
					if !yield(ctx.Err()) {
						return
					}
				}
			}
		}
	})
}

func (p *Problem) instanceRow(in *Instance, reference string) InstanceRow {
	row := InstanceRow{
		Problem: p.Name, Instance: in.Name, InstanceSHA256: in.SHA256, Source: in.Source, Reference: reference,
		Comparison: in.Comparison.String(), Scale: in.Scale(reference), Metric: orNil(in.Metric()),
		Family: in.Family(), Trouble: orNil(in.Trouble),
		NJobs: in.Units[0].NJobs, NTasks: in.Units[0].NTasks, NMachines: in.Units[0].NMachines,
	}
	if in.Trouble != "" {
		return row
	}
	b := in.Best(reference)
	row.BestValue, row.BestBound, row.Proven = b.Value, b.Bound, b.Proven
	if u := b.by.value; u != nil {
		row.ValueBy = &u.Algorithm
	}
	if u := b.by.bound; u != nil {
		row.BoundBy = &u.Algorithm
	}
	if b.Value != nil && b.Bound != nil {
		gap := in.Accuracy.Gap(*b.Value, *b.Bound)
		row.Gap = &gap
	}
	row.Verified = in.Verified(reference)
	return row
}

// Verified reports whether some unit has a proof of the optimum of a reference that schedgap verify accepts.
func (in *Instance) Verified(reference string) bool {
	best := in.Best(reference)
	return best.Proven && slices.ContainsFunc(in.Units, func(u *Unit) bool {
		return u.ProofVerified != nil && *u.ProofVerified == bench.ProvenOptimum && u.Reference == reference &&
			u.Value != nil && in.Equal(*u.Value, *best.Value)
	})
}

func orNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
