package speculation_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/speculation"
	"schedgap/models/trials/property"
)

// shared reads one of the shared instances.
func shared(t *testing.T, name string) *speculation.Instance {
	t.Helper()
	file := filepath.Join("examples", name+".json")
	data, err := os.ReadFile(file)
	fail.On(t, err)
	in, err := speculation.Problem.ParseInstance(file, data)
	fail.On(t, err)
	return in
}

func violation(constraint, where string, amount float64) models.Violation {
	return models.Violation{Constraint: constraint, Where: where, Amount: amount}
}

// The example of docs/problems/speculation.md#instance: Δt = 30 − (2 + 11) = 17, ΔE = 20·17 − 15·11 = 175, objective 17 +
// 0.01·175; the straggler still needs (1 − 0.4)·6/0.4 = 9.
func TestExample(t *testing.T) {
	in := shared(t, "example")
	if time, energy := in.Gain(0, 0); time != 17 || energy != 175 {
		t.Errorf("savings %v, %v", time, energy)
	}
	if r := speculation.Problem.Check(in, speculation.Solution{Assign: speculation.Matching{0}}); *r.Objective != 18.75 ||
		len(r.Violations) > 0 {
		t.Errorf("%v, %v", *r.Objective, r.Violations)
	}
	if ct := in.Stragglers[0].Criticalness(); math.Abs(ct-9) > 1e-12 {
		t.Errorf("criticalness %v", ct)
	}
}

// Figure 3 of the paper. Its text tells when the straggler T3 ends with a copy on the first freed slot N1 (early, 18), on N3
// after all tasks (late, 22) and on N2 (window, 15), that copies take 16 on N1 and 11 on N2, and that the job holds 72, 77 and 70
// slots × time. The rest of the table is in the figure alone, so it is filled in: T3's attempt, 1 slot from time 0 to its end;
// 38 for the normal tasks; 16 for the copy on N1; and 17 for one on N2 or N3, which makes normal tasks wait or move. Powers are
// in elevenths of a slot, so that 17 on N2 is a power of 17 for 11 units. Then window's slot is best in both savings.
func TestFigure3(t *testing.T) {
	in := shared(t, "figure3")
	best, _ := in.Gain(0, 1)
	for j, want := range []struct{ finish, consumption float64 }{{18, 72}, {15, 70}, {22, 77}} {
		time, energy := in.Gain(0, j)
		if finish := in.Stragglers[0].Finish - time; finish != want.finish {
			t.Errorf("%s: T3 ends at %v, want %v", in.Slots[j].ID, finish, want.finish)
		}
		const normal, slot = 38, 11
		if got := normal + in.Stragglers[0].Finish - energy/slot; got != want.consumption {
			t.Errorf("%s: the job holds %v, want %v", in.Slots[j].ID, got, want.consumption)
		}
		if time > best {
			t.Errorf("%s saves %v, more than N2's %v", in.Slots[j].ID, time, best)
		}
	}
}

// Each constraint broken alone is reported alone, with where and by how much. In crossing energy is time: a saves 12 on u and 11
// on v, b 11 on u and 1 on v. In nothing-helps a copy of a on v saves 3 and costs 9·3 − 2·3 = 21, one on u saves no time and
// costs 2·9.
func TestCheckMutations(t *testing.T) {
	const none = speculation.None
	for _, c := range []struct {
		instance string
		assign   speculation.Matching
		want     []models.Violation
		value    float64
	}{
		{"crossing", speculation.Matching{1, 0}, nil, 22},
		{"crossing", speculation.Matching{none, none}, nil, 0},
		{"crossing", speculation.Matching{1}, nil, 11},
		{"crossing", speculation.Matching{0, 0}, []models.Violation{violation("slot", "slots[u]", 1)}, 23},
		{"crossing", speculation.Matching{2, none}, []models.Violation{
			violation("slot", "assign[a]: a slot that the instance does not have", 1),
		}, 0},
		{"crossing", speculation.Matching{none, 0, 1}, []models.Violation{
			violation("straggler", "stragglers that the instance does not have", 1),
		}, 11},
		{"nothing-helps", speculation.Matching{none, 0}, []models.Violation{violation("pair", "assign[b]: no copy on u", 1)}, 0},
		{"nothing-helps", speculation.Matching{1, none}, []models.Violation{
			violation("pair", "assign[a]: energy saved on v", 21),
		}, 3 - 21},
		{"nothing-helps", speculation.Matching{0, none}, []models.Violation{
			violation("pair", "assign[a]: time saved on u", 0), violation("pair", "assign[a]: energy saved on u", 18),
		}, -18},
	} {
		in := shared(t, c.instance)
		r := speculation.Problem.Check(in, speculation.Solution{Assign: c.assign})
		if diff := cmp.Diff(c.want, r.Violations); diff != "" || *r.Objective != c.value {
			t.Errorf("%s %v: objective %v, want %v; violations (-want +got)\n%s", c.instance, c.assign, *r.Objective, c.value, diff)
		}
	}
}

// A saving of exactly 0 is none, and what a copy costs is reported as what it is: 10 − 2 − 4 = 4 saved at a power of 2 against 4 at
// 2; and 10 − 8 − 3 = −1, with −1 − 3 of energy.
func TestCheckAtZero(t *testing.T) {
	for _, c := range []struct {
		in   *speculation.Instance
		want []models.Violation
	}{
		{oneCopy(10, 2, 2, 2, 4), []models.Violation{violation("pair", "assign[s]: energy saved on v", 0)}},
		{oneCopy(10, 1, 8, 1, 3), []models.Violation{
			violation("pair", "assign[s]: time saved on v", 1), violation("pair", "assign[s]: energy saved on v", 4),
		}},
	} {
		r := speculation.Problem.Check(c.in, speculation.Solution{Assign: speculation.Matching{0}})
		if diff := cmp.Diff(c.want, r.Violations); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
	if speculation.Helps(1, 0) || speculation.Helps(0, 1) {
		t.Error("a pair that saves nothing helps")
	}
}

// The rounding of an objective is that of its terms: 30 + 2 + 11 = 43 of time and 20·43 + 15·11 = 1025 of energy a copy.
func TestCheckRounding(t *testing.T) {
	in := oneCopy(30, 20, 2, 15, 11)
	in.EnergyWeight = 0.5
	in.Stragglers, in.Slots = slices.Repeat(in.Stragglers, 2), slices.Repeat(in.Slots, 2)
	in.CopyTime = [][]float64{{11, math.NaN()}, {math.NaN(), 11}}
	r := speculation.Problem.Check(in, speculation.Solution{Assign: speculation.Matching{0, 1}})
	if want := models.Unit * 2 * (43 + 0.5*1025); math.Abs(r.Rounding-want) > 1e-12*want {
		t.Errorf("rounding %v, want %v", r.Rounding, want)
	}
}

// Differences that are nothing but rounding are no savings: 0.8 − 0.1 − 0.7 is 1e-16 in binary.
func TestRoundingSavesNothing(t *testing.T) {
	in := &speculation.Instance{
		Stragglers: []speculation.Straggler{{ID: "a", Finish: 0.8, Power: 1}},
		Slots:      []speculation.Slot{{ID: "v", Start: 0.1}}, CopyTime: [][]float64{{0.7}},
	}
	if time, energy := in.Gain(0, 0); time != 0 || energy != 0 {
		t.Errorf("savings %v, %v", time, energy)
	}
	in.Stragglers[0].Finish = 0.8 + 1e-12
	if time, energy := in.Gain(0, 0); !speculation.Helps(time, energy) {
		t.Errorf("savings %v, %v", time, energy)
	}
}

// Section 5.1 counts a window's solutions as Σ P(|V|, n), which leaves open whose copies take the n slots: with Σ C(|S|,
// n)·P(|V|, n) it is the number of assignments that the checker accepts where every pair helps. 2 stragglers and 2 slots: 1 + 4 +
// 2 = 7, not 5.
func TestSolutionSpace(t *testing.T) {
	for stragglers := 1; stragglers <= 4; stragglers++ {
		for slots := range 5 {
			in := &speculation.Instance{Slots: make([]speculation.Slot, slots)}
			for range stragglers {
				row := make([]float64, slots)
				for j := range row {
					row[j] = 1
				}
				in.Stragglers, in.CopyTime = append(in.Stragglers, speculation.Straggler{Finish: 9, Power: 1}), append(in.CopyTime, row)
			}
			count := 0
			var extend func(m speculation.Matching)
			extend = func(m speculation.Matching) {
				if len(m) == stragglers {
					if len(speculation.Problem.Check(in, speculation.Solution{Assign: m}).Violations) == 0 {
						count++
					}
					return
				}
				for j := speculation.None; j < slots; j++ {
					extend(append(m[:len(m):len(m)], j))
				}
			}
			extend(nil)
			want, choices := 0, 1 // choices: C(|S|, n)·P(|V|, n)
			for n := range min(stragglers, slots) + 1 {
				want += choices
				choices = choices * (stragglers - n) * (slots - n) / (n + 1)
			}
			if count != want {
				t.Errorf("%d stragglers and %d slots have %d solutions, want %d", stragglers, slots, count, want)
			}
		}
	}
}

// A matching's savings are those of its pairs as docs/problems/speculation.md#symbols writes them, and scaling all times by f
// scales time and energy by f, all powers energy alone.
func TestSavingsScale(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in, m := &speculation.Instance{EnergyWeight: 0.5}, speculation.Matching{}
		n := rapid.IntRange(1, 4).Draw(t, "pairs")
		var time, energy float64
		for i := range n {
			number := func(label string) float64 { return float64(rapid.IntRange(1, 100).Draw(t, label)) }
			s := speculation.Straggler{ID: fmt.Sprint("s", i), Finish: number("finish"), Power: number("power")}
			v := speculation.Slot{ID: fmt.Sprint("v", i), Start: number("start"), Power: number("power")}
			row := make([]float64, n)
			row[i] = number("copy")
			in.Stragglers, in.Slots, in.CopyTime = append(in.Stragglers, s), append(in.Slots, v), append(in.CopyTime, row)
			m = append(m, i)
			dt := s.Finish - (v.Start + row[i])
			time, energy = time+dt, energy+s.Power*dt-v.Power*row[i]
		}
		if a, b := in.Savings(m); a != time || b != energy || in.Value(m) != time+0.5*energy {
			t.Errorf("savings %v, %v, want %v, %v", a, b, time, energy)
		}
		for i := range in.Stragglers {
			in.Stragglers[i].Finish *= 4
			in.Slots[i].Start *= 4
			in.CopyTime[i][i] *= 4
		}
		if a, b := in.Savings(m); a != 4*time || b != 4*energy {
			t.Errorf("in another unit of time: %v, %v, want %v, %v", a, b, 4*time, 4*energy)
		}
		for i := range in.Stragglers {
			in.Stragglers[i].Power *= 8
			in.Slots[i].Power *= 8
		}
		if a, b := in.Savings(m); a != 4*time || b != 32*energy {
			t.Errorf("in another unit of power: %v, %v, want %v, %v", a, b, 4*time, 32*energy)
		}
	})
}
