package sim

import (
	"context"
	"math"
	"math/rand/v2"

	"schedgap/models"
)

// A Snapshot is the state after an event; jobs are places in the file.
type Snapshot struct {
	Now      float64
	Active   []int   // by arrival
	Machines [][]int // jobs with a copy
	Each     int     // copies that may share a machine
}

// A Period of a machine's service.
type Period = period

// Hooks are what tests add to a run: an observer, and speeds in place of the random ones, the last for ever.
type Hooks struct {
	Observe func(Snapshot)
	Periods [][]Period // by machine
}

// Watch runs a policy.
func Watch(ctx context.Context, w *Workload, p Policy, v models.Values, seed uint64, h Hooks, emit func(models.Metric)) error {
	e, err := newEngine(w, &p, v, seed)
	if err != nil {
		return err
	}
	for i, periods := range h.Periods {
		e.machines[i].process = process{
			at: e.Now, since: e.Now, spent: &e.spent,
			ahead: append(periods[:len(periods)-1:len(periods)-1], Period{
				math.Inf(1), periods[len(periods)-1].speed,
			}),
		}
	}
	if h.Observe != nil {
		e.observe = func(e *engine) { h.Observe(e.snapshot()) }
	}
	if err := e.Run(ctx); err != nil {
		return err
	}
	e.Report(emit)
	return nil
}

func (e *engine) snapshot() Snapshot {
	s := Snapshot{Now: e.Now, Each: e.each}
	for i := range e.Arrived {
		if e.states[i].end == 0 {
			s.Active = append(s.Active, e.File[i])
		}
	}
	for i := range e.machines {
		var jobs []int
		for _, c := range e.machines[i].copies {
			jobs = append(jobs, e.File[c.job])
		}
		s.Machines = append(s.Machines, jobs)
	}
	return s
}

// NewPeriod is a period that ends at a time.
func NewPeriod(end, speed float64) Period { return Period{end, speed} }

// Ends returns what tests compare periods by.
func (p Period) Ends() (end, speed float64) { return p.end, p.speed }

// A Machine is the service of one machine of a run.
type Machine struct{ p process }

// NewMachine returns machine i of a run whose first job arrives at start.
func NewMachine(v models.Values, seed uint64, i int, start float64) *Machine {
	l, err := readLaw(v)
	if err != nil {
		panic(err)
	}
	return &Machine{newProcess(l, rand.NewPCG(seed, uint64(i)), start)}
}

// Advance returns the service up to a time.
func (m *Machine) Advance(to float64) float64 { return m.p.advance(to) }

// Reach returns when the service from now on is given, if that is not after until.
func (m *Machine) Reach(service, until float64) (float64, bool) { return m.p.reach(service, until) }

// Kind returns whether the machine is in an available period, and what is left of it.
func (m *Machine) Kind() (isAvailable bool, left float64) {
	return m.p.current == available, m.p.ahead[len(m.p.ahead)-1].end - m.p.at
}
