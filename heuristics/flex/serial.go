package flex

import (
	"cmp"
	"slices"
	"sort"

	"schedgap/models/flex"
)

// A serial scheme takes jobs in priority order. Each completes as early as the jobs before it allow, or later where that costs no
// more: at its due date or at the next step of its penalty (a serial schedule generation scheme, Kolisch, European Journal of
// Operational Research 90, 1996). The jobs behind it get slots that way which packings use too early. Until a job's turn comes it
// only has its minimum (docs/design/flex.md#serial-scheme).
type serial struct {
	in     *flex.Instance
	last   float64 // when jobs complete that have passed all steps of their penalties
	minima []minimum
	ends   []float64 // completion times by job
	at     []moment
	fixed  int // of at: the ends of minima, which are there from the start

	marked []moment
	rooms  [][]float64 // of the moments there were at each mark
}

// A minimum is when a job ends that holds no more, and what such jobs have done by time t, work + rate·t, from then on.
type minimum struct{ end, work, rate float64 }

// A moment is the end of a job, with the spare work of the slots until then: what they can do beyond the jobs' requirements. By
// time t before its end the job must have done at least start + rise·t more than its minimum does, if that is positive.
type moment struct {
	end, room   float64
	work, min   float64
	start, rise float64
}

// placeTolerance is the share of a job's work by which slots may be too few, for rounding: less than flex.RealizeTolerance.
const placeTolerance = 1e-11

func newSerial(in *flex.Instance) *serial {
	n := len(in.Jobs)
	s := &serial{in: in, last: flex.Horizon(in), ends: make([]float64, n), minima: []minimum{{}}}
	total := 0.0
	for j := range in.Jobs {
		job := &in.Jobs[j]
		total += job.Work
		if job.Min > 0 {
			s.minima[0].rate += float64(job.Min)
			s.minima = append(s.minima, minimum{job.Work / float64(job.Min), job.Work, -float64(job.Min)})
		}
	}
	slices.SortFunc(s.minima, func(a, b minimum) int { return cmp.Compare(a.end, b.end) })
	for i := 1; i < len(s.minima); i++ {
		m := &s.minima[i]
		m.work, m.rate = m.work+s.minima[i-1].work, m.rate+s.minima[i-1].rate
		if m.end < total/float64(in.Slots) {
			s.at = append(s.at, moment{end: m.end})
		}
	}
	s.fixed = len(s.at)
	for i := range s.at {
		s.at[i].room, _ = s.room(s.at[i].end)
	}
	s.marked, s.rooms = slices.Clone(s.at), [][]float64{s.roomsNow()}
	return s
}

// room returns the spare work of the slots by time t, and its rate of growth.
func (s *serial) room(t float64) (room, rate float64) {
	m := &s.minima[sort.Search(len(s.minima), func(i int) bool { return s.minima[i].end > t })-1]
	rate = float64(s.in.Slots) - m.rate
	room = rate*t - m.work
	for i := range s.at {
		q := &s.at[i]
		if t < q.end {
			if more := q.start + q.rise*t; more > 0 {
				room, rate = room-more, rate-q.rise
			}
		} else if more := q.work - q.min*t; more > 0 {
			room, rate = room-more, rate+q.min
		}
	}
	return room, rate
}

// beyond returns the work that the job must have done by time t beyond that of its minimum.
func (q *moment) beyond(t float64) float64 {
	if t < q.end {
		return max(0, q.start+q.rise*t)
	}
	return max(0, q.work-q.min*t)
}

// place has job j complete.
func (s *serial) place(j int) {
	job := &s.in.Jobs[j]
	q := moment{work: job.Work, min: float64(job.Min)}
	most, tolerance := float64(job.Max), placeTolerance*job.Work
	end := job.Work / most
	for i := range s.at {
		if m := &s.at[i]; m.room < q.work-q.min*m.end-tolerance {
			end = max(end, m.end+(q.work-q.min*m.end-m.room)/most)
		}
	}
	// From the last of these moments on the function is concave, so Newton's method does not overshoot.
	for range 100 {
		room, rate := s.room(end)
		missing := q.work - q.min*end - room
		if missing <= tolerance || rate+q.min <= 0 {
			break
		}
		end += missing / (rate + q.min)
	}
	if job.Min > 0 {
		end = min(end, job.Work/q.min)
	}
	q.end = s.stretched(j, end)
	q.start, q.rise = q.work-most*q.end, most-q.min
	for i := range s.at {
		s.at[i].room -= q.beyond(s.at[i].end)
	}
	q.room, _ = s.room(q.end)
	q.room -= q.beyond(q.end)
	s.at, s.ends[j] = append(s.at, q), q.end
}

// stretched is the latest time at which job j completes at no more cost than at end.
func (s *serial) stretched(j int, end float64) float64 {
	late := end
	switch steps := s.in.StepTimes(j); {
	case steps != nil:
		late = s.last
		for _, t := range steps {
			if !flex.After(end, t) {
				late = t
				break
			}
		}
	case s.in.MetricOf(j) == flex.Tardiness:
		late = *s.in.Jobs[j].Deadline
	}
	if m := s.in.Jobs[j].Min; m > 0 {
		late = min(late, s.in.Jobs[j].Work/float64(m))
	}
	return max(end, late)
}

// serialMarks is the most marks of an order.
const serialMarks = 16

// Completions returns the completion times under a priority order of all jobs. The slice is valid until the next call.
func (s *serial) Completions(order []int) []float64 { return s.From(order, 0) }

// From is Completions, of an order that is the marked one before position from.
func (s *serial) From(order []int, from int) []float64 { return s.run(order, from, false) }

// Mark is From, and remembers the order for From.
func (s *serial) Mark(order []int, from int) []float64 { return s.run(order, from, true) }

func (s *serial) run(order []int, from int, mark bool) []float64 {
	stride := 1 + len(order)/serialMarks
	known := min(from/stride, len(s.rooms)-1)
	s.at = append(s.at[:0], s.marked[:len(s.rooms[known])]...)
	for i, room := range s.rooms[known] {
		s.at[i].room = room
	}
	for i, j := range order {
		if i < known*stride {
			s.ends[j] = s.at[s.fixed+i].end
			continue
		}
		if k := i / stride; mark && i%stride == 0 {
			s.rooms = append(s.rooms[:k], s.roomsNow())
		}
		s.place(j)
	}
	if mark {
		s.marked = append(s.marked[:0], s.at...)
	}
	return s.ends
}

func (s *serial) roomsNow() []float64 {
	rooms := make([]float64, len(s.at))
	for i := range s.at {
		rooms[i] = s.at[i].room
	}
	return rooms
}
