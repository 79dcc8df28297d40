// Package ratio says how far every result is from the optimum of every reference. An optimum that is not proven is known
// only up to an interval, between the best proven bound B and the best feasible value U of the result set, and so is a
// ratio to it. References nest: a feasible value of a class is feasible for the classes around it, and a bound on a class
// is a bound on the classes inside it, never the other way round.
package ratio

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/models"
)

// An Input is a set of results with what must be known of their problems and instances.
type Input struct {
	Records  []bench.Record
	Problems []*bench.Problem
	// Instance finds an instance by the hash of its file. One that cannot be read gets no ratios and a warning.
	Instance func(sha256 string) (*bench.Instance, error)
}

// A Set is the results of an Input, compared.
type Set struct {
	Problems       []*Problem // those that have records, in the input's order
	Contradictions []Contradiction
	Warnings       []string
}

// A Problem is the results on the instances of one problem.
type Problem struct {
	*bench.Problem
	// Reported are the references compared with: the problem's first, and every other with a proven bound of its own.
	Reported  []string
	Instances []*Instance // by name and hash
	Units     []*Unit     // by instance, algorithm and the rest of the unit key
}

// An Instance is one instance with all its results.
type Instance struct {
	Name, SHA256, Source string
	Comparison           models.Comparison
	Features             map[string]any
	Trouble              string          // why it has no ratios: contradiction or instance unreadable; empty otherwise
	Best                 map[string]Best // by reference
	Units                []*Unit

	metric string // Features has it, but every row asks for it
}

// Metric is the instance's feature of that name, by which problems with several objectives are told apart; empty: none.
func (in *Instance) Metric() string { return in.metric }

// Zero is the magnitude below which an objective value or a bound counts as zero, the floor that gaps use too.
const Zero = 1e-9

// A Unit is one record with what it is worth for comparisons.
type Unit struct {
	*bench.Record
	In    *Instance
	Class string // the smallest class of the problem's References its solution belongs to
	// Mark says why its value is not comparable: waives minimum, augmentation 2. Empty: it is.
	Mark string
	// AtHome says that what the mark names is waived by the unit's class itself, by its definition: in that class, and the
	// ones around it, the value and the bound count like any other.
	AtHome bool
	Value  *float64 // objective of a checked solution, feasible but for what is waived; nil: none
	bound  *float64 // proven on Reference and to be trusted; nil: none
}

// New compares the records of in. Records of one unit count once, the latest of them. The only errors are records of a
// problem that in does not have; contradictions are in the result, and their instances have no ratios.
func New(in Input) (*Set, error) {
	s := &Set{}
	records := s.latest(in.Records)
	problems := map[string]*Problem{}
	for _, p := range in.Problems {
		problems[p.Name] = &Problem{Problem: p}
	}
	lost := 0
	for _, r := range records {
		p := problems[r.Problem]
		if p == nil {
			return nil, fmt.Errorf("record of unit %s: unknown problem %q", r.UnitID, r.Problem)
		}
		u := newUnit(p.Problem, r)
		if infinite(r.Objective) || infinite(r.Bound) {
			lost++
		}
		p.add(u)
	}
	if lost > 0 {
		s.warnf("%d rows have an objective or a bound that is not a finite number; it counts as missing", lost)
	}
	for _, bp := range in.Problems {
		p := problems[bp.Name]
		if len(p.Units) == 0 {
			continue
		}
		s.Problems = append(s.Problems, p)
		p.Reported = p.reported()
		for _, inst := range p.Instances {
			s.describe(inst, in.Instance)
			p.settle(inst)
			s.Contradictions = append(s.Contradictions, p.contradictions(inst)...)
		}
	}
	return s, nil
}

func (s *Set) warnf(format string, args ...any) {
	s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...))
}

// latest returns the records in canonical order, one a unit.
func (s *Set) latest(records []bench.Record) []*bench.Record {
	list := make([]*bench.Record, 0, len(records))
	at := make(map[string]int, len(records))
	doubled := 0
	for i := range records {
		r := &records[i]
		if k, again := at[r.UnitID]; again && r.UnitID != "" {
			doubled++
			if r.StartedAt.After(list[k].StartedAt) {
				list[k] = r
			}
			continue
		}
		at[r.UnitID] = len(list)
		list = append(list, r)
	}
	if doubled > 0 {
		s.warnf("%d rows repeat a unit that another row has; the latest row of each counts", doubled)
	}
	slices.SortStableFunc(list, func(a, b *bench.Record) int {
		return cmp.Or(
			cmp.Compare(a.Problem, b.Problem), cmp.Compare(a.Instance, b.Instance),
			cmp.Compare(a.InstanceSHA256, b.InstanceSHA256), cmp.Compare(a.Algorithm, b.Algorithm),
			cmp.Compare(a.Params, b.Params), cmp.Compare(text(a.Model), text(b.Model)),
			cmp.Compare(text(a.Solver), text(b.Solver)), cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.UnitID, b.UnitID),
		)
	})
	return list
}

func (p *Problem) add(u *Unit) {
	n := len(p.Instances)
	if n == 0 || p.Instances[n-1].SHA256 != u.InstanceSHA256 || p.Instances[n-1].Name != u.Instance {
		p.Instances = append(p.Instances, &Instance{
			Name: u.Instance, SHA256: u.InstanceSHA256, Source: u.Source, Best: map[string]Best{},
		})
		n++
	}
	u.In = p.Instances[n-1]
	u.In.Units = append(u.In.Units, u)
	p.Units = append(p.Units, u)
}

func (s *Set) describe(inst *Instance, find func(string) (*bench.Instance, error)) {
	in, err := find(inst.SHA256)
	if err != nil {
		inst.Trouble = "instance unreadable"
		s.warnf("instance %s (%s) cannot be read, so it has no ratios: %v", inst.Name, inst.SHA256, err)
		return
	}
	inst.Comparison, inst.Features = in.Comparison, in.Features
	inst.metric, _ = in.Features["metric"].(string)
}

func newUnit(p *bench.Problem, r *bench.Record) *Unit {
	u := &Unit{Record: r, Class: r.Reference}
	if a, _, err := p.Find(r.Algorithm); err == nil && r.Kind != string(models.External) {
		u.Class = a.Class
	}
	if r.Waived != "" {
		u.AtHome = r.Augmentation == 1 && waivedBy(p, u.Class, strings.Split(r.Waived, ","))
		u.Mark = "waives " + strings.ReplaceAll(r.Waived, ",", ", ")
	}
	if r.Augmentation != 1 {
		u.Mark = strings.TrimPrefix(fmt.Sprintf("%s, augmentation %g", u.Mark, r.Augmentation), ", ")
	}
	status := bench.Status(r.Status)
	// A proof survives its finder's death, but not a refused solution or a claim that the checker contradicts.
	proof := status != bench.Invalid && status != bench.Error && status != bench.Skipped
	if proof && u.counts() && r.Bound != nil && !infinite(r.Bound) {
		u.bound = r.Bound
	}
	if r.Objective != nil && !infinite(r.Objective) && r.Feasible != nil && *r.Feasible && proof {
		u.Value = r.Objective
	}
	return u
}

// counts reports whether the unit's value and bound count in its own class.
func (u *Unit) counts() bool { return u.Mark == "" || u.AtHome }

// waivedBy reports whether the class leaves out all these constraints by its definition.
func waivedBy(p *bench.Problem, class string, constraints []string) bool {
	i := slices.IndexFunc(p.References, func(r models.Reference) bool { return r.Name == class })
	return i >= 0 && !slices.ContainsFunc(constraints, func(c string) bool { return !slices.Contains(p.References[i].Waives, c) })
}

// reported lists the references in the problem's order.
func (p *Problem) reported() []string {
	bounded := map[string]bool{}
	for _, u := range p.Units {
		if u.bound != nil {
			bounded[u.Reference] = true
		}
	}
	var names []string
	for i, r := range p.References {
		if i == 0 || bounded[r.Name] {
			names = append(names, r.Name)
		}
	}
	return names
}

func infinite(x *float64) bool { return x != nil && (math.IsNaN(*x) || math.IsInf(*x, 0)) }

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
