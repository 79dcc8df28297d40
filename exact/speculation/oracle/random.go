package oracle

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"schedgap/models/speculation"
)

// A Shape is a family of random instances.
type Shape struct {
	Name string
	fill func(rng *rand.Rand, in *speculation.Instance)
}

// Shapes are the families that tests go through.
var Shapes = []Shape{
	{"integers", func(rng *rand.Rand, in *speculation.Instance) {
		fill(in, func() float64 { return float64(rng.IntN(7)) })
	}},
	{"tenths", func(rng *rand.Rand, in *speculation.Instance) {
		fill(in, func() float64 { return float64(rng.IntN(50)) / 10 })
	}},
	{"floats", func(rng *rand.Rand, in *speculation.Instance) { fill(in, func() float64 { return 6 * rng.Float64() }) }},
	{"trade", trade},
	{"line", line},
	{"fast", fast},
}

// weights of energy in the scalar objective.
var weights = []float64{0, 0.01, 0.1, 1, 3, 1e6, 1e-9}

// RandomInstance makes a valid instance with at most size stragglers and slots. Whatever the shape, twins among stragglers and
// slots, sparse estimates, other units and no slot at all occur.
func RandomInstance(rng *rand.Rand, shape Shape, size int) *speculation.Instance {
	in := &speculation.Instance{EnergyWeight: weights[rng.IntN(len(weights))]}
	in.Name = "random-" + shape.Name
	in.Stragglers = make([]speculation.Straggler, 1+rng.IntN(size))
	in.Slots = make([]speculation.Slot, rng.IntN(size+1))
	in.CopyTime = make([][]float64, len(in.Stragglers))
	for i := range in.CopyTime {
		in.CopyTime[i] = make([]float64, len(in.Slots))
	}
	shape.fill(rng, in)
	if rng.IntN(2) == 0 {
		makeTwins(rng, in)
	}
	if rng.IntN(3) == 0 {
		scale(in, []float64{0.001, 64, 1e5}[rng.IntN(3)], []float64{0.001, 1, 1e5}[rng.IntN(3)])
	}
	if rng.IntN(2) == 0 {
		thin(rng, in, []float64{0.2, 0.7}[rng.IntN(2)])
	}
	for i := range in.Stragglers {
		s := &in.Stragglers[i]
		s.ID, s.Progress, s.Duration = fmt.Sprintf("s%d", i+1), float64(1+rng.IntN(9))/10, float64(1+rng.IntN(9))
	}
	for j := range in.Slots {
		in.Slots[j].ID = fmt.Sprintf("v%d", j+1)
	}
	return in
}

// fill draws every number from one distribution on [0, 7), except for offsets that let about half of the pairs help.
func fill(in *speculation.Instance, draw func() float64) {
	for i := range in.Stragglers {
		in.Stragglers[i] = speculation.Straggler{Finish: 8 + draw(), Power: 2 * draw()}
	}
	for j := range in.Slots {
		in.Slots[j] = speculation.Slot{Start: draw() / 2, Power: draw()}
	}
	for i := range in.CopyTime {
		for j := range in.CopyTime[i] {
			in.CopyTime[i][j] = 1 + draw()
		}
	}
}

// trade makes copies of one length, so that a slot costs its late start and its power, and slots that start early draw more.
// Savings are then choices of slots, with many points that no weighted sum finds.
func trade(rng *rand.Rand, in *speculation.Instance) {
	tradeAlong(rng, in, func(late int) float64 { return float64(300 - 30*late + rng.IntN(60)) })
}

// line is trade with a power that falls along a line: all points of the front lie on lines.
func line(rng *rand.Rand, in *speculation.Instance) {
	tradeAlong(rng, in, func(late int) float64 { return float64(300 - 24*late) })
}

func tradeAlong(rng *rand.Rand, in *speculation.Instance, power func(late int) float64) {
	for i := range in.Stragglers {
		in.Stragglers[i] = speculation.Straggler{Finish: float64(20 + rng.IntN(6)), Power: float64(16 + 4*rng.IntN(2))}
	}
	for j := range in.Slots {
		late := rng.IntN(11)
		in.Slots[j] = speculation.Slot{Start: float64(late), Power: power(late)}
	}
	for i := range in.CopyTime {
		for j := range in.CopyTime[i] {
			in.CopyTime[i][j] = 1
		}
	}
}

// fast has slots that draw far more the faster they are, so that speed costs energy: long fronts of real numbers.
func fast(rng *rand.Rand, in *speculation.Instance) {
	for i := range in.Stragglers {
		in.Stragglers[i] = speculation.Straggler{Finish: 13 + 5*rng.Float64(), Power: 8 + rng.Float64()}
	}
	for j := range in.Slots {
		pace := 1 + 3*rng.Float64()
		in.Slots[j] = speculation.Slot{Start: rng.Float64(), Power: 100 / (pace * pace)}
		for i := range in.CopyTime {
			in.CopyTime[i][j] = pace * (1 + rng.Float64()/5)
		}
	}
}

// makeTwins gives some stragglers and slots all numbers of the one before.
func makeTwins(rng *rand.Rand, in *speculation.Instance) {
	for i := 1; i < len(in.Stragglers); i++ {
		if rng.IntN(3) == 0 {
			in.Stragglers[i] = in.Stragglers[i-1]
			copy(in.CopyTime[i], in.CopyTime[i-1])
		}
	}
	for j := 1; j < len(in.Slots); j++ {
		if rng.IntN(3) == 0 {
			in.Slots[j] = in.Slots[j-1]
			for i := range in.CopyTime {
				in.CopyTime[i][j] = in.CopyTime[i][j-1]
			}
		}
	}
}

// scale changes the units of time and power.
func scale(in *speculation.Instance, time, power float64) {
	for i := range in.Stragglers {
		in.Stragglers[i].Finish = product(in.Stragglers[i].Finish, time)
		in.Stragglers[i].Power = product(in.Stragglers[i].Power, power)
		for j := range in.Slots {
			in.CopyTime[i][j] = product(in.CopyTime[i][j], time)
		}
	}
	for j := range in.Slots {
		in.Slots[j].Start = product(in.Slots[j].Start, time)
		in.Slots[j].Power = product(in.Slots[j].Power, power)
	}
}

// product is rounded to 12 digits, so that short decimals stay short and their ties ties.
func product(x, factor float64) float64 {
	f, _ := strconv.ParseFloat(strconv.FormatFloat(x*factor, 'g', 12, 64), 64)
	return f
}

// thin takes away a share of the estimates.
func thin(rng *rand.Rand, in *speculation.Instance, share float64) {
	for i := range in.CopyTime {
		for j := range in.CopyTime[i] {
			if rng.Float64() < share {
				in.CopyTime[i][j] = math.NaN()
			}
		}
	}
}
