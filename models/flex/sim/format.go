package sim

import (
	"schedgap/models/simulation"
	"schedgap/models/strict"
)

// ReadWorkload reads a workload file: JSON lines, one job a line, such as
//
//	{"job":"a","arrival":0,"map":{"tasks":120,"mean":20,"cv":0.2},"reduce":{"tasks":10,"mean":60}}
//
// reduce and cv (default 0) are optional. Errors name the file with the line, the field's path and the value. Jobs need not
// be sorted by arrival.
var ReadWorkload = simulation.Read(decodeJob)

func decodeJob(o *strict.Object) (j Job, err error) {
	if j.ID, err = o.ID("job"); err != nil {
		return j, err
	}
	if j.Arrival, err = o.Float("arrival"); err != nil {
		return j, err
	}
	m, err := o.Need("map")
	if err != nil {
		return j, err
	}
	if j.Map, err = decodePhase(m); err != nil {
		return j, err
	}
	if v := o.Get("reduce"); v != nil {
		r, err := decodePhase(v)
		if err != nil {
			return j, err
		}
		j.Reduce = &r
	}
	return j, o.Done()
}

func decodePhase(v *strict.Value) (p Phase, err error) {
	o, err := v.Object()
	if err != nil {
		return p, err
	}
	if p.Tasks, err = o.Int("tasks"); err != nil {
		return p, err
	}
	if p.Mean, err = o.Float("mean"); err != nil {
		return p, err
	}
	if p.CV, err = o.FloatOr("cv", 0); err != nil {
		return p, err
	}
	return p, o.Done()
}
