package bounds

import (
	"schedgap/exact/verify/cloning/kernel"
)

import "schedgap/models/cloning"

// An Outlook is a listing with the surrogate constraints of its cluster, and what follows from them for each phase.
type Outlook struct {
	*kernel.Listing
	Surrogates []Surrogate
	simple     int   // of the surrogates, resources and counts of copies, which come first
	units      []int // by phase, copies times slots that a task takes at least
	span       []int // by phase, the slots that it takes at least, given the cluster
	head       []int // by phase, the moment before which it cannot start
	tail       []int // by phase, the slots that must pass after its completion until its job is done
}

// Of is the outlook of an instance whose jobs' phases all fit on some server.
func Of(in *cloning.Instance) *Outlook {
	v := &Outlook{Listing: kernel.List(in)}
	for k := range v.Phases {
		v.units = append(v.units, v.Phases[k].Volume(v.Phases[k].Most))
	}
	v.Surrogates, v.simple = newSurrogates(v)
	for k := range v.Phases {
		v.span = append(v.span, v.SpanOf(k, v.Phases[k].Least, v.volume(k)))
	}
	v.head, v.tail = v.Paths(v.span)
	return v
}

// volume is copies times slots that all tasks of phase k take at least.
func (v *Outlook) volume(k int) float64 { return float64(v.Phases[k].Tasks) * float64(v.units[k]) }

// SpanOf is the least number of slots in which the cluster does a volume, in copies times slots, of phase k, at least least.
func (v *Outlook) SpanOf(k, least int, volume float64) int {
	for g := range v.Surrogates {
		if d := v.Surrogates[g].Weight[k]; d > 0 {
			least = max(least, int(Ceil(d*volume/v.Surrogates[g].Capacity)))
		}
	}
	return least
}

// Earliest is the moment before which job j cannot be done.
func (v *Outlook) Earliest(j int) int {
	end := 0
	for k := v.First[j]; k < v.First[j+1]; k++ {
		end = max(end, v.head[k]+v.span[k])
	}
	return end
}
