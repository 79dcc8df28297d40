package cumulative

import "context"

// A Problem is tasks to be scheduled without interruption. All lists are by task.
type Problem struct {
	Durations []int // slots, at least 1
	// Before lists tasks that a task precedes: it is done before they start.
	Before [][]int
	// Same is the task before it of a group of tasks that may change places, such as equal ones: it starts no earlier. −1: none.
	Same      []int
	Resources []Resource
}

// A Resource is shared by the tasks that run at once.
type Resource struct {
	Room    int64   // at most 2^61
	Demands []int64 // by task, 0 to Room
}

// A Search looks for ever shorter schedules of a problem. It can be stopped and go on.
type Search struct {
	engine *engine
	begun  bool
	proven bool
}

// New is a search that has not begun.
func New(p *Problem) *Search { return &Search{engine: newEngine(p)} }

// Run looks for schedules that end before a moment, each better than the one before, and hands their starts to improved. It ends with
// true if no schedule ends before the moment and before the last one found, and with false if ctx ends or after so many dead ends. The
// moment of a later call must not be later: what was learned holds for shorter schedules only.
func (s *Search) Run(ctx context.Context, before int, deadEnds int64, improved func(starts []int)) bool {
	e := s.engine
	if !s.proven {
		e.undo(0)
		s.proven = !s.begun && !e.begin() || !e.before(before) || e.search(ctx, deadEnds, improved)
		s.begun = true
	}
	return s.proven
}

// DeadEnds is the number of contradictions that were learned from.
func (s *Search) DeadEnds() int64 { return s.engine.conflicts }
