package verdicts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"schedgap/bench/experiment"
)

// RunOptions say how experiments are measured.
type RunOptions struct {
	Rows     string // folder in which rows are kept, so that an interrupted run goes on
	Measured string // folder that gets NAME.json
	Workers  int
	Seed     int                                                 // of the blocks; 0: that of what is stored
	Version  string                                              // of the program
	Progress func(e *Experiment) (func(done, total int), func()) // what is called in between and at the end of one experiment
	Skipped  func(e *Experiment, why error)                      // its trace is not there
}

// Run measures experiments, one after the other, and writes what they gave.
func Run(ctx context.Context, experiments []*Experiment, o RunOptions) error {
	for _, e := range experiments {
		show, done := o.Progress(e)
		m, err := experiment.Measure(ctx, e.Experiment, e.Statistics(), experiment.Options{
			Dir: o.Rows, Workers: o.Workers, Seed: o.Seed, Version: o.Version, Progress: show,
		})
		done()
		if errors.Is(err, experiment.ErrNoTrace) {
			o.Skipped(e, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		if err := experiment.WriteMeasured(o.Measured, m); err != nil {
			return err
		}
	}
	return nil
}

// Over is a folder whose files count before those of another.
type Over struct{ First, Then fs.FS }

// Open opens a file of the first folder, or if there is none of the second.
func (o Over) Open(name string) (fs.File, error) {
	f, err := o.First.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return o.Then.Open(name)
	}
	return f, err
}
