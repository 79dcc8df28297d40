package page

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// A header is what the page's script knows besides the columns.
type header struct {
	Problems       []*problemData    `json:"problems"`
	Simulations    []simulation      `json:"simulations"`
	Telling        map[string]string `json:"telling"` // the metric that stands for the simulations of a problem
	Seed           string            `json:"seed"`    // of the resamples; text, since a script's numbers have 53 bits
	Contradictions []string          `json:"contradictions"`
	Warnings       []string          `json:"warnings"`
	Links          string            `json:"links"` // to the folder of instances; empty: none
}

// A problemData is one problem's results without the values of its columns, which follow the header in its order. Ratios are
// not among them: the script divides, by the rules of package ratio.
type problemData struct {
	Name       string              `json:"name"`
	Title      string              `json:"title"`
	Sense      string              `json:"sense"`
	References []reference         `json:"references"` // those of the views, the default one first
	Views      []*summary.View     `json:"views"`
	Variants   []variant           `json:"variants"`  // in the order of tables
	Instances  []string            `json:"instances"` // names
	Hashes     []string            `json:"hashes"`    // their SHA-256
	Features   []feature           `json:"features"`
	Words      map[string][]string `json:"words"`   // of the index columns, by name
	Related    map[string][]string `json:"related"` // the classes and references that each class is compared with
	Charts     []chart             `json:"charts"`
	Worst      *Table              `json:"worst,omitempty"` // nil: no instance was found by a search
	Columns    []array             `json:"columns"`
}

type reference struct {
	Name   string `json:"name"`
	Doc    string `json:"doc"`
	Within string `json:"within"`
}

type variant struct {
	summary.Variant
	AtHome bool   `json:"at_home"` // what its mark waives, its class waives by definition
	Class  string `json:"class"`
	Proof  string `json:"proof"` // what is proven of its ratio; empty: nothing
	Style  int    `json:"style"` // for plots, see summary.Problem
}

// A simulation has its names in words, too.
type simulation struct {
	summary.Simulation
	Words   string `json:"words"`   // the metric
	Name    string `json:"name"`    // the policy with its parameters
	Varying string `json:"varying"` // parameters in which simulations differ
	Fixed   string `json:"fixed"`   // those in which they do not
}

// A feature is a property of instances; Words is nil for a number.
type feature struct {
	Name  string   `json:"name"`
	Label string   `json:"label"`
	Share bool     `json:"share"` // to be written in percent
	Words []string `json:"words"`
}

// A chart is the drawing of one unit's solution: lane, label, start, end, amount, job, amount below and whether it is a clone, of
// every bar.
type chart struct {
	Unit   int      `json:"unit"`
	Axis   string   `json:"axis"`
	Height float64  `json:"height"` // that a lane needs, as of models.Stack
	Levels int      `json:"levels"`
	Bars   [][8]any `json:"bars"`
}

// data packs everything that the page's script computes with.
func data(r *summary.Report, o Options) (string, error) {
	h := header{
		Problems: []*problemData{}, Simulations: []simulation{}, Contradictions: []string{}, Warnings: r.Warnings, Links: o.Links,
		Telling: map[string]string{}, Seed: strconv.FormatUint(r.Seed, 10),
	}
	for _, s := range r.Simulations {
		h.Simulations = append(h.Simulations, simulation{s, summary.Words(s.Metric), s.Name(), s.Varying(), s.Fixed()})
		h.Telling[s.Problem] = r.Telling(s.Problem).Metric
	}
	for _, c := range r.Contradictions {
		h.Contradictions = append(h.Contradictions, c.String())
	}
	var columns []array
	for _, p := range r.Problems {
		b := &builder{problem: p, words: map[string]*dictionary{}}
		d := b.build(o.Charts)
		d.Columns = b.columns
		h.Problems, columns = append(h.Problems, d), append(columns, b.columns...)
	}
	return pack(h, columns)
}

// A builder makes the columns of one problem.
type builder struct {
	problem *summary.Problem
	of      summary.Variants
	words   map[string]*dictionary
	columns []array
}

func (b *builder) build(charts map[*ratio.Unit]models.Chart) *problemData {
	p, results := b.problem, b.problem.Views[0].Problem
	b.of, _ = summary.FindVariants(results)
	d := &problemData{
		Name: p.Name, Title: p.Title, Sense: p.Sense, Views: p.Views, Words: map[string][]string{}, Features: []feature{},
		Charts: []chart{},
	}
	if t := WorstCases(p); len(t.Rows) > 0 {
		d.Worst = &t
	}
	for _, r := range p.References {
		d.References = append(d.References, reference{r.Name, r.Doc, r.Within})
	}
	variants := map[summary.Variant]int{}
	for i, o := range p.Outcomes {
		variants[o.Variant] = i
		d.Variants = append(d.Variants, variant{Variant: o.Variant, Style: p.Styles[o.Variant]})
	}
	b.instances(d, results)
	b.units(d, results, variants)
	d.relate(results)
	for name, w := range b.words {
		d.Words[name] = w.Words
	}
	for i, u := range results.Units {
		c, ok := charts[u]
		if !ok {
			continue
		}
		stack := c.Stack()
		drawn := chart{Unit: i, Axis: c.Axis, Height: stack.Height, Levels: stack.Levels, Bars: [][8]any{}}
		for k, bar := range c.Bars {
			drawn.Bars = append(drawn.Bars, [8]any{
				bar.Lane, bar.Label, bar.Start, bar.End, bar.Amount, bar.Job, stack.Below[k],
				bar.Clone,
			})
		}
		d.Charts = append(d.Charts, drawn)
	}
	return d
}

func (b *builder) floats(name string, n int, at func(i int) float64) {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = at(i)
	}
	b.columns = append(b.columns, floats(name, xs))
}

func (b *builder) indices(name string, n int, at func(i int) int) {
	xs := make([]int, n)
	for i := range xs {
		xs[i] = at(i)
	}
	b.columns = append(b.columns, indices(name, xs))
}

// flags is a column of 1 for true and 0.
func (b *builder) flags(name string, n int, at func(i int) bool) {
	b.indices(name, n, func(i int) int { return map[bool]int{true: 1}[at(i)] })
}

// named is a column of words, whose list is in the header.
func (b *builder) named(name string, n int, at func(i int) string) {
	b.indices(name, n, func(i int) int { return b.word(name, at(i)) })
}

// word is the position of a word in the list of a column.
func (b *builder) word(column, word string) int {
	if b.words[column] == nil {
		b.words[column] = &dictionary{Words: []string{}}
	}
	return b.words[column].index(word)
}

// setups is a column of what follows from the units' setups, which is asked once for each.
func (b *builder) setups(name string, p *ratio.Problem, of func(s *ratio.Setup) int) {
	known := map[*ratio.Setup]int{}
	b.indices(name, len(p.Units), func(i int) int {
		s := p.Units[i].Setup
		k, ok := known[s]
		if !ok {
			k = of(s)
			known[s] = k
		}
		return k
	})
}

func (b *builder) instances(d *problemData, p *ratio.Problem) {
	n := len(p.Instances)
	in := func(i int) *ratio.Instance { return p.Instances[i] }
	for _, inst := range p.Instances {
		d.Instances, d.Hashes = append(d.Instances, inst.Name), append(d.Hashes, inst.SHA256)
	}
	b.named("source", n, func(i int) string { return in(i).Source })
	b.named("metric", n, func(i int) string { return in(i).Metric() })
	for _, stratum := range p.Strata {
		b.word("stratum", stratum) // in their order
	}
	b.named("stratum", n, func(i int) string { return in(i).Stratum })
	b.named("trouble", n, func(i int) string { return in(i).Trouble })
	b.named("comparison", n, func(i int) string { return in(i).Comparison.String() })
	b.floats("rounding", n, func(i int) float64 { return in(i).Rounding })
	b.floats("n_jobs", n, func(i int) float64 { return in(i).Jobs() })
	for _, ref := range d.References {
		b.floats("value:"+ref.Name, n, func(i int) float64 { return stats.Value(in(i).Best(ref.Name).Value) })
		b.floats("scale:"+ref.Name, n, func(i int) float64 { return in(i).Scale(ref.Name) })
		b.flags("easy:"+ref.Name, n, func(i int) bool { return summary.Easy(p, in(i), ref.Name) })
		b.floats("bound:"+ref.Name, n, func(i int) float64 {
			if in(i).Best(ref.Name).Proven {
				return math.NaN() // the value
			}
			return stats.Value(in(i).Best(ref.Name).Bound)
		})
		b.flags("proven:"+ref.Name, n, func(i int) bool { return in(i).Best(ref.Name).Proven })
	}
	b.features(d, p)
}

func (b *builder) features(d *problemData, p *ratio.Problem) {
	numeric := p.Axes()
	for _, name := range slices.Sorted(maps.Keys(numeric)) {
		f := feature{Name: name, Label: summary.Words(name), Share: summary.IsShare(name)}
		if numeric[name] {
			b.floats("feature:"+name, len(p.Instances), func(i int) float64 { return p.Instances[i].Number(name) })
		} else {
			dict := &dictionary{Words: []string{""}}
			b.indices("feature:"+name, len(p.Instances), func(i int) int { return dict.index(p.Instances[i].Word(name)) })
			f.Words = dict.Words
		}
		d.Features = append(d.Features, f)
	}
}

func (b *builder) units(d *problemData, p *ratio.Problem, variants map[summary.Variant]int) {
	n := len(p.Units)
	at := func(i int) *ratio.Unit { return p.Units[i] }
	b.indices("instance", n, func(i int) int { return at(i).In.Index })
	b.setups("variant", p, func(s *ratio.Setup) int { return variants[*b.of[s]] })
	b.floats("seed", n, func(i int) float64 { return float64(at(i).Seed) })
	b.floats("value", n, func(i int) float64 { return stats.Value(at(i).Value) })
	b.floats("bound", n, func(i int) float64 {
		if u := at(i); u.Status != string(bench.Optimal) || u.Value == nil || u.Bound == nil || *u.Bound != *u.Value {
			return stats.Value(u.Bound)
		}
		return math.NaN() // the value
	})
	b.floats("seconds", n, func(i int) float64 { return stats.Value(at(i).WallSeconds) })
	b.floats("limit", n, func(i int) float64 { return stats.Value(at(i).TimeLimitSeconds) })
	b.floats("augmentation", n, func(i int) float64 { return at(i).Augmentation })
	times := map[*ratio.Unit]summary.InstanceTime{}
	for i := range b.problem.Solvers {
		for _, t := range b.problem.Solvers[i].Times {
			times[t.Unit] = t
		}
	}
	b.floats("first", n, func(i int) float64 { return times[at(i)].First })
	b.floats("gap", n, func(i int) float64 { return times[at(i)].Gap })
	b.floats("nodes", n, func(i int) float64 { return stats.Value(at(i).Nodes) })
	b.floats("columns", n, func(i int) float64 { return stats.Value(at(i).Columns) })
	b.floats("rows", n, func(i int) float64 { return stats.Value(at(i).Rows) })
	b.floats("memory", n, func(i int) float64 { return stats.Value(at(i).PeakRSSBytes) })
	for _, c := range []struct {
		name string
		of   func(s *ratio.Setup) string
	}{
		{"algorithm", func(s *ratio.Setup) string { return s.Algorithm }},
		{"status", func(s *ratio.Setup) string { return s.Status }},
		{"suite", func(s *ratio.Setup) string { return s.Suite }},
		{"solver", func(s *ratio.Setup) string { return words.Text(s.Solver) }},
		{"version", func(s *ratio.Setup) string { return words.Text(s.SolverVersion) }},
		{"model", func(s *ratio.Setup) string { return words.Text(s.Model) }},
	} {
		b.setups(c.name, p, func(s *ratio.Setup) int { return b.word(c.name, c.of(s)) })
	}
	solves := map[*ratio.Standing]int{}
	b.indices("solves", n, func(i int) int { // bits: the references whose solutions the unit makes
		s := at(i).Standing
		bits, ok := solves[s]
		if !ok {
			for k, r := range d.References {
				if s.Solves(r.Name) {
					bits |= 1 << k
				}
			}
			solves[s] = bits
		}
		return bits
	})
	b.named("error", n, func(i int) string { return words.Text(at(i).Error) })
	b.setups("command", p, func(s *ratio.Setup) int { return b.word("command", command(s)) })
	b.proofs(d, p, variants)
}

// The places that the script fills in to make a command of its pattern.
const (
	instancePlace = "INSTANCE"
	hashPlace     = "SHA256"
)

// command is a unit's command line with places for what differs from instance to instance and from seed to seed: the seed is
// the last word of a pattern that has one and is left out.
func command(s *ratio.Setup) string {
	at := &ratio.Place{Instance: instancePlace, InstanceSHA256: hashPlace}
	return strings.TrimSuffix(summary.Command(&ratio.Record{Place: at, Setup: s}), "0")
}

// relate lists what may be compared with what.
func (d *problemData) relate(p *ratio.Problem) {
	names := map[string]bool{}
	for _, v := range d.Variants {
		names[v.Class] = true
	}
	for _, r := range d.References {
		names[r.Name] = true
	}
	d.Related = map[string][]string{}
	for a := range names {
		for b := range names {
			if p.Related(a, b) {
				d.Related[a] = append(d.Related[a], b)
			}
		}
		slices.Sort(d.Related[a])
	}
}

// proofs adds what class each variant is of, and what is proven of its ratio, instance by instance.
func (b *builder) proofs(d *problemData, p *ratio.Problem, variants map[summary.Variant]int) {
	type setup struct {
		*bench.Algorithm // that something is proven of; nil: nothing is
		arg              string
	}
	setups := map[*ratio.Setup]setup{}
	xs := make([]float64, len(p.Units))
	for i, u := range p.Units {
		xs[i] = math.NaN()
		s, ok := setups[u.Setup]
		if !ok {
			a, arg, err := p.Find(u.Algorithm)
			v := &d.Variants[variants[*b.of[u.Setup]]]
			v.Class, v.AtHome = u.Class, u.AtHome
			if err == nil && a.Guarantee != nil && a.Guarantee.Covers(u.Params) && u.Kind != string(models.External) {
				s = setup{a, arg}
				v.Proof = a.Guarantee.Statement()
			}
			setups[u.Setup] = s
		}
		if s.Algorithm == nil {
			continue
		}
		if r, ok := s.Guarantee.Ratio(u.In.Features, s.arg, u.Augmentation); ok {
			xs[i] = r
		}
	}
	b.columns = append(b.columns, floats("proof", xs))
}
