package relaxed

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-6*(1+math.Abs(b)) }

// Three jobs on a machine that does 2 in a unit of time: volumes 6, 2, 4 released at 0, 1, 1. The shortest first ends at 2, then
// the rest of the first, 4 like the third, at 4, the last at 6.
func TestByHand(t *testing.T) {
	jobs := []Job{
		{Volume: 6, Least: 3, Lag: 1.5},
		{Release: 1, Volume: 2, Least: 1, Lag: 0.5},
		{Release: 1, Volume: 4, Least: 4, Lag: 1},
	}
	c := Constant(2)
	ends := Shortest(jobs, c)
	for k, want := range []float64{2, 4, 6} {
		if !near(ends[k], want) {
			t.Errorf("end %d is %v, not %v", k, ends[k], want)
		}
	}
	if got := Sum(jobs, ends); !near(got, 12) {
		t.Errorf("sum %v", got)
	}
	// Alone they end at 3, 2 and 5: nothing is gained but where it is later.
	if got := Sum(jobs, Later(ends, Earliest(jobs))); !near(got, 12) {
		t.Errorf("sum %v", got)
	}
	// The first works in [0, 1] and [4, 6], the second in [1, 2], the third in [2, 4].
	if got, want := Busy(jobs, c), (0.5*2+5*4)/6+1.5+1.5+0.5+3+1; !near(got, want) {
		t.Errorf("busy %v, not %v", got, want)
	}
}

// A curve that is always as fast as it can be is a constant machine.
func TestCurveAtItsPeak(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 20))
	for range 300 {
		speed := 0.5 + 3*rng.Float64()
		c, at := NewCurve(0, speed), 0.0
		for range rng.IntN(30) {
			d := rng.Float64()
			at += d
			c.Add(at, d*speed)
		}
		var jobs []Job
		for range 1 + rng.IntN(8) {
			jobs = append(jobs, Job{Release: 10 * rng.Float64() * float64(rng.IntN(2)), Volume: 5 * rng.Float64()})
		}
		a, b := Shortest(jobs, c), Shortest(jobs, Constant(speed))
		for k := range a {
			if !near(a[k], b[k]) {
				t.Fatalf("end %d is %v, not %v", k, a[k], b[k])
			}
		}
		if x, y := Busy(jobs, c), Busy(jobs, Constant(speed)); !near(x, y) {
			t.Fatalf("busy %v, not %v", x, y)
		}
	}
}

// random works on jobs in a random order that changes at random moments, on a machine that stops now and then.
func random(rng *rand.Rand, jobs []Job, speed float64) (ends, busy []float64, c *Curve) {
	const step = 0.25
	c = NewCurve(0, speed)
	ends, busy = make([]float64, len(jobs)), make([]float64, len(jobs))
	left := make([]float64, len(jobs))
	for j := range jobs {
		left[j] = jobs[j].Volume
	}
	for k, todo := 0, len(jobs); todo > 0; k++ {
		now, room := float64(k)*step, step*speed*float64(rng.IntN(3))/2
		c.Add(now+step, room)
		for _, j := range rng.Perm(len(jobs)) {
			// It may work at its peak until the room is used up.
			if w := min(room, left[j]); w > 0 && jobs[j].Release <= now {
				from := now + step - room/speed
				busy[j] += w * (from + w/speed/2) / jobs[j].Volume
				room -= w
				left[j] -= w
				if left[j] < 1e-12 {
					left[j], ends[j] = 0, from+w/speed
					todo--
				}
			}
		}
	}
	return ends, busy, c
}

// No schedule is below either bound, for any capacity.
func TestNoScheduleBelow(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 21))
	for range 3000 {
		var jobs []Job
		for range 1 + rng.IntN(7) {
			jobs = append(jobs, Job{Release: float64(rng.IntN(12)) / 4 * float64(rng.IntN(2)), Volume: 0.1 + 3*rng.Float64()})
		}
		ends, busy, c := random(rng, jobs, 1+rng.Float64())
		sum, moments := 0.0, 0.0
		for j := range jobs {
			sum, moments = sum+ends[j], moments+busy[j]
		}
		if got := Sum(jobs, Shortest(jobs, c)); got > sum {
			t.Fatalf("the sum of ends is %v, the bound %v\n%+v", sum, got, jobs)
		}
		if got := Busy(jobs, c); got > moments {
			t.Fatalf("the sum of mean busy times is %v, the bound %v\n%+v", moments, got, jobs)
		}
	}
}

// Windows by hand: four volumes of 2 in [0, 4] on one machine, one of 3 later; two are late, and a long window has room for one.
func TestOnTime(t *testing.T) {
	early := []Window{{0, 4, 2}, {0, 4, 2}, {1, 3, 2}, {0, 4, 2}}
	for _, c := range []struct {
		windows []Window
		want    int
	}{
		{nil, 0},
		{early, 2},
		{append([]Window{{5, 8, 3}}, early...), 3},
		{append([]Window{{5, 8, 4}}, early...), 2},
		{append([]Window{{5, 9, 2}, {5, 9, 2}, {5, 9, 2}}, early...), 4},
	} {
		if got := OnTime(c.windows, 1); got != c.want {
			t.Errorf("%v: %d, not %d", c.windows, got, c.want)
		}
	}
}

// What a schedule without preemption has on time is never more than the bound.
func TestOnTimeOfSchedules(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 22))
	tight := 0
	for range 2000 {
		var windows []Window
		for range 1 + rng.IntN(7) {
			from := float64(rng.IntN(10))
			windows = append(windows, Window{from, from + 1 + float64(rng.IntN(8)), 1 + float64(rng.IntN(4))})
		}
		most := 0
		for range 30 {
			now, n := 0.0, 0
			for _, j := range rng.Perm(len(windows)) {
				w := windows[j]
				if end := max(now, w.From) + w.Volume; end <= w.To {
					now = end
					n++
				}
			}
			most = max(most, n)
		}
		got := OnTime(windows, 1)
		if got < most {
			t.Fatalf("%d of %v are on time, the bound is %d", most, windows, got)
		}
		if got == most {
			tight++
		}
	}
	t.Logf("%d of 2000 bounds are reached", tight)
}
