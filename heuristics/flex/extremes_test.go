package flex_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedgap/heuristics/flex"
	model "schedgap/models/flex"
	"schedgap/models/flex/sim"
	"schedgap/models/simulation/simtest"
)

func TestExtremesOfSimulations(t *testing.T) {
	simtest.Extremes(t, sim.New(flex.Policies, sim.Source{}), 100, func(rng *rand.Rand) (text string) {
		if rng.IntN(4) == 0 { // tasks shorter than the clock can tell
			return `{"job":"a","arrival":1e9,"map":{"tasks":1,"mean":1e-6,"cv":100}}`
		}
		at := []float64{0, 1, 1e9}[rng.IntN(3)]
		for j := range 1 + rng.IntN(3) {
			text += fmt.Sprintf(`{"job":"j%d","arrival":%g,"map":{"tasks":%d,"mean":%g,"cv":%g}`, j, at, 1+rng.IntN(4),
				math.Pow(10, -6*rng.Float64()), []float64{0, 0.2, 100}[rng.IntN(3)])
			if rng.IntN(2) == 0 {
				text += fmt.Sprintf(`,"reduce":{"tasks":1,"mean":%g}`, math.Pow(10, -6*rng.Float64()))
			}
			text += "}\n"
		}
		return text
	})
}

// A job whose penalties are no steps may get any of 400 million slots, which the dynamic program of the moldable schedule would
// tabulate beside another one's steps: it is not asked. With fewer slots, or jobs of steps alone, it is.
func TestTooManySlotsToTabulate(t *testing.T) {
	in := &model.Instance{Slots: 400_000_000, Objective: model.Objective{Metric: model.SLA, Aggregate: model.Sum}}
	for j := range 3 {
		in.Jobs = append(in.Jobs, model.Job{
			ID: fmt.Sprint("j", j), Work: float64(30 - j), Max: in.Slots, Weight: 1, Steps: []model.Step{{At: 10, Penalty: 1}},
		})
	}
	if err := model.MoldableFits(in); err != nil {
		t.Errorf("steps alone: %v", err)
	}
	in.Jobs[0].Metric = model.Response
	err := model.MoldableFits(in)
	if err == nil || !strings.Contains(err.Error(), "399999997 spare slots") {
		t.Fatalf("%v", err)
	}
	if order := flex.RAPOrder(in); !slices.Equal(order, flex.SPTOrder(in)) {
		t.Errorf("order %v", order)
	}
	in.Slots = 1000
	if model.MoldableFits(in) != nil {
		t.Errorf("1,000 slots: %v", model.MoldableFits(in))
	}
}
