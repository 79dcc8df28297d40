package runner

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"

	"schedgap/bench"
	"schedgap/bench/run/store"
	"schedgap/models"
)

// A State is how far a results folder is.
type State struct {
	Algorithms []AlgorithmState // sorted by name
	Outside    int              // units with a row that the plan does not ask for
	Bad        []*store.FileError
}

// An AlgorithmState counts one algorithm's units.
type AlgorithmState struct {
	Algorithm string               `json:"algorithm"`
	Done      int                  `json:"done"`        // have a row
	Stale     int                  `json:"stale"`       // have a row that does not count: its command was edited since
	Other     int                  `json:"other_build"` // of those done, ran in another build of this program
	Failed    int                  `json:"failed"`      // of these, came to nothing
	Left      int                  `json:"left"`        // of the plan, have no row that counts
	Outside   int                  `json:"left_out"`    // have a row, and are not of the plan
	Statuses  map[bench.Status]int `json:"statuses"`
}

// Status reads how far the results folder at path is; it changes nothing. Rows that the plan does not ask for are only counted or,
// with all, are in the other counts, too.
func Status(ctx context.Context, path string, all bool) (*State, error) {
	dir := store.Open(path)
	plan, err := dir.Plan()
	if err == nil && plan == nil {
		err = fmt.Errorf("%s is no results folder: it has no %s (%w)", path, store.PlanFile, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	done, bad, err := dir.DoneUnits(ctx)
	if err != nil {
		return nil, err
	}
	byName := map[string]*AlgorithmState{}
	state := func(name string) *AlgorithmState {
		if byName[name] == nil {
			byName[name] = &AlgorithmState{Algorithm: name, Statuses: map[bench.Status]int{}}
		}
		return byName[name]
	}
	today, err := ReadCurrentCommands(ctx, path)
	if err != nil {
		return nil, err
	}
	s := &State{Algorithms: []AlgorithmState{}, Bad: bad}
	for id, d := range done {
		if !plan.Has(id) {
			s.Outside++
			if !all {
				continue
			}
			state(d.Algorithm).Outside++
		}
		a := state(d.Algorithm)
		switch {
		case bench.Status(d.Status) == bench.Interrupted:
			a.Statuses[bench.Interrupted]++
			continue
		case today.Stale(d.Problem, d.Algorithm, d.Command):
			a.Stale++
			continue
		}
		a.Done++
		if today.OtherBuild(d.Build) {
			a.Other++
		}
		a.Statuses[bench.Status(d.Status)]++
		if d.Failed() {
			a.Failed++
		}
	}
	for name, ids := range plan.ByAlgorithm() {
		a := state(models.Printable(name, false))
		for _, id := range ids {
			if d, ok := done[id]; !ok || bench.Status(d.Status) == bench.Interrupted || today.Stale(d.Problem, d.Algorithm, d.Command) {
				a.Left++
			}
		}
	}
	for _, a := range byName {
		s.Algorithms = append(s.Algorithms, *a)
	}
	slices.SortFunc(s.Algorithms, func(a, b AlgorithmState) int { return cmp.Compare(a.Algorithm, b.Algorithm) })
	return s, nil
}
