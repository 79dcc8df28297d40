// Package sim is the epoch simulator of FLEX (Wolf et al., Middleware 2010, sections 2.2 and 4.2): jobs of a Map and a
// Reduce phase arrive over time and share a pool of Map and a pool of Reduce slots; every T seconds a policy renews how many
// slots of each pool every job shall hold; tasks are not preempted, and a freed slot goes to the job that is the most
// relatively under-allocated at that moment, as in the assignment layer of the Hadoop Fair Scheduler (section 1).
package sim

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"

	"schedgap/models"
)

// A Source makes workloads; a nil function means that it cannot in that way.
type Source struct {
	Specs     []models.Param
	Generate  func(v models.Values, rng *rand.Rand) (*Workload, error)
	FromTrace func(ctx context.Context, r models.DeriveRequest) (*Workload, error)
}

// New returns the simulator of the given policies and workloads.
func New(policies []Policy, source Source) *models.Simulator {
	s := &models.Simulator{
		Doc: "epochs of slot allocation to jobs of Map and Reduce tasks\n\n" +
			"Wolf et al. 2010, sections 2.2 and 4.2. Every epoch the policy renews the slots that each job shall hold, from the " +
			"remaining work of the active phases; freed slots go to the most relatively under-allocated job.",
		Params: Params,
		Specs:  source.Specs,
		Run: func(ctx context.Context, r models.SimRequest, emit func(models.Metric)) error {
			return run(ctx, policies, r, emit)
		},
		ReadWorkload: func(file string, r io.Reader) (any, error) { return ReadWorkload(file, r) },
		Encode: func(w io.Writer, workload any) error {
			typed, err := typedWorkload(workload)
			if err != nil {
				return err
			}
			return Encode(w, typed)
		},
	}
	if source.Generate != nil {
		s.Generate = func(v models.Values, rng *rand.Rand) (any, error) { return source.Generate(v, rng) }
	}
	if source.FromTrace != nil {
		s.FromTrace = func(ctx context.Context, r models.DeriveRequest) (any, error) { return source.FromTrace(ctx, r) }
	}
	for _, p := range policies {
		s.Policies = append(s.Policies, p.Policy)
	}
	return s
}

func typedWorkload(workload any) (*Workload, error) {
	w, ok := workload.(*Workload)
	if !ok {
		return nil, fmt.Errorf("a %T is not a workload of the flex simulator", workload)
	}
	return w, nil
}

func run(ctx context.Context, policies []Policy, r models.SimRequest, emit func(models.Metric)) error {
	w, err := typedWorkload(r.Workload)
	if err != nil {
		return err
	}
	if err := w.Validate(); err != nil {
		return err
	}
	i := slices.IndexFunc(policies, func(p Policy) bool { return p.Name == r.Policy })
	if i < 0 {
		return fmt.Errorf("unknown policy %q", r.Policy)
	}
	e := newEngine(w, &policies[i], readOptions(r.Params), r.Seed)
	if err := e.run(ctx); err != nil {
		return err
	}
	e.report(emit)
	return nil
}
