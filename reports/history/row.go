package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"schedgap/bench"
	"schedgap/bench/store"
)

// A Row is one row of DIR/rows/*.parquet: a unit's row as it is in the results folder, with what tells the runs apart and may not
// be at hand later.
type Row struct {
	bench.Record
	// The run: the rows of one version of the program on one machine in one results folder. It is the run_id of the first of
	// them.
	Run string `parquet:"run,dict"`
	// How values of the instance are compared: `quotient`, `quotient-zero` or `difference`; null: the instance was not at hand.
	Comparison *string `parquet:"comparison,optional,dict"`
	// Median time of the reference unit during the run, where it was measured three times or more.
	MachineSeconds *float64 `parquet:"machine_seconds,optional" unit:"s"`
}

// machineOf is what times depend on besides the program.
func machineOf(cpu string, n int64) string { return fmt.Sprintf("%s, %d processors", cpu, n) }

// folder is where the rows are: not in runs, for they are not those of one set of results.
const folder = "rows"

// A Dataset is the rows of all runs.
type Dataset struct {
	Rows  []Row
	fresh int                 // rows from here on are not on the disk
	known map[identity]string // the runs of the rows
}

// An identity is that of a row: a unit that a process ran at a time.
type identity struct {
	process, unit string
	at            int64
}

func identify(r *bench.Record) identity { return identity{r.RunID, r.UnitID, r.StartedAt.UnixMicro()} }

// Read reads the dataset in a folder; one that does not exist has no rows. A file that cannot be read is an error: the rows that
// are lost with it might be what a step is seen by.
func Read(ctx context.Context, dir string) (*Dataset, error) {
	entries, err := os.ReadDir(filepath.Join(dir, folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	d := &Dataset{known: map[identity]string{}}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".parquet") || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		err := store.EachRow(filepath.Join(dir, folder, e.Name()), func(some []Row) error {
			for i := range some {
				if id := identify(&some[i].Record); d.known[id] == "" {
					d.known[id] = some[i].Run
					d.Rows = append(d.Rows, some[i])
				}
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
	}
	d.fresh = len(d.Rows)
	return d, nil
}
