package papers

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"schedgap/bench"
	"schedgap/bench/generate"
	"schedgap/bench/run/simrun"
	"schedgap/models"
	"schedgap/reports/stats"
)

// A place is where a column's values are in a block.
type place struct {
	x            float64
	name, column string
}

// A column is a list of values, of repetitions, instances or jobs.
type column struct {
	values []float64
	jobs   []string // whose values they are, repetition and id; nil: not of jobs
}

// samples are the results of one block.
type samples map[place]*column

func (b samples) add(x float64, name, of string, value float64, job string) {
	at := place{x, name, of}
	if b[at] == nil {
		b[at] = &column{}
	}
	b[at].values = append(b[at].values, value)
	if job != "" {
		b[at].jobs = append(b[at].jobs, job)
	}
}

// values returns a column of a block.
func (b samples) values(e *Entry, at place) (*column, error) {
	if c := b[at]; c != nil {
		return c, nil
	}
	path := "draw.column"
	if i := slices.IndexFunc(e.Statements, func(s Statement) bool { return s.Column == at.column }); i >= 0 {
		path = fmt.Sprintf("statements[%d].column", i)
	}
	var list []string
	for p := range b {
		if p.x == at.x && p.name == at.name {
			list = append(list, p.column)
		}
	}
	slices.Sort(list)
	return nil, e.sentence(known(path, "column", at.column, list))
}

// block measures all cases of one block.
func (e *Entry) block(ctx context.Context, at map[string]any, block uint64) (samples, error) {
	b := samples{}
	for i, c := range e.Cases {
		s, err := e.setting(at, c)
		if err == nil && e.Simulation != nil {
			err = e.simulate(ctx, b, s, block)
		} else if err == nil {
			err = e.solve(ctx, b, s, block, i)
		}
		if err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (e *Entry) simulate(ctx context.Context, b samples, s setting, block uint64) error {
	wanted := func(column string) bool {
		return e.Draw != nil && e.Draw.Column == column ||
			slices.ContainsFunc(e.Statements, func(s Statement) bool { return s.Column == column })
	}
	rows, err := simrun.Run(ctx, simrun.Plan{
		Problem: e.problem, Policies: e.names, Params: s.params, Seed: block, Repetitions: e.Simulation.Repetitions,
		Workers: 1, Workload: e.ID, Spec: s.workload, Keep: func(m models.Metric) bool { return m.Scope == "run" || wanted(m.Name) },
	})
	for _, r := range rows {
		job := ""
		if r.Job != nil {
			job = fmt.Sprint(r.Repetition, " ", *r.Job)
		}
		b.add(s.x, r.Policy, r.Metric, r.Value, job)
	}
	return err
}

// solve runs the algorithms of a suite. Every run must have an objective, and the reference must prove its own.
func (e *Entry) solve(ctx context.Context, b samples, s setting, block uint64, number int) error {
	var instances []*bench.Instance
	if len(e.instances) > 0 {
		instances = e.instances[number : number+1]
	}
	for k := range e.Suite.Instances {
		in, err := generate.One(e.problem, fmt.Sprintf("%s-%d-%d", e.ID, block, k), s.workload, block, k)
		if err != nil {
			return err
		}
		instances = append(instances, in)
	}
	reference := slices.Index(e.names, e.Suite.Reference)
	for _, in := range instances {
		values := make([]float64, len(e.names))
		for i, a := range e.Suite.Algorithms {
			var err error
			values[i], err = e.run(ctx, a, in, s.params, block)
			if err != nil {
				return err
			}
			b.add(s.x, a.Label, "objective", values[i], "")
		}
		for i, name := range e.names {
			if reference < 0 {
				break
			}
			v, best := values[i], values[reference]
			if e.problem.Sense == models.Maximize {
				v, best = best, v // a ratio is at least 1
			}
			if v == best { // both may be 0
				v, best = 1, 1
			}
			b.add(s.x, name, "ratio", v/best, "")
		}
	}
	return nil
}

func (e *Entry) run(ctx context.Context, a Algorithm, in *bench.Instance, given models.Values, block uint64) (float64, error) {
	found, _, err := e.problem.Find(a.Name)
	if err != nil {
		return 0, err
	}
	own := map[string]any{}
	for _, p := range found.Params {
		if v, ok := given[p.Name]; ok {
			own[p.Name] = v
		}
	}
	maps.Copy(own, a.Params)
	params, err := models.Resolve(found.Params, own)
	if err != nil {
		return 0, err
	}
	res := e.problem.Run(ctx, in, bench.Request{Algorithm: a.Name, Params: params, Seed: block, Threads: 1}, bench.Observer{})
	switch {
	case res.Objective == nil || res.Feasible == nil || !*res.Feasible:
		return 0, fmt.Errorf("%s: %s on %s: %s: %s", e.ID, a.Label, in.Name, res.Status, res.Error)
	case a.Label == e.Suite.Reference && res.Status != bench.Optimal:
		return 0, fmt.Errorf("%s: the reference %s on %s proved no optimum: %s", e.ID, a.Label, in.Name, res.Status)
	}
	return *res.Objective, nil
}

// Options say how an entry is measured.
type Options struct {
	Seed     uint64 // 0: that of the stored measurements
	Workers  int
	Reduced  bool                  // only a few blocks of our defaults
	Progress func(done, total int) // in blocks; may be nil
}

// Measure measures an entry: a row for each statement that has a column, then one for each point that is drawn. All settings
// have setting_blocks blocks at first. What a row then says of some settings, which are the ends of its range and the one that
// comes nearest to the printed number, is measured again with as many blocks as our defaults have and with other seeds: the least
// of many noisy means is no unbiased mean.
func (e *Entry) Measure(ctx context.Context, o Options) ([]Row, error) {
	if e.problem == nil {
		return nil, nil
	}
	m := &measurement{e: e, ctx: ctx, o: o, design: e.design()}
	if o.Reduced {
		m.design = m.design[:1]
	}
	if err := m.screen(); err != nil {
		return nil, err
	}
	rows, err := m.statements()
	if err != nil {
		return nil, err
	}
	for _, r := range e.drawn() {
		q := e.Draw.Quantity
		q.Of, q.At = []string{r.Of}, &r.X
		if r.Against != "" {
			q.Against = []string{r.Against}
		}
		if len(e.Draw.Limits) > 0 {
			q.Within, q.At = r.X, e.Draw.At
		}
		v, err := e.evaluate(q, m.first[0])
		if q.Stat == "worst" {
			v, err = m.worst(&Statement{Quantity: q})
		}
		if err != nil {
			return nil, err
		}
		v.Of, v.Against, v.X = r.Of, r.Against, r.X
		rows = append(rows, v)
	}
	return rows, nil
}

// A measurement is one of an entry.
type measurement struct {
	e      *Entry
	ctx    context.Context
	o      Options
	design []trial
	first  [][]samples       // by trial
	again  map[int][]samples // by trial
	done   atomic.Int64
	total  int
}

// againFrom is the number of the first block that is measured again.
const againFrom = 100_000

// blocks measures blocks of trials, those of trial i from the number from on.
func (m *measurement) blocks(trials []int, into func(trial int) []samples, from int) error {
	for _, i := range trials {
		m.total += len(into(i))
	}
	group, within := errgroup.WithContext(m.ctx)
	group.SetLimit(max(1, m.o.Workers))
	for _, i := range trials {
		list := into(i)
		for b := range list {
			group.Go(func() (err error) {
				list[b], err = m.e.block(within, m.design[i].at, m.o.Seed*1_000_000+uint64(from+b)+1)
				if n := m.done.Add(1); err == nil && m.o.Progress != nil {
					m.o.Progress(int(n), m.total)
				}
				return err
			})
		}
	}
	return group.Wait()
}

// screen measures all trials.
func (m *measurement) screen() error {
	var all []int
	for i := range m.design {
		n := m.e.SettingBlocks
		if i == 0 {
			n = m.e.Blocks
		}
		if m.o.Reduced {
			n = m.e.Reduced
		}
		m.first, all = append(m.first, make([]samples, n)), append(all, i)
	}
	return m.blocks(all, func(i int) []samples { return m.first[i] }, 0)
}

// statements evaluates the statements, and measures again what they need.
func (m *measurement) statements() (rows []Row, err error) {
	spans := map[int]*span{}
	needed := map[int]bool{}
	for i, s := range m.e.Statements {
		if s.Column == "" {
			continue
		}
		var r Row
		if s.Theorem != nil || s.Bound {
			r, err = m.worst(&s)
		} else {
			r, err = m.e.evaluate(s.Quantity, m.first[0])
			if err == nil && len(m.design) > 1 {
				spans[i], err = m.span(&s)
				if err == nil {
					for _, k := range spans[i].again {
						needed[k] = true
					}
				}
			}
		}
		if err != nil {
			return nil, err
		}
		r.Statement = i + 1
		rows = append(rows, r)
	}
	m.again = map[int][]samples{}
	for k := range needed {
		m.again[k] = make([]samples, m.e.Blocks)
	}
	if err := m.blocks(slices.Sorted(maps.Keys(m.again)), func(i int) []samples { return m.again[i] }, againFrom); err != nil {
		return nil, err
	}
	for k := range rows {
		if r := &rows[k]; spans[r.Statement-1] != nil {
			if err := m.ends(spans[r.Statement-1], &m.e.Statements[r.Statement-1], r); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
}

// worst is the worst value over all instances of all trials and blocks, for theorems and bounds.
func (m *measurement) worst(s *Statement) (Row, error) {
	var all []samples
	for _, list := range m.first {
		all = append(all, list...)
	}
	q := s.Quantity
	if q.Stat == "max" {
		q.Stat = "worst"
	}
	r, err := m.e.evaluate(q, all)
	r.Low, r.High, r.Count = math.NaN(), math.NaN(), len(all)
	if q.At == nil {
		r.Count *= len(m.e.Cases)
	}
	if m.e.Suite != nil {
		r.Count *= max(1, m.e.Suite.Instances)
	}
	return r, err
}

// A span says which trials a row is about.
type span struct {
	again               []int // to be measured again
	nearest             int   // to the printed number among the trials of one factor alone; 0: it is at our defaults, or nothing is printed
	mover, from, to     string
	moved, least, most  float64
	leastTrial, mostOne int
}

// span compares the trials of a statement, each with as many of its blocks as all have, of the same seeds.
func (m *measurement) span(s *Statement) (*span, error) {
	values := make([]float64, len(m.design))
	for i, list := range m.first {
		f, err := s.statistic(m.e, list[:min(len(list), m.e.SettingBlocks)])
		if err != nil {
			return nil, err
		}
		values[i] = f(indices(min(len(list), m.e.SettingBlocks)))
		if !stats.IsFinite(values[i]) {
			return nil, fmt.Errorf("%s: %s of %v is %v at %v", m.e.ID, s.Column, s.Of, values[i], m.design[i].at)
		}
	}
	p := &span{least: values[0], most: values[0]}
	for i, v := range values {
		if v < p.least {
			p.least, p.leastTrial = v, i
		}
		if v > p.most {
			p.most, p.mostOne = v, i
		}
	}
	p.again = []int{p.leastTrial, p.mostOne}
	for k, f := range m.e.Open {
		low, high := 0, 0
		for i, t := range m.design {
			if t.factor == k && values[i] < values[low] {
				low = i
			}
			if t.factor == k && values[i] > values[high] {
				high = i
			}
		}
		if moved := values[high] - values[low]; moved > p.moved {
			p.mover, p.from, p.to, p.moved = f.Name, fmt.Sprint(m.design[low].at[f.Name]), fmt.Sprint(m.design[high].at[f.Name]), moved
		}
	}
	for i, t := range m.design {
		if s.Printed != nil && t.factor >= 0 && math.Abs(values[i]-*s.Printed) < math.Abs(values[p.nearest]-*s.Printed) {
			p.nearest = i
		}
	}
	p.again = slices.DeleteFunc(append(p.again, p.nearest), func(i int) bool { return i == 0 })
	return p, nil
}

// ends completes a row by what was measured again.
func (m *measurement) ends(p *span, s *Statement, r *Row) error {
	r.Settings, r.Mover, r.MoverFrom, r.MoverTo, r.Moved = len(m.design), p.mover, p.from, p.to, p.moved
	r.Least, r.LeastLow, r.LeastHigh, r.Most, r.MostLow, r.MostHigh = r.Value, r.Low, r.High, r.Value, r.Low, r.High
	for _, i := range p.again {
		v, err := m.e.evaluate(s.Quantity, m.again[i])
		if err != nil {
			return err
		}
		if v.Value < r.Least {
			r.Least, r.LeastLow, r.LeastHigh = v.Value, v.Low, v.High
		}
		if v.Value > r.Most {
			r.Most, r.MostLow, r.MostHigh = v.Value, v.Low, v.High
		}
		if i == p.nearest && s.meets(&v) && !s.meets(r) {
			name := m.e.Open[m.design[i].factor].Name
			r.Met, r.MetValue, r.MetLow, r.MetHigh = fmt.Sprint(name, " = ", m.design[i].at[name]), v.Value, v.Low, v.High
		}
	}
	return nil
}

// meets says whether a row's value is the printed number: its interval has it in it, or the difference is at most half a unit of its
// last digit, or 0.5 % where that is more, and never more than 2 %: a number of one digit is not met by all that rounds to it.
func (s *Statement) meets(r *Row) bool {
	p := *s.Printed
	if r.Low <= p && p <= r.High {
		return true
	}
	_, after, _ := strings.Cut(strconv.FormatFloat(p, 'f', -1, 64), ".")
	return math.Abs(r.Value-p) <= min(max(0.5*math.Pow10(-len(after)), 0.005*math.Abs(p)), 0.02*math.Abs(p))
}

// indices are 0 to n − 1.
func indices(n int) []uint32 {
	list := make([]uint32, n)
	for k := range list {
		list[k] = uint32(k)
	}
	return list
}

// drawn are the places of the drawing: by case, or by limit.
func (e *Entry) drawn() (rows []Row) {
	if e.Draw == nil {
		return nil
	}
	xs := e.Draw.Limits
	if len(xs) == 0 {
		xs = e.places()
	}
	for _, of := range e.Draw.Of {
		for _, base := range orNone(e.Draw.Against) {
			for _, x := range xs {
				rows = append(rows, Row{Of: of, Against: base, X: x})
			}
		}
	}
	return rows
}
