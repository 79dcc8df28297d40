package sim

import (
	"math"
	"slices"

	"schedgap/models/heap"
	"schedgap/models/simulation"
)

// An Order keeps the active jobs in a policy's order, split into those that are served and those that wait. Jobs are numbered by
// arrival.
type Order interface {
	Arrive(job int32)
	// Depart takes out a served job.
	Depart(job int32)
	// Serve makes the first n jobs the served ones. Every job that changed sides since the last call is in the result, maybe
	// with others.
	Serve(n int) (touched []int32)
	Serves(job int32) bool
	// First is the first job of the served ones, at least one.
	First() int32
	// Served lists the served jobs; it is valid until the next call of any method.
	Served() []int32
}

// NewOrder returns the order of jobs that have the given places in their file: latest arrival first, or least remaining work first.
// A job that has to wait keeps the work that is saved.
func NewOrder(latestFirst bool, file []int, remaining, saved func(job int32) float64) Order {
	if latestFirst {
		return &latest{}
	}
	return newShortest(file, remaining, saved)
}

// latest puts the latest arrival first: jobs are numbered by arrival.
type latest struct {
	active        []int32 // by arrival
	from          int     // the first one that is served
	touched, list []int32
}

func (l *latest) Arrive(j int32) {
	l.active, l.touched = append(l.active, j), append(l.touched, j)
}

func (l *latest) Depart(j int32) {
	i, _ := slices.BinarySearch(l.active, j)
	l.active = slices.Delete(l.active, i, i+1)
}

func (l *latest) Serve(n int) []int32 {
	for ; l.from < len(l.active)-n; l.from++ {
		l.touched = append(l.touched, l.active[l.from])
	}
	for ; l.from > len(l.active)-n; l.from-- {
		l.touched = append(l.touched, l.active[l.from-1])
	}
	touched := l.touched
	l.touched = l.touched[:0]
	return touched
}

func (l *latest) Serves(j int32) bool { return l.from < len(l.active) && j >= l.active[l.from] }

func (l *latest) First() int32 { return l.active[len(l.active)-1] }

func (l *latest) Served() []int32 {
	l.list = append(l.list[:0], l.active[l.from:]...)
	slices.Reverse(l.list)
	return l.list
}

// shortest puts the job with the least remaining work first. What waits has a heap; of the served jobs, at most one a
// machine under SRPT, every look is a scan.
type shortest struct {
	remaining func(job int32) float64
	saved     func(job int32) float64 // the work that a job has left when it has to wait
	file, job []int                   // a job's place in the file, and the job of a place
	waiting   heap.Indexed            // places in the file by remaining work
	running   []int32
	place     []int32 // by job: where it is in running; −1: nowhere
	touched   []int32
}

func newShortest(file []int, remaining, saved func(int32) float64) *shortest {
	s := &shortest{remaining: remaining, saved: saved, file: file, job: simulation.InFile(file), place: make([]int32, len(file))}
	for j := range s.place {
		s.place[j] = -1
	}
	return s
}

func (s *shortest) Arrive(j int32) { s.waiting.Set(int32(s.file[j]), s.remaining(j)) }

func (s *shortest) Depart(j int32) {
	i, last := s.place[j], s.running[len(s.running)-1]
	s.running[i], s.place[last] = last, i
	s.running, s.place[j] = s.running[:len(s.running)-1], -1
}

func (s *shortest) Serve(n int) []int32 {
	s.touched = s.touched[:0]
	for len(s.running) < n {
		s.start()
	}
	for len(s.running) > n {
		_, last := s.ends()
		s.stop(last)
	}
	for !s.waiting.Empty() {
		_, last := s.ends()
		if next, left := s.waiting.Least(), s.remaining(last); next > left || next == left && int(s.waiting.Top()) > s.file[last] {
			break
		}
		s.start()
		s.stop(last)
	}
	return s.touched
}

func (s *shortest) start() {
	j := int32(s.job[s.waiting.Pop()])
	s.place[j] = int32(len(s.running))
	s.running = append(s.running, j)
	s.touched = append(s.touched, j)
}

func (s *shortest) stop(j int32) {
	s.Depart(j)
	s.waiting.Set(int32(s.file[j]), s.saved(j))
	s.touched = append(s.touched, j)
}

func (s *shortest) Serves(j int32) bool { return s.place[j] >= 0 }

func (s *shortest) First() int32 {
	first, _ := s.ends()
	return first
}

// ends are the first and the last of the running jobs.
func (s *shortest) ends() (first, last int32) {
	least, most := math.Inf(1), math.Inf(-1)
	for _, j := range s.running {
		left := s.remaining(j)
		if left < least || left == least && s.file[j] < s.file[first] {
			first, least = j, left
		}
		if left > most || left == most && s.file[j] > s.file[last] {
			last, most = j, left
		}
	}
	return first, last
}

func (s *shortest) Served() []int32 { return s.running }
