// Package derive is what all derivations of instances and workloads from traces share: a trace assembled once, its window cut
// into strata of which each makes at most one instance, samples, names and lineage.
package derive

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/datasets/trace"
	"schedgap/models"
)

// A Frame is one request against one assembled trace.
type Frame struct {
	Request models.DeriveRequest
	Trace   *trace.Trace
	// From and To bound what is cut into strata: at first the window, from the trace's first record to just after its last
	// unless it is narrower. From ≥ To: the window holds nothing.
	From, To trace.Time

	source  *trace.Source
	lineage *trace.Lineage // once asked for
}

// Load assembles the trace of r.
func Load(ctx context.Context, r models.DeriveRequest) (*Frame, error) {
	source, err := trace.Open(r.Dir, r.Format)
	if err != nil {
		return nil, err
	}
	tr, err := trace.Assemble(ctx, source, options(r))
	if err != nil {
		return nil, err
	}
	return &Frame{
		Request: r, Trace: tr, source: source, From: max(tr.From, tr.First), To: min(tr.To, tr.Last+1),
	}, nil
}

func options(r models.DeriveRequest) trace.Options { return trace.Options{From: r.From, To: r.To} }

// Nothing is the error of a window in which the trace records no job of the wanted kind, such as "job with 5 tasks".
func (f *Frame) Nothing(kind string) error {
	return fmt.Errorf("%s: window %v,%v (0: the end): the %s trace records there no %s",
		f.Request.Dir, f.Request.From, f.Request.To, f.Trace.Format, kind)
}

// A Stratum is one of Request.N equal parts of a frame's span. Its randomness is its own: instances do not depend on each
// other.
type Stratum struct {
	Index      int // from 0
	Begin, End trace.Time
	Rand       *rand.Rand
}

// Stratum returns stratum i.
func (f *Frame) Stratum(i int) Stratum {
	return Stratum{
		Index: i, Begin: f.at(float64(i)), End: f.at(float64(i + 1)), Rand: rand.New(rand.NewPCG(f.Request.Seed, uint64(i))),
	}
}

// Instant draws a uniform instant of a stratum.
func (f *Frame) Instant(s Stratum) trace.Time { return f.at(float64(s.Index) + s.Rand.Float64()) }

// at is a place in the span, in strata from its start.
func (f *Frame) at(strata float64) trace.Time {
	width := float64(f.To-f.From) / float64(f.Request.N)
	return f.From + trace.Time(strata*width)
}

// Name names the instance of a stratum.
func (f *Frame) Name(s Stratum) string {
	return fmt.Sprintf("%s-seed%d-%03d", f.Trace.Format, f.Request.Seed, s.Index+1)
}

// Lineage returns the lineage of one instance: where the trace comes from and the fields of more, in the canonical form in
// which instance files are read back.
func (f *Frame) Lineage(ctx context.Context, more map[string]any) (json.RawMessage, error) {
	if f.lineage == nil {
		l, err := f.source.Lineage(ctx, options(f.Request), f.Request.Seed, f.Request.Params)
		if err != nil {
			return nil, err
		}
		f.lineage = &l
	}
	text, err := json.Marshal(f.lineage)
	if err != nil {
		return nil, fmt.Errorf("lineage: %w", err)
	}
	fields := map[string]any{}
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("lineage: %w", err)
	}
	for key, v := range more {
		fields[key] = v
	}
	if text, err = json.Marshal(fields); err != nil {
		return nil, fmt.Errorf("lineage: %w", err)
	}
	return text, nil
}

// Instances yields what make makes of each stratum; false: the stratum gives no instance. The first error ends it.
func Instances[I models.Instance](
	ctx context.Context, r models.DeriveRequest, open func() (make func(ctx context.Context, stratum int) (I, bool, error), err error),
) iter.Seq2[I, error] {
	return func(yield func(I, error) bool) {
		var none I
		derive, err := open()
		if err != nil {
			yield(none, err)
			return
		}
		for stratum := range r.N {
			if err := ctx.Err(); err != nil {
				yield(none, err)
				return
			}
			in, ok, err := derive(ctx, stratum)
			switch {
			case err != nil:
				yield(none, err)
				return
			case ok && !yield(in, nil):
				return
			}
		}
	}
}

// Fewer tells who asked that an instance has fewer of something than a parameter says, if so.
func (f *Frame) Fewer(param string, there int) {
	if f.Request.Fewer != nil && there < f.Request.Params.Int(param) {
		f.Request.Fewer(param, there)
	}
}

// Sample draws most of the indices below n without replacement, ascending; all of them when there are no more.
func Sample(n, most int, rng *rand.Rand) []int {
	taken := rng.Perm(n)[:min(n, most)]
	slices.Sort(taken)
	return taken
}

// RoundTo rounds to a number of decimals.
func RoundTo(x float64, decimals int) float64 {
	scale := math.Pow10(decimals)
	return math.Round(x*scale) / scale
}

// AtMost is the error of parameters of which least must not exceed most.
func AtMost(v models.Values, least, most string) error {
	if a, b := v.Int(least), v.Int(most); a > b {
		return fmt.Errorf("parameter %s: %d must be at most %s, %d", least, a, most, b)
	}
	return nil
}
