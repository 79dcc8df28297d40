// Package speculation is the window problem of energy-aware speculation (2018): stragglers of a job may get one copy each on
// slots that become free; a copy saves time and energy; maximise both, or a weighted sum of them.
package speculation

import "schedgap/models"

// An Instance is one window of time with its stragglers and freed slots.
type Instance struct {
	models.Header
	EnergyWeight float64     // of energy in the scalar objective, ≥ 0
	Stragglers   []Straggler // in file order, which breaks ties everywhere
	Slots        []Slot
	// CopyTime is the estimated duration of a copy of a straggler on a slot, > 0; NaN: the pair is not allowed.
	CopyTime [][]float64
}

// Head implements models.Instance.
func (in *Instance) Head() models.Header { return in.Header }

// A Straggler is a running task that is slow.
type Straggler struct {
	ID       string
	Finish   float64 // estimated time at which it ends without a copy
	Power    float64 // that its attempt takes, ≥ 0
	Progress float64 // the share done, in (0, 1)
	Duration float64 // how long it has run, > 0
}

// A Slot is free from Start on.
type Slot struct {
	ID    string
	Start float64
	Power float64 // that a copy takes there, ≥ 0
}
