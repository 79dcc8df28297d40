package experiment

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"schedgap/bench"
	"schedgap/bench/runner"
	"schedgap/bench/store"
	"schedgap/models"
)

// Options say how an experiment is measured.
type Options struct {
	// Dir is where rows are kept, in a folder for each experiment and each behaviour of the program: one that gives other numbers
	// for the reduced form does not go on with the rows of the earlier one. Empty: they are not kept.
	Dir     string
	Workers int // blocks at a time, at least 1; it does not change the results
	Seed    int // ≥ 0, of the random numbers of all blocks; the stored measurements were made with 0
	// Points of the design besides the default: 0 as the experiment says, negative none.
	Points   int
	Shard    runner.Shard          // of RunSimulation: it takes on these blocks only, and others fill the same folder with the rest
	Progress func(done, total int) // in blocks; may be nil
	Version  string                // of the program
}

// Measure measures an experiment and evaluates statistics, texts by the claim's id. What Dir holds is not measured again. The
// error wraps ErrNoTrace if there is nothing to measure it on.
func Measure(ctx context.Context, e *Experiment, stats map[string]string, o Options) (*Measured, error) {
	start := bench.ProcessCPU()
	o.Shard = runner.Shard{} // statistics need all of it
	programs, err := e.compile(stats)
	if err != nil {
		return nil, err
	}
	reduced, print, err := e.reduced(ctx, programs)
	if err != nil {
		return nil, err
	}
	m := &Measured{
		Experiment: e.Name, Version: o.Version, Untold: []string{}, Design: e.design(cmp.Or(o.Points, e.Points)),
		Values: map[string][][]float64{}, Reduced: reduced,
	}
	if m.SHA256, err = e.Hash(stats); err != nil {
		return nil, err
	}
	for _, f := range e.Untold {
		m.Untold = append(m.Untold, f.Name)
	}
	settings := make([][]setting, len(m.Design))
	for i, p := range m.Design {
		if settings[i], err = e.settings(i, p.At, false); err != nil {
			return nil, err
		}
	}
	var dir *store.Dir
	if o.Dir != "" {
		dir = store.Open(filepath.Join(o.Dir, e.Name+"-"+print[:8]))
	}
	all, _, err := e.run(ctx, settings, dir, o)
	if err != nil {
		return nil, err
	}
	m.Seconds = math.Round((bench.ProcessCPU()-start).Seconds()*10) / 10
	for _, p := range programs {
		for i := range settings {
			values := make([]float64, e.blocks(i))
			for b := range values {
				v := &view{e: e, settings: settings[i], all: all, block: o.block(b)}
				if values[b], err = v.evaluate(p.code, nil); err != nil {
					return nil, fmt.Errorf("%s: the statistic of %s in block %d at %v: %w", e.Name, p.id, b+1, m.Design[i].At, err)
				}
				values[b] = stored(values[b])
			}
			m.Values[p.id] = append(m.Values[p.id], values)
		}
	}
	m.Series, err = e.series(settings[0], all, o)
	return m, err
}

// seedBlocks is how far the blocks of one seed are from those of the next.
const seedBlocks = 1_000_000

// block is the number of block b, from 0, of the seed.
func (o Options) block(b int) int { return o.Seed*seedBlocks + b + 1 }

// blocks is how many blocks a point of the design has.
func (e *Experiment) blocks(point int) int {
	if point == 0 {
		return e.Seeds
	}
	return e.PointSeeds
}

// eachSim reads all rows of a dataset.
func eachSim(ctx context.Context, dir *store.Dir, take func(rows []bench.SimRecord)) error {
	bad, err := dir.EachSim(ctx, take)
	_, err = store.All(0, bad, err)
	return err
}

// Rows at the most, and time at the most, between two files of rows.
const (
	keepRows  = 100_000
	keepEvery = 20 * time.Second
)

// run measures what is missing of the settings, by point of the design, and returns all samples, and how many rows are new.
func (e *Experiment) run(ctx context.Context, settings [][]setting, dir *store.Dir, o Options) (all samples, added int,
	err error,
) {
	all = samples{}
	keep := func([]bench.SimRecord) error { return nil }
	if dir != nil {
		if err := eachSim(ctx, dir, all.add); err != nil {
			return nil, 0, err
		}
		w, fault := dir.NewSim(fmt.Sprintf("%016x", rand.Uint64()))
		if fault != nil {
			return nil, 0, fault
		}
		w.Rows, w.Delay = keepRows, keepEvery
		defer func() {
			if closed := w.Close(); err == nil {
				err = closed
			}
		}()
		keep = func(rows []bench.SimRecord) error { return w.Append(rows...) }
	}
	var mu sync.Mutex
	done, total := 0, 0
	progress := func(more int) {
		if done += more; o.Progress != nil {
			o.Progress(done, total)
		}
	}
	var tasks []func(ctx context.Context) error
	for i := range settings {
		for k := range settings[i] {
			s := &settings[i][k]
			for n := range e.blocks(i) {
				b := o.block(n)
				if !o.Shard.Has(models.Digest(fmt.Appendf(nil, "%s %d", s.name, b))) {
					continue
				}
				missing := slices.DeleteFunc(slices.Clone(e.Policies), func(p string) bool {
					return all.of(place{s.name, b, p}, s.reps) != nil
				})
				if total++; len(missing) == 0 {
					done++
					continue
				}
				tasks = append(tasks, func(ctx context.Context) error {
					rows, err := e.source.measure(ctx, s, missing, b)
					if err != nil {
						return err
					}
					mu.Lock()
					defer mu.Unlock()
					all.add(rows)
					added += len(rows)
					progress(1)
					return keep(rows)
				})
			}
		}
	}
	progress(0)
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(max(1, o.Workers))
	for _, t := range tasks {
		if running.Err() != nil {
			break
		}
		group.Go(func() error { return t(running) })
	}
	err = group.Wait()
	return all, added, cmp.Or(ctx.Err(), err)
}

// Reduced measures the experiment's reduced form: each claim's statistic of block 1 at the default and, where something is
// untold, at the first other point of the design. Statistics that ask for cases which the reduced form leaves out are left out,
// too.
func Reduced(ctx context.Context, e *Experiment, stats map[string]string) (map[string][]float64, error) {
	programs, err := e.compile(stats)
	if err != nil {
		return nil, err
	}
	values, _, err := e.reduced(ctx, programs)
	return values, err
}

// reduced is Reduced, and returns a digest of all numbers that came out.
func (e *Experiment) reduced(ctx context.Context, programs []program) (map[string][]float64, string, error) {
	if err := e.present(); err != nil {
		return nil, "", err
	}
	design := e.design(e.Points)
	values, left := map[string][]float64{}, map[string]bool{}
	digest := sha256.New()
	for i, p := range design[:min(2, len(design))] {
		settings, err := e.settings(i, p.At, true)
		if err != nil {
			return nil, "", err
		}
		all, seen := samples{}, map[string]bool{}
		for k := range settings {
			rows, err := e.source.measure(ctx, &settings[k], e.Policies, 1)
			if err != nil {
				return nil, "", fmt.Errorf("the reduced form: %w", err)
			}
			all.add(rows)
			for _, r := range rows {
				seen[r.Metric] = true
			}
		}
		fmt.Fprint(digest, all)
		for _, metric := range e.Metrics {
			if !seen[metric] && e.Kind == Simulate {
				return nil, "", fmt.Errorf("%s: metrics: no policy gives %q", e.Name, metric)
			}
		}
		for _, p := range programs {
			v := &view{e: e, settings: settings, all: all, block: 1}
			value, err := v.evaluate(p.code, nil)
			switch {
			case errors.Is(err, errNoCase):
				left[p.id] = true
			case err != nil:
				return nil, "", fmt.Errorf("%s: the statistic of %s in the reduced form: %w", e.Name, p.id, err)
			default:
				values[p.id] = append(values[p.id], stored(value))
			}
		}
	}
	maps.DeleteFunc(values, func(id string, _ []float64) bool { return left[id] })
	return values, hex.EncodeToString(digest.Sum(nil)), nil
}
