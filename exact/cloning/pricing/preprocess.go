package pricing

import (
	verifycloning "schedgap/exact/verify/cloning"
	"schedgap/models/cloning"
)

// An instance is the verifier's needs with what the oracle looks up.
type instance struct {
	*verifycloning.Needs
	phases []phase
}

// A phase is a phase of any job. Moments are the ends of slots, from 0 on.
type phase struct {
	*verifycloning.Need
	need  float64   // progress of a task, from below
	gain  []float64 // h(r) − h(r−1) by r − 1, as many as add progress and find room
	depth int       // the most slots of a profile
}

// maxProfiles bounds the profiles of a phase that are distinguished. Tasks with more are long, and lose little where they are bounded.
const maxProfiles = 48

// slack is the relative error that sums and quotients of a task's progress are granted.
const slack = 1e-14

func preprocess(in *cloning.Instance) *instance {
	p := &instance{Needs: verifycloning.Measure(in, maxProfiles)}
	for k := range p.Need {
		ph := phase{Need: &p.Need[k]}
		before := 0.0
		for _, h := range ph.Speedup[:ph.Useful] {
			ph.gain = append(ph.gain, h-before)
			before = h
		}
		ph.need = ph.Required() * (1 - slack)
		for _, w := range ph.Profiles {
			ph.depth = max(ph.depth, w[0])
		}
		p.phases = append(p.phases, ph)
	}
	return p
}
