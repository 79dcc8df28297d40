package redundancy

import (
	"slices"

	"schedgap/models/redundancy"
)

// remaining is the line of SRPT. The jobs that run, other than the first, all run at the same rate, so one count of work done
// stands for all: the key of a running job is its remaining work plus the count, and it stays when the count moves. An event
// moves O(1) entries of heaps.
type remaining struct {
	in      *redundancy.Instance
	count   float64   // work that each running job but the first has done since the line was empty
	key     []float64 // by job: of a running one, remaining work plus count; of a waiting one, remaining work
	runs    []bool    // by job
	fastest queue     // running jobs by key
	slowest queue     // the same by descending key; of both, entries whose job waits or has another key by now are stale
	waiting queue     // by key
	running []int     // in no order
	place   []int     // by job: where it is in running
	rates   [2]float64
}

func newRemaining(in *redundancy.Instance) *remaining {
	n := len(in.Jobs)
	return &remaining{in: in, key: make([]float64, n), runs: make([]bool, n), place: make([]int, n)}
}

func (l *remaining) add(j int) { l.waiting.push(entry{l.in.Jobs[j].Work, j}) }

func (l *remaining) next(served int, first, others float64) float64 {
	for len(l.running) < served {
		l.start(l.waiting.pop())
	}
	for len(l.waiting) > 0 {
		last := l.last()
		if last = (entry{last.key - l.count, last.job}); !l.waiting[0].before(last) {
			break
		}
		l.start(l.waiting.pop())
		l.stop(last.job)
		l.waiting.push(last)
	}
	l.rates = [2]float64{first, others}
	return max(0, l.top().key-l.count) / first
}

func (l *remaining) advance(time float64) {
	if l.rates[0] != l.rates[1] {
		j := l.top().job
		l.fastest.pop()
		l.key[j] -= (l.rates[0] - l.rates[1]) * time
		l.queue(j)
	}
	l.count += l.rates[1] * time
}

func (l *remaining) finish(due bool, done func(int)) {
	for ; len(l.running) > 0; due = false {
		e := l.top()
		if !due && e.key-l.count > left*l.in.Jobs[e.job].Work {
			break
		}
		l.stop(e.job)
		done(e.job)
	}
	if len(l.running)+len(l.waiting) == 0 { // the count starts over, before it costs digits
		l.count, l.fastest, l.slowest = 0, l.fastest[:0], l.slowest[:0]
	}
}

func (l *remaining) served(list []int) []int {
	list = append(list, l.running...)
	i := slices.Index(list, l.top().job)
	list[0], list[i] = list[i], list[0]
	return list
}

// start lets a waiting job run.
func (l *remaining) start(e entry) {
	l.key[e.job], l.runs[e.job] = e.key+l.count, true
	l.place[e.job] = len(l.running)
	l.running = append(l.running, e.job)
	l.queue(e.job)
}

// stop takes a running job off the machines.
func (l *remaining) stop(j int) {
	last := l.running[len(l.running)-1]
	l.running[l.place[j]], l.place[last] = last, l.place[j]
	l.running = l.running[:len(l.running)-1]
	l.runs[j] = false
}

// queue enters a running job by its key.
func (l *remaining) queue(j int) {
	l.fastest.push(entry{l.key[j], j})
	l.slowest.push(entry{-l.key[j], -j})
}

// top is the running job with the least key, last the one with the greatest.
func (l *remaining) top() entry {
	for l.stale(l.fastest[0]) {
		l.fastest.pop()
	}
	return l.fastest[0]
}

func (l *remaining) last() entry {
	for {
		e := entry{-l.slowest[0].key, -l.slowest[0].job}
		if !l.stale(e) {
			return e
		}
		l.slowest.pop()
	}
}

func (l *remaining) stale(e entry) bool { return !l.runs[e.job] || l.key[e.job] != e.key }
