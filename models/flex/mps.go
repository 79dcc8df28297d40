package flex

import (
	"math"

	"schedgap/models/heap"
)

// tieTolerance merges completions that differ by rounding alone, relative to their time, where the jobs lack no more than
// lackTolerance of their work.
const (
	tieTolerance  = 1e-12
	lackTolerance = 1e-10
)

// A Packer runs the Malleable Packing Scheme (section 3.1, Figure 3 of the paper) on one instance, again and again without
// allocating. It is not safe for concurrent use.
//
// Of the unfinished jobs in priority order, a leading part holds its maxima, at most one job something in between, and the rest
// the minima. As slack only grows for the jobs behind a completed one, a job goes from minimum over partial to maximum and never
// back: each is handled a constant number of times, O(J log J) in all instead of the paper's O(J²). The pseudo- code's line 7
// ends here also when the maxima of the unfinished jobs add up to less than S
// (docs/problems/flex.md#contradictions-in-the-paper, 4).
type Packer struct {
	slots int
	work  []float64
	min   []float64
	max   []float64

	now   packing
	marks []packing // of the order that Mark was called with last, by position
	spare []packing // where marks are kept
	rec   *Recorder
}

// A packing is a schedule up to an event.
type packing struct {
	done  []float64 // completion times; -1 while unfinished
	level []level
	rate  []float64 // slots held now
	left  []float64 // work left at since
	since []float64
	due   heap.Indexed // unfinished jobs that hold slots, by completion time if the rate stays
	at    float64      // time of the event
	slack float64      // slots that nobody holds at its maximum or minimum
	next  int          // the first position in the order whose job does not hold its maximum
}

func newPacking(n int) packing {
	floats := make([]float64, 4*n)
	take := func() []float64 { s := floats[:n:n]; floats = floats[n:]; return s }
	return packing{
		done: take(), rate: take(), left: take(), since: take(), level: make([]level, n), due: heap.NewIndexed(n),
	}
}

func (p *packing) set(q *packing) {
	copy(p.done, q.done)
	copy(p.level, q.level)
	copy(p.rate, q.rate)
	copy(p.left, q.left)
	copy(p.since, q.since)
	p.due.CopyFrom(&q.due)
	p.at, p.slack, p.next = q.at, q.slack, q.next
}

type level int8

const (
	atMin level = iota
	partial
	atMax
	finished
)

// NewPacker returns a packer for in.
func NewPacker(in *Instance) *Packer {
	n := len(in.Jobs)
	p := &Packer{
		slots: in.Slots, work: make([]float64, n), min: make([]float64, n), max: make([]float64, n), now: newPacking(n),
	}
	for j := range in.Jobs {
		p.work[j], p.min[j], p.max[j] = in.Jobs[j].Work, float64(in.Jobs[j].Min), float64(in.Jobs[j].Max)
	}
	return p
}

// WaiveMinima takes all minima as 0 from now on, as the paper's FIFO does.
func (p *Packer) WaiveMinima() { clear(p.min) }

// Completions returns the completion times under a priority order of all jobs. The slice is valid until the next call.
func (p *Packer) Completions(order []int) []float64 {
	p.rec = nil
	p.begin(order)
	p.pack(order, nil)
	return p.now.done
}

// Pack returns the schedule of a priority order of all jobs.
func (p *Packer) Pack(order []int) Schedule {
	p.rec = &Recorder{}
	p.begin(order)
	p.pack(order, nil)
	return p.rec.Schedule()
}

// marksOf is the most marks that are kept of a packing.
const marksOf = 8

// Mark is Completions, and remembers the packing at some positions for From. The remembered positions before from must still be
// those of the order.
func (p *Packer) Mark(order []int, from int) []float64 {
	p.resume(order, from)
	step := 1 + len(order)/marksOf
	p.pack(order, func() {
		if p.now.next >= step*(len(p.marks)+1) {
			if len(p.marks) == len(p.spare) {
				p.spare = append(p.spare, newPacking(len(order)))
			}
			p.marks = p.spare[:len(p.marks)+1]
			p.marks[len(p.marks)-1].set(&p.now)
		}
	})
	return p.now.done
}

// From is Completions, of an order that is the marked one before position from.
func (p *Packer) From(order []int, from int) []float64 {
	marks := p.marks
	p.resume(order, from)
	p.pack(order, nil)
	p.marks = marks
	return p.now.done
}

// resume begins at the last mark before position from, and forgets those behind it. Until a job at from or behind it holds more
// than its minimum, the order from there on does not matter.
func (p *Packer) resume(order []int, from int) {
	p.rec = nil
	for len(p.marks) > 0 && p.marks[len(p.marks)-1].next >= from {
		p.marks = p.marks[:len(p.marks)-1]
	}
	if n := len(p.marks); n > 0 {
		p.now.set(&p.marks[n-1])
		return
	}
	p.begin(order)
}

// begin gives all jobs their minima.
func (p *Packer) begin(order []int) {
	q := &p.now
	q.at, q.slack, q.next = 0, float64(p.slots), 0
	q.due.Reset()
	for _, j := range order {
		q.slack -= p.min[j]
		q.done[j], q.left[j], q.since[j], q.level[j] = -1, p.work[j], 0, atMin
		p.setRate(j, p.min[j], 0)
	}
}

// pack goes on to the end; at each event it calls marked, unless that is nil.
func (p *Packer) pack(order []int, marked func()) {
	q := &p.now
	for {
		if marked != nil {
			marked()
		}
		for q.next < len(order) {
			j := order[q.next]
			if q.level[j] == finished {
				q.next++
				continue
			}
			// A partial job's extra slots are still part of the slack.
			if extra := p.max[j] - p.min[j]; q.slack >= extra {
				q.slack -= extra
				q.level[j] = atMax
				p.setRate(j, p.max[j], q.at)
				q.next++
				continue
			}
			if q.rate[j] != p.min[j]+q.slack {
				q.level[j] = partial
				p.setRate(j, p.min[j]+q.slack, q.at)
			}
			break
		}
		if q.due.Empty() {
			return
		}
		q.at = q.due.Least()
		if p.rec != nil {
			p.rec.Advance(q.at)
		}
		for limit := q.at * (1 + tieTolerance); !q.due.Empty() && q.due.Least() <= limit; {
			j := int(q.due.Top())
			if (q.due.Least()-q.at)*q.rate[j] > lackTolerance*p.work[j] {
				break // it is short, and has not ended yet
			}
			q.due.Remove(int32(j))
			q.done[j] = q.at
			q.slack += p.min[j]
			if q.level[j] == atMax {
				q.slack += p.max[j] - p.min[j]
			}
			q.level[j] = finished
			if p.rec != nil {
				p.rec.Set(j, 0)
			}
		}
	}
}

func (p *Packer) setRate(j int, rate, now float64) {
	if now > p.now.since[j] {
		p.now.left[j] = max(0, p.now.left[j]-p.now.rate[j]*(now-p.now.since[j]))
		p.now.since[j] = now
	}
	p.now.rate[j] = rate
	if rate > 0 {
		due := now + p.now.left[j]/rate
		if due == now && p.now.left[j] > 0 { // too short for a float64 so late
			due = math.Nextafter(now, math.Inf(1))
		}
		p.now.due.Set(int32(j), due)
		if p.rec != nil {
			p.rec.Set(j, rate)
		}
	}
}
