package catalog

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/bench"
	cloningoracle "schedgap/exact/cloning/oracle"
	flexoracle "schedgap/exact/flex/oracle"
	pocdoracle "schedgap/exact/pocd/oracle"
	redundancyoracle "schedgap/exact/redundancy/oracle"
	speculationoracle "schedgap/exact/speculation/oracle"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/flex"
	"schedgap/models/pocd"
	"schedgap/models/redundancy"
	"schedgap/models/speculation"
)

// now is a date: seconds since 1970.
const now = 1_700_000_000

// A mixer changes numbers of an instance so that rounding and tolerances matter: all in the same way, which it draws once.
type mixer struct {
	rng    *rand.Rand
	way    int
	middle float64
}

func newMixer(rng *rand.Rand) *mixer { return &mixer{rng, rng.IntN(8), decades(rng, -6, 6)} }

// size is a work, time or weight in place of x, which is positive.
func (m *mixer) size(x float64) float64 {
	switch m.way {
	case 0: // over twelve decades, with few digits
		v := decades(m.rng, -6, 6)
		digits := math.Pow(10, math.Floor(math.Log10(v))-2)
		return math.Round(v/digits) * digits
	case 1: // 2^40 apart
		return math.Ldexp(x, 40*m.rng.IntN(2))
	case 2: // ties
		return m.middle
	case 3: // nearly ties
		return m.middle * (1 + 1e-12*float64(m.rng.IntN(5)-2))
	case 4: // in an ugly unit
		return x * m.middle
	case 5: // thousandths to ones
		return math.Round(1000*decades(m.rng, -3, 1)) / 1000
	}
	return x
}

// date is near d: there, or by as little before or after as the rounding of times or the tolerance of due dates comes to.
func (m *mixer) date(d float64) float64 {
	off := []float64{0, 0, 1e-16, -1e-16, 1e-12, -1e-12, 1e-9, -1e-9, 2e-9, -2e-9, 1e-6, -0.1}
	return d * (1 + off[m.rng.IntN(len(off))])
}

// nasty is a random small instance of a problem whose numbers are ties or nearly ties, 2^40 apart, of many decades, dates, or make
// the values of solutions near 0.
func nasty(t *testing.T, rng *rand.Rand, problem string) *bench.Instance {
	t.Helper()
	switch problem {
	case "flex":
		return readable(t, rng, flex.Problem, nastyFlex)
	case "redundancy":
		return readable(t, rng, redundancy.Problem, nastyRedundancy)
	case "pocd":
		return readable(t, rng, pocd.Problem, nastyPocd)
	case "cloning":
		return readable(t, rng, cloning.Problem, nastyCloning)
	}
	return readable(t, rng, speculation.Problem, nastySpeculation)
}

// readable draws until the reader of instance files takes one: some dates cannot tell works apart, some tables are not concave.
func readable[I models.Instance, S any](
	t *testing.T, rng *rand.Rand, p *models.Problem[I, S], draw func(rng *rand.Rand) I,
) *bench.Instance {
	t.Helper()
	for range 1000 {
		in := draw(rng)
		data, err := p.MarshalInstance(in)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.ParseInstance("hunted", data); err == nil {
			return file(t, p, in)
		}
	}
	t.Fatalf("no instance of %s can be read", p.Name)
	return nil
}

func nastyFlex(rng *rand.Rand) *flex.Instance {
	in := flexoracle.RandomInstance(rng, 1+min(rng.IntN(3)+rng.IntN(2), 3))
	works, weights := newMixer(rng), newMixer(rng)
	if rng.IntN(16) == 0 {
		in.Slots, in.Jobs[0].Max = 1_000_000, 1_000_000
	}
	now, total := now*float64(rng.IntN(8)/7), 0.0
	for j := range in.Jobs {
		job := &in.Jobs[j]
		job.Work = works.size(job.Work)
		if in.Objective.Weighted {
			job.Weight = weights.size(job.Weight)
		}
		total += job.Work / float64(in.Slots)
	}
	due := func() float64 {
		job := &in.Jobs[rng.IntN(len(in.Jobs))]
		return now + works.date([]float64{total, total * rng.Float64(), job.Work / float64(in.Slots), job.Work / float64(job.Max)}[rng.IntN(4)])
	}
	for j := range in.Jobs {
		job := &in.Jobs[j]
		if job.Deadline != nil {
			d := due()
			if rng.IntN(8) == 0 {
				d = []float64{0, -d}[rng.IntN(2)]
			}
			job.Deadline = &d
		}
		job.Steps = slices.Clone(job.Steps)
		at, paid := 0.0, 0.0
		for k := range job.Steps {
			if d := due(); d > at {
				at = d
			} else {
				at *= 1.25
			}
			paid += weights.size(job.Steps[k].Penalty)
			job.Steps[k] = flex.Step{At: at, Penalty: paid}
		}
	}
	return in
}

func nastyRedundancy(rng *rand.Rand) *redundancy.Instance {
	in := redundancyoracle.RandomInstance(rng, rng.IntN(2) == 0)
	works, begin := newMixer(rng), now*float64(rng.IntN(4)/3)
	for j := range in.Jobs {
		job := &in.Jobs[j]
		job.Work = works.size(job.Work)
		if job.Arrival > 0 {
			job.Arrival = []float64{works.size(job.Arrival), works.date(in.Jobs[0].Work)}[rng.IntN(2)]
		}
		job.Arrival += begin
	}
	for r := range in.Speedup {
		switch gain := in.Speedup[r] - 1; works.way {
		case 3: // nearly nothing is gained
			in.Speedup[r] = 1 + gain*1e-12
		case 4: // nearly linear
			in.Speedup[r] = 1 + float64(r)*(1-1e-12)
		}
	}
	return in
}

func nastyPocd(rng *rand.Rand) *pocd.Instance {
	in := pocdoracle.RandomInstance(rng, pocdoracle.Alphas[rng.IntN(len(pocdoracle.Alphas))])
	times := newMixer(rng)
	for j := range in.Jobs {
		job := &in.Jobs[j]
		unit := times.size(1)
		job.Elapsed, job.Deadline = job.Elapsed*unit, job.Deadline*unit
		if rng.IntN(8) == 0 {
			job.Elapsed, job.Deadline = job.Elapsed+now, job.Deadline+now
		}
		job.Tasks = slices.Clone(job.Tasks) // twins have theirs in common
		for k := range job.Tasks {
			task := &job.Tasks[k]
			task.TMin *= unit
			if rng.IntN(4) == 0 {
				task.TMin = times.date(max(task.TMin, job.Deadline-job.Elapsed))
			}
			if rng.IntN(4) == 0 {
				task.Beta = decades(rng, -3, 1.5)
			}
		}
	}
	return in
}

func nastyCloning(rng *rand.Rand) *cloning.Instance {
	draw := cloningoracle.RandomInstance
	if rng.IntN(2) == 0 {
		draw = cloningoracle.ExtremeInstance
	}
	in := draw(rng, 2+rng.IntN(3))
	begin := now * (rng.IntN(4) / 3)
	for j := range in.Jobs {
		in.Jobs[j].Arrival += begin
		for k := range in.Jobs[j].Phases {
			ph := &in.Jobs[j].Phases[k]
			for r, d := range ph.Demand {
				ph.Demand[r] = min(d, 1e100)
			}
		}
	}
	return in
}

func nastySpeculation(rng *rand.Rand) *speculation.Instance {
	in := speculationoracle.RandomInstance(rng, speculationoracle.Shapes[rng.IntN(len(speculationoracle.Shapes))], 4)
	times, powers, begin := newMixer(rng), newMixer(rng), now*float64(rng.IntN(4)/3)
	unit := times.size(1)
	if rng.IntN(4) == 0 {
		in.EnergyWeight = decades(rng, -12, 12)
	}
	for i := range in.Stragglers {
		s := &in.Stragglers[i]
		s.Finish = s.Finish*unit + begin
		if s.Power > 0 {
			s.Power = powers.size(s.Power)
		}
	}
	for j := range in.Slots {
		v := &in.Slots[j]
		v.Start = v.Start*unit + begin
		if v.Power > 0 {
			v.Power = powers.size(v.Power)
		}
		for i := range in.Stragglers {
			c := &in.CopyTime[i][j]
			*c *= unit
			if rng.IntN(4) == 0 { // a copy that saves next to nothing
				if left := times.date(in.Stragglers[i].Finish - v.Start); left > 0 && *c > 0 {
					*c = left
				}
			}
		}
	}
	return in
}

// short is a number with fewer digits, or a simpler one; x itself is the last.
func short(x float64) (list []float64) {
	list = append(list, 0, 1, 2, math.Round(x))
	for _, digits := range []string{"%.0e", "%.2e", "%.5e"} {
		var v float64
		if _, err := fmt.Sscanf(fmt.Sprintf(digits, x), "%g", &v); err == nil {
			list = append(list, v)
		}
	}
	return slices.DeleteFunc(list, func(v float64) bool { return v == x })
}
