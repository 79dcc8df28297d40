// Package ratio says how far every result is from the optimum of every reference. An optimum that is not proven is known only up
// to an interval, between the best proven bound B and the best feasible value U of the result set, and so is a ratio to it.
// References nest: a feasible value of a class is feasible for the classes around it, and a bound on a class is a bound on the
// classes inside it, never the other way round. New makes a Set from records; package summary, the Parquet files and compare use
// it.
package ratio

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/words"
)

// An Input is a set of results with what must be known of their problems and instances.
type Input struct {
	Records  []Record
	Problems []*bench.Problem
	// Instance finds an instance by the hash of its file; it is called by several goroutines. One that cannot be read gets no
	// ratios and a warning.
	Instance func(sha256 string) (*bench.Instance, error)
	Pool     bool // instances are not divided by factors
}

// A Set is the results of an Input, compared.
type Set struct {
	Problems       []*Problem // those that have records, by name
	Contradictions []Contradiction
	Warnings       []string
}

// A Problem is the results on the instances of one problem.
type Problem struct {
	*bench.Problem
	// Reported are the references compared with: the problem's first, and every other with a proven bound of its own. Restricted
	// classes, see models.Restriction, are in Classes only: Prices compares them.
	Reported, Classes []string
	Instances         []*Instance // by name and hash
	Strata            []string    // of the instances, by the values of their factors
	Units             []*Unit     // by instance, algorithm and the rest of the unit key
}

// An Instance is one instance with all its results.
type Instance struct {
	Index                int // in Problem.Instances
	Name, SHA256, Source string
	Comparison           models.Comparison
	Accuracy             models.Accuracy // of its objective values
	Features             map[string]any
	Objective            string         // what values measure, such as weighted tardiness; empty: not known
	Factors              map[string]any // the parameters of its generator that the suite sets; nil means not recorded
	Stratum              string         // the values of the factors that vary among its kind, as tables write them; empty: none does
	Axes                 map[string]any // what figures are drawn against: Features, but factors where they vary
	Trouble              string         // why it has no ratios: contradiction or instance unreadable; empty otherwise
	Units                []*Unit        // at least one
	Suites               []string       // that its units are of, sorted
	Found                *Found         // by a search for worst cases; nil: the instance comes from elsewhere
	Published            *Published     // in the literature; nil: no optimum is
	Draw                 string         // what it was drawn from besides parameters: equal ones differ in parameters only; empty: not known

	problem *Problem
	scales  map[string]float64
	best    []Best // by the problem's reference
	metric  string // Features has it, but every row asks for it
}

// Best is the best value and bound of a reference; empty for one that the problem does not have.
func (in *Instance) Best(reference string) Best {
	if i := in.problem.reference(reference); i >= 0 {
		return in.best[i]
	}
	return Best{}
}

// Scale is the unit of regret, see bench.Instance.
func (in *Instance) Scale(reference string) float64 {
	return (&bench.Instance{Scales: in.scales}).Scale(reference)
}

// Metric is the instance's feature of that name, which distinguishes a problem's objectives; empty: none.
func (in *Instance) Metric() string { return in.metric }

// Family names the instance's kind in tables: its metric, its source, and the values of the factors that vary.
func (in *Instance) Family() string {
	return strings.Join(slices.DeleteFunc([]string{in.metric, in.Source, in.Stratum}, func(s string) bool { return s == "" }), ", ")
}

// Jobs is the number of the instance's jobs; NaN: not known.
func (in *Instance) Jobs() float64 {
	for _, u := range in.Units {
		if u.NJobs != nil {
			return float64(*u.NJobs)
		}
	}
	return math.NaN()
}

// Number is the instance's value of an axis; NaN means that it is no number.
func (in *Instance) Number(axis string) float64 {
	switch x := in.Axes[axis].(type) {
	case float64:
		return x
	case int:
		return float64(x)
	case int64:
		return float64(x)
	}
	return math.NaN()
}

// Word is the instance's value of an axis; empty means that it is no word.
func (in *Instance) Word(axis string) string {
	switch x := in.Axes[axis].(type) {
	case string:
		return x
	case bool:
		return strconv.FormatBool(x)
	}
	return ""
}

// Axes are the names of what figures are drawn against, and whether it is a number on some instance.
func (p *Problem) Axes() map[string]bool {
	numeric := map[string]bool{}
	for _, in := range p.Instances {
		for name := range in.Axes {
			numeric[name] = numeric[name] || !math.IsNaN(in.Number(name))
		}
	}
	return numeric
}

// A Unit is one record with its value and bound if they count.
type Unit struct {
	*Record
	*Comparability
	In    *Instance
	Value *float64 // objective of a checked solution, feasible except for waived constraints; nil means none
	bound *float64 // proven on Reference and to be trusted; nil: none
	// Rounded: the value comes from outside and is beyond a proven bound by no more than Forgiven. The unit has no ratios, and
	// others have theirs.
	Rounded bool
}

// external reports whether the unit's solution is a command's.
func (u *Unit) external() bool { return u.Kind == string(models.External) }

// A Comparability is the class of one setup's solutions and their relation to the references.
type Comparability struct {
	Class string // the smallest class of the problem's References their solutions belong to
	// WhyNot says why their values are not comparable: waives minimum, augmentation 2. Empty: they are.
	WhyNot string
	// WaivedByClass says that the units' class itself waives the constraint of the mark: in that class, and the
	// ones around it, the value and the bound count like any other.
	WaivedByClass bool

	proof   bool // their values and proofs are to be trusted
	problem *Problem
	with    []relation // by the problem's reference
}

// A relation is how a class lies to a reference.
type relation struct {
	related bool // some class holds both
	within  bool // its solutions are solutions of the reference
	bounds  bool // a bound on the unit's reference is one on this reference
}

// to is how the units stand to a reference.
func (s *Comparability) to(reference string) (with relation) {
	if i := s.problem.reference(reference); i >= 0 {
		with = s.with[i]
	}
	return with
}

// Related reports whether the units' values can be compared with a reference's optimum at all: some class holds both.
func (s *Comparability) Related(reference string) bool { return s.to(reference).related }

// New compares the records of in. Records of one unit count once, the latest of them. The only errors are records of a
// problem that in does not have; contradictions are in the result, and their instances have no ratios.
func New(in Input) (*Set, error) {
	s := &Set{}
	records := s.latest(in.Records)
	units := make([]Unit, len(records)) // all together: they live as long as the set
	list := make([]*Unit, len(records))
	standings := map[*Setup]*Comparability{} // of one problem
	lost, timeless := 0, 0
	var p *Problem
	var inst *Instance
	for i, r := range records {
		if p == nil || p.Name != r.Problem {
			k := slices.IndexFunc(in.Problems, func(p *bench.Problem) bool { return p.Name == r.Problem })
			if k < 0 {
				return nil, fmt.Errorf("record of unit %s: unknown problem %q", r.UnitID, r.Problem)
			}
			p, inst = &Problem{Problem: restricted(in.Problems[k], records[i:])}, nil
			s.Problems = append(s.Problems, p)
			clear(standings)
		}
		if inst == nil || inst.Name != r.Instance || inst.SHA256 != r.InstanceSHA256 {
			inst = &Instance{Index: len(p.Instances), Name: r.Instance, SHA256: r.InstanceSHA256, Source: r.Source, problem: p}
			p.Instances = append(p.Instances, inst)
		}
		if at, known := slices.BinarySearch(inst.Suites, r.Suite); !known {
			inst.Suites = slices.Insert(inst.Suites, at, r.Suite)
		}
		if standings[r.Setup] == nil {
			standings[r.Setup] = newStanding(p, r.Setup)
		}
		u := &units[i]
		list[i] = u
		inst.Units, p.Units = list[i-len(inst.Units):i+1:i+1], list[i-len(p.Units):i+1:i+1]
		u.Record, u.Comparability, u.In = r, standings[r.Setup], inst
		u.settle()
		if infinite(r.Objective) || infinite(r.Bound) {
			lost++
		}
		if s := bench.Status(r.Status); r.WallSeconds == nil && (s == bench.Optimal || s == bench.Feasible) {
			timeless++
		}
	}
	if lost > 0 {
		s.warnf("%s an objective or a bound that is not a finite number; it counts as missing", words.Have(lost, "row"))
	}
	if timeless > 0 {
		s.warnf("%s a solution and no wall time, or one that is no finite number; it counts as missing", words.Have(timeless, "row"))
	}
	for _, p := range s.Problems {
		p.report()
		s.describe(p, in.Instance)
		s.factors(p, in.Pool)
		for _, inst := range p.Instances {
			p.settle(inst)
			s.Contradictions = append(s.Contradictions, p.contradictions(inst)...)
		}
	}
	return s, nil
}

func (s *Set) warnf(format string, args ...any) {
	s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...))
}

// latest returns the records in canonical order, one for each unit, the latest of them.
func (s *Set) latest(records []Record) []*Record {
	list := make([]*Record, len(records))
	for i := range records {
		list[i] = &records[i]
	}
	sorted(list)
	list = slices.CompactFunc(list, func(a, b *Record) bool { return a.UnitID != "" && a.UnitID == b.UnitID && a.Set == b.Set })
	if doubled := len(records) - len(list); doubled > 0 {
		s.warnf("%s a unit that another row has, too; the latest row of each unit counts", words.Have(doubled, "row"))
	}
	return list
}

// describe reads the instances of a problem.
func (s *Set) describe(p *Problem, find func(string) (*bench.Instance, error)) {
	unread := make([]error, len(p.Instances))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, inst := range p.Instances {
		g.Go(func() error {
			in, err := find(inst.SHA256)
			if err != nil {
				inst.Trouble, unread[i] = "instance unreadable", fmt.Errorf("%s (%s): %w", inst.Name, inst.SHA256, err)
				return nil
			}
			inst.Comparison, inst.Features = in.Comparison, in.Features
			inst.Accuracy = in.Accuracy
			inst.Objective = in.Objective
			inst.scales = in.Scales
			inst.metric, _ = in.Features["metric"].(string)
			inst.Found, inst.Published = origin(in.Lineage)
			inst.Draw = draw(in.Lineage, inst.Name)
			return nil
		})
	}
	_ = g.Wait() // the errors are in unread
	unread = slices.DeleteFunc(unread, func(err error) bool { return err == nil })
	switch n := len(unread); n {
	case 0:
	case 1:
		s.warnf("an instance of %s cannot be read, so it has no ratios: %v", p.Name, unread[0])
	default:
		s.warnf("%d instances of %s cannot be read, so they have no ratios, such as %v", n, p.Name, unread[0])
	}
}

func newStanding(p *Problem, r *Setup) *Comparability {
	s := &Comparability{Class: r.Reference, problem: p, with: make([]relation, len(p.References))}
	if a, _, err := p.Find(r.Algorithm); err == nil && r.Kind != string(models.External) {
		s.Class = a.Class
	}
	if r.Waived != "" {
		s.WaivedByClass = r.Augmentation == 1 && waivedBy(p.Problem, s.Class, strings.Split(r.Waived, ","))
		s.WhyNot = "waives " + strings.ReplaceAll(r.Waived, ",", ", ")
	}
	if r.Augmentation != 1 {
		s.WhyNot = strings.TrimPrefix(fmt.Sprintf("%s, augmentation %g", s.WhyNot, r.Augmentation), ", ")
	}
	// A proof survives its finder's death, but not a refused solution or a claim that the checker contradicts.
	status := bench.Status(r.Status)
	s.proof = status != bench.Invalid && status != bench.Error && status != bench.Skipped && status != bench.Refuted
	for i, ref := range p.References {
		s.with[i] = relation{
			related: p.Related(s.Class, ref.Name), within: p.ReferenceWithin(s.Class, ref.Name),
			bounds: p.ReferenceWithin(ref.Name, r.Reference),
		}
	}
	return s
}

// settle finds what of the record counts.
func (u *Unit) settle() {
	r := u.Record
	if u.proof && u.counts() && r.Bound != nil && !infinite(r.Bound) {
		u.bound = r.Bound
	}
	if r.Objective != nil && !infinite(r.Objective) && r.Feasible != nil && *r.Feasible && u.proof {
		u.Value = r.Objective
	}
}

// Solves reports whether the units' solutions count as solutions of a reference: their class lies inside it, and they neither
// waive what it asks for nor are augmented.
func (s *Comparability) Solves(reference string) bool { return s.counts() && s.to(reference).within }

// Bounds reports whether the units' bounds are bounds on a reference.
func (s *Comparability) Bounds(reference string) bool { return s.counts() && s.to(reference).bounds }

// Trusted reports whether bounds that the units told before their ends count.
func (s *Comparability) Trusted() bool { return s.proof }

// Proven is the unit's bound on a reference; nil: it has none that counts.
func (u *Unit) Proven(reference string) *float64 {
	if !u.Bounds(reference) {
		return nil
	}
	return u.bound
}

// counts reports whether the units' values and bounds count in their own class.
func (s *Comparability) counts() bool { return s.WhyNot == "" || s.WaivedByClass }

// waivedBy reports whether the class leaves out all these constraints by its definition.
func waivedBy(p *bench.Problem, class string, constraints []string) bool {
	i := slices.IndexFunc(p.References, func(r models.Reference) bool { return r.Name == class })
	return i >= 0 && !slices.ContainsFunc(constraints, func(c string) bool { return !slices.Contains(p.References[i].Waives, c) })
}

// Place is the position of a reference that the problem has.
func (p *Problem) Place(name string) int { return max(0, p.reference(name)) }

// reference is the position of a reference in the problem's list; −1: it has none of that name.
func (p *Problem) reference(name string) int {
	for i := range p.References { // slices.IndexFunc copies every one of them
		if p.References[i].Name == name {
			return i
		}
	}
	return -1
}

// report lists the references in the problem's order.
func (p *Problem) report() {
	bounded := map[string]bool{}
	for _, u := range p.Units {
		if u.bound != nil {
			bounded[u.Reference] = true
		}
	}
	for i, r := range p.References {
		if i == 0 || bounded[r.Name] {
			p.Classes = append(p.Classes, r.Name)
		}
	}
	p.Reported = slices.DeleteFunc(slices.Clone(p.Classes), func(name string) bool {
		_, limits := models.ParseLimits(name)
		return limits != nil
	})
}

func infinite(x *float64) bool { return x != nil && (math.IsNaN(*x) || math.IsInf(*x, 0)) }
