// Package compare says what changed between two result sets, unit by unit: solutions and proofs that were lost, ratios that
// grew, runs that take longer. Units match by their identity, which the program's version is no part of, so that two versions
// meet on equal terms. It is the gate of continuous integration: Report.Regressions is empty or the build fails.
//
// Both sets are compared with the same best values and bounds, those of the two together, so a change of an algorithm's ratio
// to an optimum is the change of its objective, whether the optimum is proven or not.
package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"schedgap/bench"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// A Side is one of the two result sets.
type Side struct {
	Name    string // for the reader, such as its path
	Records []ratio.Record
	// Speed is the median time of the machine's reference unit during the runs, in seconds; 0: not measured.
	Speed float64
}

// An Input is what a comparison is made of.
type Input struct {
	Base, Head Side
	Problems   []*bench.Problem // all that records may name
	// Instance finds an instance by the hash of its file. Those that cannot be found count as compared by quotient, which a
	// warning says.
	Instance func(sha256 string) (*bench.Instance, error)
	Gates    Gates
	Seed     uint64 // of the bootstrap
	// Again are further runs of the same units by both sides, in turns. They count for times alone.
	Again []Round
}

// A Round is a run of some units by base and, right after it or before it, by head.
type Round struct{ Base, Head Side }

// byUnit are the records of base and head in each of the rounds, by unit; nil: a round has none.
func byUnit(rounds []Round) map[string][][2]*ratio.Record {
	units := map[string][][2]*ratio.Record{}
	for k, r := range rounds {
		for side, records := range [][]ratio.Record{r.Base.Records, r.Head.Records} {
			for i := range records {
				id := records[i].UnitID
				if units[id] == nil {
					units[id] = make([][2]*ratio.Record, len(rounds))
				}
				units[id][k][side] = &records[i]
			}
		}
	}
	return units
}

// A Report is the outcome of a comparison. It depends on nothing but the input, whatever the order of the records.
type Report struct {
	Regressions []Regression `json:"regressions"` // of the gates that are on; empty: passed
	Gates       Gates        `json:"gates"`
	Base        Source       `json:"base"`
	Head        Source       `json:"head"`
	Matched     int          `json:"matched_units"`
	BaseOnly    []Unmatched  `json:"base_only"` // units without a counterpart, by problem and algorithm
	HeadOnly    []Unmatched  `json:"head_only"`

	Contradictions []Contradiction `json:"contradictions"`
	Findings       []Finding       `json:"findings"`
	Improvements   []Improvement   `json:"improvements"`
	Below          []Improvement   `json:"below_threshold"` // certainly worse, though no gate of values says so
	Algorithms     []Algorithm     `json:"algorithms"`
	Warnings       []string        `json:"warnings"`
}

// A Source describes a side.
type Source struct {
	Name           string         `json:"name"`
	Units          int            `json:"units"`
	BinaryVersions []string       `json:"binary_versions"`
	CPUModels      []string       `json:"cpu_models"`
	SpeedSeconds   summary.Number `json:"reference_unit_seconds"`
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

// New compares. Errors: a record of a problem that in does not have, and sets that have no unit in common, since a gate that
// compares nothing must not pass.
func New(ctx context.Context, in Input) (*Report, error) {
	instances := &lookup{find: in.Instance}
	var sets [2]*ratio.Set
	for i, side := range []Side{in.Base, in.Head} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		sets[i], err = ratio.New(ratio.Input{Records: side.Records, Problems: in.Problems, Instance: instances.get, Pool: true})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", side.Name, err)
		}
	}
	pooled := slices.Concat(prefixed(sets[0], sideBase), prefixed(sets[1], sideHead))
	both, err := ratio.New(ratio.Input{Records: pooled, Problems: in.Problems, Instance: instances.get, Pool: true})
	if err != nil {
		return nil, err
	}
	m := match(both, labels(sets[1]), labels(sets[0]))
	if m.matched == 0 {
		return nil, errors.New("the two result sets have no unit in common; units match if problem, instance, algorithm, " +
			"parameters, solver, model, seed, threads and limits are equal")
	}
	r := &Report{
		Gates: in.Gates, Matched: m.matched, Algorithms: m.algorithms,
		BaseOnly: summary.OrEmpty(m.baseOnly), HeadOnly: summary.OrEmpty(m.headOnly),
		Base: source(in.Base, sets[0]), Head: source(in.Head, sets[1]), Contradictions: summary.OrEmpty(contradictions(sets[0], both)),
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	slow, again := slower(in.Base.Speed, in.Head.Speed), byUnit(in.Again)
	for i := range r.Algorithms {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			a := &r.Algorithms[i]
			a.count()
			a.Quality = quality(a, dice(in.Seed, "quality", a))
			a.Time = times(a.pairs, again, slow, dice(in.Seed, "time", a))
			a.Time.Rounds, a.Time.Verdict = 1+len(in.Again), a.Time.verdict(in.Gates.threshold())
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	adjust(r.Algorithms)
	for _, a := range r.Algorithms {
		r.Findings = append(r.Findings, findings(&a)...)
	}
	r.Findings = summary.OrEmpty(r.Findings)
	r.Improvements = summary.OrEmpty(improvements(r))
	r.Warnings = summary.OrEmpty(warnings(r, sets, instances.missing.Load()))
	r.Regressions = summary.OrEmpty(in.Gates.judge(r))
	r.Below = summary.OrEmpty(belowThreshold(r))
	return r, nil
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

func source(side Side, set *ratio.Set) Source {
	s := Source{Name: side.Name, SpeedSeconds: summary.Number(side.Speed)}
	if side.Speed <= 0 {
		s.SpeedSeconds = summary.Missing
	}
	versions, cpus := map[string]bool{}, map[string]bool{}
	for _, p := range set.Problems {
		s.Units += len(p.Units)
		for _, u := range p.Units {
			versions[u.BinaryVersion], cpus[u.CPUModel] = true, true
		}
	}
	s.BinaryVersions = summary.OrEmpty(slices.Sorted(maps.Keys(versions)))
	s.CPUModels = summary.OrEmpty(slices.Sorted(maps.Keys(cpus)))
	return s
}

// warnings are what a reader must know before believing the numbers.
func warnings(r *Report, sets [2]*ratio.Set, missing int64) []string {
	var ws []string
	say := func(when bool, format string, args ...any) {
		if when {
			ws = append(ws, fmt.Sprintf(format, args...))
		}
	}
	for i, side := range []string{"base", "head"} {
		for _, w := range sets[i].Warnings {
			ws = append(ws, side+": "+w)
		}
	}
	say(missing > 0, "%d instance files are not at hand; their values are compared by quotient where both are positive", missing)
	const (
		elsewhere = "ran on another kind of processor than before; their times are not compared"
		edited    = "ran different versions of their command"
		redefined = "have another reference, other waived constraints or another augmentation than before; their values are not " +
			"compared"
	)
	counts := map[string]int{} // of matched units
	solvers := map[string]bool{}
	differ := func(b, h *string) bool { return words.Text(b) != "" && words.Text(h) != "" && *b != *h }
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
	for what, n := range counts {
		say(n > 0, "%d matched units %s", n, what)
	}
	slow := slower(float64(r.Base.SpeedSeconds), float64(r.Head.SpeedSeconds))
	say(slow > speedTolerance, "the machine itself was slower by %.0f %% in head (reference unit); the gate of times allows for it",
		100*(slow-1))
	slices.Sort(ws)
	return append(ws, slices.Sorted(maps.Keys(solvers))...)
}

// dice is a generator for one table, so that no table's numbers depend on which others are made.
func dice(seed uint64, table string, a *Algorithm) *rand.Rand {
	h := fnv.New64a()
	for _, k := range []string{table, a.Problem, a.Algorithm} {
		h.Write([]byte(k)) // never fails
		h.Write([]byte{0})
	}
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
