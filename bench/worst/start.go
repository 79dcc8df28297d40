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
	problem *bench.Problem
	name    string
	files   []*bench.Instance
	given   map[string]any // parameters of the generator
	jobs    int
}

// newSource checks the parameters.
func newSource(o *Options) (*source, error) {
	s := &source{problem: o.Problem, name: o.Name, files: o.From, jobs: o.Jobs}
	if len(s.files) == 0 && len(o.Params) == 0 {
		s.files = o.Like
	}
	if len(s.files) > 0 {
		if len(o.Params) > 0 {
			return nil, errors.New("-p: parameters of the generator have no use with --from, with whose instances the search begins")
		}
		return s, nil
	}
	m := o.Problem.Moves
	s.given = map[string]any{}
	maps.Copy(s.given, m.Start)
	maps.Copy(s.given, o.Params)
	if _, err := models.Resolve(o.Problem.Generator.Params, s.given); err != nil {
		return nil, err
	}
	return s, nil
}

// draw makes one instance; nil: none came out.
func (s *source) draw(rng *rand.Rand) (in *bench.Instance, origin string) {
	if len(s.files) > 0 {
		from := s.files[rng.IntN(len(s.files))]
		return s.reduce(from, rng), from.Name
	}
	given := maps.Clone(s.given)
	if jobs := s.problem.Moves.Jobs; given[jobs] == nil {
		given[jobs] = 1 + rng.IntN(s.jobs)
		if s.jobs > 1 {
			given[jobs] = 2 + rng.IntN(s.jobs-1)
		}
	}
	v, err := models.Resolve(s.problem.Generator.Params, given)
	if err != nil {
		return nil, ""
	}
	in, err = s.problem.Generate(s.name, v, rng)
	if err != nil {
		return nil, ""
	}
	return in, "generated"
}

// reduce is an instance with as many of from's jobs as are allowed, at random.
func (s *source) reduce(from *bench.Instance, rng *rand.Rand) *bench.Instance {
	return changed(from, s.name, func(d *bench.Draft) bool {
		for jobs := d.Parts().Lists[0]; jobs.Len() > s.jobs; jobs = d.Parts().Lists[0] {
			jobs.Drop(rng.IntN(jobs.Len()))
		}
		d.Mend()
		return true
	})
}
