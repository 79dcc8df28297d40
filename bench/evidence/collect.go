package evidence

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"schedgap/bench"
	"schedgap/bench/store"
	"schedgap/datasets/library"
)

// Collect hands in what the units of a results folder found of the instances of a library in dir, in the order of
// its rows; what does not better is passed over.
func (c *Collection) Collect(
	ctx context.Context, dir string, results *store.Dir, by, ref, release string,
) (taken int, err error) {
	rows, err := store.All(results.Records(ctx))
	if err != nil {
		return 0, err
	}
	for i := range rows {
		r := &rows[i]
		p, err := c.Registry.Problem(r.Problem)
		if err != nil {
			return taken, err
		}
		e := c.within(p, r)
		if e == nil {
			continue
		}
		seconds := 0.0
		if used := cmp.Or(r.CPUSeconds, r.WallSeconds); used != nil { // of the processor, which others on the machine do not slow down
			seconds = *used
		}
		for _, kind := range []string{library.Solution, library.Proof} {
			s := Submission{ID: e.ID, By: by, Ref: ref, Release: release, Seconds: seconds}
			if kind == library.Solution {
				s.File = results.Path()
				s.Solution, err = results.Solution(r.RunID, r.UnitID)
			} else if r.Reference == e.Reference {
				s.File = results.ProofPath(r.UnitID)
				s.Proof, err = results.Proof(r.UnitID)
				s.Recipe = "schedgap solve " + e.ID + ".json -a " + r.Algorithm + " --proof " + e.ID + ".proof.gz"
			}
			if err != nil {
				return taken, err
			}
			if s.Solution == nil && s.Proof == nil {
				continue
			}
			var refused *Unacceptable
			switch _, err := c.take(ctx, dir, s); {
			case err == nil:
				taken++
			case !errors.As(err, &refused):
				return taken, err
			}
		}
	}
	return taken, c.save(dir)
}

// within is the entry of a row's instance whose reference holds the solutions of the row's; nil: there is none.
func (c *Collection) within(p *bench.Problem, r *bench.Record) *library.Entry {
	for _, e := range c.Entries {
		if e.SHA256 == r.InstanceSHA256 && p.ReferenceWithin(r.Reference, e.Reference) {
			return e
		}
	}
	return nil
}

// Quota is how many entries of a set a library gets.
type Quota struct {
	Set string
	N   int
	// Easy is how many of them may be easy at most.
	Easy int
}

// Choose copies some of the entries of the library in from into the one in dir, which need not be there yet: of each problem and
// set the first that have a value, as they are listed, with easy ones beyond the quota only where there are no others.
func (c *Collection) Choose(entries []*library.Entry, from fs.FS, dir string, quotas []Quota) error {
	chosen := map[string]bool{}
	for _, p := range c.Registry.Problems {
		for _, q := range quotas {
			n, easy := 0, 0
			// Where all that is not easy is taken and the set not full, easy ones beyond the quota fill it.
			for _, most := range []int{q.Easy, q.N} {
				for _, e := range entries {
					isEasy := e.Tier() == library.Easy
					if e.Problem != p.Name || e.Set != q.Set || e.Value == nil || n == q.N || chosen[e.ID] || isEasy && easy >= most {
						continue
					}
					if isEasy {
						easy++
					}
					n++
					chosen[e.ID] = true
				}
			}
		}
	}
	out := &Collection{Library: &library.Library{}, Registry: c.Registry}
	_, err := os.Stat(filepath.Join(dir, library.HistoryFile))
	if err == nil {
		out.Library, err = library.Open(os.DirFS(dir), dir)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, v := range c.Events {
		if chosen[v.ID] {
			out.Events = append(out.Events, v)
		}
	}
	if out.Entries, err = library.Derive(out.Events); err != nil {
		return err
	}
	for _, e := range entries {
		for _, file := range []string{e.InstanceFile(), e.SolutionFile(), e.ProofFile()} {
			data, err := fs.ReadFile(from, file)
			if !chosen[e.ID] || errors.Is(err, fs.ErrNotExist) {
				continue // Verify says what is missing
			}
			if err == nil {
				err = put(dir, file, data)
			}
			if err != nil {
				return err
			}
		}
	}
	return out.save(dir)
}
