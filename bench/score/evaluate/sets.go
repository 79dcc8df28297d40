package evaluate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime"
	"slices"

	"schedgap/bench"
	"schedgap/bench/generate"
	"schedgap/bench/plan/suite"
	"schedgap/bench/run/worker"
	"schedgap/models"
	"schedgap/models/nearest"
)

// The sets that are no sets of the library by these names.
const (
	Train = "train" // to be shown: the library's set seen
	Test  = "test"  // drawn from the seed; nothing of it is shown

	seen = "seen"
)

// How many instances there are.
const (
	tinySize  = 5
	smallSize = 50 // of train, where the library has none
	testSize  = 30
	freshSize = 20
)

// cases returns the instances of the stage, each with its proven optimum or bound.
func (o *Options) cases(ctx context.Context) (cases []*trial, err error) {
	hidden := o.Given == nil && o.Set == Test
	list := o.Given
	if list == nil {
		list, err = o.shown(ctx, o.Set)
		if err != nil {
			return nil, err
		}
	}
	switch {
	case o.Stage == 1:
		return o.tiny(ctx)
	case hidden:
		cases, err = o.drawn(ctx, Test, testSize)
	default:
		cases = trials(list)
		err = o.prove(ctx, cases)
	}
	if err == nil && o.Stage == 3 {
		var fresh []*trial
		fresh, err = o.drawn(ctx, "fresh", freshSize)
		cases = append(cases, fresh...)
	}
	for _, c := range cases {
		c.hidden = hidden
		if c.optimum == nil && err == nil {
			err = fmt.Errorf("%s: neither an optimum nor a bound of it is proven in time; a longer --time-limit may do", c.instance.Name)
		}
	}
	return cases, err
}

// shown are the instances of a set; for test, those of train.
func (o *Options) shown(ctx context.Context, set string) ([]*bench.Instance, error) {
	var sets []string
	if o.Registry.Library != nil {
		var err error
		sets, err = o.Registry.Library.Sets(o.Problem.Name)
		if err != nil {
			return nil, err
		}
	}
	if set == Train || set == Test {
		set = seen
	} else if !slices.Contains(sets, set) {
		return nil, fmt.Errorf("--set: %w", nearest.Unknown("set", set, append(sets, Train, Test)))
	}
	name, most := suite.LibrarySuite(o.Problem.Name, set), suite.MaxInstances
	if !slices.Contains(sets, set) { // the library has none of the problem yet
		name, most = o.Problem.Name+"-small", smallSize
	}
	suites, err := suite.Load(name, o.Registry)
	if err != nil {
		return nil, err
	}
	list, err := Instances(ctx, o.Registry, o.Problem, suites)
	n := min(most, len(list))
	some := make([]*bench.Instance, n)
	for i := range some {
		some[i] = list[i*len(list)/n]
	}
	return some, err
}

// Instances returns the instances of suites.
func Instances(
	ctx context.Context, registry *bench.Registry, p *bench.Problem, suites []*suite.Suite,
) (list []*bench.Instance, err error) {
	for _, s := range suites {
		if s.Problem != p.Name {
			continue
		}
		alone := *s
		alone.Algorithms, alone.Watch = []suite.Entry{{Name: exact}}, nil
		plan, err := alone.Resolve(ctx, registry)
		if err != nil {
			return nil, err
		}
		for i := range plan.Units {
			if in := plan.Units[i].Instance; !slices.Contains(list, in) {
				list = append(list, in)
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: has no instance of %s", suites[0].Name, p.Name)
	}
	return list, nil
}

func trials(list []*bench.Instance) []*trial {
	cases := make([]*trial, len(list))
	for i, in := range list {
		cases[i] = &trial{instance: in}
	}
	return cases
}

// prove finds a proven optimum or bound for each instance.
func (o *Options) prove(ctx context.Context, cases []*trial) error {
	provers := make([]*worker.Worker, min(runtime.GOMAXPROCS(0), len(cases)))
	for k := range provers {
		provers[k] = worker.New(worker.Options{Solutions: bench.DefaultOutput})
		defer provers[k].Close()
	}
	return parallel(ctx, len(cases), provers, func(ctx context.Context, w *worker.Worker, i int) (err error) {
		cases[i].optimum, err = o.optimum(ctx, w, cases[i].instance)
		return err
	})
}

// tiny are the smallest examples and, where these are fewer than wanted, as with a folder of one example, generated instances.
func (o *Options) tiny(ctx context.Context) ([]*trial, error) {
	list, err := o.Problem.Examples()
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b *bench.Instance) int { return cmp.Compare(len(a.JSON), len(b.JSON)) })
	most := len(list)
	var values models.Values
	if most < tinySize && o.Problem.Generator != nil {
		most += tries * tinySize
		values, err = models.Resolve(o.Problem.Generator.Params, nil)
		if err != nil {
			return nil, err
		}
	}
	return o.first(ctx, tinySize, most, func(i int) (*bench.Instance, error) {
		if i < len(list) {
			return list[i], nil
		}
		i -= len(list)
		return generate.One(o.Problem, fmt.Sprintf("tiny-%03d", i+1), values, o.Seed, i)
	})
}

// tries is how many instances are drawn at most for each that is wanted.
const tries = 10

// drawn are n random instances with the parameters of those of train, by the seed and the name that they share.
func (o *Options) drawn(ctx context.Context, name string, n int) ([]*trial, error) {
	list, err := o.shown(ctx, Train)
	if err != nil {
		return nil, err
	}
	var params []models.Values
	for _, in := range list {
		var from struct {
			Generator string
			Params    map[string]any
		}
		if json.Unmarshal(in.Lineage, &from) != nil || from.Generator == "" {
			continue // it is of a trace
		}
		values, err := o.Problem.Generator.Stored(from.Params)
		if err != nil {
			return nil, fmt.Errorf("%s: lineage: %w", in.Name, err)
		}
		params = append(params, values)
	}
	if len(params) == 0 {
		return nil, errors.New("no instance of train is made by the generator: none like them can be drawn")
	}
	hash := fnv.New64a()
	fmt.Fprintf(hash, "%s %d", name, o.Seed)
	return o.first(ctx, n, tries*n, func(i int) (*bench.Instance, error) {
		// Seeds are stored as signed integers.
		return generate.One(o.Problem, fmt.Sprintf("%s-%03d", name, i+1), params[i%len(params)], hash.Sum64()>>1, i)
	})
}

// first returns the first n instances of a sequence that have a proven optimum or bound.
func (o *Options) first(ctx context.Context, n, most int, next func(i int) (*bench.Instance, error)) (found []*trial, err error) {
	for i := 0; len(found) < n && i < most; {
		var list []*bench.Instance
		for len(found)+len(list) < n && i < most {
			in, err := next(i)
			if err != nil {
				return nil, err
			}
			list = append(list, in)
			i++
		}
		cases := trials(list)
		if err := o.prove(ctx, cases); err != nil {
			return nil, err
		}
		found = append(found, slices.DeleteFunc(cases, func(c *trial) bool { return c.optimum == nil })...)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("nothing is proven in time of any instance of %s; a longer --time-limit may do", o.Problem.Name)
	}
	return found, nil
}
