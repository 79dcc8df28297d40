// Package compare says what changed between result sets, unit by unit: solutions and proofs that were lost, ratios that grew,
// units that take more processor time. Units match by their identity, which the program's version is no part of. It is the gate
// of continuous integration: Report.Regressions is empty or the build fails.
//
// All sets are compared with the same best values and bounds, those of all of them together, so a change of an algorithm's ratio
// is the change of its objective, whether the optimum is proven or not.
package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// A Side is one of the result sets.
type Side struct {
	Name    string // for the reader, such as its path
	Records []ratio.Record
	// Asked reports whether the set's suites ask for a unit, be there a row or not; nil: it is not known, and they ask for all.
	Asked   func(unitID string) bool
	LeftOut string // a sentence about rows that the set's plan does not ask for; empty: there are none
}

// An Input holds the sides of a comparison and its options.
type Input struct {
	// Sides are the result sets in the order of time, at least two. The last one is judged: head. A unit's base is its row in the
	// latest of the other sets that has one.
	Sides    []Side
	Nights   bool             // the sides are nights, whose steps and lines are wanted
	Problems []*bench.Problem // all that records may name
	// Instance finds an instance by the hash of its file. Those that cannot be found count as compared by quotient, which a
	// warning says.
	Instance func(sha256 string) (*bench.Instance, error)
	Gates    Gates
	Seed     uint64 // of the bootstrap
}

// A Report is the outcome of a comparison. It depends on nothing but the input, whatever the order of the records.
type Report struct {
	Regressions []Regression `json:"regressions"` // of the gates that are on; empty: passed
	Gates       Gates        `json:"gates"`
	Base        Source       `json:"base"` // of several sets the last one before head
	Head        Source       `json:"head"`
	Matched     int          `json:"matched_units"`
	BaseOnly    []Unmatched  `json:"base_only"` // units without a counterpart, by problem and algorithm
	HeadOnly    []Unmatched  `json:"head_only"`
	Missing     []Unmatched  `json:"missing"` // those of base only that the suites of both sides ask for
	Changed     []Changed    `json:"changed"` // units whose conditions are not base's any more, which are not compared

	Contradictions []Contradiction `json:"contradictions"`
	Findings       []Finding       `json:"findings"`
	Improvements   []Note          `json:"improvements"`
	Below          []Note          `json:"below_threshold"` // certainly worse, and why the gates let it pass
	Algorithms     []Algorithm     `json:"algorithms"`
	Warnings       []string        `json:"warnings"`

	Nights []Source `json:"nights,omitempty"` // all sets, where they are nights
	Steps  []Step   `json:"steps,omitempty"`  // between nights, the latest first

	series []series
}

// A Source describes a side.
type Source struct {
	Name           string   `json:"name"`
	Labels         []string `json:"labels"`
	Commits        []string `json:"commits"` // of the user's repository
	Units          int      `json:"units"`
	BinaryVersions []string `json:"binary_versions"`
	CPUModels      []string `json:"cpu_models"`
}

// A Note is one sentence about an algorithm.
type Note struct {
	Problem   string `json:"problem"`
	Algorithm string `json:"algorithm"`
	Text      string `json:"text"`
}

// An Algorithm is the matched units of one algorithm with one set of parameters, by one method if methods are distinguished.
type Algorithm struct {
	Problem   string `json:"problem"`
	Algorithm string `json:"algorithm"`
	Kind      string `json:"kind"`
	Units     int    `json:"units"`
	Instances int    `json:"instances"`
	// Redefined units have another reference, other waived constraints, another augmentation or sense than before: their
	// values mean something else and are not compared.
	Redefined    int            `json:"redefined_units"`
	BaseStatuses map[string]int `json:"base_statuses"`
	HeadStatuses map[string]int `json:"head_statuses"`
	Quality      Quality        `json:"quality"`
	Time         Time           `json:"time"`

	pairs []*pair
}

// A comparison is the units of all sides.
type comparison struct {
	in        Input
	set       *ratio.Set
	instances *lookup
	labels    map[*ratio.Setup]string
	units     []*unit // in the order of the set
}

// A unit is one unit on all sides; nil: a side has no row of it.
type unit struct {
	id      string
	problem *ratio.Problem
	rows    []*ratio.Unit
}

// pool puts the rows of all sides into one set.
func pool(in Input) (*comparison, error) {
	c := &comparison{in: in, instances: &lookup{find: in.Instance}, labels: map[*ratio.Setup]string{}}
	var records []ratio.Record
	for k, side := range in.Sides {
		for _, r := range side.Records {
			r.Set = k
			records = append(records, r)
		}
	}
	var err error
	c.set, err = ratio.New(ratio.Input{Records: records, Problems: in.Problems, Instance: c.instances.get, Pool: true})
	if err != nil {
		return nil, err
	}
	for _, p := range c.set.Problems {
		variants, _ := summary.FindVariants(p)
		for setup, v := range variants {
			c.labels[setup] = v.Label
		}
		known := map[string]*unit{}
		for _, u := range p.Units {
			if known[u.UnitID] == nil {
				known[u.UnitID] = &unit{u.UnitID, p, make([]*ratio.Unit, len(in.Sides))}
				c.units = append(c.units, known[u.UnitID])
			}
			known[u.UnitID].rows[u.Set] = u
		}
	}
	return c, nil
}

// New compares the last side with those before. Errors: a record of a problem that in does not have, and sets that have neither a
// unit in common nor one whose conditions changed, since a gate that compares nothing by mistake must not pass.
func New(ctx context.Context, in Input) (*Report, error) {
	c, err := pool(in)
	if err != nil {
		return nil, err
	}
	last := len(in.Sides) - 1
	m := c.match(last)
	if len(m.algorithms)+len(m.changed) == 0 {
		return nil, errors.New("the result sets have no unit in common, and are not of one suite; units match if problem, instance, " +
			"algorithm, parameters, solver, model, seed, threads and limits are equal")
	}
	if err := c.fill(ctx, m.algorithms); err != nil {
		return nil, err
	}
	sources := c.sources()
	r := &Report{
		Gates: in.Gates, Matched: m.matched, Algorithms: m.algorithms, Base: sources[last-1], Head: sources[last],
		BaseOnly: summary.OrEmpty(m.baseOnly), HeadOnly: summary.OrEmpty(m.headOnly), Missing: summary.OrEmpty(m.missing),
		Changed: summary.OrEmpty(m.changed), Contradictions: summary.OrEmpty(c.contradictions()),
	}
	for i := range r.Algorithms {
		r.Findings = append(r.Findings, findings(&r.Algorithms[i])...)
	}
	r.Findings = summary.OrEmpty(r.Findings)
	r.Improvements = summary.OrEmpty(improvements(r))
	r.Warnings = summary.OrEmpty(c.warnings(r))
	r.Regressions = summary.OrEmpty(in.Gates.judge(r))
	r.Below = summary.OrEmpty(belowThreshold(r))
	if in.Nights {
		r.Nights = sources
		r.Steps, err = c.steps(ctx, r.Algorithms)
		if err != nil {
			return nil, err
		}
		r.Steps, r.series = summary.OrEmpty(r.Steps), c.lines()
	}
	return r, nil
}

// fill computes what there is to say of the algorithms.
func (c *comparison) fill(ctx context.Context, algorithms []Algorithm) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range algorithms {
		g.Go(func() error {
			a := &algorithms[i]
			a.count()
			a.Quality = quality(a, c.in.Seed)
			a.Time = times(a.pairs, c.in.Seed)
			a.Time.Verdict = a.Time.verdict(c.in.Gates.threshold())
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, of := range []func(a *Algorithm) *summary.Number{
		func(a *Algorithm) *summary.Number { return &a.Quality.WilcoxonP },
		func(a *Algorithm) *summary.Number { return &a.Time.WilcoxonP },
	} {
		ps := make([]float64, len(algorithms))
		for i := range algorithms {
			ps[i] = float64(*of(&algorithms[i]))
		}
		for i, p := range stats.Holm(ps) {
			*of(&algorithms[i]) = summary.Number(p)
		}
	}
	return nil
}

// count fills in what needs no statistics.
func (a *Algorithm) count() {
	a.BaseStatuses, a.HeadStatuses = map[string]int{}, map[string]int{}
	instances := map[*ratio.Instance]bool{}
	for _, p := range a.pairs {
		a.Units++
		a.BaseStatuses[p.base.Status]++
		a.HeadStatuses[p.head.Status]++
		instances[p.head.In] = true
		if p.redefined() {
			a.Redefined++
		}
	}
	a.Instances = len(instances)
}

// A lookup remembers what comparisons need of the instances.
type lookup struct {
	find    func(string) (*bench.Instance, error)
	known   sync.Map // by hash: a function that finds it once
	missing atomic.Int64
}

func (l *lookup) get(sha256 string) (*bench.Instance, error) {
	find, _ := l.known.LoadOrStore(sha256, sync.OnceValue(func() *bench.Instance {
		in, err := l.find(sha256)
		if err != nil {
			l.missing.Add(1)
			return &bench.Instance{}
		}
		return &bench.Instance{Comparison: in.Comparison, Scales: in.Scales}
	}))
	return find.(func() *bench.Instance)(), nil
}

func (c *comparison) sources() []Source {
	list := make([]Source, len(c.in.Sides))
	for k, side := range c.in.Sides {
		s := &list[k]
		s.Name = side.Name
		versions, cpus, labels, commits := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
		for _, u := range c.units {
			if r := u.rows[k]; r != nil {
				s.Units++
				versions[r.BinaryVersion], cpus[r.CPUModel] = true, true
				labels[words.Text(r.Label)], commits[words.Text(r.Commit)] = true, true
			}
		}
		delete(labels, "")
		delete(commits, "")
		s.Labels = summary.OrEmpty(slices.Sorted(maps.Keys(labels)))
		s.Commits = summary.OrEmpty(slices.Sorted(maps.Keys(commits)))
		s.BinaryVersions = summary.OrEmpty(slices.Sorted(maps.Keys(versions)))
		s.CPUModels = summary.OrEmpty(slices.Sorted(maps.Keys(cpus)))
	}
	return list
}

// warnings name differences between the sides that may explain a change.
func (c *comparison) warnings(r *Report) []string {
	ws := slices.Clone(c.set.Warnings)
	for _, side := range c.in.Sides {
		if side.LeftOut != "" {
			ws = append(ws, side.LeftOut)
		}
	}
	const (
		missing   = "instance files are not at hand; their values are compared by quotient where both are positive"
		elsewhere = "matched units ran on another kind of processor than before; their times are not compared"
		edited    = "matched units ran different versions of their command"
		redefined = "matched units have another reference, other waived constraints or another augmentation than before; their " +
			"values are not compared"
	)
	counts := map[string]int{missing: int(c.instances.missing.Load())}
	solvers := map[string]bool{}
	for _, a := range r.Algorithms {
		counts[elsewhere] += a.Time.Elsewhere
		counts[redefined] += a.Redefined
		for _, p := range a.pairs {
			if differ(p.base.CommandSHA256, p.head.CommandSHA256) {
				counts[edited]++
			}
			if b, h := p.base.SolverVersion, p.head.SolverVersion; differ(b, h) {
				name := cmp.Or(words.Text(p.head.Solver), "the solver")
				solvers[fmt.Sprintf("%s is %s in base and %s in head, which may explain changes", name, *b, *h)] = true
			}
		}
	}
	for _, what := range []string{missing, elsewhere, edited, redefined} {
		if n := counts[what]; n > 0 {
			ws = append(ws, fmt.Sprintf("%d %s", n, what))
		}
	}
	return append(ws, slices.Sorted(maps.Keys(solvers))...)
}

// differ reports whether two texts are there and differ.
func differ(b, h *string) bool { return words.Text(b) != "" && words.Text(h) != "" && *b != *h }

// worth is the objective of a checked solution, or the bound of a bounding algorithm; nil means none.
func worth(u *ratio.Unit) *float64 {
	if u.Kind != string(models.Bound) {
		return u.Value
	}
	if s := bench.Status(u.Status); s.Broken() || s == bench.Skipped || u.Bound == nil || !stats.IsFinite(*u.Bound) {
		return nil
	}
	return u.Bound
}
