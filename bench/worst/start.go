package worst

import (
	"errors"
	"maps"
	"math/rand/v2"

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
	if len(s.files) > 0 { // as many of its jobs as are allowed, at random
		from := s.files[rng.IntN(len(s.files))]
		return changed(from, s.o.Name, func(d *bench.Draft) bool {
			for jobs := d.Parts().Lists[0]; jobs.Len() > s.o.Jobs; jobs = d.Parts().Lists[0] {
				jobs.Drop(rng.IntN(jobs.Len()))
			}
			d.Mend()
			return true
		}), from.Name, nil
	}
	given := maps.Clone(s.given)
	if jobs := s.o.Problem.Moves.Jobs; given[jobs] == nil {
		given[jobs] = 1 + rng.IntN(s.o.Jobs)
		if s.o.Jobs > 1 {
			given[jobs] = 2 + rng.IntN(s.o.Jobs-1)
		}
	}
	v, err := models.Resolve(s.o.Problem.Generator.Params, given)
	if err == nil {
		in, err = s.o.Problem.Generate(s.o.Name, v, rng)
	}
	return in, "generated", err
}
