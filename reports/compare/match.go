package compare

import (
	"cmp"
	"slices"
	"strings"

	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

// The units of both sides meet in one ratio.Set, where their identities begin with the side.
const sideBase, sideHead, separator = "base", "head", ":"

// prefixed returns the records of a set, each unit once, with identities that begin with the side.
func prefixed(s *ratio.Set, side string) []ratio.Record {
	var out []ratio.Record
	for _, p := range s.Problems {
		for _, u := range p.Units {
			r := *u.Record
			r.UnitID = side + separator + r.UnitID
			out = append(out, r)
		}
	}
	return out
}

// labels names every unit's algorithm as a report on the set alone would.
func labels(s *ratio.Set) map[string]string {
	out := map[string]string{}
	for _, p := range s.Problems {
		variants, _ := summary.FindVariants(p)
		for _, u := range p.Units {
			out[u.UnitID] = variants[u.Setup].Label
		}
	}
	return out
}

// A pair is one unit on both sides.
type pair struct {
	id         string // of the unit, on both sides
	problem    *ratio.Problem
	base, head *ratio.Unit
}

// redefined reports whether the two values mean different things.
func (p *pair) redefined() bool {
	b, h := p.base, p.head
	if b.Reference != h.Reference || b.Waived != h.Waived || b.Sense != h.Sense || b.Kind != h.Kind {
		return true
	}
	return b.Value != nil && h.Value != nil && b.Augmentation != h.Augmentation // without a solution it is not known
}

// An Unmatched is the units of one algorithm that only one side has.
type Unmatched struct {
	Problem   string   `json:"problem"`
	Algorithm string   `json:"algorithm"`
	Units     int      `json:"units"`
	Instances []string `json:"instances"` // the names of the first few

	label string // by which they are counted
}

// unmatchedNames is how many instances an Unmatched names.
const unmatchedNames = 5

type matching struct {
	matched            int
	algorithms         []Algorithm // by problem and label
	baseOnly, headOnly []Unmatched
}

// match pairs the units of both sides. A pair is named as in head.
func match(both *ratio.Set, headLabels, baseLabels map[string]string) matching {
	var m matching
	for _, p := range both.Problems {
		pairs := map[string]*pair{}
		var order []*pair // that of the problem's units
		for _, u := range p.Units {
			side, id, _ := strings.Cut(u.UnitID, separator)
			if pairs[id] == nil {
				pairs[id] = &pair{id: id, problem: p}
				order = append(order, pairs[id])
			}
			if side == sideBase {
				pairs[id].base = u
			} else {
				pairs[id].head = u
			}
		}
		algorithms := map[string]*Algorithm{}
		for _, pr := range order {
			switch label := headLabels[pr.id]; {
			case pr.base == nil:
				m.headOnly = note(m.headOnly, label, pr.head)
			case pr.head == nil:
				m.baseOnly = note(m.baseOnly, baseLabels[pr.id], pr.base)
			default:
				if algorithms[label] == nil {
					algorithms[label] = &Algorithm{Problem: p.Name, Algorithm: label, Kind: pr.head.Kind}
				}
				algorithms[label].pairs = append(algorithms[label].pairs, pr)
				m.matched++
			}
		}
		for _, a := range algorithms {
			m.algorithms = append(m.algorithms, *a)
		}
	}
	rank := []string{string(models.Heuristic), string(models.External), string(models.Exact), string(models.Bound)}
	slices.SortFunc(m.algorithms, func(a, b Algorithm) int {
		return cmp.Or(cmp.Compare(a.Problem, b.Problem), cmp.Compare(slices.Index(rank, a.Kind), slices.Index(rank, b.Kind)),
			cmp.Compare(a.Algorithm, b.Algorithm))
	})
	for _, list := range [][]Unmatched{m.baseOnly, m.headOnly} {
		slices.SortFunc(list, func(a, b Unmatched) int {
			return cmp.Or(cmp.Compare(a.Problem, b.Problem), cmp.Compare(a.Algorithm, b.Algorithm))
		})
	}
	return m
}

// note counts a unit that only one side has, among those of its label.
func note(list []Unmatched, label string, u *ratio.Unit) []Unmatched {
	i := slices.IndexFunc(list, func(n Unmatched) bool { return n.Problem == u.Problem && n.label == label })
	if i < 0 {
		i, list = len(list), append(list, Unmatched{Problem: u.Problem, Algorithm: u.Algorithm, label: label})
	}
	n := &list[i]
	n.Units++
	if len(n.Instances) < unmatchedNames && !slices.Contains(n.Instances, u.Instance) {
		n.Instances = append(n.Instances, u.Instance)
	}
	return list
}
