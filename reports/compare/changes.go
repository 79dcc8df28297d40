package compare

import (
	"cmp"
	"slices"
	"strings"

	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/words"
)

// A Changed is the units of one algorithm that base has under other conditions: they are not compared, and are no regression.
type Changed struct {
	Unmatched
	What string `json:"what"` // what is new, such as limit, seed, instance, or several of these
}

// changes are the units of the k-th side that are units of an earlier one under other conditions, and these.
type changes struct {
	units map[*unit]bool
	list  []Changed
}

// likenesses are what a unit of head and one of base may have in common, the most telling first: a unit is taken for the unit of base
// that has most in common with it. The first three need the same file of an instance, the others the same suite: two sets that share
// neither are of different suites, which nobody meant to compare.
var likenesses = []struct {
	of func(u *ratio.Unit) [7]string
	// planned: a unit that base's side alone has could also be missing. Only if the plan of head no longer asks for it did it change.
	planned bool
}{
	{of: func(u *ratio.Unit) [7]string {
		return [7]string{u.InstanceSHA256, u.Algorithm, u.Params, words.Text(u.Solver), words.Text(u.Model)}
	}},
	{of: func(u *ratio.Unit) [7]string { return [7]string{u.InstanceSHA256, u.Algorithm} }},
	{of: func(u *ratio.Unit) [7]string {
		return [7]string{u.Suite, u.Instance, u.Algorithm, u.Params, words.Text(u.Solver), words.Text(u.Model)}
	}},
	{of: func(u *ratio.Unit) [7]string { return [7]string{u.Suite, u.Instance, u.Algorithm} }},
	{of: func(u *ratio.Unit) [7]string { return [7]string{u.Suite, "", u.Algorithm} }, planned: true},
	{of: func(u *ratio.Unit) [7]string { return [7]string{u.InstanceSHA256} }, planned: true},
	{of: func(u *ratio.Unit) [7]string { return [7]string{u.Suite} }, planned: true},
}

// changes pairs the units that only the k-th side has with those that only the sides before have, each with at most one.
func (c *comparison) changes(k int) changes {
	type key struct {
		problem *ratio.Problem
		of      [7]string
	}
	planned := c.in.Sides[k].Asked != nil
	var heads, bases []*unit // in the order of the set, which is fixed
	for _, u := range c.units {
		switch {
		case u.rows[k] == nil && u.rows[k-1] != nil && (!planned || !c.mayAsk(k, u.id)):
			bases = append(bases, u)
		case u.rows[k] != nil && u.latest(k) == nil:
			heads = append(heads, u)
		}
	}
	out := changes{units: map[*unit]bool{}}
	for _, like := range likenesses {
		if like.planned && !planned {
			continue
		}
		free := map[key][]*unit{}
		for _, b := range bases {
			if !out.units[b] {
				at := key{b.problem, like.of(b.rows[k-1])}
				free[at] = append(free[at], b)
			}
		}
		for _, h := range heads {
			at := key{h.problem, like.of(h.rows[k])}
			if left := free[at]; !out.units[h] && len(left) > 0 {
				out.units[h], out.units[left[0]], free[at] = true, true, left[1:]
				out.note(c, h.rows[k], left[0].rows[k-1])
			}
		}
	}
	slices.SortStableFunc(out.list, func(a, b Changed) int {
		return cmp.Or(cmp.Compare(a.Problem, b.Problem), cmp.Compare(a.Algorithm, b.Algorithm), cmp.Compare(a.What, b.What))
	})
	return out
}

// latest is the unit's row in the latest side before the k-th that has one.
func (u *unit) latest(k int) *ratio.Unit {
	for i := k - 1; i >= 0; i-- {
		if u.rows[i] != nil {
			return u.rows[i]
		}
	}
	return nil
}

// mayAsk reports whether the suites of a side ask for a unit, as far as they are known.
func (c *comparison) mayAsk(side int, id string) bool {
	of := c.in.Sides[side].Asked
	return of == nil || of(id)
}

// note counts a changed unit.
func (out *changes) note(c *comparison, head, base *ratio.Unit) {
	what, label := different(head, base), c.labels[head.Setup]
	i := slices.IndexFunc(out.list, func(n Changed) bool { return n.Problem == head.Problem && n.label == label && n.What == what })
	if i < 0 {
		i, out.list = len(out.list), append(out.list, Changed{What: what})
	}
	u := &out.list[i].Unmatched
	u.label = label
	u.count(head)
}

// different names the conditions in which two units differ.
func different(a, b *ratio.Unit) string {
	settings := "parameters"
	if a.Kind == string(models.External) {
		settings = "command"
	}
	instance := a.InstanceSHA256 != b.InstanceSHA256
	var list []string
	for _, d := range []struct {
		is   bool
		what string
	}{
		{instance, "instance"},
		{a.Algorithm != b.Algorithm, "algorithm"},
		{a.Algorithm == b.Algorithm && a.Params != b.Params, settings},
		{a.Algorithm == b.Algorithm && words.Text(a.Solver) != words.Text(b.Solver), "solver"},
		{a.Algorithm == b.Algorithm && words.Text(a.Model) != words.Text(b.Model), "model"},
		{a.Seed != b.Seed, "seed"},
		{
			unequal(a.TimeLimitSeconds, b.TimeLimitSeconds) || unequal(a.CPULimitSeconds, b.CPULimitSeconds) ||
				unequal(a.MemoryLimitBytes, b.MemoryLimitBytes), "limit",
		},
	} {
		if d.is {
			list = append(list, d.what)
		}
	}
	if len(list) == 0 {
		return "setting" // threads, the limits on processor time and output, and the reference, of which rows do not tell
	}
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

// unequal reports whether two numbers differ, or only one is there.
func unequal[T comparable](a, b *T) bool { return (a == nil) != (b == nil) || a != nil && *a != *b }
