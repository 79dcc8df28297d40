package pocd

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"schedgap/exact/verify/core"
	"schedgap/models/pocd"
	"schedgap/models/trials"
)

// TestUnits: worths are rounded up to whole units, one that is too small to tell to one, and what is too large stays beyond all sums.
func TestUnits(t *testing.T) {
	for _, c := range []struct {
		v        float64
		exponent int
		want     int64
	}{
		{0, 3, 0},
		{1.01, 3, 9},
		{-1.01, 3, -8},
		{1e-300, -300, 1},
		{-1e-300, -300, 0},
		{1 << 58, 1, 1 << 59},
		{1 << 60, 0, huge},
		{1 << 59, 1, huge},
		{1e300, 10, huge},
		{-1 << 61, 0, -huge},
		{-1e300, 10, -huge},
	} {
		if got := (&choices{exponent: c.exponent}).units(c.v); got != c.want {
			t.Errorf("%v in units of 2^-%d: %d, want %d", c.v, c.exponent, got, c.want)
		}
	}
}

// most is the largest sum of one worth an item, whose numbers of copies are at most spare in all, by trying all.
func most(worths [][]int64, spare int) int64 {
	if len(worths) == 0 {
		return 0
	}
	best := int64(math.MinInt64)
	for b, w := range worths[0][:min(len(worths[0]), spare+1)] {
		best = max(best, w+most(worths[1:], spare-b))
	}
	return best
}

// TestChoices: at any price, what no choice is worth more than is proven, and one unit less is not.
func TestChoices(t *testing.T) {
	rng := trials.Rand(t, 57, 1)
	for range trials.Count(8000) {
		var worths [][]int64
		for range 1 + rng.IntN(4) {
			w := []int64{rng.Int64N(20)}
			for range rng.IntN(4) {
				w = append(w, w[len(w)-1]+rng.Int64N(8))
			}
			worths = append(worths, w)
		}
		spare, price := rng.IntN(6), rng.Int64N(6)
		best := most(worths, spare)
		for less := range int64(2) {
			c := &choices{in: &pocd.Instance{Alpha: 0.5}, spare: spare, price: price, top: price * int64(spare)}
			for _, w := range worths {
				c.add(w)
			}
			if err := c.prove(best - less); (err == nil) != (less == 0) {
				t.Fatalf("worths %v, %d copies at %d: %d less than %d: %v", worths, spare, price, less, best, err)
			}
			if c.Left() == 0 {
				t.Fatal("no effort is left")
			}
		}
	}
}

// TestOnePrice: with α of 1 and more the price alone proves the bound, though no choice of one copy is worth that.
func TestOnePrice(t *testing.T) {
	for _, alpha := range []float64{0.5, 1, 2} {
		for limit, proven := range map[int64]bool{5: true, 4: true, 3: alpha < 1, 0: alpha < 1, -1: false} {
			c := &choices{in: &pocd.Instance{Alpha: alpha}, spare: 1, price: 3, top: 3}
			c.add([]int64{0, 0, 7}) // less the price 0, -3 and 1
			if err := c.prove(limit); (err == nil) != proven {
				t.Errorf("α = %v: a bound of %d: %v", alpha, limit, err)
			}
		}
	}
}

// TestEffort: numbers of copies that there are no steps for are refused before they are tried, unless those that matter are fewer.
func TestEffort(t *testing.T) {
	for name, c := range map[string]struct {
		most, matter int
		affords      bool
	}{
		"few":             {9, 9, true},
		"as many":         {10, 10, true},
		"too many":        {11, 11, false},
		"many of no use":  {1000, 9, true},
		"many of one use": {1000, 10, false},
	} {
		e := &choices{}
		e.Spend(e.Left() - 10*copySteps)
		asked := 0
		got := e.affords(c.most, func(r int) bool {
			asked++
			return r <= c.matter
		})
		if got != c.affords || (e.Spent() == nil) != c.affords || asked > 1 {
			t.Errorf("%s: %v, %v, asked %d times", name, got, e.Spent(), asked)
		}
	}
	sparse := pocd.Instance{Capacity: 1 << 40, MaxCopies: 1 << 40, Jobs: []pocd.Job{{ID: "j", Deadline: 200, Tasks: []pocd.Task{
		{ID: "a", TMin: 100, Beta: 1, Straggler: true},
	}}}}
	sparse.Name = "one"
	for name, c := range map[string]struct {
		alpha, beta float64
		left        int // numbers of copies
		want        string
	}{
		"all that matter":         {0, 1, 70, ""}, // from 66 on q^(r+1) is below 1e-20
		"more than there are":     {0, 1, 60, "steps"},
		"logarithms":              {1, 1, 60, ""}, // q^(r+1) is below a unit from 52 on
		"more than there are, ln": {1, 1, 40, "steps"},
		"many":                    {0, 1e-9, 70, "steps"},
	} {
		in := sparse
		in.Alpha = c.alpha
		in.Jobs = []pocd.Job{in.Jobs[0]}
		in.Jobs[0].Tasks = []pocd.Task{in.Jobs[0].Tasks[0]}
		in.Jobs[0].Tasks[0].Beta = c.beta
		e := &choices{in: &in, spare: in.Spare(), exponent: 52}
		e.Spend(e.Left() - c.left*copySteps)
		err := e.list()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && (len(e.items) != 1 || e.used != 0 && e.price > 0) {
			t.Errorf("%s: %d items, %d copies", name, len(e.items), e.used)
		}
	}
}

// TestEnded: a bound that its context ends before the first choice is not proven.
func TestEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, alpha := range []float64{0, 1, 2} {
		in := pocd.Instance{Alpha: alpha, Capacity: 4, MaxCopies: 3, Jobs: []pocd.Job{{ID: "j", Deadline: 200, Tasks: []pocd.Task{
			{ID: "a", TMin: 100, Beta: 1, Straggler: true},
		}}}}
		if err := Bound(ctx, &in, false, 0, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("α = %v: %v", alpha, err)
		}
	}
}

// TestStepsOfChoices: the enumeration of choices ends when its steps are spent: 3 for the first item, 9 for the second, after it.
func TestStepsOfChoices(t *testing.T) {
	for left, ends := range map[int]bool{8: true, 12: false} {
		c := &choices{in: &pocd.Instance{Alpha: 0.5}, spare: 10}
		c.add([]int64{0, 1, 2})
		c.add([]int64{0, 1, 2})
		c.Spend(c.Left() - left)
		if err := c.prove(0); err == nil || strings.Contains(err.Error(), "steps") != ends {
			t.Errorf("%d steps: %v", left, err)
		}
	}
}

// TestCertain: a task that is nearly certain counts as certain, and a bound that a job attains is one that it is not above.
func TestCertain(t *testing.T) {
	job := pocd.Job{ID: "j", Deadline: 200, Tasks: []pocd.Task{{ID: "a", TMin: 200e-21, Beta: 1, Straggler: true}}}
	in := &pocd.Instance{Alpha: math.Inf(1), MaxCopies: 3, Jobs: []pocd.Job{job}}
	c := &choices{in: in, spare: 3}
	if list := c.frontier(0); len(list) != 1 || list[0] != 0 {
		t.Errorf("a job that is late with probability 1e-21: %v", list)
	}
	in.Jobs[0].Tasks[0].TMin = 100
	list := c.frontier(0)
	if err := c.leastAbove(core.Point(list[3]).Exp().Hi); len(list) != 4 || err != nil {
		t.Errorf("what three copies make it, %v: %v", list, err)
	}
}

// TestNear1: β·ln q of a task that is nearly late, or nearly certain, to all digits, whichever formula is the exact one.
func TestNear1(t *testing.T) {
	for _, c := range []struct{ tmin, want float64 }{
		{100, -math.Ln2},
		{50, -2 * math.Ln2},
		{150, math.Log(0.75)},
		{200 - 0x1p-20, math.Log1p(-0x1p-20 / 200)},
		{200 * 0x1p-60, -60 * math.Ln2},
	} {
		miss, hopeless := missOf(&pocd.Job{Deadline: 200, Tasks: []pocd.Task{{TMin: c.tmin, Beta: 1}}}, 0)
		lo, hi := miss.Lo*0x1p-512, miss.Hi*0x1p-512
		if hopeless || !(lo <= c.want+1e-15*math.Abs(c.want) && hi >= c.want-1e-15*math.Abs(c.want)) || hi-lo > 1e-14*math.Abs(c.want) {
			t.Errorf("of %v: [%v, %v], want %v", c.tmin, lo, hi, c.want)
		}
	}
}

// TestLeast: for α = inf a bound holds if a job cannot be above it with all spare copies, or all together need more than these; without a
// job that counts the value is 1.
func TestLeast(t *testing.T) {
	job := func(tmin float64, tasks int) pocd.Job {
		j := pocd.Job{ID: "j", Deadline: 200}
		for range tasks {
			j.Tasks = append(j.Tasks, pocd.Task{ID: "a", TMin: tmin, Beta: 1, Straggler: true})
		}
		return j
	}
	for name, c := range map[string]struct {
		jobs   []pocd.Job
		copies int
		bound  float64
		proven bool
	}{
		"one has never enough":     {[]pocd.Job{job(100, 1)}, 1, 0.7501, true}, // 1 − 1/4
		"one has enough":           {[]pocd.Job{job(100, 1)}, 1, 0.7499, false},
		"two need a copy more":     {[]pocd.Job{job(100, 1), job(100, 1)}, 1, 0.6, true},
		"two have both enough":     {[]pocd.Job{job(100, 1), job(100, 1)}, 2, 0.6, false},
		"one needs none":           {[]pocd.Job{job(100, 1), job(50, 1)}, 1, 0.6, false},
		"a hopeless one is left":   {[]pocd.Job{job(200, 1), job(100, 1)}, 1, 0.6, false},
		"all are hopeless":         {[]pocd.Job{job(200, 1)}, 1, 1, true},
		"all are hopeless, a bit":  {[]pocd.Job{job(200, 1)}, 1, 0.999, false},
		"all are hopeless, beyond": {[]pocd.Job{job(200, 1)}, 1, 1.5, true},
		"nothing is beyond 1":      {[]pocd.Job{job(100, 1)}, 1, 1, true},
	} {
		in := &pocd.Instance{Alpha: math.Inf(1), MaxCopies: 3, Jobs: c.jobs}
		in.Name = name
		e := &choices{Effort: core.Effort{}, in: in, spare: c.copies}
		if err := e.leastAbove(c.bound); (err == nil) != c.proven {
			t.Errorf("%s: %v", name, err)
		}
	}
}
