package redundancy_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedgap/datasets/claimstest"
	"schedgap/datasets/redundancy"
	"schedgap/models"
)

// A measurement is the mean of the run metrics over repetitions, with the flowtimes of all jobs, ascending.
type measurement struct {
	mean      map[string]float64
	flowtimes []float64
}

// within is the share of jobs with a flowtime of at most x.
func (m measurement) within(x float64) float64 {
	i, _ := slices.BinarySearchFunc(m.flowtimes, x, func(f, x float64) int {
		if f <= x {
			return -1
		}
		return 1
	})
	return float64(i) / float64(len(m.flowtimes))
}

// measure runs a policy at a point at seeds 1, 2, …; all policies meet the same workloads and machines. more overrides the
// workload's specs.
func measure(tb testing.TB, p redundancy.Point, policy string, repetitions int, more map[string]any) measurement {
	tb.Helper()
	params, err := models.Resolve(simulator.Params, p.Params)
	if err != nil {
		tb.Fatal(err)
	}
	given := maps.Clone(p.Specs)
	maps.Copy(given, more)
	specs, err := models.Resolve(simulator.Specs, given)
	if err != nil {
		tb.Fatal(err)
	}
	got := measurement{mean: map[string]float64{}}
	for i := range repetitions {
		seed := uint64(i + 1)
		w, err := simulator.Generate(specs, rand.New(rand.NewPCG(seed, 0)))
		if err != nil {
			tb.Fatal(err)
		}
		r := models.SimRequest{Workload: w, Policy: policy, Params: params, Seed: seed}
		err = simulator.Run(context.Background(), r, func(m models.Metric) {
			if m.Scope == "job" {
				got.flowtimes = append(got.flowtimes, m.Value)
			} else {
				got.mean[m.Name] += m.Value / float64(repetitions)
			}
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	slices.Sort(got.flowtimes)
	return got
}

// Every point is a valid request, and every claim is about the sweep and has a row on the page of claims.
func TestFigures(t *testing.T) {
	claims := claimstest.Read(t, "redundancy")
	names := map[string]bool{}
	for _, s := range redundancy.Figures() {
		if names[s.Name] || len(s.Points) == 0 || len(s.Metrics) == 0 {
			t.Errorf("sweep %q is double or empty", s.Name)
		}
		names[s.Name] = true
		for _, name := range s.Policies {
			if !slices.ContainsFunc(simulator.Policies, func(p models.Policy) bool { return p.Name == name }) {
				t.Errorf("%s: unknown policy %s", s.Name, name)
			}
		}
		for _, p := range s.Points {
			if _, err := models.Resolve(simulator.Specs, p.Specs); err != nil {
				t.Errorf("%s at %v: %v", s.Name, p.X, err)
			}
			if _, err := models.Resolve(simulator.Params, p.Params); err != nil {
				t.Errorf("%s at %v: %v", s.Name, p.X, err)
			}
			for _, c := range p.Claims {
				if !slices.Contains(s.Policies, c.Policy) || !slices.Contains(s.Metrics, c.Metric) {
					t.Errorf("%s at %v: claim %s is about %s of %s", s.Name, p.X, c.ID, c.Metric, c.Policy)
				}
				if claims.Row(c.ID) == "" {
					t.Errorf("%s at %v: claim %s is not on the page of claims", s.Name, p.X, c.ID)
				}
			}
		}
	}
}

// short is a twentieth of the paper's horizon, with which the shapes of the figures can be seen.
var short = map[string]any{"horizon": 5e3}

// beyond is a rate at which the cluster is overloaded by 8 %. At the limit, 2.5, what a short run shows is luck: the work
// has no variance.
const beyond = 2.7

func at(lambda float64, params map[string]any) redundancy.Point {
	return redundancy.Point{Specs: map[string]any{"lambda": lambda}, Params: params}
}

// Figures 5 and 6: redundancy cuts the mean flowtime by nearly the same percentage under all three algorithms, and many
// more jobs end within 40 units.
func TestShapeOfTheBenefit(t *testing.T) {
	for _, policy := range []string{"srpt", "fair", "laps"} {
		with, without := measure(t, at(1, nil), policy+"+r", 1, short), measure(t, at(1, nil), policy, 1, short)
		if ratio := with.mean["mean_flowtime"] / without.mean["mean_flowtime"]; ratio < 0.72 || ratio > 0.82 {
			t.Errorf("%s: redundancy makes the mean flowtime %v times as long", policy, ratio)
		}
		if gain := with.within(40) - without.within(40); gain < 0.08 {
			t.Errorf("%s: redundancy brings %v more of the jobs to an end within 40 units", policy, gain)
		}
	}
}

// Figure 7: at low rates SRPT+R and Fair+R are alike and better than LAPS+R; beyond the limit Fair+R has more than twice
// the mean flowtime of SRPT+R, and LAPS+R less than Fair+R.
func TestShapeOfTheRates(t *testing.T) {
	mean := func(lambda float64) (srpt, fair, laps float64) {
		p := at(lambda, map[string]any{"beta": 0.6})
		run := func(policy string) float64 { return measure(t, p, policy, 1, short).mean["mean_flowtime"] }
		return run("srpt+r"), run("fair+r"), run("laps+r")
	}
	if srpt, fair, laps := mean(1); srpt < 0.98*fair || srpt > 1.02*fair || laps < 1.2*fair {
		t.Errorf("rate 1: srpt+r %v, fair+r %v, laps+r %v", srpt, fair, laps)
	}
	if srpt, fair, laps := mean(beyond); fair < 2*srpt || laps < 1.2*srpt || laps > 0.97*fair {
		t.Errorf("rate %v: srpt+r %v, fair+r %v, laps+r %v", beyond, srpt, fair, laps)
	}
}

// Figures 8 and 9: at rate 1 nearly all jobs end within 200 units whatever β is, and the mean falls with β; beyond the
// limit a smaller β lets more jobs end soon, and the mean has its minimum at neither end.
func TestShapeOfTheShares(t *testing.T) {
	run := func(lambda, beta float64) measurement {
		return measure(t, at(lambda, map[string]any{"beta": beta}), "laps+r", 1, short)
	}
	last := 0.0
	for _, beta := range []float64{1, 0.8, 0.5, 0.2} {
		got := run(1, beta)
		if mean := got.mean["mean_flowtime"]; mean < last || got.within(200) < 0.95 {
			t.Errorf("rate 1, β = %v: mean flowtime %v after %v at a larger β, %v within 200", beta, mean, last, got.within(200))
		} else {
			last = mean
		}
	}
	small, middle, large := run(beyond, 0.1), run(beyond, 0.6), run(beyond, 1)
	if middle.within(200) < large.within(200)+0.1 || small.within(40) < middle.within(40)+0.1 {
		t.Errorf("rate %v: within 200 units %v at β = 0.6, %v at 1; within 40 %v at 0.1, %v at 0.6", beyond,
			middle.within(200), large.within(200), small.within(40), middle.within(40))
	}
	if m := middle.mean["mean_flowtime"]; m > 0.97*large.mean["mean_flowtime"] || m > 0.97*small.mean["mean_flowtime"] {
		t.Errorf("rate %v: mean flowtimes %v, %v, %v at β = 0.1, 0.6, 1", beyond, small.mean["mean_flowtime"], m,
			large.mean["mean_flowtime"])
	}
}

// Slots of length 1 add half a slot before a job starts, half a slot at its end, and what its machines idle; small slots
// nothing.
func TestShapeOfSlots(t *testing.T) {
	for _, policy := range withRedundancy {
		mean := func(params map[string]any) float64 {
			return measure(t, at(1, params), policy, 1, short).mean["mean_flowtime"]
		}
		exact := mean(nil)
		slots, fine := mean(map[string]any{"slotted": true}), mean(map[string]any{"slotted": true, "slot": 0.01})
		if slots < exact+0.8 || slots > 1.1*exact || fine < 0.99*exact || fine > 1.01*exact {
			t.Errorf("%s: mean flowtime %v, in slots of 1 %v, in slots of 0.01 %v", policy, exact, slots, fine)
		}
	}
}

var withRedundancy = []string{"srpt+r", "fair+r", "laps+r"}

// BenchmarkFigures prints every sweep over three repetitions of the paper's 1e5 units, with what the paper says.
func BenchmarkFigures(b *testing.B) {
	claims := claimstest.Read(b, "redundancy")
	for _, s := range redundancy.Figures() {
		b.Run(s.Name, func(b *testing.B) {
			for b.Loop() {
				fmt.Print(table(b, s, claims))
			}
		})
	}
}

func table(b *testing.B, s redundancy.Sweep, claims claimstest.Page) string {
	var text strings.Builder
	fmt.Fprintf(&text, "\n%s: %s\n%s\n", s.Name, s.Doc, s.Axis)
	said := map[string]bool{}
	for _, p := range s.Points {
		for _, policy := range s.Policies {
			got := measure(b, p, policy, 3, nil)
			fmt.Fprintf(&text, "%6v %-8s", p.X, policy)
			for _, metric := range s.Metrics {
				fmt.Fprintf(&text, " %s %.4g", metric, got.mean[metric])
				for _, c := range p.Claims {
					if c.Policy == policy && c.Metric == metric {
						fmt.Fprintf(&text, " [%s]", c.ID)
						said[c.ID] = true
					}
				}
			}
			if len(s.CDF) > 0 {
				text.WriteString(" within")
			}
			for _, x := range s.CDF {
				fmt.Fprintf(&text, " %v: %.3f", x, got.within(x))
			}
			text.WriteByte('\n')
		}
	}
	for _, id := range slices.Sorted(maps.Keys(said)) {
		if row := claims.Row(id); row != "" {
			fmt.Fprintf(&text, "  [%s] %s\n", id, row)
		}
	}
	return text.String()
}
