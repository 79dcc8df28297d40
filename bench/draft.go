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
