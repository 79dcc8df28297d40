package ratio_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/trials/property"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

var (
	flex = fake.Problem()
	pocd = fake.Maximize()
)

func compare(t *testing.T, in fake.Instances, records ...bench.Record) *ratio.Set {
	t.Helper()
	set, err := ratio.New(ratio.Input{
		Records: ratio.Pack(records), Problems: []*bench.Problem{flex, pocd}, Instance: in.Find,
	})
	fail.On(t, err)
	return set
}

// line prints what a row says, so that tables of expectations stay readable.
func line(r ratio.Row) string {
	num := func(x *float64) string {
		if x == nil {
			return "-"
		}
		return fmt.Sprintf("%.6g", *x)
	}
	s := fmt.Sprintf("%s %s/%s %s..%s", r.Instance, r.Algorithm, r.Reference, num(r.RatioLo), num(r.RatioHi))
	if r.Comparison == "difference" {
		s = fmt.Sprintf("%s %s/%s %s..%s of %v: %s..%s", r.Instance, r.Algorithm, r.Reference, num(r.DifferenceLo), num(r.DifferenceHi),
			r.Scale, num(r.RegretLo), num(r.RegretHi))
	}
	if r.Exact {
		s += " exact"
	}
	if r.Undefined {
		s += " undefined"
	}
	if r.Excluded != nil {
		s += " (" + *r.Excluded + ")"
	}
	return s
}

func lines(set *ratio.Set) []string {
	var out []string
	for _, p := range set.Problems {
		for r := range p.Rows() {
			out = append(out, line(r))
		}
	}
	return out
}

// Each case is one instance with few rows; the arithmetic is in the comments.
func TestIntervals(t *testing.T) {
	instances := fake.Instances{}
	instances.Add("late", models.Difference, nil)
	instances[fake.SHA("late")].Scales = map[string]float64{"opt": 4}
	instances.Add("tardy", models.QuotientZero, nil)
	for _, tc := range []struct {
		name    string
		records []bench.Record
		want    []string
	}{
		{"proven optimum: both ends meet", []bench.Record{
			fake.Optimal(flex, "a", "opt", 10), fake.Solved(flex, "a", "fair", 15),
		}, []string{"a fair/opt 1.5..1.5 exact", "a opt/opt 1..1 exact"}},

		{"values of 1e-12: 2.44 times the optimum is not the optimum", []bench.Record{
			fake.Optimal(flex, "a", "opt", 1e-12), fake.Solved(flex, "a", "fair", 2.44e-12),
		}, []string{"a fair/opt 2.44..2.44 exact", "a opt/opt 1..1 exact"}},

		{"open: U = 12 from the timeout's incumbent, B = 10; 15/12 and 15/10", []bench.Record{
			fake.Bounded(flex, "a", "opt", 10, fake.Ptr(12.0)), fake.Solved(flex, "a", "fair", 15),
		}, []string{"a fair/opt 1.25..1.5", "a opt/opt 1..1.2"}},

		{"a heuristic better than the incumbent sets U = 11", []bench.Record{
			fake.Bounded(flex, "a", "opt", 10, fake.Ptr(12.0)), fake.Solved(flex, "a", "flex", 11),
		}, []string{"a flex/opt 1..1.1", "a opt/opt 1.09091..1.2"}},

		{"bound only: a timeout without incumbent still bounds", []bench.Record{
			fake.Bounded(flex, "a", "opt", 10, nil), fake.Solved(flex, "a", "fair", 15),
		}, []string{"a fair/opt 1..1.5", "a opt/opt +Inf..+Inf (no solution: timeout)"}},

		{"the better of two bounds counts, and a bound row has no ratio", []bench.Record{
			fake.Bounded(flex, "a", "opt", 10, nil), bound("a", 12), fake.Solved(flex, "a", "fair", 15),
		}, []string{"a fair/opt 1..1.25", "a lb/opt -..- (bound)", "a opt/opt +Inf..+Inf (no solution: timeout)"}},

		{"no bound at all: only the low end", []bench.Record{
			fake.Solved(flex, "a", "flex", 12), fake.Solved(flex, "a", "fair", 15),
		}, []string{"a fair/opt 1.25..-", "a flex/opt 1..-"}},

		{"a restricted optimum is a value, not a bound, of the wider class: opt 10, mps 11, moldable none; " +
			"fair 10.5 is no MPS schedule and may be below opt-mps, 10.5/11", []bench.Record{
			fake.Optimal(flex, "a", "opt", 10), fake.Optimal(flex, "a", "opt-mps", 11), fake.Solved(flex, "a", "fair", 10.5),
			fake.Solved(flex, "a", "flex", 11),
		}, []string{
			"a fair/opt 1.05..1.05 exact", "a fair/opt-mps 0.954545..0.954545 exact",
			"a flex/opt 1.1..1.1 exact", "a flex/opt-mps 1..1 exact",
			"a opt/opt 1..1 exact", "a opt/opt-mps 0.909091..0.909091 exact",
			"a opt-mps/opt 1.1..1.1 exact", "a opt-mps/opt-mps 1..1 exact",
		}},

		{"the bound 10 on opt is one on opt-mps too; the bound 10.5 on opt-mps is none on opt", []bench.Record{
			fake.Bounded(flex, "a", "opt", 10, nil), fake.Bounded(flex, "a", "opt-mps", 10.5, nil), fake.Solved(flex, "a", "flex", 21),
		}, []string{
			"a flex/opt 1..2.1", "a flex/opt-mps 1..2",
			"a opt/opt +Inf..+Inf (no solution: timeout)", "a opt/opt-mps +Inf..+Inf (no solution: timeout)",
			"a opt-mps/opt +Inf..+Inf (no solution: timeout)", "a opt-mps/opt-mps +Inf..+Inf (no solution: timeout)",
		}},

		{"a waived constraint: below the optimum without contradiction, and never U", []bench.Record{
			fake.Bounded(flex, "a", "opt", 8, nil), fake.Waived(flex, "a", "fifo", 5, "minimum"), fake.Solved(flex, "a", "fair", 16),
		}, []string{
			"a fair/opt 1..2", "a fifo/opt 0.3125..0.625 (waives minimum)", "a opt/opt +Inf..+Inf (no solution: timeout)",
		}},

		{"augmentation: likewise, and its bound does not count either", []bench.Record{
			augmented(fake.Optimal(flex, "a", "opt", 5), 2), fake.Solved(flex, "a", "fair", 16),
		}, []string{"a fair/opt 1..-", "a opt/opt 0.3125..- (augmentation 2)"}},

		{"failures are rows; infeasible incumbents and refused solutions set nothing", []bench.Record{
			fake.Optimal(flex, "a", "opt", 10), fake.Row(flex, "a", "fair", bench.Crash), invalid("a", "flex", 3),
			fake.Row(flex, "a", "spt", bench.Skipped),
		}, []string{
			"a fair/opt +Inf..+Inf exact (no solution: crash)", "a flex/opt +Inf..+Inf exact (no solution: invalid)", "a opt/opt 1..1 exact",
			"a spt/opt -..- exact (not applicable)",
		}},

		{"NaN and infinite values count as missing", []bench.Record{
			fake.Bounded(flex, "a", "opt", math.Inf(-1), nil), fake.Solved(flex, "a", "fair", math.NaN()),
			fake.Solved(flex, "a", "flex", 2),
		}, []string{"a fair/opt -..- (no solution: feasible)", "a flex/opt 1..-", "a opt/opt -..- (no solution: timeout)"}},

		{"a trivial bound of zero is no high end", []bench.Record{
			fake.Bounded(flex, "a", "opt", 0, fake.Ptr(4.0)), fake.Solved(flex, "a", "fair", 8),
		}, []string{"a fair/opt 2..-", "a opt/opt 1..-"}},

		{"tardiness: both zero is 1; over zero alone it is infinite", []bench.Record{
			fake.Optimal(flex, "tardy", "opt", 0), fake.Solved(flex, "tardy", "fair", 0), fake.Solved(flex, "tardy", "spt", 3),
			fake.Solved(flex, "tardy", "flex", 1e-12),
		}, []string{
			"tardy fair/opt 1..1 exact", "tardy flex/opt 1..1 exact", "tardy opt/opt 1..1 exact", "tardy spt/opt +Inf..+Inf exact",
		}},

		{"tardiness: 0 of the wider class is 0 times the optimum 5 of the restricted", []bench.Record{
			fake.Optimal(flex, "tardy", "opt", 0), fake.Optimal(flex, "tardy", "opt-mps", 5),
		}, []string{
			"tardy opt/opt 1..1 exact", "tardy opt/opt-mps 0..0 exact", "tardy opt-mps/opt +Inf..+Inf exact", "tardy opt-mps/opt-mps 1..1 exact",
		}},

		{"lateness: differences, negative optima included; 2−(−5) and, open, −1−(−3) … −1−(−5)", []bench.Record{
			fake.Optimal(flex, "late", "opt", -5), fake.Solved(flex, "late", "fair", 2),
		}, []string{"late fair/opt 7..7 of 4: 1.75..1.75 exact", "late opt/opt 0..0 of 4: 0..0 exact"}},
		{"lateness, open", []bench.Record{
			fake.Bounded(flex, "late", "opt", -5, fake.Ptr(-3.0)), fake.Solved(flex, "late", "fair", -1),
		}, []string{"late fair/opt 2..4 of 4: 0.5..1", "late opt/opt 0..2 of 4: 0..0.5"}},

		{"a negative value under a quotient is undefined", []bench.Record{
			fake.Optimal(flex, "a", "opt", -5), fake.Solved(flex, "a", "fair", 2),
		}, []string{"a fair/opt -..- exact undefined", "a opt/opt -..- exact undefined"}},

		{"maximisation is mirrored: U = 8, B = 12; 8/4 and 12/4", []bench.Record{
			fake.Bounded(pocd, "a", "opt", 12, fake.Ptr(8.0)), fake.Solved(pocd, "a", "shed", 4),
		}, []string{"a opt/opt 1..1.5", "a shed/opt 2..3"}},
		{"maximisation, nothing achieved where 8 is possible: infinite", []bench.Record{
			fake.Optimal(pocd, "a", "opt", 8), fake.Solved(pocd, "a", "shed", 0),
		}, []string{"a opt/opt 1..1 exact", "a shed/opt +Inf..+Inf exact"}},

		{"a value beyond a bound within rounding is the optimum", []bench.Record{
			fake.Bounded(flex, "a", "opt", 10, nil), fake.Solved(flex, "a", "fair", 10-5e-9),
		}, []string{"a fair/opt 1..1 exact", "a opt/opt +Inf..+Inf exact (no solution: timeout)"}},

		{"a command's value beyond a bound within the tolerance loses its own ratio, and no other", []bench.Record{
			fake.Optimal(flex, "a", "opt", 10), fake.Solved(flex, "a", "fair", 15), fake.Solved(flex, "a", "mine", 10-9e-6),
		}, []string{
			"a fair/opt 1.5..1.5 exact", "a mine/opt -..- exact (beyond a proven bound within the tolerance)", "a opt/opt 1..1 exact",
		}},
		{"likewise where less is worse, and where only a bound is proven", []bench.Record{
			fake.Bounded(pocd, "a", "opt", 10, fake.Ptr(8.0)), fake.Solved(pocd, "a", "shed", 4), fake.Solved(pocd, "a", "mine", 10+9e-6),
		}, []string{
			"a mine/opt -..- (beyond a proven bound within the tolerance)", "a opt/opt 1..1.25", "a shed/opt 2..2.5",
		}},
		{"a command's value beyond an optimum within rounding is the optimum", []bench.Record{
			fake.Optimal(flex, "a", "opt", 10), fake.Solved(flex, "a", "mine", 10-5e-9),
		}, []string{"a mine/opt 1..1 exact", "a opt/opt 1..1 exact"}},

		{"nothing", nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set := compare(t, instances, tc.records...)
			if d := cmp.Diff(tc.want, lines(set)); d != "" {
				t.Error(d)
			}
			if len(set.Contradictions) > 0 {
				t.Error(set.Contradictions)
			}
		})
	}
}

func bound(instance string, b float64) bench.Record {
	r := fake.Row(flex, instance, "lb", bench.Feasible)
	r.Bound = &b
	return r
}

func augmented(r bench.Record, factor float64) bench.Record {
	r.Augmentation = factor
	return r
}

func invalid(instance, algorithm string, objective float64) bench.Record {
	r := fake.Solved(flex, instance, algorithm, objective)
	r.Status, r.Feasible = string(bench.Invalid), fake.Ptr(false)
	return r
}

// Values on the wrong side of a proof are found, whichever way the classes nest, and take the instance out of the ratios.
func TestContradictions(t *testing.T) {
	infeasible := fake.Row(flex, "a", "opt-mps", bench.Infeasible)
	refuted := fake.Bounded(flex, "a", "opt", 10, nil)
	refuted.Status = string(bench.Error)
	for _, tc := range []struct {
		name    string
		records []bench.Record
		want    []string // proof's algorithm, value's algorithm
	}{
		{
			"a heuristic below the optimum",
			[]bench.Record{fake.Optimal(flex, "a", "opt", 10), fake.Solved(flex, "a", "fair", 9)},
			[]string{"opt>fair"},
		},
		{"a heuristic below the optimum by 1e-8 of it", []bench.Record{
			fake.Optimal(flex, "a", "opt", 10),
			fake.Solved(flex, "a", "fair", 10-1e-7),
		}, []string{"opt>fair"}},
		{"a command below the optimum by more than the tolerance", []bench.Record{
			fake.Optimal(flex, "a", "opt", 10),
			fake.Solved(flex, "a", "mine", 10-2e-5),
		}, []string{"opt>mine"}},
		{"two proofs that differ by less than the tolerance", []bench.Record{
			fake.Optimal(flex, "a", "opt", 10), fake.Optimal(flex, "a", "opt-mps", 10-9e-6), fake.Solved(flex, "a", "mine", 10-9e-6),
		}, []string{"opt>opt-mps"}},
		{"a value of an inner class below the outer bound", []bench.Record{
			fake.Bounded(flex, "a", "opt", 10, nil),
			fake.Optimal(flex, "a", "opt-mps", 9),
		}, []string{"opt>opt-mps"}},
		{
			"two proofs that differ",
			[]bench.Record{fake.Optimal(flex, "a", "opt", 10), fake.Optimal(flex, "a", "opt-moldable", 9.9)},
			[]string{"opt>opt-moldable"},
		},
		{
			"maximisation: above the bound",
			[]bench.Record{fake.Optimal(pocd, "a", "opt", 10), fake.Solved(pocd, "a", "shed", 11)},
			[]string{"opt>shed"},
		},
		{
			"proven infeasible, yet solved in that class",
			[]bench.Record{infeasible, fake.Solved(flex, "a", "flex", 5)},
			[]string{"opt-mps>flex"},
		},
		{"proven infeasible in an inner class only", []bench.Record{infeasible, fake.Solved(flex, "a", "fair", 5)}, nil},
		{"an outer value below an inner bound", []bench.Record{
			fake.Optimal(flex, "a", "opt-mps", 11),
			fake.Solved(flex, "a", "fair", 9),
		}, nil},
		{"a waived row below the optimum", []bench.Record{
			fake.Optimal(flex, "a", "opt", 10),
			fake.Waived(flex, "a", "fifo", 5, "minimum"),
		}, nil},
		{"a refused solution below the optimum", []bench.Record{fake.Optimal(flex, "a", "opt", 10), invalid("a", "fair", 5)}, nil},
		{"the bound of a row that ended in an error", []bench.Record{refuted, fake.Solved(flex, "a", "fair", 9)}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set := compare(t, nil, tc.records...)
			var got []string
			for _, c := range set.Contradictions {
				got = append(got, c.Proof.Algorithm+">"+c.Value.Algorithm)
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Error(d)
			}
			for _, p := range set.Problems {
				for r := range p.Rows() {
					if (tc.want != nil) && (r.RatioLo != nil || r.Exact) {
						t.Errorf("ratio from a contradicted instance, or a proof: %s", line(r))
					}
				}
			}
		})
	}
}

// The bound of a solver's optimum has lost the solver's tolerance: the optimum counts as proven while nothing better is known, a
// value that is better within the tolerance makes the instance open, and one beyond it is a contradiction.
func TestOptimaOfSolvers(t *testing.T) {
	optimum := fake.Optimal(flex, "a", "opt", 10)
	optimum.Bound = fake.Ptr(10 - 2e-6)
	for better, want := range map[float64]struct {
		exact          bool
		contradictions int
	}{0: {true, 0}, 1e-6: {false, 0}, 1e-5: {false, 1}} {
		set := compare(t, nil, optimum, fake.Solved(flex, "a", "fair", 10-better))
		if len(set.Contradictions) != want.contradictions {
			t.Errorf("better by %g: contradictions %v", better, set.Contradictions)
		}
		for r := range set.Problems[0].Rows() {
			if r.Reference == "opt" && r.Exact != want.exact {
				t.Errorf("better by %g: %s", better, line(r))
			}
		}
	}
}

// The error names the instance and both rows.
func TestContradictionError(t *testing.T) {
	set := compare(t, nil, fake.Optimal(flex, "a", "opt", 10), fake.Solved(flex, "a", "fair", 9))
	err := error(ratio.ContradictionError(set.Contradictions))
	var ce ratio.ContradictionError
	if !errors.As(err, &ce) {
		t.Fatal("not a ContradictionError")
	}
	want := "results contradict each other: flex instance a (610000000000): opt by highs (optimal, unit a/opt) " +
		"proves the bound 10 on opt, but fair (feasible, unit a/fair) has the value 9 in class opt"
	if got := err.Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	refuted := fake.Row(flex, "b", "opt", bench.Refuted)
	refuted.Error = fake.Ptr("it claims 7")
	set = compare(t, nil, fake.Optimal(flex, "a", "opt", 10), fake.Solved(flex, "a", "fair", 9), refuted)
	if got := ratio.ContradictionError(set.Contradictions).Error(); got != want+"; and 1 more" {
		t.Errorf("of two: %s", got)
	}
	for i, want := range [][]string{{"A feasible value lies"}, {"A known solution or bound refutes"}} {
		both, one := ratio.Meaning(set.Contradictions), ratio.Meaning(set.Contradictions[i:i+1])
		if len(both) != 2 || len(one) != 1 || one[0] != both[i] || !strings.HasPrefix(one[0], want[0]) {
			t.Errorf("%v means %q, and both %q", set.Contradictions[i], one, both)
		}
	}
}

// A unit that merged parts repeat counts once, with its latest row. Units come by instance, algorithm and seed, whenever they started.
func TestRepeatedUnit(t *testing.T) {
	old, latest := fake.Solved(flex, "a", "fair", 12), fake.Solved(flex, "a", "fair", 11)
	latest.StartedAt = latest.StartedAt.Add(time.Hour)
	seed, early, other := fake.Solved(flex, "a", "fair", 13), fake.Solved(flex, "a", "flex", 14), fake.Solved(flex, "b", "fair", 15)
	seed.UnitID, seed.Seed, seed.StartedAt = "a/fair/2", 2, latest.StartedAt.Add(time.Hour)
	early.Seed, other.Seed = 0, 0
	set := compare(t, nil, other, early, seed, old, latest, fake.Optimal(flex, "a", "opt", 10))
	want := []string{
		"a fair/opt 1.1..1.1 exact", "a fair/opt 1.3..1.3 exact", "a flex/opt 1.4..1.4 exact", "a opt/opt 1..1 exact", "b fair/opt 1..-",
	}
	if d := cmp.Diff(want, lines(set)); d != "" {
		t.Error(d)
	}
	if len(set.Warnings) != 1 || !strings.HasPrefix(set.Warnings[0], "1 row has a unit") {
		t.Error(set.Warnings)
	}
}

// An instance that cannot be read has rows, but no ratios: nothing says how its values compare.
func TestUnreadableInstance(t *testing.T) {
	set := compare(t, fake.Instances{fake.SHA("a"): nil}, fake.Solved(flex, "a", "fair", 12))
	if d := cmp.Diff([]string{"a fair/opt -..- (instance unreadable)"}, lines(set)); d != "" {
		t.Error(d)
	}
	if len(set.Warnings) != 1 {
		t.Error(set.Warnings)
	}
}

// However many instances cannot be read, one warning says so and names one of them. Another counts the rows with numbers that are none,
// and one the solutions without a time.
func TestWarnings(t *testing.T) {
	in := fake.Instances{fake.SHA("b"): nil, fake.SHA("c"): nil, fake.SHA("d"): nil}
	records := []bench.Record{
		fake.Solved(flex, "a", "fair", math.NaN()), fake.Bounded(flex, "a", "lb", math.Inf(-1), nil), fake.Solved(flex, "a", "flex", 12),
		fake.Optimal(flex, "a", "opt", 10), fake.Row(flex, "a", "spt", bench.Crash), fake.Row(flex, "a", "flex-ls", bench.Crash),
		fake.Solved(flex, "b", "fair", 12), fake.Solved(flex, "c", "fair", 12), fake.Solved(flex, "d", "fair", 12),
	}
	for _, i := range []int{2, 3, 4, 5} {
		records[i].WallSeconds = nil
	}
	want := []string{
		"2 rows have an objective or a bound that is not a finite number; it counts as missing",
		"2 rows have a solution and no wall time, or one that is no finite number; it counts as missing",
		"3 instances of flex cannot be read, so they have no ratios, such as b (" + fake.SHA("b") + "): instances/" + fake.SHA("b") + ".json: no such file",
	}
	if d := cmp.Diff(want, compare(t, in, records...).Warnings); d != "" {
		t.Error(d)
	}
}

// A difference of 2.7e-14 between values of 26 is rounding, 0 in tables, and raw in rows; one of 1e-7 is a difference, a quarter of it in
// units of 4.
func TestDifferenceOfRounding(t *testing.T) {
	in := fake.Instances{}
	in.Add("late", models.Difference, nil)
	in[fake.SHA("late")].Scales = map[string]float64{"opt": 4}
	set := compare(t, in, fake.Optimal(flex, "late", "opt", -26), fake.Solved(flex, "late", "fair", -26+2.7e-14),
		fake.Solved(flex, "late", "spt", -26+1e-7))
	for _, u := range set.Problems[0].Units {
		d := set.Problems[0].Distance(u, "opt")
		lo, hi := d.Ends(true)
		if u.Algorithm == "fair" && (lo != 0 || hi != 0 || d.DifferenceLo <= 0) ||
			u.Algorithm == "spt" && (math.Abs(lo-2.5e-8) > 1e-12 || hi != lo) {
			t.Errorf("%s: %v … %v, raw %v", u.Algorithm, lo, hi, d.DifferenceLo)
		}
	}
}

// On a maximum near 0, of which 1 is the amount, 1e-10 and 8e-10 both count as zero, so there is no regret. The mirror image of the
// one at the other would not count as zero.
func TestRegretOfRoundingOnMaximum(t *testing.T) {
	in := fake.Instances{}
	in.Add("tiny", models.Difference, nil)
	in[fake.SHA("tiny")].Accuracy = models.Accuracy{Amount: 1}
	set := compare(t, in, fake.Optimal(pocd, "tiny", "opt", 8e-10), fake.Solved(pocd, "tiny", "shed", 1e-10))
	for _, u := range set.Problems[0].Units {
		d := set.Problems[0].Distance(u, "opt")
		d.Scale = 1
		if lo, hi := d.Ends(true); lo != 0 || hi != 0 {
			t.Errorf("%s: regret %v … %v", u.Algorithm, lo, hi)
		}
	}
}

// Where arrivals are dates, the same schedule's worth differs by the spacing of completion times: that is no contradiction, and
// both proofs hold. A value further below is one.
func TestRoundingOfDates(t *testing.T) {
	in := fake.Instances{}
	in.Add("dates", models.Quotient, nil)
	in[fake.SHA("dates")].Accuracy.Rounding = 1e-6
	for _, c := range []struct {
		below  float64
		proven bool
	}{{2.4e-7, true}, {2e-6, false}} {
		proof, value := fake.Optimal(flex, "dates", "opt", 35), fake.Solved(flex, "dates", "fair", 35-c.below)
		set := compare(t, in, proof, value)
		proven := set.Problems[0].Instances[0].Best("opt").Proven && len(set.Contradictions) == 0
		if proven != c.proven || (len(set.Contradictions) == 0) != c.proven {
			t.Errorf("%v below: proven %v, %v", c.below, proven, set.Contradictions)
		}
	}
}

// A record of a problem that the caller did not hand in is the caller's mistake.
func TestUnknownProblem(t *testing.T) {
	r := fake.Solved(flex, "a", "fair", 12)
	r.Problem = "jobshop"
	_, err := ratio.New(ratio.Input{
		Records: ratio.Pack([]bench.Record{r}), Problems: []*bench.Problem{flex},
		Instance: fake.Instances{}.Find,
	})
	if err == nil || err.Error() != `record of unit a/fair: unknown problem "jobshop"` {
		t.Error(err)
	}
}

// For consistent results (an optimum, values and bounds on their right sides) every interval is ordered, contains the
// true ratio, is at least 1 inside the class, and depends on no order of the records.
func TestIntervalProperties(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		sense := rapid.SampledFrom([]*bench.Problem{flex, pocd}).Draw(t, "problem")
		heuristics := map[string][]string{"flex": {"fair", "flex", "spt"}, "pocd": {"shed", "hopper"}}[sense.Name]
		optimum := rapid.Float64Range(1, 10).Draw(t, "optimum")
		worse := func(label string) float64 { // a value or, with the other sense, a bound
			f := rapid.Float64Range(1, 3).Draw(t, label)
			return optimum * math.Pow(f, float64(sense.Sense))
		}
		records := []bench.Record{fake.Bounded(sense, "a", "opt", optimum*optimum/worse("bound"), fake.Ptr(worse("incumbent")))}
		for _, h := range heuristics {
			records = append(records, fake.Solved(sense, "a", h, worse(h)))
		}
		set, err := ratio.New(ratio.Input{
			Records: ratio.Pack(records), Problems: []*bench.Problem{sense},
			Instance: fake.Instances{}.Find,
		})
		if err != nil || len(set.Contradictions) > 0 {
			t.Fatal(err, set.Contradictions)
		}
		for row := range set.Problems[0].Rows() {
			true1 := math.Pow(*row.Objective/optimum, float64(sense.Sense))
			if *row.RatioLo < 1 || *row.RatioLo > true1*(1+1e-9) || *row.RatioHi < true1*(1-1e-9) {
				t.Fatalf("%s, but the true ratio is %v", line(row), true1)
			}
		}
		shuffled := rapid.Permutation(slices.Clone(records)).Draw(t, "order")
		again, err := ratio.New(ratio.Input{
			Records: ratio.Pack(shuffled), Problems: []*bench.Problem{sense},
			Instance: fake.Instances{}.Find,
		})
		if err != nil || !slices.Equal(lines(set), lines(again)) {
			t.Fatalf("%v: %v, in another order %v", err, lines(set), lines(again))
		}
	})
}

// The Parquet file has the same rows, real nulls and the schema version, and the same bytes every time.
func TestWriteParquet(t *testing.T) {
	set := compare(t, nil,
		fake.Bounded(flex, "a", "opt", 10, nil), fake.Solved(flex, "a", "fair", 15), fake.Optimal(pocd, "b", "opt", 1))
	var one, two bytes.Buffer
	for _, w := range []*bytes.Buffer{&one, &two} {
		fail.On(t, set.WriteParquet(t.Context(), w))
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("two writes differ")
	}
	rows, err := parquet.Read[ratio.Row](bytes.NewReader(one.Bytes()), int64(one.Len()))
	fail.On(t, err)
	var got []string
	for _, r := range rows {
		got = append(got, line(r))
	}
	if d := cmp.Diff(lines(set), got); d != "" {
		t.Error(d)
	}
	f, err := parquet.OpenFile(bytes.NewReader(one.Bytes()), int64(one.Len()))
	fail.On(t, err)
	if v, ok := f.Lookup(bench.SchemaKey); !ok || v != fmt.Sprint(bench.SchemaVersion) {
		t.Errorf("footer has schema version %q", v)
	}
}

// A failed unit is a row that is not solved and infinitely far, and one that the algorithm does not apply to is not.
func TestLost(t *testing.T) {
	p := fake.Problem()
	set, err := ratio.New(ratio.Input{Records: ratio.Pack([]bench.Record{
		fake.Optimal(p, "a", "opt", 10), fake.Solved(p, "a", "fair", 12), fake.Row(p, "a", "flex", bench.Crash),
		fake.Row(p, "a", "spt", bench.Skipped),
	}), Problems: []*bench.Problem{p}, Instance: fake.Instances{}.Find})
	fail.On(t, err)
	rows := map[string]ratio.Row{}
	for row := range set.Problems[0].Rows() {
		rows[row.Algorithm] = row
	}
	if r := rows["flex"]; r.Solved || r.RatioHi == nil || !math.IsInf(*r.RatioHi, 1) || !math.IsInf(*r.RatioLo, 1) ||
		!math.IsInf(*r.RegretHi, 1) || !math.IsInf(*r.DifferenceHi, 1) {
		t.Errorf("a failed unit: %+v", r)
	}
	if r := rows["spt"]; r.Solved || r.RatioHi != nil || r.RegretHi != nil {
		t.Errorf("one that was not applicable: %+v", r)
	}
	if r := rows["fair"]; !r.Solved || *r.RatioHi != 1.2 {
		t.Errorf("a solved unit: %+v", r)
	}
}
