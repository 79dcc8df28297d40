package pocd

import (
	"context"
	"fmt"
	"math"

	"schedgap/exact/milp"
	"schedgap/models/pocd"
)

// A floor is a feasible decision and its value. No utility is positive for α ≥ 1, so an option worth less than the floor's
// whole value is no part of a better decision. Models leave such options out, and the remaining numbers are of the optimum's
// size. Utilities may span hundreds of orders of magnitude, p^(1−α) at α = 50, while solvers work with absolute tolerances.
type floor struct {
	copies pocd.Copies
	choice []int // by frontier
	value  float64
}

// newFloor is the value of marginal gains for finite α ≥ 1, and no floor at all, −Inf, for α < 1, where every option is
// worth at most the optimum and none is negative.
func newFloor(in *pocd.Instance, fs []frontier) floor {
	f := floor{value: math.Inf(-1)}
	if in.Alpha >= 1 {
		f.choice = concave(in, fs)
		f.copies = spread(in, fs, f.choice)
		f.value = objective(in, fs, f.choice)
	}
	return f
}

// above reports whether an option of this utility may be part of a decision that is no worse than the floor.
func (f *floor) above(utility float64) bool { return utility >= f.value-1e-9*math.Abs(f.value) }

// largest is the largest magnitude of a model's objective.
const largest = 1e300

// applies refuses instances whose optimum is beyond the magnitudes that a model can state.
func (f *floor) applies() error {
	if !math.IsInf(f.value, 0) && math.Abs(f.value) > largest {
		return fmt.Errorf("its utilities exceed %g", largest)
	}
	return nil
}

// modelFrontiers are the frontiers for building a model, which no context bounds.
func modelFrontiers(in *pocd.Instance, all bool) []frontier {
	fs, _ := frontiers(context.Background(), in, all)
	return fs
}

// A menu is the choices of one job in a model: binaries x[b−low] for b = low, low+1, … copies; exactly one is 1.
type menu struct {
	low  int
	cols []int
}

func (m menu) high() int { return m.low + len(m.cols) - 1 }

// chosen is the number of copies at a point.
func (m menu) chosen(x []float64) int { return m.low + milp.Chosen(x, m.cols) }

// copies are as many as are chosen.
func (m menu) copies() (s milp.Sum) {
	for i, col := range m.cols {
		s = append(s, milp.Of(col, float64(m.low+i))...)
	}
	return s
}

// addMenu adds the choices low..high of a job, with costs relative to the first.
func addMenu(m *milp.Model, id string, low, high int, utility func(b int) float64) menu {
	least := utility(low)
	m.Offset += least
	list := menu{low: low}
	for b := low; b <= high; b++ {
		list.cols = append(list.cols, m.Binary(fmt.Sprintf("x[%s,%d]", id, b), utility(b)-least))
	}
	m.Relate(fmt.Sprintf("copies[%s]", id), 1, 1, milp.Total(list.cols...))
	return list
}

// A taskMenu is the menu of a task's extra copies.
type taskMenu struct {
	job, task int
	menu
}

// decode enters the copies that a point chooses.
func (m *taskMenu) decode(x []float64, c pocd.Copies) { c[m.job][m.task] = m.chosen(x) }
