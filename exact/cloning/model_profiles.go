package cloning

import (
	"slices"

	"schedgap/models/cloning"
)

// A profile is how a task runs without preemption: the number of its copies in each of its slots, which never falls.
type profile []int

// maxProfiles bounds the profiles of a phase among which dominated ones are sought.
const maxProfiles = 3_000

// profiles lists the undominated profiles of a phase's tasks, the longest first. A task that runs by a profile is done in its
// last slot and not before. One profile is better than another if it fits below it with both ending together: the task starts
// no earlier, and no copy more runs at any time.
func profiles(ph *phase) []profile {
	var list []profile
	var add func(p profile, r int, progress cloning.Progress)
	add = func(p profile, r int, progress cloning.Progress) {
		if ph.Done(progress) {
			list = append(list, slices.Clone(p))
			return
		}
		for q := r; q <= ph.most; q++ {
			add(append(p, q), q, ph.After(progress, 1, q))
		}
	}
	add(nil, 1, cloning.Progress{})
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

// maxEntries bounds the slots of all profiles of a phase together, and so their memory, and the depth of the recursions.
const maxEntries = 1_000_000

// countProfiles returns the number of profiles before dominated ones are left out. It returns limit if there are more, or if they
// have more than maxEntries slots together.
func countProfiles(ph *phase, limit int) int {
	total, entries := 0, 0
	var add func(slots, r int, progress cloning.Progress)
	add = func(slots, r int, progress cloning.Progress) {
		switch {
		case total >= limit:
		case entries+slots > maxEntries:
			total = limit
		case ph.Done(progress):
			total++
			entries += slots
		default:
			for q := r; q <= ph.most; q++ {
				add(slots+1, q, ph.After(progress, 1, q))
			}
		}
	}
	add(0, 1, cloning.Progress{})
	return total
}
