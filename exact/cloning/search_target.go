package cloning

import "math"

// A targeting says how far the next pass raises the proven bound (a destructive lower bound). A pass leaves nothing out but
// what costs more than its target, and starts again, so that passes slot by slot would mostly repeat each other where a slot
// more means few states more.
type targeting struct {
	effort float64 // of the last pass, 0: none
	growth float64 // of the effort by slot
}

// Passes are to take targetGrowth times the effort of the one before, over at most targetMost slots.
const (
	targetGrowth = 3
	targetMost   = 8
)

// took tells the effort of a pass that has raised the bound by some slots.
func (s *targeting) took(slots int, effort float64) {
	if s.effort > 0 {
		s.growth = math.Pow(effort/s.effort, 1/float64(slots))
	}
	s.effort = effort
}

// next is the cost that the next pass looks for less of. It goes up to the best where little would be left after it.
func (s *targeting) next(lower, best int) int {
	slots := 1
	if s.growth > 0 {
		slots = targetMost
		if s.growth > 1 {
			slots = int(min(max(1, math.Round(math.Log(targetGrowth)/math.Log(s.growth))), targetMost))
		}
	}
	if gap := best - lower - slots; 2*gap <= slots {
		slots += gap
	}
	return lower + slots
}
