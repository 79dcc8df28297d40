package oracle

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/models/fail"
	"schedgap/models/speculation"
	"schedgap/models/trials"
)

// menu has a straggler that ends at 10 and takes power 10, and copies of length 1, so that a slot of start s and power P saves
// the time 9 − s and the energy 10·(9 − s) − P.
func menu(slots ...speculation.Slot) *speculation.Instance {
	in := &speculation.Instance{Slots: slots, Stragglers: []speculation.Straggler{{Finish: 10, Power: 10}}}
	in.CopyTime = [][]float64{make([]float64, len(slots))}
	for j := range slots {
		in.CopyTime[0][j] = 1
	}
	return in
}

// another adds a second straggler like the first.
func another(in *speculation.Instance) *speculation.Instance {
	in.Stragglers = append(in.Stragglers, in.Stragglers[0])
	in.CopyTime = append(in.CopyTime, in.CopyTime[0])
	return in
}

func floats(front []Point) (list [][2]float64) {
	for _, p := range front {
		time, energy := p.Float64s()
		list = append(list, [2]float64{time, energy})
	}
	return list
}

// Fronts and values that a pencil finds.
func TestByHand(t *testing.T) {
	// (9,10), (8,12) and (4,30): the middle one is below the line between the others. Then (8,10), dominated, the middle one
	// again, the gains (0,−1) and (9,0), and a slot without an estimate.
	crowded := menu(speculation.Slot{Power: 80}, speculation.Slot{Start: 1, Power: 68}, speculation.Slot{Start: 5, Power: 10},
		speculation.Slot{Start: 1, Power: 70}, speculation.Slot{Start: 1, Power: 68}, speculation.Slot{Start: 9, Power: 1},
		speculation.Slot{Power: 90}, speculation.Slot{})
	crowded.CopyTime[0][7] = math.NaN()
	// (9,10), (8,20), (7,30), of which two are taken.
	collinear := another(menu(speculation.Slot{Power: 80}, speculation.Slot{Start: 1, Power: 60},
		speculation.Slot{Start: 2, Power: 40}))
	// 0.3 − (0.1 + 0.2) is nothing, whatever floating point makes of it.
	tenths := menu(speculation.Slot{Start: 0.1})
	tenths.Stragglers[0].Finish, tenths.CopyTime[0][0] = 0.3, 0.2

	for _, tc := range []struct {
		name  string
		in    *speculation.Instance
		front [][2]float64
		opt   map[float64]float64 // by weight
	}{
		// Weight 0.1: 7, 9.2, 10; 0.3: 13, 11.6, 12.
		{
			"unsupported point", crowded,
			[][2]float64{{4, 30}, {8, 12}, {9, 10}},
			map[float64]float64{0: 9, 0.1: 10, 0.3: 13, 1e6: 3e7 + 4},
		},
		{"collinear", collinear, [][2]float64{{15, 50}, {16, 40}, {17, 30}}, map[float64]float64{0: 17, 0.1: 20, 1: 65}},
		{"one slot for two", another(menu(speculation.Slot{Power: 80})), [][2]float64{{9, 10}}, map[float64]float64{2: 29}},
		{"a tie in tenths", tenths, [][2]float64{{0, 0}}, map[float64]float64{0: 0, 1: 0}},
		{"no slots", menu(), [][2]float64{{0, 0}}, map[float64]float64{0: 0}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			front := Front(tc.in)
			if got := floats(front); !slices.Equal(got, tc.front) {
				t.Errorf("front %v, want %v", got, tc.front)
			}
			for weight, want := range tc.opt {
				tc.in.EnergyWeight = weight
				if got := Opt(tc.in); got != want {
					t.Errorf("opt %v with weight %v, want %v", got, weight, want)
				}
			}
		})
	}
}

// everyMatching calls visit with each partial matching of usable pairs.
func everyMatching(in *speculation.Instance, visit func(m speculation.Matching)) {
	m := make(speculation.Matching, len(in.Stragglers))
	var try func(i int)
	try = func(i int) {
		if i == len(m) {
			visit(m)
			return
		}
		for j := speculation.None; j < len(in.Slots); j++ {
			m[i] = j
			if j != speculation.None {
				if _, ok := Gain(in, i, j); !ok || slices.Contains(m[:i], j) {
					continue
				}
			}
			try(i + 1)
		}
	}
	try(0)
}

// The front and the optimum are what a look at every single matching gives, and each family of instances has what it
// is there for.
func TestAgainstEveryMatching(t *testing.T) {
	for _, shape := range Shapes {
		t.Run(shape.Name, func(t *testing.T) {
			rng, seen := rand.New(rand.NewPCG(2, 1)), map[string]int{}
			for range trials.Count(150) {
				in := RandomInstance(rng, shape, 4)
				data, err := speculation.Problem.MarshalInstance(in)
				fail.On(t, err)
				if _, err := speculation.Problem.ParseInstance("random.json", data); err != nil {
					t.Fatal(err)
				}
				var all []Point
				everyMatching(in, func(m speculation.Matching) {
					p, ok := Savings(in, m)
					if !ok {
						t.Fatalf("%v is not feasible\n%s", m, data)
					}
					all = append(all, p)
				})
				front, want := Front(in), undominated(all)
				if !slices.Equal(floats(front), floats(want)) {
					t.Fatalf("front %v, want %v\n%s", floats(front), floats(want), data)
				}
				best := new(big.Rat)
				for _, p := range all {
					if v := value(in, p); v.Cmp(best) > 0 {
						best = v
					}
				}
				if opt := Opt(in); opt != rounded(best) {
					t.Fatalf("opt %v, want %v\n%s", opt, rounded(best), data)
				}
				for trait, has := range traits(in, front) {
					if has {
						seen[trait]++
					}
				}
			}
			want := []string{"front of one", "longer front", "nothing helps", "slots to spare", "stragglers to spare"}
			switch shape.Name {
			default:
				want = append(want, "gain without use")
			case "trade", "fast":
				want = append(want, "unsupported point")
			case "line":
				want = append(want, "collinear points")
			}
			for _, trait := range want {
				if seen[trait] == 0 {
					t.Errorf("no instance has %q: %v", trait, seen)
				}
			}
			t.Log(seen)
		})
	}
}

// undominated compares every point with every other.
func undominated(points []Point) (front []Point) {
	for k, p := range points {
		if !slices.ContainsFunc(points, func(q Point) bool {
			time, energy := q.Time.Cmp(p.Time), q.Energy.Cmp(p.Energy)
			return time >= 0 && energy >= 0 && time+energy > 0
		}) && !slices.ContainsFunc(points[:k], func(q Point) bool { return q.Time.Cmp(p.Time) == 0 && q.Energy.Cmp(p.Energy) == 0 }) {
			front = append(front, p)
		}
	}
	slices.SortFunc(front, func(p, q Point) int { return p.Time.Cmp(q.Time) })
	return front
}

func traits(in *speculation.Instance, front []Point) map[string]bool {
	has := map[string]bool{
		"front of one":   len(front) == 1 && front[0].Time.Sign() > 0,
		"longer front":   len(front) > 1,
		"nothing helps":  front[0].Time.Sign() == 0 && len(in.Slots) > 0,
		"slots to spare": len(in.Slots) > len(in.Stragglers), "stragglers to spare": len(in.Stragglers) > len(in.Slots),
	}
	for i := range in.Stragglers {
		for j := range in.Slots {
			if gain, ok := Gain(in, i, j); !ok && gain.Time != nil && (gain.Time.Sign() > 0) != (gain.Energy.Sign() > 0) {
				has["gain without use"] = true
			}
		}
	}
	for k := 2; k < len(front); k++ {
		a, b, c := front[k-2], front[k-1], front[k]
		// The cross product of b − a and c − a is positive where b is below the line from a to c.
		minus := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Sub(x, y) }
		left := new(big.Rat).Mul(minus(b.Time, a.Time), minus(c.Energy, a.Energy))
		switch left.Cmp(new(big.Rat).Mul(minus(b.Energy, a.Energy), minus(c.Time, a.Time))) {
		case 1:
			has["unsupported point"] = true
		case 0:
			has["collinear points"] = true
		}
	}
	return has
}

// Matchings that are not feasible are refused.
func TestSavingsRefuses(t *testing.T) {
	in := another(menu(speculation.Slot{}, speculation.Slot{Start: 9}))
	for name, m := range map[string]speculation.Matching{
		"too short": {0}, "too long": {0, -1, -1}, "no such slot": {2, -1}, "below none": {-2, 0}, "a slot twice": {0, 0},
		"no time saved": {-1, 1},
	} {
		if p, ok := Savings(in, m); ok {
			t.Errorf("%s: %s", name, fmt.Sprint(p))
		}
	}
}
