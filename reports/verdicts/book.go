// Package verdicts joins what the papers claim with what was measured: it grades every claim, draws and writes the pages under
// docs/claims, and finds what of them is stale.
package verdicts

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"schedgap/bench/catalog/measured"
	"schedgap/bench/experiment"
	"schedgap/datasets/claims"
	"schedgap/models/nearest"
)

// Sources are what a book is made of. Nothing of them is changed.
type Sources struct {
	Claims      []claims.Claim
	Fits        []claims.Fit
	Experiments []*experiment.Experiment
	Measured    fs.FS // NAME.json of the experiments
}

// Stored are the sources that the program holds.
func Stored() (Sources, error) {
	all, err := claims.All()
	if err != nil {
		return Sources{}, err
	}
	fits, err := claims.Fits()
	if err != nil {
		return Sources{}, err
	}
	experiments, err := experiment.All()
	if err != nil {
		return Sources{}, err
	}
	return Sources{all, fits, experiments, measured.Files}, nil
}

// A Book is every claim with its verdict.
type Book struct {
	Entries     []*Entry // in the order of the claims
	Experiments []*Experiment
	Fits        []Fit
	Faults      []string // what does not fit together, a sentence each
}

// An Entry is a claim with its verdict.
type Entry struct {
	*claims.Claim
	Grade      claims.Grade
	Experiment *Experiment // nil: it has none
	Beside     *Beside     // nil: it has none
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

// A Fit is a fit with what it comes to.
type Fit struct {
	claims.Fit
	claims.Fitted
	Of *Experiment
}

// New grades the claims of the sources. What does not fit together is among the book's faults.
func New(s Sources) (*Book, error) {
	b := &Book{}
	fault := func(format string, args ...any) { b.Faults = append(b.Faults, fmt.Sprintf(format, args...)) }
	byName := map[string]*Experiment{}
	for _, e := range s.Experiments {
		x := &Experiment{Experiment: e}
		m, err := experiment.Read(s.Measured, e.Name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		x.Measured = m // nil if there is none
		byName[e.Name] = x
		b.Experiments = append(b.Experiments, x)
	}
	for i := range s.Claims {
		entry := &Entry{Claim: &s.Claims[i]}
		b.Entries = append(b.Entries, entry)
		if entry.Claim.Experiment == "" {
			continue
		}
		if entry.Experiment = byName[entry.Claim.Experiment]; entry.Experiment == nil {
			fault("%s: there is no experiment %s", entry.ID, entry.Claim.Experiment)
			continue
		}
		entry.Experiment.Entries = append(entry.Experiment.Entries, entry)
		if entry.Also == "" {
			continue
		}
		other := byName[entry.Also]
		if other == nil {
			fault("%s: also: there is no experiment %s", entry.ID, entry.Also)
			continue
		}
		other.Others = append(other.Others, entry)
		entry.Beside = &Beside{Experiment: other, Grade: entry.Claim.Grade(other.measurement(entry.ID))}
	}
	grades, byID := map[string]claims.Grade{}, map[string]*claims.Claim{}
	for _, entry := range b.Entries {
		entry.Grade = entry.Claim.Grade(entry.Experiment.measurement(entry.ID))
		grades[entry.ID], byID[entry.ID] = entry.Grade, entry.Claim
		switch {
		case entry.Todo:
			fault("%s: it is still to be worked out", entry.ID)
		case entry.Experiment != nil && !entry.Grade.Measured():
			fault("%s: %s has not measured it: schedgap reproduce --run %s", entry.ID, entry.Experiment.Name, entry.Experiment.Name)
		case entry.Refutes && entry.Grade.Verdict != claims.Refuted:
			fault("%s: its counter-example refutes nothing", entry.ID)
		}
	}
	for _, f := range s.Fits {
		fit := Fit{Fit: f, Of: byName[f.Experiment]}
		if fit.Of == nil || fit.Of.Measured == nil {
			fault("fit %s: there is no experiment %s, or it was not measured", f.Name, f.Experiment)
			continue
		}
		var err error
		if fit.Fitted, err = f.Solve(byID, grades); err != nil {
			fault("%v", err)
			continue
		}
		if other := b.otherDesign(fit); other != "" {
			fault("fit %s: the design of %s has other points than that of %s", f.Name, other, f.Experiment)
			continue
		}
		b.Fits = append(b.Fits, fit)
	}
	return b, nil
}

// otherDesign is an experiment of a fit's claims whose settings are not those of the fit's own, point by point; empty: there is none.
func (b *Book) otherDesign(f Fit) string {
	for _, e := range b.Entries {
		if e.Experiment == nil || e.Experiment == f.Of || !slices.Contains(f.Fit.Fitted, e.ID) && !slices.Contains(f.Tested, e.ID) {
			continue
		}
		for i, p := range e.Experiment.Measured.Design {
			for _, name := range f.Parameters {
				if v, ok := p.At[name]; ok && fmt.Sprint(v) != fmt.Sprint(f.Of.Measured.Design[i].At[name]) {
					return e.Experiment.Name
				}
			}
		}
	}
	return ""
}

// measurement is what the experiment, which may be nil, gave for a claim; nil: nothing.
func (e *Experiment) measurement(id string) *claims.Measurement {
	if e == nil || e.Measured == nil || len(e.Measured.Values[id]) == 0 {
		return nil
	}
	return &claims.Measurement{Values: e.Measured.Values[id], Untold: len(e.Untold) > 0}
}

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
	names := []string{e.ID}
	if figure := e.FigureName(); figure != "" {
		names = append(names, figure)
	}
	if e.Claim.Experiment != "" {
		names = append(names, e.Claim.Experiment)
	}
	if e.Also != "" {
		names = append(names, e.Also)
	}
	if p, ok := claims.PaperOf(e.ID); ok {
		names = append(names, p.Name, p.Prefix)
	}
	return names
}

// Single reports whether the name is that of one claim.
func (b *Book) Single(name string) bool {
	return slices.ContainsFunc(b.Entries, func(e *Entry) bool { return e.ID == name })
}

// ExperimentsOf are the experiments that measure the claims, each once.
func ExperimentsOf(entries []*Entry) []*Experiment {
	var list []*Experiment
	for _, e := range entries {
		if e.Experiment != nil && !slices.Contains(list, e.Experiment) {
			list = append(list, e.Experiment)
		}
		if e.Beside != nil && !slices.Contains(list, e.Beside.Experiment) {
			list = append(list, e.Beside.Experiment)
		}
	}
	return list
}

// Of are the entries of a paper.
func (b *Book) Of(p claims.Paper) []*Entry {
	return slices.DeleteFunc(slices.Clone(b.Entries), func(e *Entry) bool { return !strings.HasPrefix(e.ID, p.Prefix+"-") })
}

// ofPaper are the experiments that measure claims of a paper, by name.
func (b *Book) ofPaper(p claims.Paper) []*Experiment {
	return slices.DeleteFunc(slices.Clone(b.Experiments), func(e *Experiment) bool {
		all := e.all()
		return len(all) == 0 || !strings.HasPrefix(all[0].ID, p.Prefix+"-")
	})
}

// together is the largest number of the experiment's measured claims that one setting gives, the setting, and how many there are.
func (e *Experiment) together() (most, at, all int) {
	if e.Measured == nil {
		return 0, 0, 0
	}
	given := make([]int, len(e.Measured.Design))
	for _, entry := range e.Entries {
		if !entry.Grade.Measured() {
			continue
		}
		all++
		for i, p := range entry.Grade.Points {
			if (claims.Bounds{Low: p.Mean, High: p.Mean}).Inside(entry.Bounds()) {
				given[i]++
			}
		}
	}
	at = slices.Index(given, slices.Max(given))
	return given[at], at, all
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

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
