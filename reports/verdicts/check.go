package verdicts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"schedgap/bench/experiment"
)

// CheckOptions say what is checked.
type CheckOptions struct {
	Pages    Files  // the files of a checkout; nil: there is none, so that pages are not compared
	Full     string // not empty: everything is measured again in full, and rows are kept in this folder; else reduced forms are
	Workers  int    // experiments at a time, at least 1
	Progress func(done, total int)
	Skipped  func(e *Experiment, why error) // its trace is not there
}

// Files are the contents of files by their path from the root of the repository. The error wraps fs.ErrNotExist if there is none.
type Files func(path string) ([]byte, error)

// equal is how far, as a share, a number that is measured again may be from the stored one.
const equal = 1e-6

// Check returns what is stale or does not fit together, a sentence each: claims without a measurement, experiments that are not
// those that were measured, reduced forms that give other numbers, and pages that are not those that follow.
func Check(ctx context.Context, s Sources, o CheckOptions) ([]string, error) {
	book, err := New(s)
	if err != nil {
		return nil, err
	}
	stale := slices.Clone(book.Faults)
	orphans, err := book.orphans(s.Measured)
	if err != nil {
		return nil, err
	}
	for _, file := range orphans {
		stale = append(stale, "bench/catalog/measured/"+file+": there is no such experiment")
	}
	again, err := book.measureAgain(ctx, o)
	if err != nil {
		return nil, err
	}
	stale = append(stale, again...)
	if o.Pages != nil {
		pages, err := book.stalePages(o.Pages)
		if err != nil {
			return nil, err
		}
		stale = append(stale, pages...)
	}
	return stale, nil
}

// measureAgain measures the reduced form of every experiment, or all of it, and compares with what is stored.
func (b *Book) measureAgain(ctx context.Context, o CheckOptions) ([]string, error) {
	found := make([][]string, len(b.Experiments))
	var mu sync.Mutex
	done := 0
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(max(1, o.Workers))
	for i, e := range b.Experiments {
		group.Go(func() error {
			list, err := e.compare(running)
			if err == nil && o.Full != "" && e.Measured != nil {
				var more []string
				more, err = e.compareFull(running, o.Full)
				list = append(list, more...)
			}
			mu.Lock()
			defer mu.Unlock()
			if errors.Is(err, experiment.ErrNoTrace) && o.Skipped != nil {
				o.Skipped(e, err)
			} else if err != nil && running.Err() != nil {
				return running.Err()
			} else if err != nil && !errors.Is(err, experiment.ErrNoTrace) {
				list = append(list, err.Error())
			}
			found[i] = list
			if done++; o.Progress != nil {
				o.Progress(done, len(b.Experiments))
			}
			return nil
		})
	}
	err := group.Wait()
	return slices.Concat(found...), err
}

// compare says what of the stored statistics is not that of the experiment.
func (e *Experiment) compare(ctx context.Context) (stale []string, err error) {
	m := e.Measured
	if m == nil {
		if e.Study != "" {
			return nil, nil
		}
		if len(e.all()) == 0 {
			return []string{e.Name + ": it measures no claim"}, nil
		}
		return []string{e.Name + ": it was not measured; schedgap reproduce --run " + e.Name}, nil
	}
	statistics := e.Statistics()
	hash, err := e.Hash(statistics)
	if err != nil {
		return nil, err
	}
	if hash != m.SHA256 {
		stale = append(stale, e.Name+": the experiment, or a statistic of its claims, is not the one that was measured; schedgap "+
			"reproduce --run "+e.Name)
	}
	for _, entry := range e.all() {
		if len(m.Values[entry.ID]) == 0 {
			stale = append(stale, fmt.Sprintf("%s: nothing is stored of %s", e.Name, entry.ID))
		}
	}
	now, err := experiment.Reduced(ctx, e.Experiment, statistics)
	if err != nil {
		return stale, err
	}
	for _, entry := range e.all() {
		before, again := m.Reduced[entry.ID], now[entry.ID]
		if !slices.EqualFunc(before, again, near) {
			stale = append(stale, fmt.Sprintf("%s: the reduced form gives %v for %s, stored is %v; schedgap reproduce --run %s", e.Name,
				again, entry.ID, before, e.Name))
		}
	}
	return stale, nil
}

// compareFull says which of the stored values are not those that come out when the experiment is measured again.
func (e *Experiment) compareFull(ctx context.Context, rows string) (stale []string, err error) {
	again, err := experiment.Measure(ctx, e.Experiment, e.Statistics(), experiment.Options{Dir: rows, Workers: 1})
	if err != nil {
		return nil, err
	}
	for _, entry := range e.Entries {
		same := func(a, b []float64) bool { return slices.EqualFunc(a, b, near) }
		if !slices.EqualFunc(e.Measured.Values[entry.ID], again.Values[entry.ID], same) {
			stale = append(stale, fmt.Sprintf("%s: the values stored for %s are not those that come out; schedgap reproduce --run %s",
				e.Name, entry.ID, e.Name))
		}
	}
	return stale, nil
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) <= equal*max(math.Abs(a), math.Abs(b)) }

// stalePages compares the generated files with those that are there.
func (b *Book) stalePages(files Files) ([]string, error) {
	pages, err := b.Pages(files)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(pages, func(p, q Page) int { return cmp.Compare(p.Path, q.Path) })
	var stale []string
	for _, p := range pages {
		if have, err := files(p.Path); err != nil || string(have) != string(p.Text) {
			stale = append(stale, p.Path+": it is not what follows; go test ./cmd/schedgap -run ClaimPages -update")
		}
	}
	return stale, nil
}
