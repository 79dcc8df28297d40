package decoder

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/cloning"
	"schedgap/models/trials/property"
)

// drawn is an instance of up to six servers and eight jobs with ties: demands and capacities are quarters, means mostly whole.
// Some means are extreme, some resources missing, and some copies gain nothing.
func drawn(t *rapid.T) *cloning.Instance {
	in := &cloning.Instance{
		Resources:          []string{"cpu", "mem", "net"}[:rapid.IntRange(1, 3).Draw(t, "resources")],
		MaxCopies:          rapid.SampledFrom([]int{1, 2, 3, 100}).Draw(t, "max copies"),
		MaxCopiesPerServer: rapid.IntRange(1, 3).Draw(t, "max copies per server"),
	}
	quarters := func(low, high int, label string) []float64 {
		list := make([]float64, len(in.Resources))
		for r := range list {
			list[r] = float64(rapid.IntRange(low, high).Draw(t, label)) / 4
		}
		return list
	}
	for i := range rapid.IntRange(1, 6).Draw(t, "servers") {
		least := 0
		if i == 0 {
			least = 3 // for everything
		}
		in.Servers = append(in.Servers, cloning.Server{ID: fmt.Sprint(i), Capacity: quarters(least, 6, "capacity")})
	}
	for j := range rapid.IntRange(1, 8).Draw(t, "jobs") {
		job := cloning.Job{ID: fmt.Sprint(j), Arrival: rapid.SampledFrom([]int{0, 0, 3, 3, 40}).Draw(t, "arrival")}
		for k := range rapid.IntRange(1, 4).Draw(t, "phases") {
			p := cloning.Phase{ID: fmt.Sprint(k), Tasks: rapid.IntRange(1, 9).Draw(t, "tasks"), Demand: quarters(0, 3, "demand")}
			p.Mean = rapid.SampledFrom([]float64{1e-8, 0.5, 1, 2, 3, 3, 7, 7.5, 30, 1e6}).Draw(t, "mean")
			p.Speedup = cloning.ParetoSpeedup(p.Mean, p.Mean*float64(rapid.IntRange(0, 3).Draw(t, "cv")), in.MaxCopies)
			for parent := range k {
				if rapid.Bool().Draw(t, "parent") {
					p.Parents = append(p.Parents, parent)
				}
			}
			job.Phases = append(job.Phases, p)
		}
		in.Jobs = append(in.Jobs, job)
	}
	return in
}

// checked is the value of a schedule by the checker.
func checked(t *rapid.T, in *cloning.Instance, s cloning.Solution) float64 {
	r := cloning.Problem.Check(in, s)
	if len(r.Violations) > 0 || r.Objective == nil {
		t.Fatalf("%v: %v", r.Violations, s.Copies)
	}
	return *r.Objective
}

// Whatever the keys, the checker accepts the schedule and finds the same value. A move has the value of its keys, for any number
// of threads; a value beyond the limit is said to be.
func TestMoves(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := drawn(t)
		m := New(in)
		keys := Index{rapid.Float64Range(0.01, 3).Draw(t, "horizon"), rapid.Float64Range(0.5, 4).Draw(t, "power"), 1}.Keys(m)
		if rapid.Bool().Draw(t, "ties") {
			for k := range keys.Key {
				keys.Key[k] = math.Round(keys.Key[k])
			}
		}
		one, v := m.Search(keys, 1)
		three, w := m.Search(keys, 3)
		defer three.Close()
		fresh := newDecoder(m)
		fresh.set(keys)
		if fresh.value(math.Inf(1)) != v || w != v || checked(t, in, m.Solution(keys)) != v {
			t.Fatalf("%v, %v, from the beginning %v, by the checker %v", v, w, fresh.cost, checked(t, in, m.Solution(keys)))
		}
		a, b := rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(1, 1))
		choice := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range 40 {
			limit := v + float64(choice.IntN(20)) - 4
			if choice.IntN(4) == 0 {
				limit = math.Inf(1)
			}
			got, same := one.Move(a, limit), three.Move(b, limit)
			at := one.worker(one.moves - 1).keys
			fresh.set(at)
			want := fresh.value(math.Inf(1))
			if got <= limit != (want <= limit) || got <= limit && got != want {
				t.Fatalf("%v instead of %v, limit %v", got, want, limit)
			}
			if same <= limit != (want <= limit) || same <= limit && same != want {
				t.Fatalf("%v instead of %v by three threads, limit %v", same, want, limit)
			}
			if got > limit || choice.IntN(3) == 0 {
				continue
			}
			v = got
			one.Keep()
			three.Keep()
			switch choice.IntN(8) {
			case 0:
				one.Save()
				three.Save()
				if s := checked(t, in, m.Solution(three.Saved())); s != v {
					t.Fatalf("the saved schedule has %v, its keys %v", s, v)
				}
			case 1:
				one.Restore()
				three.Restore()
				v = one.value
				if three.value != v {
					t.Fatalf("%v, by three threads %v", v, three.value)
				}
			}
		}
	})
}

// On one server of capacity 1 two tasks of 4 and 1 slots that each need all of it have flowtimes 5 + 1 if the short one goes
// first, whenever it arrives; the long one stops for it. By 3 slots for two tasks of 2 on a server that has room for one copy of
// each, both of the phase run in turns: 3 tasks of 2 slots, two at a time, take 3 slots.
func TestPreemption(t *testing.T) {
	task := func(n int, mean, demand float64) []cloning.Phase {
		return []cloning.Phase{{Tasks: n, Mean: mean, Demand: []float64{demand}, Speedup: []float64{1}}}
	}
	in := &cloning.Instance{
		Resources: []string{"cpu"}, MaxCopies: 1, MaxCopiesPerServer: 1, Servers: []cloning.Server{{Capacity: []float64{1}}},
		Jobs: []cloning.Job{{Phases: task(1, 4, 1)}, {Arrival: 2, Phases: task(1, 1, 1)}},
	}
	for want, jobs := range map[float64][]cloning.Job{6: in.Jobs, 3: {{Phases: task(3, 2, 0.5)}}} {
		in.Jobs = jobs
		m := New(in)
		d := newDecoder(m)
		d.set(Index{1, 2, 1}.Keys(m))
		if got := d.value(math.Inf(1)); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// A million tasks take turns in a few thousand steps, and their schedule stays small: a copy for most, and few that move.
func TestManyTasks(t *testing.T) {
	in := &cloning.Instance{Resources: []string{"cpu"}, MaxCopies: 3, MaxCopiesPerServer: 1}
	for i := range 200 {
		in.Servers = append(in.Servers, cloning.Server{Capacity: []float64{1 + float64(i%3)}})
	}
	for j := range 20 {
		mean := float64(10 + 7*j)
		in.Jobs = append(in.Jobs, cloning.Job{Arrival: 100 * j, Phases: []cloning.Phase{
			{Tasks: 5_000, Mean: mean, Demand: []float64{0.1 + 0.01*float64(j)}, Speedup: cloning.ParetoSpeedup(mean, mean, 3)},
		}})
	}
	m := New(in)
	s := m.Solution(m.Start(t.Context()))
	if r := cloning.Problem.Check(in, s); len(r.Violations) > 0 || len(s.Copies) > 4*100_000 {
		t.Fatalf("%d copies, %v", len(s.Copies), r.Violations)
	}
}
