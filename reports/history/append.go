package history

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"

	"schedgap/bench"
	"schedgap/bench/speedcheck"
	"schedgap/bench/store"
	"schedgap/reports/compare"
)

// A Source is a results folder.
type Source struct {
	Records []bench.Record
	Samples []speedcheck.Sample
	// Comparison says how values of an instance are compared, by the hash of its file; nil: it is not at hand.
	Comparison func(sha256 string) *string
}

// Add adds the rows of a source that the dataset does not have yet, and says how many these are. Rows of one version on one
// machine are one run, which is the run that the dataset has rows of already if there is one: a folder that was completed later,
// or a unit that was run again, belongs to it.
func (d *Dataset) Add(from Source) int {
	type group struct{ version, machine string }
	groups := map[group][]*bench.Record{}
	for i := range from.Records {
		r := &from.Records[i]
		g := group{r.BinaryVersion, machineOf(r.CPUModel, r.NCPUs)}
		groups[g] = append(groups[g], r)
	}
	var rows []Row
	for _, records := range groups {
		slices.SortFunc(records, func(a, b *bench.Record) int {
			return cmp.Or(a.StartedAt.Compare(b.StartedAt), cmp.Compare(a.RunID, b.RunID), cmp.Compare(a.UnitID, b.UnitID))
		})
		run, processes := "", map[string]bool{}
		for _, r := range records {
			run = cmp.Or(run, d.known[identify(r)])
			processes[r.RunID] = true
		}
		run = cmp.Or(run, records[0].RunID)
		var speed *float64
		ofRun := slices.DeleteFunc(slices.Clone(from.Samples), func(s speedcheck.Sample) bool { return !processes[s.RunID] })
		if median := compare.Speed(ofRun); median > 0 {
			speed = &median
		}
		for _, r := range records {
			if id := identify(r); d.known[id] == "" {
				d.known[id] = run
				rows = append(rows, Row{Record: *r, Run: run, Comparison: from.Comparison(r.InstanceSHA256), MachineSeconds: speed})
			}
		}
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Run, b.Run), cmp.Compare(a.Problem, b.Problem), cmp.Compare(a.Instance, b.Instance),
			cmp.Compare(a.Algorithm, b.Algorithm), cmp.Compare(a.UnitID, b.UnitID), a.StartedAt.Compare(b.StartedAt))
	})
	d.Rows = append(d.Rows, rows...)
	return len(rows)
}

// Save writes the rows that were added to a folder, as one file, whose name follows from its content: two programs that add the
// same at once write the same.
func (d *Dataset) Save(dir string) error {
	rows := d.Rows[d.fresh:]
	if len(rows) == 0 {
		return nil
	}
	file, err := store.Sorted[Row]("run", "problem", "instance", "algorithm", "unit_id", "started_at")(rows)
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	sum := sha256.Sum256(file)
	if err := store.WriteFile(filepath.Join(dir, folder, hex.EncodeToString(sum[:16])+".parquet"), file); err != nil {
		return err
	}
	d.fresh = len(d.Rows)
	return nil
}
