package decoder

import (
	"cmp"
	"math"
	"slices"

	"schedgap/models/cloning"
)

// A recorder gives the copies of a schedule to tasks.
type recorder struct {
	*decoder
	open   [][]run // by phase, by task and server
	runs   []int32 // phases with open ones
	next   []run
	count  []int32 // copies by server, of the phase at hand
	on     []int32 // by task, one more than the server of its copy, of the phase at hand
	used   []int32 // servers with copies of it
	idle   []int32 // tasks that are to get the copy of another
	copies []cloning.Copy
}

// A run is a copy that has run since start.
type run struct{ task, server, start int }

func (r run) compare(o run) int {
	return cmp.Or(cmp.Compare(r.task, o.task), cmp.Compare(r.server, o.server))
}

// Solution is the schedule of keys.
func (m *Model) Solution(keys Keys) cloning.Solution {
	r := &recorder{decoder: newDecoder(m), open: make([][]run, len(m.phases)), count: make([]int32, len(m.servers))}
	r.named, r.each = true, r.record
	most := 0
	for k := range m.phases {
		most = max(most, m.phases[k].Tasks)
	}
	r.on = make([]int32, most)
	r.set(keys)
	r.value(math.Inf(1))
	r.running = r.running[:0]
	r.record()
	slices.SortFunc(r.copies, cloning.Copy.Compare)
	return cloning.Solution{Copies: r.copies, Regime: cloning.Preemptive}
}

// record notes which copies begin and end now.
func (r *recorder) record() {
	for _, k := range r.runs {
		if r.marks[k].slot != r.slot || r.marks[k].copies == 0 || r.left[k] == 0 {
			r.replace(k, nil)
		}
	}
	r.runs = append(r.runs[:0], r.running...)
	for _, k := range r.running {
		r.deal(k)
		slices.SortFunc(r.next, run.compare)
		r.replace(k, r.next)
	}
}

// replace has copies of a phase run from now on; those that ran go on or end.
func (r *recorder) replace(k int32, now []run) {
	old := r.open[k]
	for i := 0; len(old) > 0; {
		switch c := 1; {
		case i < len(now) && old[0].compare(now[i]) >= 0:
			c = old[0].compare(now[i])
			if c == 0 {
				now[i].start = old[0].start
				old = old[1:]
			}
			i++
		default:
			f := &r.phases[k]
			r.copies = append(r.copies, cloning.Copy{
				Task:   cloning.Task{Job: int(f.job), Phase: int(k - r.first[f.job]), Index: old[0].task},
				Server: int(r.servers[old[0].server]),
				Start:  old[0].start, End: r.now,
			})
			old = old[1:]
		}
	}
	r.open[k] = append(r.open[k][:0], now...)
}

// deal gives the copies of a phase to its tasks. Where no task has several, those that ran stay where they can. Otherwise they
// are dealt server by server, so that no task has more on one than it may: no server has more of them than that times the tasks.
func (r *recorder) deal(k int32) {
	r.next, r.used, r.idle = r.next[:0], r.used[:0], r.idle[:0]
	for i := r.marks[k].last; i >= 0; i = r.placed[i].before {
		if p := r.placed[i]; r.count[p.server] == 0 {
			r.used = append(r.used, p.server)
		}
		r.count[r.placed[i].server] += r.placed[i].copies
	}
	slices.Sort(r.used)
	tasks := r.levels[k]
	n := min(len(tasks), int(r.marks[k].copies))
	if int(r.marks[k].copies) <= len(tasks) {
		for _, o := range r.open[k] {
			r.on[o.task] = int32(o.server) + 1
		}
	}
	for _, l := range tasks[:n] {
		if at := r.on[l.name] - 1; at >= 0 && r.count[at] > 0 {
			r.count[at]--
			r.next = append(r.next, run{int(l.name), int(at), r.now})
		} else {
			r.idle = append(r.idle, l.name)
		}
	}
	for _, o := range r.open[k] {
		r.on[o.task] = 0
	}
	dealt := 0
	for _, v := range r.used {
		for ; r.count[v] > 0; r.count[v]-- {
			r.next = append(r.next, run{int(r.idle[dealt%len(r.idle)]), int(v), r.now})
			dealt++
		}
	}
}
