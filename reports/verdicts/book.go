// Package verdicts joins what the papers claim with what was measured: it judges every claim and its decoys, draws and writes the
// pages under docs/claims, and finds what of them is stale.
package verdicts

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"schedgap/bench/catalog/measured"
	"schedgap/bench/experiment"
	"schedgap/datasets/claims"
	"schedgap/models/nearest"
)

// Sources are what a book is made of. Nothing of them is changed.
type Sources struct {
	Claims         []claims.Claim
	Contradictions []claims.Contradiction
	Experiments    []*experiment.Experiment
	Measured       fs.FS // NAME.json of the experiments
}

// Stored are the sources that the program holds.
func Stored() (s Sources, err error) {
	if s.Claims, err = claims.All(); err != nil {
		return s, err
	}
	if s.Contradictions, err = claims.Contradictions(); err != nil {
		return s, err
	}
	s.Measured = measured.Files
	s.Experiments, err = experiment.All()
	return s, err
}

// A Book is every claim with its verdict.
type Book struct {
	Entries        []*Entry // in the order of the claims
	Experiments    []*Experiment
	Contradictions []claims.Contradiction
	Faults         []string // what does not fit together, a sentence each
}

// An Entry is a claim with its verdict.
type Entry struct {
	*claims.Claim
	Grade      claims.Grade
	Experiment *Experiment // nil: it has none
	Beside     *Beside     // nil: it has none
	Circular   []string    // parameters whose box was drawn from this claim, so that it is no evidence
}

// A Beside is what another experiment gives for a claim. It decides nothing.
type Beside struct {
	*Experiment
	Grade claims.Grade
}

// An Experiment is what measures claims.
type Experiment struct {
	*experiment.Experiment
	Measured *experiment.Measured // nil: there is nothing yet
	Entries  []*Entry             // the claims that it measures
	Others   []*Entry             // those that others measure and that it shows another value of
	Joint    func() claims.Joint  // of those of its claims that count; computed once
}

// all are the claims whose statistics it gives.
func (e *Experiment) all() []*Entry { return slices.Concat(e.Entries, e.Others) }

// Statistics are the statistics of its claims, by their ids.
func (e *Experiment) Statistics() map[string]string {
	list := map[string]string{}
	for _, entry := range e.all() {
		list[entry.ID] = entry.Statistic
	}
	return list
}

// New judges the claims of the sources. What does not fit together is among the book's faults.
func New(s Sources) (*Book, error) {
	b := &Book{Contradictions: s.Contradictions}
	fault := func(format string, args ...any) { b.Faults = append(b.Faults, fmt.Sprintf(format, args...)) }
	byName, circular := map[string]*Experiment{}, map[string][]string{}
	for _, e := range s.Experiments {
		x := &Experiment{Experiment: e}
		m, err := experiment.Read(s.Measured, e.Name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		x.Measured = m // nil if there is none
		x.Joint = sync.OnceValue(x.joint)
		byName[e.Name] = x
		b.Experiments = append(b.Experiments, x)
		for _, f := range e.Untold {
			for _, id := range f.From {
				if !slices.Contains(circular[id], f.Name) {
					circular[id] = append(circular[id], f.Name)
				}
				if !slices.ContainsFunc(s.Claims, func(c claims.Claim) bool { return c.ID == id }) {
					fault("%s.yaml: untold %s: from: there is no claim %s", e.Name, f.Name, id)
				}
			}
		}
	}
	find := func(id, field, name string) *Experiment {
		if name != "" && byName[name] == nil {
			fault("%s: %s: there is no experiment %s", id, field, name)
		}
		return byName[name]
	}
	for i := range s.Claims {
		e := &Entry{Claim: &s.Claims[i], Circular: circular[s.Claims[i].ID]}
		b.Entries = append(b.Entries, e)
		if e.Experiment = find(e.ID, "experiment", e.Claim.Experiment); e.Experiment != nil {
			e.Experiment.Entries = append(e.Experiment.Entries, e)
		}
		e.Grade = e.Claim.Grade(e.Experiment.values(e.ID))
		if other := find(e.ID, "also", e.Also); other != nil {
			other.Others = append(other.Others, e)
			e.Beside = &Beside{Experiment: other, Grade: e.Claim.Grade(other.values(e.ID))}
		}
		switch {
		case e.Experiment != nil && !e.Grade.Measured():
			fault("%s: %s has not measured it: schedgap reproduce --run %s", e.ID, e.Experiment.Name, e.Experiment.Name)
		case e.Refutes && e.Grade.Verdict != claims.Refuted:
			fault("%s: its counter-example refutes nothing", e.ID)
		case !e.Refutes && e.Grade.Verdict == claims.Refuted:
			fault("%s: what is measured contradicts the theorem, and is not marked as its counter-example", e.ID)
		}
	}
	return b, nil
}

// values are what the experiment, which may be nil, gave for a claim; nil: nothing.
func (e *Experiment) values(id string) [][]float64 {
	if e == nil || e.Measured == nil {
		return nil
	}
	return e.Measured.Values[id]
}

// counts reports whether the entry is evidence: it has a share, nothing of the box was drawn from it, and nothing else speaks
// against it.
func (e *Entry) counts() bool {
	return e.Grade.Share != nil && len(e.Circular) == 0 && e.Unscored == ""
}

func (e *Experiment) joint() claims.Joint {
	var list []*claims.Claim
	var grades []claims.Grade
	for _, entry := range e.Entries {
		if entry.counts() {
			list, grades = append(list, entry.Claim), append(grades, entry.Grade)
		}
	}
	return claims.Together(list, grades)
}

// A Tally counts claims and their decoys.
type Tally struct {
	Claims, Holding int            // that count, and that hold mostly or everywhere
	Decoys, Fooled  int            // the same of their decoys
	By              map[string]int // claims by verdict
	ByDecoys        map[string]int
}

// TallyOf counts the claims that are evidence.
func TallyOf(entries []*Entry) Tally {
	t := Tally{By: map[string]int{}, ByDecoys: map[string]int{}}
	for _, e := range entries {
		if !e.counts() {
			continue
		}
		t.Claims++
		t.By[e.Grade.Verdict]++
		if e.Grade.Share.Holding() {
			t.Holding++
		}
		for _, d := range e.Grade.Decoys {
			t.Decoys++
			t.ByDecoys[d.Share.Verdict()]++
			if d.Share.Holding() {
				t.Fooled++
			}
		}
	}
	return t
}

// The largest share of decoys that may hold, and how much more often claims must.
const (
	mostFooled = 0.10
	leastLead  = 3
)

// Chance reports whether the experiment cannot tell its claims from chance: too many decoys hold, or claims hardly more often.
func (e *Experiment) Chance() bool {
	t := TallyOf(e.Entries)
	fooled := float64(t.Fooled) / float64(max(1, t.Decoys))
	return t.Claims > 0 && (fooled > mostFooled || float64(t.Holding)/float64(t.Claims) < leastLead*fooled)
}

// Scores reports whether the claim counts as holding: mostly or everywhere, in an experiment that can tell it from chance.
func (e *Entry) Scores() bool { return e.counts() && e.Grade.Share.Holding() && !e.Experiment.Chance() }

// Select returns the claims of an id, a figure, an experiment, or a paper by its name or its claims' prefix. The error about an
// unknown name has the nearest of the known ones.
func (b *Book) Select(name string) ([]*Entry, error) {
	var list []*Entry
	var known []string
	for _, e := range b.Entries {
		names := e.names()
		if slices.Contains(names, name) {
			list = append(list, e)
		}
		known = append(known, names...)
	}
	if len(list) > 0 {
		return list, nil
	}
	slices.Sort(known)
	if near := nearest.Name(name, slices.Compact(known)); near != "" {
		return nil, fmt.Errorf("unknown claim, figure or paper %q; did you mean %q?", name, near)
	}
	return nil, fmt.Errorf("unknown claim, figure or paper %q; see: schedgap reproduce --list", name)
}

// names are those by which a claim is selected: its id, figure, experiments, paper and prefix.
func (e *Entry) names() []string {
	names := []string{e.ID, e.FigureName(), e.Claim.Experiment, e.Also}
	if p, ok := claims.PaperOf(e.ID); ok {
		names = append(names, p.Name, p.Prefix)
	}
	return slices.DeleteFunc(names, func(s string) bool { return s == "" })
}

// Single reports whether the name is that of one claim.
func (b *Book) Single(name string) bool {
	return slices.ContainsFunc(b.Entries, func(e *Entry) bool { return e.ID == name })
}

// ExperimentsOf are the experiments that measure the claims, each once.
func ExperimentsOf(entries []*Entry) []*Experiment {
	var list []*Experiment
	add := func(e *Experiment) {
		if e != nil && !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	for _, e := range entries {
		if add(e.Experiment); e.Beside != nil {
			add(e.Beside.Experiment)
		}
	}
	return list
}

// Of are the entries of a paper.
func (b *Book) Of(p claims.Paper) []*Entry {
	return slices.DeleteFunc(slices.Clone(b.Entries), func(e *Entry) bool { return !strings.HasPrefix(e.ID, p.Prefix+"-") })
}

// orphans are files of what was measured that belong to no experiment.
func (b *Book) orphans(folder fs.FS) ([]string, error) {
	files, err := fs.Glob(folder, "*.json")
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(files, func(file string) bool {
		return slices.ContainsFunc(b.Experiments, func(e *Experiment) bool { return e.Name+".json" == path.Base(file) })
	}), nil
}
