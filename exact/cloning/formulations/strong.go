package formulations

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/cloning/bounds"
	"schedgap/exact/cloning/schedule"
	"schedgap/exact/cloning/search"
	"schedgap/exact/cloning/values"
	"schedgap/exact/milp"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models"
	"schedgap/models/cloning"
)

// strongOf is our model: every job takes a path through the graph of its states, and the copies of each slot fit into fillings of
// the servers. docs/design/cloning.md#paths-through-states has the proofs. Encode maps a solution that is worse than the model's own
// incumbent to the incumbent's point, which is worth less.
func strongOf(fixed bool) *Formulation {
	return &Formulation{
		Name: "strong",
		Doc: "a path of every job through its states, fillings of the servers\n\n" +
			"docs/design/cloning.md#paths-through-states.",
		Applies: func(in *cloning.Instance) error {
			v := bounds.Of(in)
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
	v     *bounds.Outlook
	best  *schedule.Incumbent // nil: none was found or is to be used
	due   []int               // by job, the slot by which every optimal schedule has it done
	arcs  [][][]use           // by slot and job
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
	m, err := newStrong(bounds.Of(in), fixed, bare)
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

func newStrong(v *bounds.Outlook, fixed, bare bool) (*strong, error) {
	sp, err := kernel.New(v.In, fixed)
	if err != nil {
		return nil, fmt.Errorf("it is meant for jobs of few states: %w", err)
	}
	sp.Level, sp.Steps = true, schedule.MaxPackSteps
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
		m.best = search.Narrowed(v, fixed)
	}
	for j, works := 0, v.Works(); j < len(works); j++ {
		due := horizon
		if m.best != nil {
			due = deadline(v, works, j, m.best.Cost)
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
func deadline(v *bounds.Outlook, works []bounds.Work, j, cost int) int {
	others := 0.0
	if len(works) <= maxDeadlines {
		others = bounds.Together(slices.Delete(slices.Clone(works), j, j+1), len(v.Surrogates))
	} else {
		for i := range works {
			if i != j {
				others += works[i].Earliest
			}
		}
	}
	return int(float64(cost) + v.Arrivals() - others + rounded(others))
}

// rounded is more than rounding may have added to a bound that sums make.
func rounded(bound float64) float64 { return 1e-6 * max(1, bound) }

// maxDeadlines is the most jobs for which deadlines use the bound on all others together.
const maxDeadlines = 300

// addJob adds the arcs of a job, from every state that it can have come to and from which it is done in time.
func (m *strong) addJob(j int) {
	g, id, begin := m.Graphs[j], m.v.In.Jobs[j].ID, m.Arrival[j]
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
	lower := bounds.Lower(m.v.In)
	upper := milp.Inf
	if m.best != nil {
		upper = float64(m.best.Cost)
	}
	m.Relate("cutoff", math.Ceil(lower-rounded(lower)), upper, m.Costs())
}
