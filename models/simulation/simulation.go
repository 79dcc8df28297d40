// Package simulation has the common parts of the simulators of all problems: the frame around a simulation, typed inside a
// problem and erased outside, workload files of one job a line, and a Monitor of the metrics that all report. The packages
// models/*/sim build on it, and bench/catalog registers their simulations.
package simulation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"schedgap/models"
)

// Schedulers are declared once each, in the order in which lists and reports show them.
type Schedulers[A, P any] []Scheduler[A, P]

// A Scheduler is an algorithm A on an instance, a policy P on a workload, or both; nil: it has no meaning there.
type Scheduler[A, P any] struct {
	OnInstance *A
	OnWorkload *P
}

// Algorithms lists the schedulers as algorithms on instances.
func (s Schedulers[A, P]) Algorithms() (list []*A) {
	for _, one := range s {
		if one.OnInstance != nil {
			list = append(list, one.OnInstance)
		}
	}
	return list
}

// Policies lists the schedulers as policies on workloads.
func (s Schedulers[A, P]) Policies() (list []P) {
	for _, one := range s {
		if one.OnWorkload != nil {
			list = append(list, *one.OnWorkload)
		}
	}
	return list
}

// A Source makes workloads W; a nil function means that it cannot in that way.
type Source[W any] struct {
	Specs     []models.Param
	Generate  func(v models.Values, rng *rand.Rand) (*W, error)
	FromTrace func(ctx context.Context, r models.DeriveRequest) (*W, error)
}

// A Definition is a problem's simulator with the types of its policies and of its workloads.
type Definition[P, W any] struct {
	Doc    string
	Params []models.Param
	// Policies are in the order in which lists show them.
	Policies []P
	// External is a policy that a command decides; what goes wrong with the command goes to fail.
	External func(name string, ask models.Ask, fail func(error)) *P
	// Read reads a workload file and validates it.
	Read func(file string, r io.Reader) (*W, error)
	// Start prepares a run of a policy on a valid workload.
	Start func(ctx context.Context, p *P, w *W, r *models.SimRequest) (Engine, error)
	// Aim says which load a workload is to have in a run.
	Aim func(w *W, v models.Values) LoadTarget[W]

	met met[W]
}

// An Engine runs one policy on one workload.
type Engine interface {
	// Run simulates until all jobs are gone.
	Run(ctx context.Context) error
	// Report emits the metrics of a finished run.
	Report(emit func(models.Metric))
	// Realised is the load of a finished run, see Monitor.Realised.
	Realised() float64
}

// A Fault is why no policy can run a workload under the given parameters.
type Fault struct {
	Job string // the id of the job that can never run; empty: it is none's fault
	Err error  // names the job, too
}

func (f *Fault) Error() string { return f.Err.Error() }

// Faulty is a Fault of a job, in words that follow its id.
func Faulty(job, words string, args ...any) error {
	return &Fault{job, fmt.Errorf("job %q"+words, append([]any{job}, args...)...)}
}

// run runs a policy.
func (d *Definition[P, W]) run(ctx context.Context, p *P, plain func(name string) (*P, error), w *W, r *models.SimRequest,
	emit func(models.Metric),
) error {
	w, load, err := d.at(ctx, plain, w, r)
	var e Engine
	if err == nil {
		e, err = d.Start(ctx, p, w, r)
	}
	if fault := (*Fault)(nil); err != nil && ctx.Err() == nil && !errors.As(err, &fault) {
		return &Fault{Err: err}
	}
	if err == nil {
		err = e.Run(ctx)
	}
	if err != nil {
		return err
	}
	e.Report(func(m models.Metric) {
		if m.Name == "load" && load > 0 {
			m.Value = load
		}
		emit(m)
	})
	return nil
}

// New returns the simulator of d with the workloads of source.
func New[P, W any, PP interface {
	*P
	Listed() models.Policy
}, PW interface {
	*W
	Encode(out io.Writer) error
}](d *Definition[P, W], source Source[W],
) *models.Simulator {
	plain := func(name string) (*P, error) { return Find[P, PP](d.Policies, name) }
	s := &models.Simulator{
		Doc: d.Doc, Params: d.Params, Specs: source.Specs, Policies: make([]models.Policy, len(d.Policies)),
		Run: func(ctx context.Context, r models.SimRequest, report func(models.Metric)) error {
			emit := func(m models.Metric) {
				if r.Keep == nil || r.Keep(m) {
					report(m)
				}
			}
			w, err := typed[W](r.Workload)
			if err != nil {
				return err
			}
			if r.Ask != nil {
				return abortable(ctx, func(ctx context.Context, fail func(error)) error {
					return d.run(ctx, d.External(r.Policy, r.Ask, fail), plain, w, &r, emit)
				})
			}
			p, err := Find[P, PP](d.Policies, r.Policy)
			if err != nil {
				return err
			}
			return d.run(ctx, p, plain, w, &r, emit)
		},
		ReadWorkload: func(file string, r io.Reader) (any, error) { return d.Read(file, r) },
		Encode: func(out io.Writer, workload any) error {
			w, err := typed[W](workload)
			if err != nil {
				return err
			}
			return PW(w).Encode(out)
		},
	}
	for i := range d.Policies {
		s.Policies[i] = PP(&d.Policies[i]).Listed()
	}
	if source.Generate != nil {
		s.Generate = func(v models.Values, rng *rand.Rand) (any, error) { return source.Generate(v, rng) }
	}
	if source.FromTrace != nil {
		s.FromTrace = func(ctx context.Context, r models.DeriveRequest) (any, error) { return source.FromTrace(ctx, r) }
	}
	return s
}

// Find returns the policy of a name.
func Find[P any, PP interface {
	*P
	Listed() models.Policy
}](policies []P, name string,
) (*P, error) {
	for i := range policies {
		if PP(&policies[i]).Listed().Name == name {
			return &policies[i], nil
		}
	}
	return nil, fmt.Errorf("unknown policy %q", name)
}

func typed[W any](workload any) (*W, error) {
	w, ok := workload.(*W)
	if !ok {
		return nil, fmt.Errorf("a %T is not a workload of this simulator", workload)
	}
	return w, nil
}

// abortable runs a simulation whose policy may fail in mid-run: fail ends the context, and its cause is the error.
func abortable(ctx context.Context, run func(ctx context.Context, fail func(error)) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	failed := false
	err := run(ctx, func(cause error) {
		failed = true
		cancel(cause)
	})
	if failed {
		return context.Cause(ctx)
	}
	return err
}
