package evidence

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"schedgap/bench"
	"schedgap/bench/store"
	"schedgap/datasets/library"
)

// Fill runs algorithms on entries of the library in dir, each for at most limit, two instances at a time, and hands in what
// they find; what does not better is passed over.
func (c *Collection) Fill(
	ctx context.Context, dir string, entries []*library.Entry, algorithms []string, limit time.Duration, release string,
) (taken int, err error) {
	found := make([][]*bench.Result, len(entries)) // as algorithms, nil where the problem has no such one
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for i, e := range entries {
		g.Go(func() error {
			in, err := c.Instance(ctx, e)
			if err != nil {
				return err
			}
			found[i] = make([]*bench.Result, len(algorithms))
			for j, name := range algorithms {
				a, _, err := in.Problem.Find(name)
				if err != nil {
					continue // this problem has no such algorithm
				}
				r := a.Provable(bench.Request{Algorithm: name, Seed: 1, Threads: 1, Prove: true})
				if err := in.Problem.Resolve(&r); err != nil {
					return fmt.Errorf("%s: %w", e.ID, err)
				}
				limited, cancel := context.WithTimeout(ctx, limit)
				res := in.Problem.Run(limited, in, r, bench.Observer{})
				cancel()
				in.Problem.Prove(ctx, in, res)
				found[i][j] = res
			}
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return 0, err
	}
	for i, e := range entries {
		for j, res := range found[i] {
			if res == nil {
				continue
			}
			s := Submission{
				ID: e.ID, By: "schedgap", Release: release, Seconds: res.WallSeconds,
				Recipe: "schedgap solve " + e.ID + ".json -a " + algorithms[j] + " --proof " + e.ID + ".proof.gz",
			}
			for _, part := range []Submission{{Solution: res.Solution, File: "solution"}, {Proof: res.Proof, File: "proof"}} {
				if part.Solution == nil && part.Proof == nil {
					continue
				}
				s.Solution, s.Proof, s.File = part.Solution, part.Proof, e.ID+": "+part.File
				var refused *Unacceptable
				switch _, err := c.take(context.WithoutCancel(ctx), dir, s); {
				case err == nil:
					taken++
				case !errors.As(err, &refused):
					return taken, err
				}
			}
		}
	}
	return taken, c.save(dir)
}

// AddWorst takes the instances on which algorithms are known to be worst, of a folder a problem, into the library in dir: of
// each problem the n of largest ratio, as its set adversarial.
func (c *Collection) AddWorst(files fs.FS, dir string, n int, release string) error {
	for _, p := range c.Registry.Problems {
		names, err := fs.Glob(files, p.Name+"/*.json")
		if err != nil {
			return err
		}
		type worst struct {
			*candidate
			ratio float64
		}
		var list []worst
		seen := map[string]bool{}
		for _, name := range names {
			data, err := fs.ReadFile(files, name)
			if err != nil {
				return err
			}
			in, err := p.ParseInstance(name, data)
			if err != nil {
				return err
			}
			var about struct {
				Worst struct {
					Ratio *float64 `json:"ratio"` // nil: unbounded
				} `json:"worst"`
			}
			if err := json.Unmarshal(in.Lineage, &about); err != nil {
				return fmt.Errorf("%s: lineage: %w", name, err)
			}
			if shape := blind(in.JSON); !seen[shape] {
				seen[shape] = true
				w := worst{&candidate{
					Instance: in, source: "worst", lineage: in.Lineage,
					family: &Family{Name: "worst", Licence: "CC-BY-4.0"},
				}, 1e300}
				if about.Worst.Ratio != nil {
					w.ratio = *about.Worst.Ratio
				}
				w.family.Name = "worst-of-" + path.Base(name[:len(name)-len(".json")])
				list = append(list, w)
			}
		}
		slices.SortStableFunc(list, func(a, b worst) int { return cmp.Compare(b.ratio, a.ratio) })
		for i, w := range list[:min(n, len(list))] {
			event, data, err := w.added(fmt.Sprintf("%s-adversarial-%03d", p.Name, i+1), "adversarial", release, "opt")
			if err != nil {
				return err
			}
			e := library.Entry{ID: event.ID, Instance: event.Instance}
			if data, err = pack(data); err != nil {
				return err
			}
			if err := store.WriteFile(filepath.Join(dir, filepath.FromSlash(e.InstanceFile())), data); err != nil {
				return err
			}
			c.Events = append(c.Events, event)
		}
	}
	entries, err := library.Derive(c.Events)
	if err != nil {
		return err
	}
	c.Entries = entries
	return c.save(dir)
}
