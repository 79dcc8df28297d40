package bench

import (
	"errors"

	"schedgap/models"
)

// Moves say how instances of a problem are taken apart, with the types erased; see models.Moves.
type Moves struct {
	Start map[string]any
	Jobs  string
	draft func(in *Instance, name string) (Draft, error)
}

// A Draft is a copy of an instance that may be changed.
type Draft interface {
	// Parts are what may be changed of the draft. A change of a list makes them stale.
	Parts() models.Parts
	// Mend brings the draft back towards validity where one number bounds another.
	Mend()
	// Instance is the draft as an instance, which is refused where it is not valid.
	Instance() (*Instance, error)
}

// Draft returns a copy of in called name, without a lineage.
func (p *Problem) Draft(in *Instance, name string) (Draft, error) {
	if p.Moves == nil {
		return nil, errors.New("instances of " + p.Name + " cannot be taken apart")
	}
	return p.Moves.draft(in, name)
}

// draft is a Draft of its type.
type draft[I models.Instance, S any] struct {
	copied  I
	name    string
	problem *models.Problem[I, S]
	moves   *models.Moves[I]
	wrap    func(in I, file []byte) *Instance
}

func (d *draft[I, S]) Parts() models.Parts { return d.moves.Parts(d.copied) }

func (d *draft[I, S]) Mend() {
	if d.moves.Mend != nil {
		d.moves.Mend(d.copied)
	}
}

func (d *draft[I, S]) Instance() (*Instance, error) {
	file, err := d.problem.MarshalInstance(d.copied)
	if err != nil {
		return nil, err
	}
	read, err := d.problem.ParseInstance(d.name, file)
	if err != nil {
		return nil, err
	}
	return d.wrap(read, file), nil
}
