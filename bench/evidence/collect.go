package evidence

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

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
		// The instance's entry whose reference holds the solutions of the row's.
		at := slices.IndexFunc(c.Entries, func(e *library.Entry) bool {
			return e.SHA256 == r.InstanceSHA256 && p.ReferenceWithin(r.Reference, e.Reference)
		})
		if at < 0 {
			continue
		}
		e := c.Entries[at]
		about := Submission{ID: e.ID, By: by, Ref: ref, Release: release}
		if used := cmp.Or(r.CPUSeconds, r.WallSeconds); used != nil { // of the processor, which others on the machine do not slow down
			about.Seconds = *used
		}
		solution, proof := about, about
		solution.File = results.Path()
		if solution.Solution, err = results.Solution(r.RunID, r.UnitID); err != nil {
			return taken, err
		}
		if r.Reference == e.Reference {
			proof.File = results.ProofPath(r.UnitID)
			proof.Recipe = "schedgap solve " + e.ID + ".json -a " + r.Algorithm + " --proof " + e.ID + ".proof.gz"
			if proof.Proof, err = results.Proof(r.UnitID); err != nil {
				return taken, err
			}
		}
		for _, s := range []Submission{solution, proof} {
			if s.Solution == nil && s.Proof == nil {
				continue
			}
			var refused *Unacceptable
			if _, err := c.take(ctx, dir, s); err == nil {
				taken++
			} else if !errors.As(err, &refused) {
				return taken, err
			}
		}
	}
	return taken, c.save(dir)
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
	chosen, taken := map[string]bool{}, map[string]int{}
	// Where all that is not easy is taken and the set not full, easy ones beyond the quota fill it.
	for round := range 2 {
		for _, e := range entries {
			i := slices.IndexFunc(quotas, func(q Quota) bool { return q.Set == e.Set })
			if i < 0 || e.Value == nil || chosen[e.ID] {
				continue
			}
			all, easy := e.Problem+"/"+e.Set, e.Problem+"/"+e.Set+"/easy"
			isEasy := e.Tier() == library.Easy
			if taken[all] == quotas[i].N || isEasy && round == 0 && taken[easy] >= quotas[i].Easy {
				continue
			}
			taken[all]++
			if isEasy {
				taken[easy]++
			}
			chosen[e.ID] = true
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
