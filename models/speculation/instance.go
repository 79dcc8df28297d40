// Package speculation is the window problem of energy-aware speculation (Zhou et al., ICPP 2018): stragglers may get one copy
// each on slots that become free; a copy saves time and energy; maximise a weighted sum of both. Problem declares it; an
// Instance is one window and a Solution its matching. exact/speculation and heuristics/speculation solve it, datasets/speculation makes
// instances, and models/speculation/sim decides window by window.
package speculation

import "schedgap/models"

// An Instance is one window of time with its stragglers and freed slots.
type Instance struct {
	models.Header `json:"-"`
	EnergyWeight  float64     `json:"energy_weight" is:">=0" doc:"weight of energy in the scalar objective"`
	Stragglers    []Straggler `json:"stragglers" is:"some"` // in file order, which breaks ties everywhere
	Slots         []Slot      `json:"slots" doc:"that become free"`
	// CopyTime is the estimated duration of a copy of a straggler on a slot, > 0; NaN: the pair is not allowed.
	CopyTime [][]float64 `json:"-"`
}

// Head implements models.Instance.
func (in *Instance) Head() models.Header { return in.Header }

// A Straggler is a running task that is slow.
type Straggler struct {
	ID       string  `json:"id" is:"id,unique"`
	Finish   float64 `json:"finish" is:">=0" doc:"estimated finish"` // without a copy
	Power    float64 `json:"power" is:">=0" doc:"of its slot"`       // that its attempt takes
	Progress float64 `json:"progress" is:">0 <1"`                    // the share done
	Duration float64 `json:"duration" is:">0" doc:"how long it has run"`
}

// A Slot is free from Start on.
type Slot struct {
	ID    string  `json:"id" is:"id,unique"`
	Start float64 `json:"start" is:">=0" doc:"when it is free"`
	Power float64 `json:"power" is:">=0"` // that a copy takes there
}
