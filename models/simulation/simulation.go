// Package simulation is what the simulators of all problems share: the frame around a simulation, typed inside a problem and
// erased outside, and workload files of one job a line.
package simulation

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"

	"schedgap/models"
)

// A Source makes workloads W; a nil function means that it cannot in that way.
type Source[W any] struct {
	Specs     []models.Param
	Generate  func(v models.Values, rng *rand.Rand) (*W, error)
	FromTrace func(ctx context.Context, r models.DeriveRequest) (*W, error)
}

// A Definition is a problem's simulator with its workload's type.
type Definition[W any] struct {
	Doc      string
	Params   []models.Param
	Policies []models.Policy
	// Run simulates r.Policy on w, which it validates.
	Run    func(ctx context.Context, w *W, r models.SimRequest, emit func(models.Metric)) error
	Read   func(file string, r io.Reader) (*W, error)
	Encode func(out io.Writer, w *W) error
}

// New erases the workload's type of d.
func New[W any](d Definition[W], source Source[W]) *models.Simulator {
	s := &models.Simulator{
		Doc: d.Doc, Params: d.Params, Specs: source.Specs, Policies: d.Policies,
		Run: func(ctx context.Context, r models.SimRequest, emit func(models.Metric)) error {
			w, err := typed[W](r.Workload)
			if err != nil {
				return err
			}
			return d.Run(ctx, w, r, emit)
		},
		ReadWorkload: func(file string, r io.Reader) (any, error) { return d.Read(file, r) },
		Encode: func(out io.Writer, workload any) error {
			w, err := typed[W](workload)
			if err != nil {
				return err
			}
			return d.Encode(out, w)
		},
	}
	if source.Generate != nil {
		s.Generate = func(v models.Values, rng *rand.Rand) (any, error) { return source.Generate(v, rng) }
	}
	if source.FromTrace != nil {
		s.FromTrace = func(ctx context.Context, r models.DeriveRequest) (any, error) { return source.FromTrace(ctx, r) }
	}
	return s
}

func typed[W any](workload any) (*W, error) {
	w, ok := workload.(*W)
	if !ok {
		return nil, fmt.Errorf("a %T is not a workload of this simulator, which takes a %T", workload, w)
	}
	return w, nil
}
