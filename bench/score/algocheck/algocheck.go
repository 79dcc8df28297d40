// Package algocheck runs a user's command on small instances of a problem and reports its mistakes in sentences.
package algocheck

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/bench/generate"
	"schedgap/bench/run/worker"
	"schedgap/models"
)

// Options say how the command runs.
type Options struct {
	Command []string
	Seed    uint64
	Threads int
	Limits  bench.Limits // of every run
	Pass    []string     // names of variables that the command sees besides the few that it always does
	First   bool         // stop at the first instance on which the command is wrong
	// Exact are the limits within which an optimum to compare with is sought.
	Exact bench.Limits
}

// A Verdict reports on the command's run on one instance. Nil means unknown.
type Verdict struct {
	Instance  string   `json:"instance"`
	OK        bool     `json:"ok"`
	Status    string   `json:"status"` // as a row of a result set would have it
	Objective *float64 `json:"objective"`
	Bound     *float64 `json:"bound"`   // proven, on the reference that the solution belongs to
	Optimum   *float64 `json:"optimum"` // proven
	Gap       *float64 `json:"-"`       // of Objective to Optimum, as solve has it
	Seconds   float64  `json:"wall_seconds"`
	// Rivals are the values of the problem's deterministic heuristics on instances whose optimum is proven, by name.
	Rivals map[string]float64 `json:"rivals,omitempty"`
	// Augmented are the factors above 1 of the speed or capacity that solutions have over the optimum's, by rival; the empty name is the
	// command's.
	Augmented map[string]float64 `json:"augmented,omitempty"`
	Wrong     []string           `json:"wrong"` // sentences
	Notes     []string           `json:"notes"` // allowed, but seldom wanted

	Solution json.RawMessage `json:"-"` // that the command printed, if it is one and of at most 4 MiB
}

// grace is between the time limit and SIGTERM.
const grace = 500 * time.Millisecond

// compared is the size in bytes up to which two solutions are compared.
const compared = 4 << 20

// generated is how many random instances there are beside the examples.
const generated = 5

// Instances returns the instances on which a command is tried: the problem's examples and some generated ones.
func Instances(p *bench.Problem, seed uint64) ([]*bench.Instance, error) {
	list, err := p.Examples()
	if err != nil {
		return nil, err
	}
	if p.Generator == nil {
		return list, nil
	}
	values, err := models.Resolve(p.Generator.Params, nil)
	if err != nil {
		return nil, fmt.Errorf("generator of %s: %w", p.Name, err)
	}
	for i := range generated {
		in, err := generate.One(p, generate.Name(p, i), values, seed, i)
		if err != nil {
			return nil, err
		}
		list = append(list, in)
	}
	return list, nil
}

// Run tries the command on every instance and hands each verdict to report. The error says that ctx ended or that no process
// could be started.
func Run(ctx context.Context, instances []*bench.Instance, o Options, report func(Verdict)) error {
	w := worker.New(worker.Options{Grace: grace, Solutions: compared, Pass: o.Pass})
	defer w.Close()
	for _, in := range instances {
		v, err := try(ctx, w, in, o)
		if err != nil {
			return err
		}
		report(v)
		if o.First && !v.OK {
			return nil
		}
	}
	return nil
}

func try(ctx context.Context, w *worker.Worker, in *bench.Instance, o Options) (Verdict, error) {
	v := Verdict{Instance: in.Name, Wrong: []string{}, Notes: []string{}}
	first, err := o.run(ctx, w, in)
	if err != nil {
		return v, err
	}
	v.Status, v.Objective, v.Seconds, v.Solution = string(first.Status), first.Objective, first.WallSeconds, first.Solution
	switch first.Status {
	case bench.Feasible:
	case bench.Skipped:
		v.OK = true
		v.Notes = append(v.Notes, "not applicable: "+first.Error)
		return v, nil
	case bench.Timeout:
		_, words, _ := strings.Cut(first.Error, "\n") // its last ones
		v.wrong("%s", strings.TrimSpace(fmt.Sprintf(
			"the command was killed at the time limit of %v; it must have printed its solution by then\n%s", o.Limits.Time, words)))
	case bench.Invalid:
		if first.WorstConstraint != nil && *first.WorstConstraint == "objective" && first.Claimed != nil && first.Objective != nil {
			v.wrong("it claims the objective %v, but the checker finds %v", *first.Claimed, *first.Objective)
			break
		}
		v.wrong("%s", first.Error)
	default:
		v.wrong("%s", first.Error)
	}
	if first.Objective == nil {
		return v, nil
	}
	if err := v.compare(ctx, w, in, first, o); err != nil {
		return v, err
	}
	if first.Status == bench.Feasible {
		again, err := o.run(ctx, w, in)
		if err != nil {
			return v, err
		}
		if again.Status != first.Status || !same(again.Solution, first.Solution) {
			v.Notes = append(v.Notes, "run again with the same SCHEDGAP_SEED, the command gives another solution: its rows cannot be "+
				"reproduced")
		}
	}
	v.OK = len(v.Wrong) == 0
	return v, nil
}

func (o Options) run(ctx context.Context, w *worker.Worker, in *bench.Instance) (*bench.Result, error) {
	r := bench.Request{Algorithm: "command", Seed: o.Seed, Threads: max(1, o.Threads), Command: o.Command}
	return w.Run(ctx, &bench.Unit{Instance: in, Request: r, Limits: o.Limits})
}

// compare holds the command's value against a proven optimum: a feasible value beyond it is a mistake of schedgap or a
// solution that the checker should have refused, and either way nobody should trust it.
func (v *Verdict) compare(ctx context.Context, w *worker.Worker, in *bench.Instance, res *bench.Result, o Options) error {
	opt := exact(in.Problem, res.Reference)
	if opt == "" {
		return nil
	}
	best, err := w.Run(ctx, &bench.Unit{
		Instance: in, Request: bench.Request{Algorithm: opt, Seed: 1, Threads: 1}, Limits: o.Exact,
	})
	if err != nil {
		return err
	}
	v.Bound = best.Bound
	if best.Status == bench.Optimal {
		v.Optimum, v.Gap = best.Objective, new(0.0)
		if !in.Accuracy.Same(*res.Objective, *v.Optimum) {
			v.Gap = new(in.Accuracy.Gap(*res.Objective, *v.Optimum))
		}
		if err := v.rivals(ctx, w, in, res); err != nil {
			return err
		}
	}
	if v.Bound == nil || res.Status != bench.Feasible || res.Augmentation != 1 {
		return nil
	}
	if in.Problem.Sense.Better(*res.Objective, *v.Bound) && !in.Accuracy.Near(*res.Objective, *v.Bound) {
		v.wrong("its objective %v is better than the bound %v that %s proves; please report this", *res.Objective, *v.Bound, opt)
	}
	return nil
}

// rivalTime is how long a heuristic may take over a small instance.
const rivalTime = 2 * time.Second

// rivals runs the problem's heuristics of the same class of solutions, without those that depend on luck or on an argument.
func (v *Verdict) rivals(ctx context.Context, w *worker.Worker, in *bench.Instance, res *bench.Result) error {
	v.Rivals = map[string]float64{}
	v.augmented("", res)
	for i := range in.Problem.Algorithms {
		a := &in.Problem.Algorithms[i]
		if a.Kind != models.Heuristic || a.Random || a.Arg != "" || !in.Problem.ReferenceWithin(a.Class, res.Reference) {
			continue
		}
		r := bench.Request{Algorithm: a.Name, Seed: 1, Threads: 1}
		if in.Problem.Validate(in, r) != nil || in.Problem.Resolve(&r) != nil {
			continue
		}
		got, err := w.Run(ctx, &bench.Unit{Instance: in, Request: r, Limits: bench.Limits{Time: rivalTime}})
		if err != nil {
			return err
		}
		if got.Status == bench.Feasible {
			v.Rivals[a.Name] = *got.Objective
			v.augmented(a.Name, got)
		}
	}
	return nil
}

func (v *Verdict) augmented(name string, res *bench.Result) {
	if res.Augmentation <= 1 {
		return
	}
	if v.Augmented == nil {
		v.Augmented = map[string]float64{}
	}
	v.Augmented[name] = res.Augmentation
}

// exact names the algorithm that proves optima of the first reference to which solutions of class belong; empty: there is none.
func exact(p *bench.Problem, class string) string {
	for _, ref := range p.References {
		if name := p.Exact(ref.Name); name != "" && p.ReferenceWithin(class, ref.Name) {
			return name
		}
	}
	return ""
}

func (v *Verdict) wrong(format string, args ...any) {
	v.Wrong = append(v.Wrong, fmt.Sprintf(format, args...))
}

func same(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}
