package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime"
	"slices"

	"schedgap/bench"
	"schedgap/bench/evidence"
	"schedgap/bench/generate"
	"schedgap/bench/suite"
	"schedgap/bench/worker"
	"schedgap/datasets/library"
	"schedgap/models"
	"schedgap/models/nearest"
)

// The sets that are no sets of the library by these names.
const (
	Train = "train" // to be shown: what the library calls seen
	Test  = "test"  // drawn from the seed; nothing of it is shown

	seen = "seen" // the library's name of train
)

// How many instances there are.
const (
	tinySize  = 5
	trainSize = 50
	testSize  = 30
	freshSize = 20
)

// cases are the instances of the stage, each with what is proven of it.
func (o *Options) cases(ctx context.Context) ([]*trial, error) {
	if names := append(o.names(), Train, Test); o.Given == nil && !slices.Contains(names, o.Set) {
		return nil, fmt.Errorf("--set: %w", nearest.Unknown("set", o.Set, names))
	}
	if o.Stage == 1 {
		list, err := o.Problem.Examples()
		if err != nil {
			return nil, err
		}
		slices.SortStableFunc(list, func(a, b *bench.Instance) int { return cmp.Compare(len(a.JSON), len(b.JSON)) })
		return o.first(ctx, tinySize, func(i int) (*bench.Instance, error) {
			if i >= len(list) {
				return nil, nil
			}
			return list[i], nil
		})
	}
	cases, err := o.set(ctx)
	if err == nil && o.Stage == 3 {
		var fresh []*trial
		if fresh, err = o.drawn(ctx, "fresh", freshSize); err == nil {
			cases = append(cases, fresh...)
		}
	}
	for _, c := range cases {
		c.hidden = o.Given == nil && o.Set == Test
	}
	return cases, err
}

func (o *Options) set(ctx context.Context) ([]*trial, error) {
	name := o.Set
	if name == Train {
		name = seen
	}
	entries := o.entries(name)
	switch {
	case o.Given != nil:
		return o.given(ctx, trials(o.Given))
	case o.Set == Test:
		return o.drawn(ctx, Test, testSize)
	case len(entries) > 0:
		var cases []*trial
		for _, e := range entries {
			in, err := o.Library.Instance(ctx, e)
			if errors.Is(err, evidence.ErrAbsent) {
				o.Log.Warn("left out", "instance", e.ID, "because", err)
				continue
			} else if err != nil {
				return nil, err
			}
			cases = append(cases, &trial{instance: in, entry: e})
		}
		return o.given(ctx, cases)
	}
	suites, err := o.small() // as the library has no instances of the problem that are wanted
	if err != nil {
		return nil, err
	}
	list, err := Instances(ctx, o.Registry, o.Problem, suites)
	if err != nil {
		return nil, err
	}
	var some []*bench.Instance
	for i := range min(trainSize, len(list)) {
		some = append(some, list[i*len(list)/min(trainSize, len(list))])
	}
	return o.given(ctx, trials(some))
}

// entries are those of a set of the library in the problem's first class of solutions, which is asked for.
func (o *Options) entries(set string) (list []*library.Entry) {
	if o.Library == nil {
		return nil
	}
	for _, e := range o.Library.Entries {
		if e.Problem == o.Problem.Name && e.Set == set && e.Reference == o.Problem.References[0].Name {
			list = append(list, e)
		}
	}
	return list
}

// names are those of the library's sets.
func (o *Options) names() (list []string) {
	if o.Library != nil {
		for _, e := range o.Library.Entries {
			if e.Problem == o.Problem.Name && !slices.Contains(list, e.Set) {
				list = append(list, e.Set)
			}
		}
	}
	return list
}

func trials(list []*bench.Instance) []*trial {
	cases := make([]*trial, len(list))
	for i, in := range list {
		cases[i] = &trial{instance: in}
	}
	return cases
}

// given proves what there is to prove of instances that are all wanted.
func (o *Options) given(ctx context.Context, cases []*trial) ([]*trial, error) {
	if err := o.prove(ctx, cases); err != nil {
		return nil, err
	}
	for _, c := range cases {
		if c.optimum == nil {
			return nil, fmt.Errorf("%s: neither an optimum nor a bound of it is proven in time; a longer --time-limit may do", c.instance.Name)
		}
	}
	return cases, nil
}

// prove looks for what is proven of each instance.
func (o *Options) prove(ctx context.Context, cases []*trial) error {
	return parallel(ctx, len(cases), func() *worker.Worker { return worker.New(worker.Options{Solutions: bench.DefaultOutput}) },
		func(ctx context.Context, w *worker.Worker, i int) (err error) {
			cases[i].optimum, err = o.optimum(ctx, w, cases[i].instance, cases[i].entry)
			return err
		})
}

// tries is how many instances are drawn at most for each that is wanted.
const tries = 10

// first are the first n of a sequence of which something is proven; nil ends the sequence.
func (o *Options) first(ctx context.Context, n int, next func(i int) (*bench.Instance, error)) (found []*trial, err error) {
	for i, ended := 0, false; len(found) < n && !ended; {
		var list []*bench.Instance
		for len(list) < max(n-len(found), min(n, runtime.GOMAXPROCS(0))) && !ended {
			in, err := next(i)
			if err != nil {
				return nil, err
			}
			if i++; in == nil {
				ended = true
				break
			}
			list = append(list, in)
			ended = i >= tries*n
		}
		cases := trials(list)
		if err := o.prove(ctx, cases); err != nil {
			return nil, err
		}
		for _, c := range cases {
			if c.optimum != nil && len(found) < n {
				found = append(found, c)
			}
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("nothing is proven in time of any instance of %s; a longer --time-limit may do", o.Problem.Name)
	}
	return found, nil
}

// drawn are n random instances like those of train, by the seed and the name that they share.
func (o *Options) drawn(ctx context.Context, name string, n int) ([]*trial, error) {
	hash := fnv.New64a()
	fmt.Fprintf(hash, "%s %d", name, o.Seed)
	seed := hash.Sum64() >> 1 // seeds are stored as signed integers
	called := func(i int) string { return fmt.Sprintf("%s-%03d", name, i+1) }
	if entries := slices.DeleteFunc(o.entries(seen), func(e *library.Entry) bool { return e.Source != "generator" }); len(entries) > 0 {
		return o.first(ctx, n, func(i int) (*bench.Instance, error) {
			return o.Library.Fresh(entries[i%len(entries)], called(i), seed, i)
		})
	}
	suites, err := o.small()
	if err != nil {
		return nil, err
	}
	var values []models.Values
	for _, source := range suites[0].Instances {
		if source.Generate != nil {
			v, err := models.Resolve(o.Problem.Generator.Params, source.Generate.Params)
			if err != nil {
				return nil, err
			}
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("%s: has nothing to draw instances of", suites[0].Name)
	}
	return o.first(ctx, n, func(i int) (*bench.Instance, error) {
		return generate.One(o.Problem, called(i), values[i%len(values)], seed, i)
	})
}

// small is the problem's built-in suite of small instances.
func (o *Options) small() ([]*suite.Suite, error) {
	return suite.Load(o.Problem.Name+"-small", o.Registry)
}

// Instances are those of suites, whatever algorithms they are for.
func Instances(ctx context.Context, registry *bench.Registry, p *bench.Problem, suites []*suite.Suite) (list []*bench.Instance, err error) {
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
