package speculation

import (
	"fmt"
	"math"

	"schedgap/models"
)

// checkTolerance is the relative error that is forgiven in what a front claims of itself.
const checkTolerance = 1e-6

// check recomputes feasibility and objective from the definition in docs/problems/speculation.md#constraints. A matching gives
// each straggler at most one slot and each slot at most one straggler, and uses only pairs with an estimate, Δt > 0 and ΔE > 0;
// it is worth ΣΔt + energy_weight·ΣΔE. A front is a list of such matchings by ascending time, each with its ΣΔt and ΣΔE and none
// dominated by another; it is worth its hypervolume against (0, 0).
func check(in *Instance, s Solution) models.Report {
	c := checker{in: in}
	var value float64
	class := Opt
	if s.Front == nil {
		c.matching("", s.Assign)
		value = in.Value(s.Assign)
	} else {
		class, value = Pareto, c.front(s.Front)
	}
	c.report.Objective, c.report.Class = &value, class
	return c.report
}

type checker struct {
	in     *Instance
	report models.Report
}

// matching checks one matching; prefix says which.
func (c *checker) matching(prefix string, m Matching) {
	in := c.in
	if extra := len(m) - len(in.Stragglers); extra > 0 {
		c.report.Violate("straggler", prefix+"stragglers that the instance does not have", float64(extra))
	}
	users := make([]int, len(in.Slots))
	for i := range min(len(m), len(in.Stragglers)) {
		j, id := m[i], in.Stragglers[i].ID
		if j == None {
			continue
		}
		if j < 0 || j >= len(in.Slots) {
			c.report.Violate("slot", fmt.Sprintf("%sassign[%s]: a slot that the instance does not have", prefix, id), 1)
			continue
		}
		users[j]++
		where := func(what string) string {
			return fmt.Sprintf("%sassign[%s]: %s on %s", prefix, id, what, in.Slots[j].ID)
		}
		if !in.Allowed(i, j) {
			c.report.Violate("pair", where("no copy"), 1)
			continue
		}
		time, energy := in.Gain(i, j)
		if !(time > 0) {
			c.report.Violate("pair", where("time saved"), 0-time) // never −0
		}
		if !(energy > 0) {
			c.report.Violate("pair", where("energy saved"), 0-energy)
		}
	}
	for j, n := range users {
		if n > 1 {
			c.report.Violate("slot", fmt.Sprintf("%sslots[%s]", prefix, in.Slots[j].ID), float64(n-1))
		}
	}
}

// front checks the points and returns the hypervolume of what their matchings really save.
func (c *checker) front(points []Point) float64 {
	actual := make([]Point, len(points))
	for k := range points {
		p := &points[k]
		prefix := fmt.Sprintf("front[%d].", k)
		c.matching(prefix, p.Assign)
		actual[k] = c.in.Point(p.Assign)
		c.claim(prefix+"time", p.Time, actual[k].Time)
		c.claim(prefix+"energy", p.Energy, actual[k].Energy)
		if k > 0 {
			if late := points[k-1].Time - p.Time; late > checkTolerance*math.Abs(p.Time) {
				c.report.Violate("objective", prefix+"time: not ascending", late)
			}
		}
	}
	for k := range actual {
		if by := dominated(actual, k); by > 0 {
			c.report.Violate("objective", fmt.Sprintf("front[%d]: dominated", k), by)
		}
	}
	return Hypervolume(actual)
}

// claim compares a number of the file with the true one.
func (c *checker) claim(where string, claimed, actual float64) {
	if d := math.Abs(claimed - actual); !(d <= checkTolerance*max(math.Abs(actual), 1e-9)) {
		c.report.Violate("objective", where, d)
	}
}

// dominated is the most that another point is better than point k without being worse in anything; 0 where that is within the
// tolerance.
func dominated(points []Point, k int) float64 {
	p, most := &points[k], 0.0
	for l := range points {
		q := &points[l]
		if !q.Dominates(p) {
			continue
		}
		if by := q.Time - p.Time; by > checkTolerance*q.Time {
			most = max(most, by)
		}
		if by := q.Energy - p.Energy; by > checkTolerance*q.Energy {
			most = max(most, by)
		}
	}
	return most
}
