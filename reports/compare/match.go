package compare

import (
	"cmp"
	"slices"

	"schedgap/models"
	"schedgap/reports/ratio"
)

// A pair is one unit on both sides.
type pair struct {
	id         string // of the unit, on both sides
	problem    *ratio.Problem
	base, head *ratio.Unit
	rows       []*ratio.Unit // on all sides
}

// lost reports whether base has a result of the unit and head has none.
func (p *pair) lost() bool { return worth(p.base) != nil && worth(p.head) == nil }

// found reports whether head has a result of the unit and base has none.
func (p *pair) found() bool { return worth(p.base) == nil && worth(p.head) != nil }

// redefined reports whether the two values mean different things.
func (p *pair) redefined() bool {
	b, h := p.base, p.head
	if worth(b) == nil || worth(h) == nil { // their meaning may not be known
		return false
	}
	return b.Reference != h.Reference || b.Waived != h.Waived || b.Sense != h.Sense || b.Kind != h.Kind ||
		b.Augmentation != h.Augmentation
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
	matched                     int
	algorithms                  []Algorithm // by problem and label
	baseOnly, headOnly, missing []Unmatched
	changed                     []Changed
}

// match pairs the units of the k-th side with the same units of the side before. A pair is named as on the k-th side.
func (c *comparison) match(k int) matching {
	var m matching
	algorithms := map[[2]string]*Algorithm{}
	changed := c.changes(k)
	m.changed = changed.list
	for _, u := range c.units {
		head, base := u.rows[k], u.latest(k)
		switch {
		case changed.units[u]:
		case head == nil && u.rows[k-1] != nil:
			label := c.labels[u.rows[k-1].Setup]
			m.baseOnly = note(m.baseOnly, label, u.rows[k-1])
			if c.mayAsk(k-1, u.id) && c.mayAsk(k, u.id) {
				m.missing = note(m.missing, label, u.rows[k-1])
			}
		case head != nil && base == nil:
			m.headOnly = note(m.headOnly, c.labels[head.Setup], head)
		case head != nil:
			key := [2]string{u.problem.Name, c.labels[head.Setup]}
			if algorithms[key] == nil {
				algorithms[key] = &Algorithm{Problem: u.problem.Name, Algorithm: key[1], Kind: head.Kind}
			}
			algorithms[key].pairs = append(algorithms[key].pairs, &pair{u.id, u.problem, base, head, u.rows})
			m.matched++
		}
	}
	for _, a := range algorithms {
		m.algorithms = append(m.algorithms, *a)
	}
	rank := []string{string(models.Heuristic), string(models.External), string(models.Exact), string(models.Bound)}
	slices.SortFunc(m.algorithms, func(a, b Algorithm) int {
		return cmp.Or(cmp.Compare(a.Problem, b.Problem), cmp.Compare(slices.Index(rank, a.Kind), slices.Index(rank, b.Kind)),
			cmp.Compare(a.Algorithm, b.Algorithm))
	})
	for _, list := range [][]Unmatched{m.baseOnly, m.headOnly, m.missing} {
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
		i, list = len(list), append(list, Unmatched{Problem: u.Problem, label: label})
	}
	list[i].count(u)
	return list
}

// count counts a unit.
func (n *Unmatched) count(u *ratio.Unit) {
	n.Problem, n.Algorithm = u.Problem, u.Algorithm
	n.Units++
	if len(n.Instances) < unmatchedNames && !slices.Contains(n.Instances, u.Instance) {
		n.Instances = append(n.Instances, u.Instance)
	}
}
