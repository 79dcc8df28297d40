package flex

import "math"

// tieTolerance merges completions that differ by rounding alone, relative to their time.
const tieTolerance = 1e-12

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

	done  []float64 // completion times; -1 while unfinished
	level []level
	rate  []float64 // slots held now
	left  []float64 // work left at since
	since []float64
	due   []float64 // completion time if the rate stays
	heap  []int     // unfinished jobs at fixed rates by due
	place []int     // position in heap, -1 when not in it
	rec   *Recorder
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
	floats := make([]float64, 8*n)
	take := func() []float64 { s := floats[:n:n]; floats = floats[n:]; return s }
	p := &Packer{
		slots: in.Slots, work: take(), min: take(), max: take(), done: take(), rate: take(), left: take(), since: take(),
		due: take(), level: make([]level, n), heap: make([]int, 0, n), place: make([]int, n),
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
	p.pack(order)
	return p.done
}

// Pack returns the schedule of a priority order of all jobs.
func (p *Packer) Pack(order []int) Schedule {
	p.rec = &Recorder{}
	p.pack(order)
	return p.rec.Schedule()
}

func (p *Packer) pack(order []int) {
	slack := float64(p.slots)
	p.heap = p.heap[:0]
	for _, j := range order {
		slack -= p.min[j]
		p.done[j], p.left[j], p.since[j], p.level[j], p.place[j] = -1, p.work[j], 0, atMin, -1
		p.setRate(j, p.min[j], 0)
		if p.min[j] > 0 {
			p.push(j)
		}
	}
	next := 0 // order[next] is the first job that does not hold its maximum
	now := 0.0
	for finishedJobs := 0; finishedJobs < len(order); {
		for next < len(order) {
			j := order[next]
			if p.level[j] == finished {
				next++
				continue
			}
			// A partial job's extra slots are still part of the slack.
			if extra := p.max[j] - p.min[j]; slack >= extra {
				slack -= extra
				p.remove(j)
				p.level[j] = atMax
				p.setRate(j, p.max[j], now)
				p.push(j)
				next++
				continue
			}
			if slack > 0 && p.rate[j] != p.min[j]+slack {
				p.remove(j)
				p.level[j] = partial
				p.setRate(j, p.min[j]+slack, now)
				p.push(j)
			}
			break
		}
		now = p.due[p.heap[0]]
		if p.rec != nil {
			p.rec.Advance(now)
		}
		for limit := now * (1 + tieTolerance); len(p.heap) > 0 && p.due[p.heap[0]] <= limit; {
			j := p.heap[0]
			p.remove(j)
			p.done[j] = now
			slack += p.min[j]
			if p.level[j] == atMax {
				slack += p.max[j] - p.min[j]
			}
			p.level[j] = finished
			finishedJobs++
			if p.rec != nil {
				p.rec.Set(j, 0)
			}
		}
	}
}

func (p *Packer) setRate(j int, rate, now float64) {
	if now > p.since[j] {
		p.left[j] = max(0, p.left[j]-p.rate[j]*(now-p.since[j]))
		p.since[j] = now
	}
	p.rate[j] = rate
	p.due[j] = math.Inf(1)
	if rate > 0 {
		p.due[j] = now + p.left[j]/rate
	}
	if p.rec != nil && (rate > 0 || now > 0) {
		p.rec.Set(j, rate)
	}
}

func (p *Packer) push(j int) {
	p.heap = append(p.heap, j)
	p.up(len(p.heap) - 1)
}

func (p *Packer) remove(j int) {
	i := p.place[j]
	if i < 0 {
		return
	}
	p.place[j] = -1
	last := len(p.heap) - 1
	moved := p.heap[last]
	p.heap = p.heap[:last]
	if i == last {
		return
	}
	p.heap[i] = moved
	p.place[moved] = i
	p.down(i)
	p.up(p.place[moved])
}

func (p *Packer) up(i int) {
	j := p.heap[i]
	for i > 0 {
		parent := (i - 1) / 2
		if p.due[p.heap[parent]] <= p.due[j] {
			break
		}
		p.heap[i] = p.heap[parent]
		p.place[p.heap[i]] = i
		i = parent
	}
	p.heap[i] = j
	p.place[j] = i
}

func (p *Packer) down(i int) {
	j := p.heap[i]
	for {
		child := 2*i + 1
		if child >= len(p.heap) {
			break
		}
		if child+1 < len(p.heap) && p.due[p.heap[child+1]] < p.due[p.heap[child]] {
			child++
		}
		if p.due[p.heap[child]] >= p.due[j] {
			break
		}
		p.heap[i] = p.heap[child]
		p.place[p.heap[i]] = i
		i = child
	}
	p.heap[i] = j
	p.place[j] = i
}
