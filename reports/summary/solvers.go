package summary

import (
	"cmp"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/words"
)

// A Solver is one method of an exact algorithm: solver and model. Instances on which it is not applicable do not count, nor do
// units that waive what their own class does not.
type Solver struct {
	Algorithm string         `json:"algorithm"`
	Reference string         `json:"reference"`
	Model     string         `json:"model"`
	Solver    string         `json:"solver"`
	Start     string         `json:"start,omitempty"` // none: it was told no value and no bound; empty: it was, or has no such parameter
	Versions  []string       `json:"solver_versions"`
	Units     int            `json:"units"`
	Solved    int            `json:"solved"` // proven optimal or proven infeasible
	Statuses  map[string]int `json:"statuses"`
	// PAR1, PAR2 and PAR10 are shifted geometric means, shift 1 s, of wall times in which an unsolved unit costs 1, 2 or
	// 10 times its time limit; null if an unsolved unit had no limit.
	PAR1  Number `json:"par1_seconds"`
	PAR2  Number `json:"par2_seconds"`
	PAR10 Number `json:"par10_seconds"`
	// PAR2Lo and PAR2Hi are the ends of PAR2's bootstrap 95 % interval over units.
	PAR2Lo Number `json:"par2_ci_lo"`
	PAR2Hi Number `json:"par2_ci_hi"`
	// Common is the shifted geometric mean over the instances that all methods of the algorithm solved.
	Common          Number `json:"common_seconds"`
	CommonInstances int    `json:"common_instances"`
	MedianNodes     Number `json:"median_nodes"`
	MedianColumns   Number `json:"median_columns"`
	MedianRows      Number `json:"median_rows"`
	MaxRSSBytes     Number `json:"max_rss_bytes"`

	Times []InstanceTime `json:"-"` // by instance and seed
}

// Method names the model and the solver, such as position/highs, and says where it was told no value and no bound.
func (s *Solver) Method() string {
	name := strings.Trim(s.Model+"/"+s.Solver, "/")
	if s.Start != "" {
		name += ", no start"
	}
	return name
}

// An InstanceTime is one unit of a Solver.
type InstanceTime struct {
	Unit *ratio.Unit
	CPU  float64 // seconds of processor time; NaN: not known
	stats.Time
}

// solvers tabulates the exact units of a problem, by algorithm, model and solver.
func solvers(p *ratio.Problem, b stats.Bootstrap) []Solver {
	type method struct{ algorithm, model, solver, start string }
	at := map[method]*Solver{}
	for _, u := range p.Units {
		if u.Kind != string(models.Exact) || (u.WhyNot != "" && !u.WaivedByClass) || u.Status == string(bench.Skipped) {
			continue
		}
		m := method{u.Algorithm, words.Text(u.Model), words.Text(u.Solver), ""}
		if parse(u.Params)["start"] == "none" {
			m.start = "none"
		}
		s := at[m]
		if s == nil {
			s = &Solver{
				Algorithm: u.Algorithm, Reference: u.Reference, Model: m.model, Solver: m.solver, Start: m.start, Statuses: map[string]int{},
				MaxRSSBytes: Missing,
			}
			at[m] = s
		}
		s.Units++
		s.Statuses[u.Status]++
		t := stats.Time{Seconds: stats.Value(u.WallSeconds), Limit: stats.Value(u.TimeLimitSeconds), Solved: u.Proved()}
		if t.Solved {
			s.Solved++
		}
		s.Times = append(s.Times, InstanceTime{Unit: u, CPU: stats.Value(u.CPUSeconds), Time: t})
		if u.PeakRSSBytes != nil && !(Number(*u.PeakRSSBytes) <= s.MaxRSSBytes) {
			s.MaxRSSBytes = Number(*u.PeakRSSBytes)
		}
	}
	out := []Solver{}
	for _, s := range at {
		if v := distinct(s.Times, func(t InstanceTime) string { return words.Text(t.Unit.SolverVersion) }); len(v) > 0 {
			s.Versions = v
		}
		s.MedianNodes = s.median(func(u *ratio.Unit) *int64 { return u.Nodes })
		s.MedianColumns = s.median(func(u *ratio.Unit) *int64 { return u.Columns })
		s.MedianRows = s.median(func(u *ratio.Unit) *int64 { return u.Rows })
		ts := make([]stats.Time, len(s.Times))
		for i, t := range s.Times {
			ts[i] = t.Time
		}
		par := func(factor float64) Number { return Number(stats.ShiftedGeoMean(stats.PAR(ts, factor), shift)) }
		s.PAR1, s.PAR2, s.PAR10 = par(1), par(2), par(10)
		ci := b.ShiftedGeoMean(stats.PAR(ts, 2), shift)
		s.PAR2Lo, s.PAR2Hi = Number(ci.Lo), Number(ci.Hi)
		out = append(out, *s)
	}
	slices.SortFunc(out, func(a, b Solver) int {
		return cmp.Or(cmp.Compare(a.Algorithm, b.Algorithm), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Solver, b.Solver),
			cmp.Compare(b.Start, a.Start))
	})
	for _, group := range SameAlgorithm(out) {
		for i, ts := range Common(group, false) {
			group[i].Common, group[i].CommonInstances = Number(stats.ShiftedGeoMean(seconds(ts), shift)), len(ts)
		}
	}
	return out
}

// seeded are a solver's units on one instance.
type seeded struct {
	in     *ratio.Instance
	times  []InstanceTime
	solved int
}

// mean is solved if all are; a limit is the largest.
func (l *seeded) mean() stats.Time {
	out := stats.Time{Solved: l.solved == len(l.times)}
	for _, t := range l.times {
		out.Seconds += t.Seconds / float64(len(l.times))
		out.Limit = max(out.Limit, t.Limit)
	}
	return out
}

// bySeeds groups a solver's units by instance, in the order of the first of each.
func (s *Solver) bySeeds() (out []seeded) {
	at := map[*ratio.Instance]int{}
	for _, t := range s.Times {
		k, known := at[t.Unit.In]
		if !known {
			k = len(out)
			at[t.Unit.In], out = k, append(out, seeded{in: t.Unit.In})
		}
		out[k].times = append(out[k].times, t)
		if t.Solved {
			out[k].solved++
		}
	}
	return out
}

// median is the median size of the solver's models.
func (s *Solver) median(of func(u *ratio.Unit) *int64) Number {
	var xs []float64
	for _, t := range s.Times {
		xs = append(xs, stats.Value(of(t.Unit)))
	}
	return Number(stats.Median(stats.Finite(xs)))
}

// SameAlgorithm splits a list of solvers, which are sorted by algorithm, into the groups that solve the same thing.
func SameAlgorithm(list []Solver) (groups [][]Solver) {
	for start := range list {
		if start == 0 || list[start].Algorithm != list[start-1].Algorithm {
			groups = append(groups, nil)
		}
		last := &groups[len(groups)-1]
		*last = list[start-len(*last) : start+1]
	}
	return groups
}

// Common lists, for every solver of a group, its times on the instances that all of them solved with all their seeds, or tried if
// unsolved is set; the positions of the lists correspond. The seeds of an instance are averaged, since some methods have none.
func Common(group []Solver, unsolved bool) [][]stats.Time {
	count := map[*ratio.Instance]int{}
	lists := make([][]seeded, len(group))
	for i := range group {
		lists[i] = group[i].bySeeds()
		for _, l := range lists[i] {
			if l.solved == len(l.times) || unsolved {
				count[l.in]++
			}
		}
	}
	out := make([][]stats.Time, len(group))
	for i, list := range lists {
		for _, l := range list {
			if count[l.in] == len(group) {
				out[i] = append(out[i], l.mean())
			}
		}
	}
	return out
}

func seconds(ts []stats.Time) []float64 {
	xs := make([]float64, len(ts))
	for i, t := range ts {
		xs[i] = t.Seconds
	}
	return xs
}
