package cloning

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/cloning/values"
	"schedgap/exact/milp"
	"schedgap/exact/verify/jobgraph"
	"schedgap/models"
	"schedgap/models/cloning"
)

// strongOf is our model: every job takes a path through the graph of its states, and the copies of each slot fit into fillings of
// the servers. docs/design/cloning.md#paths-through-states has the proofs. Encode maps a solution that is worse than the model's own
// incumbent to the incumbent's point, which is worth less.
func strongOf(fixed bool) *formulation {
	return &formulation{
		Name: "strong",
		Doc: "a path of every job through its states, fillings of the servers\n\n" +
			"docs/design/cloning.md#paths-through-states.",
		Applies: func(in *cloning.Instance) error {
			v := preprocess(in)
			if err := tooLong(v); err != nil {
				return err
			}
			m, err := newStrong(v, fixed, true)
			if err != nil {
				return err
			}
			return m.tooLarge()
		},
		Rows: []exact.Row{
			{Name: "flow", Statement: "a job leaves each state as often as it comes there, and its first state once"},
			{Name: "capacity", Statement: "copies of phase k that arcs need on some servers ≤ Σ_fillings l·copies in the filling"},
			{Name: "servers", Statement: "Σ_fillings l ≤ servers alike"},
			{Name: "cutoff", Statement: "lower bound ≤ objective ≤ that of the incumbent", Cut: true},
		},
		Build: func(in *cloning.Instance, as exact.BuildOptions) (*exact.BuiltModel[cloning.Solution], error) {
			return buildStrong(in, fixed, as.NoStart)
		},
	}
}

// A strong is the model of one instance. Time is counted from the first arrival.
type strong struct {
	*milp.Model
	*values.Relaxation
	v     *preprocessed
	best  *incumbent // nil: none was found or is to be used
	due   []int      // by job, the slot by which every optimal schedule has it done
	arcs  [][][]use  // by slot and job
	arc   [][][][]int
	rooms []room // by slot
}

// A use is an arc of a job in a slot, with its column.
type use struct {
	col    int
	copies []uint8
}

// buildStrong builds the model, bare: without the windows and the cutoff that an incumbent and bounds bring.
func buildStrong(in *cloning.Instance, fixed, bare bool) (*exact.BuiltModel[cloning.Solution], error) {
	m, err := newStrong(preprocess(in), fixed, bare)
	if err == nil {
		err = m.tooLarge()
	}
	if err != nil {
		return nil, models.NotApplicablef("model strong: %v", err)
	}
	m.Model = &milp.Model{Name: in.Name + "-strong"}
	for j := range m.Graphs {
		m.addJob(j)
	}
	for t := range m.arcs {
		m.addRoom(t)
	}
	if !bare {
		m.addCutoff()
	}
	return &exact.BuiltModel[cloning.Solution]{Model: m.Model, Decode: m.decode, Encode: m.encode}, nil
}

func newStrong(v *preprocessed, fixed, bare bool) (*strong, error) {
	sp, err := jobgraph.New(v.in, fixed)
	if err != nil {
		return nil, fmt.Errorf("it is meant for jobs of few states: %w", err)
	}
	sp.Level, sp.Steps = true, maxPackSteps
	m := &strong{v: v, Relaxation: values.NewRelaxation(context.Background(), sp, maxArcs)}
	if m.Relaxation == nil {
		return nil, errors.New("it is meant for jobs of few states, and servers with few sets of copies that fit")
	}
	for k := range sp.Phases {
		if n := len(sp.Servers); m.apart(k) && math.Pow(float64(n), float64(m.out(k))) > maxParts {
			return nil, fmt.Errorf("it is meant for few servers where copies of a task have to be on different ones, not for %d", n)
		}
	}
	horizon := slices.Max(m.Arrival) // with every job alone, one after the other
	for _, g := range m.Graphs {
		horizon += int(g.Free[0])
	}
	if !bare {
		m.best = v.narrowed(fixed)
	}
	for j, works := 0, v.works(); j < len(works); j++ {
		due := horizon
		if m.best != nil {
			due = v.deadline(works, j, m.best.cost)
		}
		m.due = append(m.due, due)
	}
	m.arcs = make([][][]use, slices.Max(m.due))
	return m, nil
}

// Sizes of models.
const (
	maxArcs  = 200_000 // of all jobs' graphs
	maxParts = 100     // sets of servers to leave out
)

func (m *strong) tooLarge() error {
	columns := 0.0
	for j, g := range m.Graphs {
		for s := range g.Nodes {
			columns += float64(len(g.Nodes[s].Arcs) * max(0, m.due[j]-m.Arrival[j]))
		}
	}
	for c := range m.Classes {
		columns += float64(len(m.Fillings(c, nil)) * len(m.arcs))
	}
	return tooLarge(columns)
}

// deadline is the latest end of job j in a schedule as good as an incumbent: all others together take at least their bound.
func (v *preprocessed) deadline(works []work, j, cost int) int {
	others := 0.0
	if len(works) <= maxDeadlines {
		others = together(slices.Delete(slices.Clone(works), j, j+1), len(v.surrogates))
	} else {
		for i := range works {
			if i != j {
				others += works[i].earliest
			}
		}
	}
	return int(float64(cost) + v.arrivals() - others + rounded(others))
}

// rounded is more than rounding may have added to a bound that sums make.
func rounded(bound float64) float64 { return 1e-6 * max(1, bound) }

// narrowed is the best list schedule, improved by one narrow pass of the search. Nothing is taken from the pass but a schedule.
func (v *preprocessed) narrowed(fixed bool) *incumbent {
	ctx := context.Background()
	best := v.incumbent(ctx)
	if best == nil || v.tasks > maxNarrowTasks {
		return best
	}
	sp := newLayeredSearch(ctx, v, best.solution, fixed, maxNarrowArcSlots, 1)
	if sp == nil {
		return best
	}
	sp.best, sp.bounded, sp.improved = best.cost, func(int) {}, func(s cloning.Solution) {
		if s, cost, err := feasible(v.in, s, fixed); err == nil && int(cost) < best.cost {
			best = &incumbent{s, int(cost)}
		}
	}
	sp.narrow(ctx, efforts[0])
	return best
}

// Efforts before a model is built, which no context bounds.
const (
	maxNarrowTasks    = 40
	maxNarrowArcSlots = 2_000_000
	maxDeadlines      = 300 // jobs, for deadlines with the bound on all others together
)

// addJob adds the arcs of a job, from every state that it can have come to and from which it is done in time.
func (m *strong) addJob(j int) {
	g, id, begin := m.Graphs[j], m.v.in.Jobs[j].ID, m.Arrival[j]
	here := map[int32][]milp.Term{0: nil} // by node, the arcs that come to it
	m.arc = append(m.arc, make([][][]int, m.due[j]))
	for t := begin; t < m.due[j]; t++ {
		next := map[int32][]milp.Term{}
		m.arc[j][t] = make([][]int, len(g.Nodes))
		var list []use
		for s := range g.Nodes {
			row := milp.Row{Name: fmt.Sprintf("flow[%s,%d,%d]", id, t, s)}
			var ok bool
			row.Terms, ok = here[int32(s)]
			if !ok || s == int(g.End) {
				continue
			}
			if t == begin {
				row.Lo, row.Hi = 1, 1
			}
			for a := range g.Nodes[s].Arcs {
				arc := &g.Nodes[s].Arcs[a]
				if t+1+int(g.Free[arc.Next]) > m.due[j] {
					m.arc[j][t][s] = append(m.arc[j][t][s], -1)
					continue
				}
				col := milp.Col{Name: fmt.Sprintf("x[%s,%d,%d,%d]", id, t+1, s, a), Hi: 1, Integer: true}
				if arc.Next == g.End {
					col.Cost = float64(t + 1 - begin)
				}
				at := m.AddCol(col)
				m.arc[j][t][s] = append(m.arc[j][t][s], at)
				row.Terms = append(row.Terms, milp.Term{Col: at, Coef: 1})
				next[arc.Next] = append(next[arc.Next], milp.Term{Col: at, Coef: -1})
				if len(arc.Buys) > 0 {
					list = append(list, use{at, arc.Copies})
				}
			}
			m.Rows = append(m.Rows, row)
		}
		for len(m.arcs[t]) < j {
			m.arcs[t] = append(m.arcs[t], nil)
		}
		m.arcs[t], here = append(m.arcs[t], list), next
	}
}

// addCutoff adds the objective between its bounds.
func (m *strong) addCutoff() {
	lower := LowerBound(m.v.in)
	upper := milp.Inf
	if m.best != nil {
		upper = float64(m.best.cost)
	}
	m.Relate("cutoff", math.Ceil(lower-rounded(lower)), upper, m.Costs())
}
