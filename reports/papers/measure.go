package papers

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"schedgap/bench"
	"schedgap/bench/generate"
	"schedgap/bench/simrun"
	"schedgap/models"
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
			if values[i], err = e.run(ctx, a, in, s.params, block); err != nil {
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

// Measure measures an entry: a row for each statement that has a column, then one for each point that is drawn.
func (e *Entry) Measure(ctx context.Context, o Options) ([]Row, error) {
	if e.problem == nil {
		return nil, nil
	}
	design := e.design()
	blocks := [][]samples{make([]samples, e.Blocks)}
	if o.Reduced {
		design, blocks[0] = design[:1], blocks[0][:e.Reduced]
	}
	total := len(blocks[0])
	for range design[1:] {
		blocks, total = append(blocks, make([]samples, e.SettingBlocks)), total+e.SettingBlocks
	}
	var done atomic.Int64
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(max(1, o.Workers))
	for i, at := range design {
		for b := range blocks[i] {
			group.Go(func() (err error) {
				blocks[i][b], err = e.block(within, at, o.Seed*1_000_000+uint64(b)+1)
				if n := done.Add(1); err == nil && o.Progress != nil {
					o.Progress(int(n), total)
				}
				return err
			})
		}
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	var rows []Row
	for i, s := range e.Statements {
		if s.Column == "" {
			continue
		}
		r, err := e.evaluate(s.Quantity, blocks)
		if err != nil {
			return nil, err
		}
		if r.Statement = i + 1; s.Theorem != nil {
			r.Low, r.High, r.Count = math.NaN(), math.NaN(), total*len(e.Cases)
			if e.Suite != nil {
				r.Count *= max(1, e.Suite.Instances)
			}
			if !math.IsNaN(r.Most) {
				r.Value = r.Most
			}
		}
		rows = append(rows, r)
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
		v, err := e.evaluate(q, blocks[:1])
		if err != nil {
			return nil, err
		}
		v.Of, v.Against, v.X = r.Of, r.Against, r.X
		rows = append(rows, v)
	}
	return rows, nil
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
