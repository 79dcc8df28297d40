// Package derive has the parts that all derivations of instances and workloads from traces share. A Frame holds a request and
// the assembled trace. Its window is cut into strata, each of which makes at most one instance; jobs are sampled, and the
// instance gets a name and a lineage. The derivers of datasets/flex, pocd, cloning, redundancy and speculation embed a Frame.
package derive

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

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

	Instants int    // that were drawn
	Equal    int    // jobs that are no use as all of their tasks take equally long
	Hint     string // what else could be asked for where there is no instance

	source      *trace.Source
	kind, param string // of the things that an instance needs, see Short
	most        int    // such things in one place
	here        int    // and in the current stratum
}

// Load assembles the trace of r, if of each pair of its parameters the first is at most the second.
func Load(ctx context.Context, r models.DeriveRequest, pairs ...string) (*Frame, error) {
	if err := r.Params.AtMost(pairs...); err != nil {
		return nil, err
	}
	source, err := trace.Open(r.Dir, r.Format)
	if err != nil {
		return nil, err
	}
	tr, err := trace.Assemble(ctx, source, options(r))
	if err != nil {
		return nil, err
	}
	if r.Graph {
		tr.Jobs = slices.DeleteFunc(tr.Jobs, func(j trace.Job) bool { return j.NoDAG })
	}
	if left := trace.Sentence(tr.LeftOutOf(r.Graph)); left != "" && r.Warn != nil {
		r.Warn(left)
	}
	return &Frame{
		Request: r, Trace: tr, source: source, From: max(tr.From, tr.First), To: min(tr.To, tr.Last+1),
	}, nil
}

func options(r models.DeriveRequest) trace.Options {
	return trace.Options{From: r.From, To: r.To, Strict: r.Strict}
}

// Redraws is how often an instant is drawn in a stratum before the stratum is given up.
const Redraws = 200

// Where names the trace and, where one was asked for, the window.
func Where(r models.DeriveRequest) string {
	switch {
	case r.To > 0:
		return fmt.Sprintf("%s, %gs to %gs", r.Dir, r.From, r.To)
	case r.From > 0:
		return fmt.Sprintf("%s, from %gs on", r.Dir, r.From)
	}
	return r.Dir
}

// Nothing is the error of a window in which the trace records no job of the wanted kind, such as "job with 5 tasks".
func (f *Frame) Nothing(kind string) error {
	text := ""
	if f.Trace.Events.Batch > 0 {
		text = "; a record of it stands for many tasks, whose durations are one, with the deviation 0"
	}
	return fmt.Errorf("%s: the %s trace records there no %s%s", Where(f.Request), f.Trace.Format, kind, text)
}

// Short reports whether there are fewer of the wanted kind at an instant, or in a stratum, than a parameter says.
func (f *Frame) Short(there int, param, kind string) bool {
	f.kind, f.param, f.most, f.here = kind, param, max(f.most, there), max(f.here, there)
	return there < f.Request.Params.Int(param)
}

// Missing is the reason why the current stratum gives no instance.
func (f *Frame) Missing() string {
	if least := f.Request.Params.Int(f.param); f.here < least {
		return fmt.Sprintf("there are at most %d %s, fewer than %s=%d", f.here, f.kind, f.param, least)
	}
	return fmt.Sprintf("there are %s, and the rest of what an instance needs is not found with them", f.kind)
}

// None is the error of a trace in which no stratum gives an instance.
func (f *Frame) None() error {
	least, tried := f.Request.Params.Int(f.param), fmt.Sprintf("the %d parts of the window", f.Request.N)
	if f.Instants > 0 {
		tried = fmt.Sprintf("the %d instants that were tried", f.Instants)
	}
	if f.most >= least {
		return models.NoInstance(fmt.Sprintf("%s: in none of %s is there what an instance is made of, with %s or without", Where(f.Request),
			tried, f.kind))
	}
	text := fmt.Sprintf("%s: an instance needs %d %s (%s), and in none of %s are there more than %d",
		Where(f.Request), least, f.kind, f.param, tried, f.most)
	if f.Equal > 0 {
		text += fmt.Sprintf("; the durations of the tasks of %d jobs have the deviation 0", f.Equal)
	}
	return models.NoInstance(text + f.Hint)
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
	f.here = 0
	return Stratum{
		Index: i, Begin: f.at(float64(i)), End: f.at(float64(i + 1)), Rand: rand.New(rand.NewPCG(f.Request.Seed, uint64(i))),
	}
}

// Instant draws a uniform instant of a stratum.
func (f *Frame) Instant(s Stratum) trace.Time {
	f.Instants++
	return f.at(float64(s.Index) + s.Rand.Float64())
}

// at is a place in the span, in strata from its start.
func (f *Frame) at(strata float64) trace.Time {
	width := float64(f.To-f.From) / float64(f.Request.N)
	return f.From + trace.Time(strata*width)
}

// Of returns the jobs that were submitted in the stratum, of a trace's jobs in the order of their submission.
func (s Stratum) Of(jobs []*trace.Job) []*trace.Job {
	before := func(t trace.Time) int {
		return sort.Search(len(jobs), func(i int) bool { return jobs[i].Submit >= t })
	}
	return jobs[before(s.Begin):before(s.End)]
}

// Facts are a stratum's ends, seconds of the trace's clock, and how many jobs there were to choose from, for Sign.
func (s Stratum) Facts(qualified int) map[string]any {
	return map[string]any{"begin": s.Begin.Seconds(), "end": s.End.Seconds(), "qualified": qualified}
}

// Name names the instance of a stratum.
func (f *Frame) Name(s Stratum) string {
	return fmt.Sprintf("%s-seed%d-%03d", f.Trace.Format, f.Request.Seed, s.Index+1)
}

// Sign gives an instance its name and its lineage: where the trace comes from and the fields of more, in the canonical form in
// which instance files are read back.
func (f *Frame) Sign(ctx context.Context, h *models.Header, name string, more map[string]any) error {
	l, err := f.source.Lineage(ctx, options(f.Request), f.Request.Seed, f.Request.Params)
	l.LeftOut = f.Trace.LeftOutOf(f.Request.Graph)
	fields, text := map[string]any{}, []byte(nil)
	if err == nil {
		text, err = json.Marshal(l)
	}
	if err == nil {
		read := json.NewDecoder(bytes.NewReader(text))
		read.UseNumber() // seeds may be larger than what float64 holds exactly
		err = read.Decode(&fields)
	}
	maps.Copy(fields, more)
	if err == nil {
		h.Name = name
		h.Lineage, err = json.Marshal(fields)
	}
	if err != nil {
		return fmt.Errorf("%s: lineage: %w", name, err)
	}
	return nil
}

// A Derivation is a frame with what instances are made of.
type Derivation[I models.Instance] interface {
	Stratum(i int) Stratum
	// Instance derives the instance of a stratum; false: the stratum gives none.
	Instance(ctx context.Context, s Stratum) (in I, ok bool, err error)
	None() error
	Missing() string
}

// Each is a Deriver's Derive: it yields the instance of each stratum. The first error ends it; no instance at all is an error.
func Each[I models.Instance, D Derivation[I]](
	open func(context.Context, models.DeriveRequest) (D, error),
) func(context.Context, models.DeriveRequest) iter.Seq2[I, error] {
	return func(ctx context.Context, r models.DeriveRequest) iter.Seq2[I, error] {
		return func(yield func(I, error) bool) {
			var in I
			d, err := open(ctx, r)
			none := true
			for i, ok := 0, false; i < r.N && err == nil; i++ {
				err = ctx.Err()
				if err == nil {
					in, ok, err = d.Instance(ctx, d.Stratum(i))
				}
				if err == nil && ok && !yield(in, nil) {
					return
				}
				if err == nil && !ok && r.Missed != nil {
					r.Missed(d.Missing())
				}
				none = none && !ok
			}
			if err == nil && none {
				err = d.None()
			}
			if err != nil {
				var none I
				yield(none, err)
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

// Concave mends a table of speedups that begins with 1: it never falls and never rises by more than before, to three decimals.
func Concave(h []float64) {
	rise := 1.0
	for r := 1; r < len(h); r++ {
		h[r] = RoundTo(max(h[r-1], min(h[r], h[r-1]+rise)), 3)
		rise = h[r] - h[r-1]
	}
}

// Streams are n sources of randomness. Draws with a stream of their own do not depend on options that govern others.
func Streams(rng *rand.Rand, n int) []*rand.Rand {
	list := make([]*rand.Rand, n)
	for i := range list {
		list[i] = rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))
	}
	return list
}

// Between draws uniformly. The conversion of the product keeps compilers from fusing it into the sum, so that all machines make
// the same bytes.
func Between(low, high float64, rng *rand.Rand) float64 {
	return low + float64((high-low)*rng.Float64())
}

// Uniform draws from the range of the options kind_from and kind_to.
func Uniform(v models.Values, kind string, rng *rand.Rand) float64 {
	return Between(v.Float(kind+"_from"), v.Float(kind+"_to"), rng)
}
