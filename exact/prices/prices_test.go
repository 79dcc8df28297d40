package prices_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/exact/prices"
	"schedgap/models/proof"
)

// unit is the oracle of jobs of one unit of work on one machine that minimise Σ w_j C_j. They complete at 1, 2, … and buy the
// unit of time before that. Its relaxation is an assignment problem, so that the right prices prove the optimum.
type unit struct {
	weights   []float64
	at, price []float64
}

func (u *unit) SetPrices(at, price []float64) { u.at, u.price = at, price }

func (u *unit) Columns(j int, w prices.Window, pay []float64, _ float64, list []prices.Column) []prices.Column {
	for c := 1; c <= len(u.weights); c++ {
		end := float64(c)
		if end < w.From || end > w.To {
			continue
		}
		column := prices.Column{Cost: u.weights[j] * end, End: end}
		for column.Interval+1 < len(u.at) && u.at[column.Interval+1] <= end {
			column.Interval++
		}
		for i, v := range u.price {
			column.Cost += v * u.overlap(end, i)
		}
		if pay != nil {
			column.Cost += pay[column.Interval]
		}
		list = append(list, column)
	}
	return list
}

// overlap is how much of the unit of time before end lies in interval i.
func (u *unit) overlap(end float64, i int) float64 {
	return max(0, min(end, u.at[i+1])-max(end-1, u.at[i]))
}

func (u *unit) Use(_ int, list []prices.Column, used []float64) {
	for _, c := range list {
		for i := range used {
			used[i] += c.Weight * u.overlap(c.End, i)
		}
	}
}

func (u *unit) Magnitude() float64 { return 0 }

func (u *unit) optimum() float64 {
	sorted := slices.Sorted(slices.Values(u.weights))
	slices.Reverse(sorted)
	sum := 0.0
	for i, w := range sorted {
		sum += w * float64(i+1)
	}
	return sum
}

// random is a relaxation of 2 to 9 jobs with two nested sets, all of whose rows are there: before g no more than ⌈g⌉ − 1 jobs
// complete.
func random(rng *rand.Rand) (*unit, *prices.Relaxation) {
	u := &unit{weights: make([]float64, 2+rng.IntN(8))}
	n := len(u.weights)
	r := &prices.Relaxation{Oracle: u, Jobs: n, Capacity: 1}
	var sets [2][]int
	for j := range u.weights {
		u.weights[j] = 1 + 9*rng.Float64()
		sets[1] = append(sets[1], j)
		if rng.IntN(2) == 0 {
			sets[0] = append(sets[0], j)
		}
	}
	for g := range n + 1 {
		r.At = append(r.At, float64(g))
		for _, set := range sets {
			if g > 0 {
				r.Rows = append(r.Rows, prices.Row{Jobs: set, Point: g, Most: float64(g - 1)})
			}
		}
	}
	return u, r
}

func randomPoint(rng *rand.Rand, r *prices.Relaxation) prices.Point {
	p := prices.Point{Price: make([]float64, r.Intervals()), Theta: make([]float64, len(r.Rows))}
	for i := range p.Price {
		p.Price[i] = 10 * rng.Float64()
	}
	for i := range p.Theta {
		p.Theta[i] = max(0, rng.Float64()-0.3)
	}
	return p
}

// Whatever the multipliers, the bound is no more than the optimum; a finer grid does not change it, and Priced adds up to it.
func TestAnyPricesBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 1))
	for range 500 {
		u, r := random(rng)
		p := randomPoint(rng, r)
		v := r.Evaluate(t.Context(), p, 0, nil)
		if v.Safe() > u.optimum() {
			t.Fatalf("%v is no bound on %v", v.Bound, u.optimum())
		}
		smooth := r.Evaluate(t.Context(), p, 0.1+rng.Float64(), nil)
		if math.Abs(smooth.Bound-v.Bound) > 1e-9 || smooth.Smooth > v.Bound+1e-9 {
			t.Fatalf("smoothed %v and %v, not smoothed %v", smooth.Bound, smooth.Smooth, v.Bound)
		}
		q := r.Refine(p)
		if w := r.Evaluate(t.Context(), q, 0, nil); math.Abs(w.Bound-v.Bound) > 1e-9 {
			t.Fatalf("%v on the finer grid, %v before", w.Bound, v.Bound)
		}
		sum := 0.0
		worth, margin := r.Priced(q, 0, func(_ int, list []prices.Column) {
			sum += slices.MinFunc(list, func(a, b prices.Column) int { return cmp.Compare(a.Cost, b.Cost) }).Cost
		})
		if math.Abs(sum-worth-v.Bound) > 1e-9 || !(margin > 0) {
			t.Fatalf("priced %v ± %v, evaluated %v", sum-worth, margin, v.Bound)
		}
	}
}

// What is no point of the relaxation proves nothing.
func TestNoPoint(t *testing.T) {
	_, r := random(rand.New(rand.NewPCG(15, 2)))
	for name, change := range map[string]func(p *prices.Point){
		"negative price":      func(p *prices.Point) { p.Price[0] = -1 },
		"infinite price":      func(p *prices.Point) { p.Price[1] = math.Inf(1) },
		"no number":           func(p *prices.Point) { p.Theta[0] = math.NaN() },
		"negative multiplier": func(p *prices.Point) { p.Theta[1] = -1 },
		"a price less":        func(p *prices.Point) { p.Price = p.Price[1:] },
		"rising prices":       func(p *prices.Point) { r.Monotone, p.Price[0], p.Price[1] = true, 1, 2 },
	} {
		p := randomPoint(rand.New(rand.NewPCG(15, 3)), r)
		change(&p)
		if v := r.Evaluate(t.Context(), p, 0, nil); !math.IsInf(v.Bound, -1) {
			t.Errorf("%s: the bound %v", name, v.Bound)
		}
		r.Monotone = false
	}
}

// The gradient is what finite differences say.
func TestGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 4))
	const step = 1e-5
	for range 50 {
		_, r := random(rng)
		p, temperature := randomPoint(rng, r), 0.5+rng.Float64()
		for i := range p.Theta {
			p.Theta[i] += step // differences on both sides
		}
		for i := range p.Price {
			p.Price[i] += step
		}
		grad := prices.Point{Price: make([]float64, len(p.Price)), Theta: make([]float64, len(p.Theta))}
		r.Evaluate(t.Context(), p, temperature, &grad)
		for part, list := range map[string][2][]float64{"price": {p.Price, grad.Price}, "theta": {p.Theta, grad.Theta}} {
			for i, x := range list[0] {
				list[0][i] = x + step
				up := r.Evaluate(t.Context(), p, temperature, nil).Smooth
				list[0][i] = x - step
				down := r.Evaluate(t.Context(), p, temperature, nil).Smooth
				list[0][i] = x
				if d := (up - down) / (2 * step); math.Abs(d-list[1][i]) > 1e-5 {
					t.Fatalf("%s %d: the gradient says %v, differences %v", part, i, list[1][i], d)
				}
			}
		}
	}
}

// From no prices at all the ascent comes to the optimum, and its claim holds the prices and rows that prove it.
func TestAscend(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 5))
	for range 60 {
		u, r := random(rng)
		told := math.Inf(-1)
		c := prices.Climb{Relaxation: r, Steps: 2000, Bounded: func(b float64) {
			if b <= told {
				t.Errorf("the bound %v comes after %v", b, told)
			}
			told = b
		}}
		from := prices.Point{Price: make([]float64, r.Intervals()), Theta: make([]float64, len(r.Rows))}
		best := u.optimum()
		c.Ascend(t.Context(), []prices.Point{from}, best)
		if c.Best.Safe() > best || c.Best.Safe() < best*(1-1e-3) {
			t.Fatalf("weights %v: the bound %v, the optimum %v", u.weights, c.Best.Bound, best)
		}
		ids := make([]string, r.Jobs)
		for j := range ids {
			ids[j] = string(rune('a' + j))
		}
		claim := c.Claim(ids)
		theta := 0.0
		for _, line := range claim.Lines[1:] {
			for i, v := range line.(*proof.Counts).Theta {
				theta += v * float64(line.(*proof.Counts).Most[i])
			}
		}
		want := 0.0
		for i, v := range c.Point.Theta {
			want += v * c.Rows[i].Most
		}
		if m := claim.Lines[0].(proof.Multipliers); !slices.Equal(m.Grid, c.At) || !slices.Equal(m.Price, c.Point.Price) ||
			math.Abs(theta-want) > 1e-9 {
			t.Fatalf("%+v is claimed of %+v", claim, c.Point)
		}
	}
}
