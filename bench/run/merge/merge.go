// Package merge puts results folders together into one.
package merge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"schedgap/bench"
	"schedgap/bench/run/simrun"
	"schedgap/bench/run/store"
	"schedgap/models"
)

// shard names the files that a merge writes.
const shard = "merged"

// A Summary counts the rows that a merge added to the folder.
type Summary struct {
	Rows      int `json:"rows"` // of units
	SimRows   int `json:"sim_rows"`
	Instances int `json:"instances"`
}

// Run adds to the results folder out whatever the folders from hold and it does not. Of rows for the same unit the one that was
// started last counts. It is an error if a file of any folder cannot be read, since its rows would be lost silently; no row
// is written then. Merging again adds nothing.
func Run(ctx context.Context, from []string, out string) (*Summary, error) {
	target := store.Open(out).WithUnplannedRows()
	have, err := store.All(target.Records(ctx))
	if err != nil {
		return nil, err
	}
	plan, err := target.PlanOrDerived(ctx)
	if err != nil {
		return nil, err
	}
	best := map[string]*bench.Record{}
	for i := range have {
		best[have[i].UnitID] = &have[i]
	}
	add := map[string]addition{}
	var sims []bench.SimRecord
	for _, path := range from {
		source := store.Open(path).WithUnplannedRows()
		records, err := store.All(source.Records(ctx))
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			if !models.IsHex(r.UnitID, 32) || !models.IsHex(r.InstanceSHA256, 64) {
				return nil, fmt.Errorf("%s: a row of unit %q on instance %q, which are no ids", path, r.UnitID, r.InstanceSHA256)
			}
			if old := best[r.UnitID]; old == nil || replaces(&r, old) {
				best[r.UnitID], add[r.UnitID] = &r, addition{r, source}
			}
		}
		s, err := store.All(source.Sim(ctx))
		if err != nil {
			return nil, err
		}
		sims = append(sims, s...)
		asked, err := source.PlanOrDerived(ctx)
		if err != nil {
			return nil, err
		}
		plan.Unite(asked.Suites)
		if _, err := os.Stat(filepath.Join(path, store.PlanFile)); err != nil && len(records)+len(s) == 0 {
			return nil, fmt.Errorf("%s: holds no results", path) // a shard that had nothing to do has a plan
		}
	}
	s := &Summary{Rows: len(add)}
	if len(add) > 0 {
		s.Instances, err = write(ctx, target, add)
		if err != nil {
			return nil, err
		}
	}
	s.SimRows, err = simrun.Store(ctx, target, sims)
	if err != nil {
		return nil, err
	}
	return s, target.Replace(plan)
}

// replaces reports whether a row takes the place of another of the same unit: that of an interrupted run never does, and any other
// takes its place.
func replaces(r, old *bench.Record) bool {
	if is, was := r.Status == string(bench.Interrupted), old.Status == string(bench.Interrupted); is != was {
		return was
	}
	return r.StartedAt.After(old.StartedAt)
}

// An addition is a row with the folder that it comes from.
type addition struct {
	row  bench.Record
	from *store.Dir
}

// write writes rows, after all that they speak of; it counts the instances that were not there.
func write(ctx context.Context, target *store.Dir, add map[string]addition) (instances int, err error) {
	unlock, err := target.Lock(shard)
	if err != nil {
		return 0, err
	}
	defer unlock()
	solutions, err := target.NewSolutions(shard)
	if err != nil {
		return 0, err
	}
	sources := map[*store.Dir]bool{}
	seen := map[string]bool{}
	for _, a := range add {
		sources[a.from] = true
		if sha256 := a.row.InstanceSHA256; !seen[sha256] {
			seen[sha256] = true
			if _, err := target.Instance(sha256); err != nil {
				data, err := a.from.Instance(sha256)
				if err == nil {
					err = target.PutInstance(sha256, data)
				}
				if err != nil {
					return 0, fmt.Errorf("instance of a row: %w", err)
				}
				instances++
			}
		}
		if err := a.copy(target, solutions); err != nil {
			return 0, err
		}
	}
	progress, err := target.NewProgress(shard)
	if err != nil {
		return 0, err
	}
	for from := range sources {
		bad, scanErr := from.EachProgress(ctx, func(rows []bench.ProgressRecord) {
			for _, r := range rows { // by the run that the row is of
				if a, ok := add[r.UnitID]; ok && a.from == from && a.row.RunID == r.RunID {
					err = errors.Join(err, progress.Append(r))
				}
			}
		})
		_, scanErr = store.All(0, bad, scanErr)
		if err != nil || scanErr != nil {
			return 0, errors.Join(err, scanErr)
		}
	}
	rows, err := target.NewRuns(shard)
	if err != nil {
		return 0, err
	}
	rows.Rows = len(add)
	rows.First = func() error { return errors.Join(solutions.Close(), progress.Close(), target.Sync()) }
	for id, a := range add {
		err = errors.Join(err, target.DropSolution(id), rows.Append(a.row))
	}
	return instances, errors.Join(err, rows.Close())
}

// copy copies the proof and the solution of the row if they were kept.
func (a addition) copy(target *store.Dir, solutions *store.Writer[store.Solution]) error {
	id := a.row.UnitID
	if a.row.ProofSHA256 != nil { // else a proof that is there is of an older row
		data, err := a.from.Proof(id)
		switch {
		case err != nil || data == nil:
		case models.Digest(data) != *a.row.ProofSHA256:
			err = fmt.Errorf("%s: damaged, it is not the one that the row names", a.from.ProofPath(id))
		default:
			err = target.PutProof(id, data)
		}
		if err != nil {
			return fmt.Errorf("proof of a row: %w", err)
		}
	}
	text, err := a.from.Solution(a.row.RunID, id)
	if err == nil && text != nil {
		err = solutions.Append(store.Solution{UnitID: id, RunID: a.row.RunID, Text: text})
	}
	if err != nil {
		return fmt.Errorf("solution of a row: %w", err)
	}
	return nil
}
