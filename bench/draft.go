package bench

import (
	"errors"

	"schedgap/models"
)

// Moves say how instances of a problem are taken apart, with the types erased; see models.Moves.
type Moves struct {
	Start map[string]any
	Jobs  string
	draft func(in *Instance, name string) (*Draft, error)
	// difference, scale and ideal are what models.Moves calls so; the latter two are 0 where there is none.
	difference   func(in *Instance) bool
	scale, ideal func(in *Instance) float64
}

// A Draft is a copy of an instance that may be changed.
type Draft struct {
	parts  func() models.Parts
	mend   func()
	finish func() (*Instance, error)
}

// Draft returns a copy of in called name, without a lineage.
func (p *Problem) Draft(in *Instance, name string) (*Draft, error) {
	if p.Moves == nil {
		return nil, errors.New("instances of " + p.Name + " cannot be taken apart")
	}
	return p.Moves.draft(in, name)
}

// Parts are what may be changed of the draft. A change of a list makes them stale.
func (d *Draft) Parts() models.Parts { return d.parts() }

// Mend brings the draft back towards validity where one number bounds another.
func (d *Draft) Mend() { d.mend() }

// Instance is the draft as an instance, which is refused where it is not valid.
func (d *Draft) Instance() (*Instance, error) { return d.finish() }

// adaptMoves hides the types of m.
func adaptMoves[I models.Instance, S any](
	mp *models.Problem[I, S], m *models.Moves[I], wrap func(in I, file []byte) *Instance,
) *Moves {
	erased := &Moves{Start: m.Start, Jobs: m.Jobs}
	erased.difference = func(in *Instance) bool {
		typed, err := unwrap[I](in)
		return err == nil && m.Difference != nil && m.Difference(typed)
	}
	number := func(of func(in I) float64) func(in *Instance) float64 {
		return func(in *Instance) float64 {
			typed, err := unwrap[I](in)
			if err != nil || of == nil {
				return 0
			}
			return of(typed)
		}
	}
	erased.scale, erased.ideal = number(m.Scale), number(m.Ideal)
	erased.draft = func(in *Instance, name string) (*Draft, error) {
		typed, err := unwrap[I](in)
		if err != nil {
			return nil, err
		}
		draft := m.Clone(typed, models.Header{Name: name})
		d := &Draft{parts: func() models.Parts { return m.Parts(draft) }, mend: func() {}}
		if m.Mend != nil {
			d.mend = func() { m.Mend(draft) }
		}
		d.finish = func() (*Instance, error) {
			file, err := mp.MarshalInstance(draft)
			if err != nil {
				return nil, err
			}
			read, err := mp.ParseInstance(name, file)
			if err != nil {
				return nil, err
			}
			return wrap(read, file), nil
		}
		return d, nil
	}
	return erased
}

// ByDifference reports whether values of in are compared with its optimum by difference, as a quotient says nothing or is not
// defined.
func (in *Instance) ByDifference() bool {
	m := in.Problem.Moves
	return in.Comparison == models.Difference || m != nil && m.difference(in)
}

// Ideal is a value, of an objective to be maximised, beside which optima are large or near 0; 0: there is none.
func (in *Instance) Ideal() float64 {
	if in.Problem.Moves == nil {
		return 0
	}
	return in.Problem.Moves.ideal(in)
}

// Scale is what differences from the optimum of in are measured in; 0: the larger of the two values.
func (in *Instance) Scale() float64 {
	if in.Problem.Moves == nil {
		return 0
	}
	return in.Problem.Moves.scale(in)
}
