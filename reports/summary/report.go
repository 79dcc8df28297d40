package summary

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
)

// A Report is everything that the tables say. Apart from Provenance it depends on the results only.
type Report struct {
	Provenance     *Provenance           `json:"provenance"`
	WhatIf         string                `json:"what_if,omitempty"` // why these are not the results as they were run
	Records        int                   `json:"records"`
	Headlines      []Headline            `json:"headlines"`
	Contradictions []ratio.Contradiction `json:"contradictions"`
	Warnings       []string              `json:"warnings"`
	Problems       []*Problem            `json:"problems"`
	Simulations    []Simulation          `json:"simulations"`
	// SimulationFigures draw Simulations.
	SimulationFigures []Figure    `json:"simulation_figures"`
	Environment       Environment `json:"environment"`
	Seed              uint64      `json:"-"` // of the bootstrap
}

// A Provenance says who wrote the report and when; it is the only part that differs between two reports on one result set.
type Provenance struct {
	GeneratedAt time.Time `json:"generated_at"`
	Version     string    `json:"version"`
}

// A Problem is the tables of one problem.
type Problem struct {
	Name      string `json:"problem"`
	Title     string `json:"title"`
	Sense     string `json:"sense"`
	Objective string `json:"objective"`           // what values measure, such as weighted tardiness
	ScaleDoc  string `json:"scale_doc,omitempty"` // what regrets are measured in
	Instances int    `json:"instances"`
	Units     int    `json:"units"`
	// Benchmark is the release of the library whose set benchmark the instances are; empty: they are not.
	Benchmark  string      `json:"benchmark,omitempty"`
	References []Reference `json:"references"`
	Outcomes   []Outcome   `json:"outcomes"`
	Failures   []*CaseList `json:"failures"`
	Reasons    []Reason    `json:"failure_reasons"`
	Others     int         `json:"other_failures"` // units whose reason is not in Reasons
	Ratios     []Ratios    `json:"ratios"`
	BySuite    []Ratios    `json:"by_suite"` // as Ratios, where the instances are of several suites
	// ByObjective is as Ratios, where values measure several things.
	ByObjective []Ratios      `json:"by_objective"`
	Pairs       []Pair        `json:"head_to_head"`
	Levels      []Levels      `json:"factor_levels"`
	Same        []Same        `json:"never_differ"`
	Solvers     []Solver      `json:"solvers"`
	Variability []Variability `json:"variability"` // of MILP solvers over their seeds
	Scaling     []Scaling     `json:"scaling"`     // of exact methods with models, over families of instances
	Worst       []CaseList    `json:"worst"`
	Figures     []Figure      `json:"figures"`
	// Prices say what restrictions cost, NotKnowing what it costs to decide without works and durations.
	Prices     []Price `json:"prices"`
	NotKnowing []Blind `json:"not_knowing"`
	// WorstCases are instances that a search found to be bad for an algorithm.
	WorstCases []WorstCase `json:"worst_cases"`
	// Published are the optima of the literature, beside those of these results.
	Published []Published `json:"published"`
	// OverTime are the algorithms whose values before their ends are known, see Report.Over.
	OverTime []Anytime `json:"over_time"`
	// Formulations are the models by MILP solvers beside the heuristics, see Report.Over.
	Formulations []Formulation `json:"formulations"`

	Pooled bool            `json:"-"` // of a report on a command: tables and figures are about all instances, by no family
	Yours  string          `json:"-"` // the command that the report is on, see Report.Mine; empty: none
	Views  []*View         `json:"-"`
	Styles map[Variant]int `json:"-"` // for figures, see Styles
}

// A Figure is one plot of the report; its files are plots/NAME.svg, .png and .pdf.
type Figure struct {
	Name      string `json:"name"`
	Title     string `json:"title"`
	Caption   string `json:"caption"`
	Reference string `json:"reference,omitempty"`
	Regret    bool   `json:"difference,omitempty"`
	OverTime  bool   `json:"over_time,omitempty"` // it draws Problem.OverTime
	// By is family or suite, and Part the name of the one whose instances the figure shows; empty means all.
	Strip bool   `json:"strip,omitempty"` // a row of dots an algorithm, with which the page begins
	By    string `json:"by,omitempty"`
	Part  string `json:"part,omitempty"`
	SVG   string `json:"-"` // for the page
}

// A Reference says how much is known of the optima of one class of solutions.
type Reference struct {
	Name      string `json:"reference"`
	Doc       string `json:"doc"`
	Within    string `json:"within,omitempty"`
	Proven    int    `json:"proven"`     // instances with a proven optimum
	Verified  int    `json:"verified"`   // of these, those with a proof of it that schedgap verify accepts
	Open      int    `json:"open"`       // a value and a bound that do not meet
	ValueOnly int    `json:"value_only"` // a value without a bound
	Unknown   int    `json:"unknown"`    // no value
	Untrusted int    `json:"untrusted"`  // contradicted or unreadable
	// Easy are the instances on which several heuristics are optimal and the first bound is met, see Easy.
	Easy int `json:"easy"`
}

// An Environment lists hosts, versions and limits of the results, each list sorted, and the assumptions of the report.
type Environment struct {
	Runs           int      `json:"runs"`
	First          string   `json:"first_started_at"`
	Last           string   `json:"last_started_at"`
	Suites         []string `json:"suites"`
	Hosts          []string `json:"hosts"`
	CPUs           []string `json:"cpu_models"`
	GoVersions     []string `json:"go_versions"`
	BinaryVersions []string `json:"binary_versions"`
	TimeLimits     []string `json:"time_limits"`
	CPULimits      []string `json:"cpu_limits"`
	MemoryLimits   []string `json:"memory_limits"`
	// InstancesSHA256 is the hash of the set of instances: of their files' hashes, sorted, each with a line feed behind it.
	InstancesSHA256 string     `json:"instances_sha256"`
	Tolerances      Tolerances `json:"tolerances"`
	Limitations     []string   `json:"limitations"`
}

// Tolerances apply when values are compared: two are equal if they differ by no more than Relative of the larger one, beside
// what models.Accuracy grants to values near 0 and to rounding. A value that is further beyond a proven bound is a contradiction.
type Tolerances struct {
	Relative float64 `json:"relative"`
}

// limitations hold for every report.
var limitations = []string{
	"A proof of optimality or of a bound is its solver's: values are recomputed and may contradict it, but the proof is repeated " +
		"only where it is said to be verified (run --proofs).",
	"Where an optimum is not proven, the high end of a ratio is as far from the truth as the best proven bound.",
	"Wall times of units that ran beside others on one machine include what these took from them.",
	"Means speak of the instances in this result set and of no others.",
}

// New makes the tables of a result set. The seed drives the bootstrap; the same seed gives the same numbers.
func New(set *ratio.Set, sim []bench.SimRecord, seed uint64) *Report {
	b := Bootstrap(seed)
	r := &Report{
		Contradictions: OrEmpty(set.Contradictions), Warnings: OrEmpty(slices.Clone(set.Warnings)), Problems: []*Problem{},
		Simulations: simulations(sim, b), SimulationFigures: []Figure{}, Seed: seed, Environment: environment(set),
	}
	for _, p := range set.Problems {
		of, list := FindVariants(p)
		rp := &Problem{
			Name: p.Name, Title: p.Title, Sense: p.Sense.String(), Instances: len(p.Instances), Units: len(p.Units),
			Benchmark: benchmark(p), Objective: objective(p.Instances), ScaleDoc: p.ScaleDoc,
			References: references(p), Styles: Styles(p, of, list), WorstCases: worstCases(p), Published: published(p),
			OverTime: []Anytime{}, Formulations: []Formulation{},
		}
		var g sync.WaitGroup // no table rests on another, except the views
		g.Go(func() { rp.Outcomes, rp.Failures = outcomes(p, of, list), failures(p, of, list) })
		g.Go(func() { rp.Reasons, rp.Others = reasons(p, of) })
		g.Go(func() { rp.Pairs, rp.Solvers = pairs(p, of, list, b), solvers(p, b) })
		g.Go(func() { rp.Levels, rp.Same = Effects(p) })
		rp.Views = views(p, of, list)
		g.Wait()
		rp.Variability, rp.Scaling = variabilities(rp.Solvers), scalings(rp.Solvers)
		rp.Prices, rp.NotKnowing = prices(p, rp.Views, b), []Blind{}
		for _, v := range rp.Views {
			rp.Ratios = append(rp.Ratios, ratios(v, v.Classes(), b)...)
			rp.BySuite = append(rp.BySuite, ratios(v, v.Suites(), b)...)
			rp.ByObjective = append(rp.ByObjective, ratios(v, v.Objectives(), b)...)
			rp.Worst = append(rp.Worst, worst(v)...)
		}
		for _, v := range rp.Views {
			if v.Reference == p.Reported[0] {
				rp.NotKnowing = append(rp.NotKnowing, v.blind(rp.Rows(v.Reference, v.Regret, func(*Ratios) bool { return true }), b)...)
			}
		}
		rp.Failures, rp.Ratios, rp.Worst = OrEmpty(rp.Failures), OrEmpty(rp.Ratios), OrEmpty(rp.Worst)
		rp.Reasons, rp.BySuite, rp.ByObjective = OrEmpty(rp.Reasons), OrEmpty(rp.BySuite), OrEmpty(rp.ByObjective)
		rp.Levels, rp.Same = OrEmpty(rp.Levels), OrEmpty(rp.Same)
		rp.Pairs, rp.Solvers, rp.Figures = OrEmpty(rp.Pairs), OrEmpty(rp.Solvers), OrEmpty(rp.Figures)
		r.Records += rp.Units
		r.Problems = append(r.Problems, rp)
	}
	e := &r.Environment
	for what, values := range map[string][]string{"CPU models": e.CPUs, "versions of the binary": e.BinaryVersions} {
		if n := len(values); n > 1 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("times come from %d %s and are comparable only with care", n, what))
		}
	}
	for _, p := range r.Problems {
		for _, row := range p.Published {
			if row.Differs {
				r.Warnings = append(r.Warnings, fmt.Sprintf("%s: the published optimum %v cannot be right beside the value %v and the bound %v",
					row.Instance, row.Value, row.Best, row.Bound))
			}
		}
	}
	r.Warnings = append(r.Warnings, doubts(r.Simulations)...)
	slices.Sort(r.Warnings)
	r.Headlines = headlines(r)
	return r
}

// OrEmpty is a list that JSON writes as [], not as null, where there is nothing in it.
func OrEmpty[T any](xs []T) []T {
	if xs == nil {
		return []T{}
	}
	return xs
}

// benchmark is the release of the library's benchmark that all instances come from; empty: they do not.
func benchmark(p *ratio.Problem) string {
	release := ""
	for _, in := range p.Instances {
		of, is := strings.CutPrefix(in.Source, "library:benchmark@")
		if !is || release != "" && of != release {
			return ""
		}
		release = of
	}
	return release
}

func references(p *ratio.Problem) []Reference {
	var out []Reference
	for _, name := range p.Classes {
		i := slices.IndexFunc(p.References, func(r models.Reference) bool { return r.Name == name })
		ref := Reference{Name: name, Doc: p.References[i].Doc, Within: p.References[i].Within}
		for _, in := range p.Instances {
			if Easy(p, in, name) {
				ref.Easy++
			}
			switch best := in.Best(name); {
			case in.Trouble != "":
				ref.Untrusted++
			case best.Proven:
				ref.Proven++
				if in.Verified(name) {
					ref.Verified++
				}
			case best.Value == nil:
				ref.Unknown++
			case best.Bound == nil:
				ref.ValueOnly++
			default:
				ref.Open++
			}
		}
		out = append(out, ref)
	}
	return out
}

// Easy reports whether an instance tells nothing apart: two heuristics or more have its optimum, and the first bound is the
// optimum. That is the one of the first bounding algorithm, in the problem's order, that was run on it; without any, an exact
// method proved it at the root.
func Easy(p *ratio.Problem, in *ratio.Instance, reference string) bool {
	best := in.Best(reference)
	if in.Trouble != "" || !best.Proven {
		return false
	}
	optimal := map[string]bool{}
	first, met := len(p.Algorithms), false
	for _, u := range in.Units {
		bound := u.Proven(reference)
		tight := bound != nil && in.Equal(*bound, *best.Value)
		switch v := (Variant{Kind: u.Kind, Mark: u.WhyNot}); {
		case v.Contender() && u.Value != nil && in.Optimal(*u.Value, *best.Value) && u.Solves(reference):
			optimal[u.Algorithm] = true
		case u.Kind == string(models.Bound):
			i := slices.IndexFunc(p.Algorithms, func(a bench.Algorithm) bool { return a.Name == u.Algorithm })
			if i >= 0 && i < first && bound != nil {
				first, met = i, tight
			}
		case first == len(p.Algorithms) && tight && u.Nodes != nil && *u.Nodes <= 1:
			met = true
		}
	}
	return met && len(optimal) >= 2
}

func environment(set *ratio.Set) Environment {
	setups, hashes := map[*ratio.Setup]bool{}, []string{}
	var first, last time.Time
	for _, p := range set.Problems {
		for _, u := range p.Units {
			setups[u.Setup] = true
			if at := u.StartedAt; !at.IsZero() && (first.IsZero() || at.Before(first)) {
				first = at
			}
			if u.StartedAt.After(last) {
				last = u.StartedAt
			}
		}
		for _, in := range p.Instances {
			hashes = append(hashes, in.SHA256+"\n")
		}
	}
	slices.Sort(hashes)
	list := slices.Collect(maps.Keys(setups))
	e := Environment{
		Runs:            len(distinct(list, func(s *ratio.Setup) string { return "run " + s.RunID })),
		InstancesSHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(slices.Compact(hashes), "")))),
		Suites:          distinct(list, func(s *ratio.Setup) string { return s.Suite }),
		Hosts:           distinct(list, func(s *ratio.Setup) string { return s.Host }),
		CPUs:            distinct(list, func(s *ratio.Setup) string { return s.CPUModel }),
		GoVersions:      distinct(list, func(s *ratio.Setup) string { return s.GoVersion }),
		BinaryVersions:  distinct(list, func(s *ratio.Setup) string { return s.BinaryVersion }),
		TimeLimits:      distinct(list, timeLimit), CPULimits: distinct(list, cpuLimit), MemoryLimits: distinct(list, memoryLimit),
		Tolerances: Tolerances{ratio.Same}, Limitations: limitations,
	}
	if !first.IsZero() {
		e.First, e.Last = first.UTC().Format(time.RFC3339), last.UTC().Format(time.RFC3339)
	}
	return e
}

// distinct are the texts that a list's members have, sorted, without the empty one.
func distinct[T any](list []T, of func(T) string) []string {
	known := map[string]bool{}
	for _, x := range list {
		known[of(x)] = true
	}
	delete(known, "")
	return OrEmpty(slices.Sorted(maps.Keys(known)))
}
