package worst

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"

	"schedgap/bench"
	"schedgap/models"
)

// A source makes the instances that a search begins with.
type source struct {
	o     Options
	files []*bench.Instance
	given map[string]any // parameters of the generator
}

// newSource checks the parameters.
func newSource(o Options) (source, error) {
	s := source{o: o, files: o.From, given: map[string]any{}}
	if len(s.files) == 0 && len(o.Params) == 0 {
		s.files = o.Like
	}
	if len(s.files) > 0 && len(o.Params) > 0 {
		return s, errors.New("-p: parameters of the generator have no use with --from, with whose instances the search begins")
	}
	maps.Copy(s.given, o.Problem.Moves.Start)
	maps.Copy(s.given, o.Params)
	_, err := models.Resolve(o.Problem.Generator.Params, s.given)
	return s, err
}

// draw makes one instance; nil: none came out.
func (s *source) draw(rng *rand.Rand) (in *bench.Instance, origin string, err error) {
	in, origin, err = s.plain(rng)
	if err == nil && in != nil && s.o.augment > 0 {
		in, err = s.o.Problem.Augmentation.Set(in, s.o.augment)
	}
	return in, origin, err
}

func (s *source) plain(rng *rand.Rand) (in *bench.Instance, origin string, err error) {
	if len(s.files) > 0 { // as many of its jobs as are allowed, at random
		from := s.files[rng.IntN(len(s.files))]
		return s.cut(from, rng), from.Name, nil
	}
	given := maps.Clone(s.given)
	params := s.o.Problem.Generator.Params
	jobs := slices.IndexFunc(params, func(p models.Param) bool { return p.Name == s.o.Problem.Moves.Jobs })
	if jobs >= 0 && given[params[jobs].Name] == nil {
		n := 1 + rng.IntN(s.o.Jobs)
		if s.o.Jobs > 1 {
			n = 2 + rng.IntN(s.o.Jobs-1)
		}
		if most := int(params[jobs].Max); most > 0 {
			n = min(n, most)
		}
		given[params[jobs].Name] = max(n, int(params[jobs].Min))
	}
	v, err := models.Resolve(s.o.Problem.Generator.Params, given)
	if err == nil {
		in, err = s.o.Problem.Generate(s.o.Name, v, rng)
	}
	if err == nil && jobs < 0 && in.Size.Jobs > s.o.Jobs { // no parameter counts them
		in = s.cut(in, rng)
	}
	return in, "generated", err
}

// cut is an instance with as many of its jobs as are allowed, at random; nil: that is none.
func (s *source) cut(from *bench.Instance, rng *rand.Rand) *bench.Instance {
	return changed(from, s.o.Name, func(d *bench.Draft) bool {
		for jobs := d.Parts().Lists[0]; jobs.Len() > s.o.Jobs; jobs = d.Parts().Lists[0] {
			jobs.Drop(rng.IntN(jobs.Len()))
		}
		d.Mend()
		return true
	})
}
