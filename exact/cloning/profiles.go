package cloning

import "slices"

// A profile is how a task runs without preemption: the number of its copies in each of its slots, which never falls.
type profile []int

// maxProfiles bounds the profiles of a phase among which dominated ones are sought.
const maxProfiles = 3_000

// profiles lists the undominated profiles of a phase's tasks, the longest first. A task that runs by a profile is done in its
// last slot and not before. One profile is better than another if it fits below it with both ending together: the task starts
// no earlier, and no copy more runs at any time.
func profiles(ph *phase) []profile {
	var list []profile
	need := required(ph.Phase)
	var add func(p profile, r int, progress float64)
	add = func(p profile, r int, progress float64) {
		if progress >= need {
			list = append(list, slices.Clone(p))
			return
		}
		for q := r; q <= ph.most; q++ {
			add(append(p, q), q, progress+ph.Rate(q))
		}
	}
	add(nil, 1, 0)
	if len(list) > maxProfiles {
		return list
	}
	var kept []profile
	for i, p := range list {
		if !slices.ContainsFunc(list[:i], p.above) && !slices.ContainsFunc(list[i+1:], p.above) {
			kept = append(kept, p)
		}
	}
	return kept
}

// above reports whether q fits below p, both ending together.
func (p profile) above(q profile) bool {
	shift := len(p) - len(q)
	if shift < 0 {
		return false
	}
	for i, n := range q {
		if n > p[i+shift] {
			return false
		}
	}
	return true
}

// countProfiles is the number of profiles before dominated ones are left out, at most limit.
func countProfiles(ph *phase, limit int) int {
	need, total := required(ph.Phase), 0
	var add func(r int, progress float64)
	add = func(r int, progress float64) {
		if total >= limit {
			return
		}
		if progress >= need {
			total++
			return
		}
		for q := r; q <= ph.most; q++ {
			add(q, progress+ph.Rate(q))
		}
	}
	add(1, 0)
	return total
}
