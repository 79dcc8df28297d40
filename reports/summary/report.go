package summary

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
)

// A Report is everything that the tables say. But for Provenance it depends on nothing but the results.
type Report struct {
	Provenance     *Provenance           `json:"provenance"`
	Records        int                   `json:"records"`
	Contradictions []ratio.Contradiction `json:"contradictions"`
	Warnings       []string              `json:"warnings"`
	Problems       []*Problem            `json:"problems"`
	Simulations    []Simulation          `json:"simulations"`
	Environment    Environment           `json:"environment"`
}

// A Provenance says who wrote the report and when; it is the only part that differs between two reports on one result set.
type Provenance struct {
	GeneratedAt time.Time `json:"generated_at"`
	Version     string    `json:"version"`
}

// A Problem is the tables of one problem.
type Problem struct {
	Name       string      `json:"problem"`
	Title      string      `json:"title"`
	Sense      string      `json:"sense"`
	Instances  int         `json:"instances"`
	Units      int         `json:"units"`
	References []Reference `json:"references"`
	Outcomes   []Outcome   `json:"outcomes"`
	Failures   []CaseList  `json:"failures"`
	Ratios     []Ratios    `json:"ratios"`
	Pairs      []Pair      `json:"head_to_head"`
	Solvers    []Solver    `json:"solvers"`
	Worst      []CaseList  `json:"worst"`
	Figures    []Figure    `json:"figures"`

	Views []*View `json:"-"`
}

// A Figure is one plot of the report; its files are plots/NAME.svg, .png and .pdf.
type Figure struct {
	Name       string `json:"name"`
	Title      string `json:"title"`
	Caption    string `json:"caption"`
	Reference  string `json:"reference,omitempty"`
	Difference bool   `json:"difference,omitempty"`
	SVG        string `json:"-"` // for the page
}

// A Reference says how much is known of the optima of one class of solutions.
type Reference struct {
	Name      string `json:"reference"`
	Doc       string `json:"doc"`
	Within    string `json:"within,omitempty"`
	Proven    int    `json:"proven"`     // instances with a proven optimum
	Open      int    `json:"open"`       // a value and a bound that do not meet
	ValueOnly int    `json:"value_only"` // a value without a bound
	Unknown   int    `json:"unknown"`    // no value
	Untrusted int    `json:"untrusted"`  // contradicted or unreadable
}

// An Environment lists what the results were made with, each list sorted.
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
	MemoryLimits   []string `json:"memory_limits"`
}

// New makes the tables of a result set. The seed drives the bootstrap; the same seed gives the same numbers.
func New(set *ratio.Set, sim []bench.SimRecord, seed uint64) *Report {
	d := dice(seed)
	r := &Report{
		Contradictions: orEmpty(set.Contradictions), Warnings: orEmpty(slices.Clone(set.Warnings)), Problems: []*Problem{},
		Simulations: simulations(sim, d), Environment: environment(set),
	}
	for _, p := range set.Problems {
		of, list := variants(p)
		rp := &Problem{
			Name: p.Name, Title: p.Title, Sense: p.Sense.String(), Instances: len(p.Instances), Units: len(p.Units),
			References: references(p),
		}
		var g sync.WaitGroup // no table rests on another but for the views
		g.Go(func() { rp.Outcomes, rp.Failures = outcomes(p, of, list), failures(p, of, list) })
		g.Go(func() { rp.Pairs, rp.Solvers = pairs(p, of, list), solvers(p, d) })
		rp.Views = views(p, of, list)
		g.Wait()
		for _, v := range rp.Views {
			rp.Ratios = append(rp.Ratios, ratios(v, d)...)
			rp.Worst = append(rp.Worst, worst(v)...)
		}
		// In JSON an empty list is [], not null.
		rp.Failures, rp.Ratios, rp.Worst = orEmpty(rp.Failures), orEmpty(rp.Ratios), orEmpty(rp.Worst)
		rp.Pairs, rp.Solvers, rp.Figures = orEmpty(rp.Pairs), orEmpty(rp.Solvers), orEmpty(rp.Figures)
		r.Records += rp.Units
		r.Problems = append(r.Problems, rp)
	}
	e := &r.Environment
	for what, values := range map[string][]string{"CPU models": e.CPUs, "versions of the binary": e.BinaryVersions} {
		if n := len(values); n > 1 {
			r.Warnings = append(r.Warnings, fmt.Sprintf("times come from %d %s and are comparable only with care", n, what))
		}
	}
	slices.Sort(r.Warnings)
	return r
}

func orEmpty[T any](xs []T) []T {
	if xs == nil {
		return []T{}
	}
	return xs
}

func references(p *ratio.Problem) []Reference {
	var out []Reference
	for _, name := range p.Reported {
		i := slices.IndexFunc(p.References, func(r models.Reference) bool { return r.Name == name })
		ref := Reference{Name: name, Doc: p.References[i].Doc, Within: p.References[i].Within}
		for _, in := range p.Instances {
			switch best := in.Best[name]; {
			case in.Trouble != "":
				ref.Untrusted++
			case best.Proven:
				ref.Proven++
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

func environment(set *ratio.Set) Environment {
	var e Environment
	runs := map[string]bool{}
	lists := []struct {
		to  *[]string
		set map[string]bool
		of  func(r *bench.Record) string
	}{
		{&e.Suites, map[string]bool{}, func(r *bench.Record) string { return r.Suite }},
		{&e.Hosts, map[string]bool{}, func(r *bench.Record) string { return r.Host }},
		{&e.CPUs, map[string]bool{}, func(r *bench.Record) string { return r.CPUModel }},
		{&e.GoVersions, map[string]bool{}, func(r *bench.Record) string { return r.GoVersion }},
		{&e.BinaryVersions, map[string]bool{}, func(r *bench.Record) string { return r.BinaryVersion }},
		{&e.TimeLimits, map[string]bool{}, func(r *bench.Record) string { return limit(r) }},
		{&e.MemoryLimits, map[string]bool{}, func(r *bench.Record) string { return memoryLimit(r) }},
	}
	var first, last time.Time
	for _, p := range set.Problems {
		for _, u := range p.Units {
			runs[u.RunID] = true
			if at := u.StartedAt; !at.IsZero() {
				if first.IsZero() || at.Before(first) {
					first = at
				}
				if at.After(last) {
					last = at
				}
			}
			for _, l := range lists {
				l.set[l.of(u.Record)] = true
			}
		}
	}
	for _, l := range lists {
		delete(l.set, "")
		*l.to = orEmpty(slices.Sorted(maps.Keys(l.set)))
	}
	e.Runs = len(runs)
	if !first.IsZero() {
		e.First, e.Last = first.UTC().Format(time.RFC3339), last.UTC().Format(time.RFC3339)
	}
	return e
}
