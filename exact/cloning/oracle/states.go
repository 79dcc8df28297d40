package oracle

import (
	"slices"

	"schedgap/models/cloning"
)

// A State has the progress of a job's tasks, in units of 2^-52 slots, and the copies by task and server that go on.
type State struct {
	Progress []int64
	Running  []int
}

// States walks through all states that schedules of an instance with one job, there from slot 0 on, can come to, and calls visit
// with each once: the fewest slots in which the job can be done from there, and every placement of copies in the next slot with
// the state after it.
func States(in *cloning.Instance, fixed bool, visit func(s State, slots int, each func(try func(copies []int, next State)))) {
	of := newSolver(in, fixed)
	seen := map[string]bool{}
	open := []State{{make([]int64, len(of.tasks)), make([]int, len(of.tasks)*len(in.Servers))}}
	seen[of.key(0, open[0].Progress, open[0].Running)] = true
	for ; len(open) > 0; open = open[1:] {
		s := open[0]
		unfinished := []map[int]bool{{}}
		for i, t := range of.tasks {
			if !of.done(t, s.Progress[i]) {
				unfinished[0][t.phase] = true
			}
		}
		visit(s, of.best(0, s.Progress, s.Running), func(try func(copies []int, next State)) {
			if len(unfinished[0]) == 0 {
				return
			}
			of.choices(0, unfinished, s.Progress, s.Running, func(copies []int) {
				next := State{}
				next.Progress, next.Running = of.after(s.Progress, copies)
				try(slices.Clone(copies), next)
				if key := of.key(0, next.Progress, next.Running); !seen[key] {
					seen[key] = true
					open = append(open, next)
				}
			})
		})
	}
}

// Fits reports whether copies of phases, counted through all jobs, have a place on the servers in one slot, a task's at most
// MaxCopiesPerServer on each.
func Fits(in *cloning.Instance, phases, copies []int) bool {
	list := *in
	list.Jobs = []cloning.Job{{}}
	var all []cloning.Phase
	for j := range in.Jobs {
		all = append(all, in.Jobs[j].Phases...)
	}
	for _, k := range phases {
		ph := all[k]
		ph.Tasks, ph.Parents = 1, nil
		list.Jobs[0].Phases = append(list.Jobs[0].Phases, ph)
	}
	of := newSolver(&list, false)
	placed := make([]int, len(phases)*len(in.Servers))
	var place func(cell, left int) bool
	place = func(cell, left int) bool {
		if cell == len(placed) {
			return left == 0
		}
		i, v := cell/len(in.Servers), cell%len(in.Servers)
		if v == 0 {
			if left > 0 {
				return false
			}
			left = copies[i]
		}
		for n := range min(left, in.MaxCopiesPerServer) + 1 {
			placed[cell] = n
			if of.fits(v, placed) && place(cell+1, left-n) {
				return true
			}
		}
		placed[cell] = 0
		return false
	}
	return place(0, 0)
}
