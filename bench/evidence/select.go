package evidence

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/goccy/go-yaml"
	"golang.org/x/sync/errgroup"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"schedgap/bench"
	"schedgap/bench/generate"
	"schedgap/datasets/library"
	"schedgap/models"
)

// A Selection says how a library's instances are drawn: a pool of each family, of which the instances that differ most are
// short-listed.
type Selection struct {
	Seed      uint64            `yaml:"seed"`
	Pool      int               `yaml:"pool"`      // instances drawn of a problem
	ShortList int               `yaml:"shortlist"` // of these, solved
	Problems  map[string]Rivals `yaml:"problems"`
	Families  []Family          `yaml:"families"`
}

// Rivals are what the instances of a pool are measured by.
type Rivals struct {
	Reference  string   `yaml:"reference"`
	Heuristics []string `yaml:"heuristics"`
	Bound      string   `yaml:"bound"`
	// Draws is how many pools are drawn at most until one is full of instances in which something competes; 0: 1.
	Draws int `yaml:"draws"`
}

// A Family is a kind of instances of one problem. Params are values, lists of values of which one is drawn, or {from: a, to:
// b}, whole numbers of which one is drawn. With Trace the instances are derived from a trace that is not ours to store.
type Family struct {
	Problem string         `yaml:"problem"`
	Name    string         `yaml:"name"`
	Set     string         `yaml:"set"` // empty: seen and benchmark
	N       int            `yaml:"n"`   // of a set that is not drawn from a pool
	Licence string         `yaml:"licence"`
	Recipe  bool           `yaml:"recipe"` // the instance is not stored
	Params  map[string]any `yaml:"params"`
	Trace   *window        `yaml:"trace"`
}

// ReadSelection reads a selection.
func ReadSelection(file string, data []byte) (s Selection, err error) {
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.DisallowUnknownField()).Decode(&s); err != nil {
		return s, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

// A candidate is an instance of a pool with its place among the others.
type candidate struct {
	*bench.Instance
	family  *Family
	set     string
	source  string
	lineage json.RawMessage
	// at is its place: sizes, how far each heuristic ends from the bound, and features; far is the least of these distances.
	at  []float64
	far float64
}

const (
	quickBound     = 5 * time.Second
	quickHeuristic = 2 * time.Second
	contention     = 1e-6 // least distance of the best heuristic from the bound, else nothing competes
)

// Select makes a library of short-listed instances, without values, in a folder.
func (c *Collection) Select(ctx context.Context, s Selection, dir, release string, done func(problem string, drawn int)) error {
	c.Library = &library.Library{}
	var places bytes.Buffer
	for _, p := range c.Registry.Problems {
		rivals, has := s.Problems[p.Name]
		if !has {
			continue
		}
		families := map[*Family]uint64{} // with their seeds
		var pooled, others []*Family
		for i := range s.Families {
			if f := &s.Families[i]; f.Problem == p.Name {
				families[f] = s.Seed + uint64(i)<<20
				if f.Set == "" {
					pooled = append(pooled, f)
				} else {
					others = append(others, f)
				}
			}
		}
		var pool []*candidate
		shapes := map[string]bool{}
		share := s.Pool / max(1, len(pooled))
		for _, f := range pooled {
			left := share
			for round := 0; round < max(1, rivals.Draws) && left > 0; round++ {
				drawn, err := c.draw(ctx, p, f, families[f], round*share, share)
				if err == nil {
					drawn, err = measure(ctx, p, rivals, drawn, shapes)
				}
				if err != nil {
					return fmt.Errorf("family %s: %w", f.Name, err)
				}
				drawn = drawn[:min(len(drawn), left)]
				pool, left = append(pool, drawn...), left-len(drawn)
			}
		}
		standardise(pool)
		done(p.Name, len(pool))
		for _, k := range pool {
			if err := writePoint(&places, k); err != nil {
				return err
			}
		}
		of := map[*Family]int{} // its place, then how many of it were dealt out
		for i, f := range pooled {
			of[f] = i
		}
		list := farthest(pool, pooled, s.ShortList)
		for _, k := range list {
			k.set = []string{"seen", "benchmark"}[of[k.family]%2]
			of[k.family]++
		}
		for _, f := range others {
			drawn, err := c.draw(ctx, p, f, families[f], 0, f.N)
			if err != nil {
				return fmt.Errorf("family %s: %w", f.Name, err)
			}
			list = append(list, drawn...)
		}
		if err := c.enter(dir, release, rivals.Reference, list); err != nil {
			return err
		}
	}
	data, err := pack(places.Bytes())
	if err == nil {
		err = put(dir, PoolFile, data)
	}
	if err != nil {
		return err
	}
	if err := c.save(dir); err != nil {
		return err
	}
	c.Library, err = library.Open(os.DirFS(dir), dir)
	return err
}

// enter takes candidates into a library in dir, with ids that count those of a set.
func (c *Collection) enter(dir, release, reference string, list []*candidate) error {
	count := map[string]int{}
	for _, k := range list {
		count[k.set]++
		id := fmt.Sprintf("%s-%s-%03d", k.Problem.Name, k.set, count[k.set])
		in, err := named(k.Instance, id)
		if err != nil {
			return err
		}
		e := &library.Entry{ID: id, SHA256: in.SHA256, First: release, Instance: &library.Instance{
			Problem: in.Problem.Name, Reference: reference, Sense: in.Problem.Sense.String(), Set: k.set, Family: k.family.Name,
			Source: k.source, Lineage: k.lineage, Licence: k.family.Licence, Stored: !k.family.Recipe && k.family.Trace == nil,
			Bytes: len(in.JSON), Jobs: in.Size.Jobs, Tasks: in.Size.Tasks, Machines: in.Size.Machines, Features: in.Features,
		}}
		if in.Comparison.ByRegret() {
			e.Scale = in.Scales[reference]
		}
		if k.family.Trace != nil {
			var r recipe
			if err := json.Unmarshal(k.lineage, &r); err != nil {
				return err
			}
			e.Window = []float64{r.From, r.To}
		}
		if e.Stored {
			data, err := pack(in.JSON)
			if err == nil {
				err = put(dir, e.InstanceFile(), data)
			}
			if err != nil {
				return err
			}
		}
		c.Entries = append(c.Entries, e)
		c.Events = append(c.Events, library.Event{
			ID: id, Event: library.Added, Release: release, Instance: e.Instance, SHA256: e.SHA256,
		})
	}
	return nil
}

// draw makes n instances of a family, from an index on; none of a trace that is not there.
func (c *Collection) draw(
	ctx context.Context, p *bench.Problem, f *Family, seed uint64, from, n int,
) (list []*candidate, err error) {
	if f.Trace != nil {
		for in, err := range c.derived(ctx, p, *f.Trace, seed, f.Params) {
			if err != nil {
				return nil, err
			}
			// The lineage says all but how many strata there are.
			lineage := append(fmt.Appendf(nil, `{"strata":%d,`, f.Trace.Strata), in.Lineage[1:]...)
			if list = append(list, &candidate{Instance: in, family: f, set: f.Set, source: "trace", lineage: lineage}); len(list) == n {
				break
			}
		}
		return list, nil
	}
	for i := from; i < from+n; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		values, err := models.Resolve(p.Generator.Params, drawn(f.Params, rand.New(rand.NewPCG(seed, uint64(i)))))
		if err != nil {
			return nil, fmt.Errorf("params: %w", err)
		}
		in, err := generate.One(p, p.Name, values, seed, i)
		if err != nil {
			return nil, err
		}
		list = append(list, &candidate{Instance: in, family: f, set: f.Set, source: "generator", lineage: in.Lineage})
	}
	return list, nil
}

// drawn draws parameters: of a list one, from whole numbers one.
func drawn(params map[string]any, rng *rand.Rand) map[string]any {
	out := maps.Clone(params)
	for _, name := range slices.Sorted(maps.Keys(params)) {
		switch v := params[name].(type) {
		case []any:
			out[name] = v[rng.IntN(len(v))]
		case map[string]any:
			from, whole := v["from"].(uint64)
			if to, also := v["to"].(uint64); whole && also && from <= to { // else it stays, and is refused
				out[name] = int(from) + rng.IntN(int(to-from)+1)
			}
		}
	}
	return out
}

// measure places the instances of a pool by their features and by what heuristics reach, and leaves out those in which nothing
// competes and those whose shape is known already; it enters the others' into shapes.
func measure(
	ctx context.Context, p *bench.Problem, rivals Rivals, pool []*candidate, shapes map[string]bool,
) ([]*candidate, error) {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, k := range pool {
		g.Go(func() error {
			k.at = k.place(ctx, p, rivals)
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(pool, func(k *candidate) bool {
		shape := shape(k.JSON)
		twice := shapes[shape]
		shapes[shape] = true
		return k.at == nil || twice
	}), nil
}

// place is where an instance lies; nil: nothing competes, or a method fails.
func (k *candidate) place(ctx context.Context, p *bench.Problem, rivals Rivals) []float64 {
	run := func(algorithm string, limit time.Duration) *bench.Result {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		r := bench.Request{Algorithm: algorithm, Seed: 1, Threads: 1}
		if p.Resolve(&r) != nil {
			return &bench.Result{}
		}
		return p.Run(ctx, k.Instance, r, bench.Observer{})
	}
	bound := run(rivals.Bound, quickBound).Bound
	if bound == nil {
		return nil
	}
	at := []float64{math.Log(float64(1 + k.Size.Jobs)), math.Log(float64(1 + k.Size.Tasks)), math.Log(float64(1 + k.Size.Machines))}
	best := math.Inf(1)
	for _, name := range rivals.Heuristics {
		value := run(name, quickHeuristic).Objective
		if value == nil {
			return nil
		}
		distance := math.Abs(*value-*bound) / max(k.Scale(rivals.Reference), 1e-9)
		if !k.Comparison.ByRegret() {
			distance = math.Abs(*value-*bound) / max(math.Abs(*bound), 1e-9)
		}
		best = min(best, distance)
		at = append(at, math.Log1p(min(distance, 1e3)))
	}
	if k.far = best; best <= contention {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(k.Features)) {
		if x, ok := k.Features[name].(float64); ok {
			at = append(at, x)
		}
	}
	return at
}

// standardise gives all coordinates the same weight.
func standardise(pool []*candidate) {
	if len(pool) == 0 {
		return
	}
	least := len(pool[0].at)
	for _, k := range pool {
		least = min(least, len(k.at))
	}
	for i := range least {
		column := make([]float64, len(pool))
		for j, k := range pool {
			column[j] = k.at[i]
		}
		mean, sd := stat.MeanStdDev(column, nil)
		for _, k := range pool {
			if k.at[i] -= mean; sd > 0 {
				k.at[i] /= sd
			}
		}
	}
	for _, k := range pool {
		k.at = k.at[:least]
	}
}

// farthest picks n instances, the same number of each family in turn: each time the one whose least distance from those
// picked is largest.
func farthest(pool []*candidate, families []*Family, n int) (list []*candidate) {
	least := make([]float64, len(pool)) // distance from the list
	for i, k := range pool {
		least[i] = 1e9 - floats.Norm(k.at, 2) // the first is the most ordinary one
	}
	for round := 0; len(list) < n; round++ {
		before := len(list)
		for _, f := range families {
			best := -1
			for i, k := range pool {
				if k.family == f && least[i] > 0 && (best < 0 || least[i] > least[best]) {
					best = i
				}
			}
			if best < 0 || len(list) == n {
				continue
			}
			list = append(list, pool[best])
			for i, k := range pool {
				least[i] = min(least[i], floats.Distance(k.at, pool[best].at, 2))
			}
		}
		if len(list) == before {
			return list
		}
	}
	return list
}
