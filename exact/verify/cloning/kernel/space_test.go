package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
	"schedgap/models/fail"
)

// Copies count if they matter: of 1,000 that the instance allows, five here, since the sixth adds nothing. 250 that matter have a space,
// 251 have none.
func TestManyCopies(t *testing.T) {
	for _, c := range []struct{ matter, gains int }{{5, 5}, {250, 250}, {251, 0}} {
		const allowed = 1000
		speedup := make([]string, allowed)
		for r := range speedup {
			speedup[r] = fmt.Sprint(1 + float64(min(r, c.matter-1))/1024)
		}
		file := fmt.Sprintf(`{"problem":"cloning","version":1,"name":"copies","max_copies":%d,"max_copies_per_server":%d,
			"servers":[{"id":"s","cpu":%d,"mem":%d}],"jobs":[{"id":"j","arrival":0,"phases":[
			{"id":"p","parents":[],"tasks":1,"cpu":1,"mem":1,"mean":2000,"sd":0,"speedup":[%s]}]}]}`,
			allowed, allowed, allowed, allowed, strings.Join(speedup, ","))
		in, err := cloning.Problem.ParseInstance("copies.json", []byte(file))
		fail.On(t, err)
		space, err := kernel.New(in, false)
		switch {
		case c.gains == 0:
			if err == nil || !strings.Contains(err.Error(), "more than 250 copies that matter") {
				t.Errorf("%d copies that matter: %v", c.matter, err)
			}
		case err != nil:
			t.Errorf("%d copies that matter: %v", c.matter, err)
		case len(space.Phases[0].Gain) != c.gains:
			t.Errorf("%d copies that matter: %d gains", c.matter, len(space.Phases[0].Gain))
		}
	}
}

// of is jobs of one resource that nothing demands, on so many servers. Jobs have one phase each.
func of(servers, copies int, jobs ...cloning.Job) *cloning.Instance {
	in := &cloning.Instance{Resources: []string{"cpu"}, MaxCopies: copies, MaxCopiesPerServer: copies, Jobs: jobs}
	for range servers {
		in.Servers = append(in.Servers, cloning.Server{Capacity: []float64{1}})
	}
	return in
}

func jobOf(arrival, tasks int, mean float64, speedup ...float64) cloning.Job {
	return cloning.Job{Arrival: arrival, Phases: []cloning.Phase{{Tasks: tasks, Demand: []float64{0}, Mean: mean, Speedup: speedup}}}
}

// Each limit of a space is reached by an instance and exceeded by the next.
func TestLimitsOfSpaces(t *testing.T) {
	const (
		long  = 1 << 30
		tasks = 37_837
		// The sum of all starts is at most the last slot times the copies, of which there is one more in the limit.
		slots = 1<<62/(1+3*tasks) - tasks*long
	)
	three := []float64{1, 2, 3}
	for name, c := range map[string]struct {
		in *cloning.Instance
		ok bool
	}{
		"100,000 tasks":          {of(1, 1, jobOf(0, 100_000, 1, 1)), true},
		"100,001 tasks":          {of(1, 1, jobOf(0, 100_001, 1, 1)), false},
		"1,000 tasks by servers": {of(1000, 1, jobOf(0, 1000, 1, 1)), true},
		"1,001 tasks by servers": {of(1000, 1, jobOf(0, 1001, 1, 1)), false},
		"a task of 2^30":         {of(1, 1, jobOf(0, 1, long, 1)), true},
		"a task of more":         {of(1, 1, jobOf(0, 1, long+1, 1)), false},
		"an arrival at 2^30":     {of(1, 1, jobOf(0, 1, 1, 1), jobOf(long, 1, 1, 1)), true},
		"an arrival later":       {of(1, 1, jobOf(0, 1, 1, 1), jobOf(long+1, 1, 1, 1)), false},
		"starts of 2^62":         {of(1, 3, jobOf(0, tasks-1, long, three...), jobOf(slots, 1, long, three...)), true},
		"starts of more":         {of(1, 3, jobOf(0, tasks-1, long, three...), jobOf(slots+1, 1, long, three...)), false},
	} {
		if _, err := kernel.New(c.in, false); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// By hand, copies that matter: none after the one with which a task takes one slot.
func TestGains(t *testing.T) {
	for _, c := range []struct {
		mean float64
		want int
	}{{1, 1}, {2, 2}, {2 + 1e-9, 2}, {2.5, 3}, {9, 4}} {
		sp, err := kernel.New(of(1, 4, jobOf(0, 1, c.mean, 1, 2, 3, 4)), false)
		fail.On(t, err)
		if got := len(sp.Phases[0].Gain); got != c.want {
			t.Errorf("%v slots: %d copies matter, want %d", c.mean, got, c.want)
		}
	}
}

// chain is a job of single tasks, one after the other.
func chain(phases int, mean float64, speedup ...float64) cloning.Job {
	job := cloning.Job{}
	for k := range phases {
		job.Phases = append(job.Phases, jobOf(0, 1, mean, speedup...).Phases[0])
		if k > 0 {
			job.Phases[k].Parents = []int{k - 1}
		}
	}
	return job
}

// Up to 64 phases in all it is known which are apart. A job has up to 64.
func TestManyPhases(t *testing.T) {
	for phases, apart := range map[int]bool{64: true, 65: false} {
		sp, err := kernel.New(of(1, 1, chain(phases, 1, 1)), false)
		fail.On(t, err)
		if got := sp.Apart[phases-1] != 0; got != apart {
			t.Errorf("%d phases: apart %v", phases, got)
		}
		sp, err = kernel.New(of(1, 1, chain(3, 1, 1), chain(phases, 1, 1)), false)
		fail.On(t, err)
		if _, err := sp.Graph(t.Context(), 1); (err == nil) != apart {
			t.Errorf("a job of %d phases: %v", phases, err)
		}
	}
}

// What is left after a slot is the least sum of gains that is no less, as no other slots end the task.
func TestAdvance(t *testing.T) {
	rng := rand.New(rand.NewPCG(57, 8))
	rounded := 0
	for range 200 {
		speedup := []float64{1, 1.25 + 0.25*float64(rng.IntN(3)), 2.25}
		sp, err := kernel.New(of(1, 3, jobOf(0, 1, 3, 1, 1, 1), jobOf(0, 1, float64(9+rng.IntN(40))/8, speedup...)), false)
		fail.On(t, err)
		ph := &sp.Phases[1]
		sums := sumsOf(ph)
		for progress := int64(0); progress < ph.Need; {
			r := 1 + rng.IntN(len(ph.Gain))
			want := ph.Need
			if left := ph.Need - progress - ph.Gain[r-1]; left > 0 {
				i, _ := slices.BinarySearch(sums, left)
				want = max(0, ph.Need-sums[i])
				rounded += int(min(1, sums[i]-left))
			}
			got := sp.Advance(1, progress, r)
			if got != want {
				t.Fatalf("after %d and %d of %d: %d, want %d", progress, ph.Gain[r-1], ph.Need, got, want)
			}
			progress = got
		}
	}
	if rounded < 50 {
		t.Errorf("%d slots were rounded", rounded)
	}
}

// sumsOf are all sums of gains up to some that are enough, in order.
func sumsOf(ph *kernel.Phase) []int64 {
	sums := []int64{0}
	for i := 0; i < len(sums); i++ {
		for _, g := range ph.Gain {
			if s := sums[i] + g; sums[i] < ph.Need && !slices.Contains(sums, s) {
				sums = append(sums, s)
			}
		}
	}
	slices.Sort(sums)
	return sums
}

// Progress is not rounded where there are many phases, or many sums of gains. A task comes to its need exactly all the same.
func TestAdvanceOfMany(t *testing.T) {
	for name, c := range map[string]struct {
		jobs    []cloning.Job
		rounded bool
	}{
		"1,000 phases": {slices.Repeat([]cloning.Job{jobOf(0, 1, 2.75, 1, 1.5)}, 1000), true},
		"1,001 phases": {slices.Repeat([]cloning.Job{jobOf(0, 1, 2.75, 1, 1.5)}, 1001), false},
		"few sums":     {[]cloning.Job{jobOf(0, 1, 20.75, 1, 1.25+1./(1<<20))}, true},
		"many sums":    {[]cloning.Job{jobOf(0, 1, 200.75, 1, 1.25+1./(1<<20))}, false},
	} {
		sp, err := kernel.New(of(1, 2, c.jobs...), false)
		fail.On(t, err)
		ph := &sp.Phases[0]
		if got := sp.Advance(0, 0, 1) < ph.Gain[0]; got != c.rounded {
			t.Errorf("%s: rounded %v", name, got)
		}
		if got := sp.Advance(0, ph.Need-ph.Gain[0]/2, 1); got != ph.Need {
			t.Errorf("%s: a task comes to %d of %d", name, got, ph.Need)
		}
	}
}

// A graph is found within as many arcs and tries as it takes, and not within one fewer.
func TestLimitsOfGraphs(t *testing.T) {
	in := of(2, 2, chain(2, 1, 1), jobOf(0, 2, 2.5, 1, 1.5))
	for i := range in.Jobs[0].Phases {
		in.Jobs[0].Phases[i].Demand[0] = 0.5
	}
	for _, fixed := range []bool{false, true} {
		space := func(edit func(sp *kernel.Space)) *kernel.Space {
			sp, err := kernel.New(in, fixed)
			fail.On(t, err)
			edit(sp)
			return sp
		}
		sp := space(func(*kernel.Space) {})
		arcs := 0
		for j := range in.Jobs {
			g, err := sp.Graph(t.Context(), j)
			fail.On(t, err)
			for _, n := range g.Nodes {
				arcs += len(n.Arcs)
			}
		}
		tries := sp.Tries
		for name, c := range map[string]struct {
			edit func(sp *kernel.Space)
			ok   bool
		}{
			"arcs":        {func(sp *kernel.Space) { sp.Arcs = arcs }, true},
			"fewer arcs":  {func(sp *kernel.Space) { sp.Arcs = arcs - 1 }, false},
			"tries":       {func(sp *kernel.Space) { sp.Tries = 8*sp.Arcs - tries }, true},
			"fewer tries": {func(sp *kernel.Space) { sp.Tries = 8*sp.Arcs - tries + 1 }, false},
		} {
			sp, found := space(c.edit), 0
			var err error
			for j := range in.Jobs {
				var g *kernel.Graph
				g, err = sp.Graph(t.Context(), j)
				if err != nil {
					break
				}
				for _, n := range g.Nodes {
					found += len(n.Arcs)
				}
			}
			if (err == nil) != c.ok || c.ok && found != arcs {
				t.Errorf("fixed %v, %s: %d arcs of %d, %v", fixed, name, found, arcs, err)
			}
		}
	}
}
