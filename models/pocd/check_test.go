package pocd_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/models"
	"schedgap/models/pocd"
	"schedgap/models/trials/property"
)

// broken lists the constraints of a report's violations.
func broken(r models.Report) []string {
	var names []string
	for _, v := range r.Violations {
		names = append(names, v.Constraint)
	}
	return names
}

func violation(constraint, where string, amount float64) models.Violation {
	return models.Violation{Constraint: constraint, Where: where, Amount: amount}
}

// Each constraint broken alone is reported alone, with where and by how much. The instance: three spare machines, two
// copies at most, j1 with a straggler s and an ordinary task n, j2 with a straggler s.
func TestCheckMutations(t *testing.T) {
	task := func(id string, straggler bool) pocd.Task {
		return pocd.Task{ID: id, TMin: 100, Beta: 1, Straggler: straggler}
	}
	in := &pocd.Instance{
		Header: models.Header{Name: "m"}, Capacity: 8, MaxCopies: 2,
		Jobs: []pocd.Job{
			{ID: "j1", Deadline: 200, Tasks: []pocd.Task{task("s", true), task("n", false)}},
			{ID: "j2", Deadline: 200, Tasks: []pocd.Task{task("s", true)}},
		},
	}
	for _, c := range []struct {
		name   string
		copies pocd.Copies
		want   []models.Violation
		value  float64
	}{
		// p_1 = (1 − 1/8)·1/2, p_2 = 3/4.
		{"feasible and full", pocd.Copies{{2, 0}, {1}}, nil, 7./16 + 3./4},
		{"one too many machines", pocd.Copies{{2, 0}, {2}}, []models.Violation{violation("capacity", "capacity", 1)}, 7./16 + 7./8},
		{"one copy too many", pocd.Copies{{3, 0}, {0}}, []models.Violation{violation("copies", "jobs[j1].tasks[s]", 1)}, 15./32 + 1./2},
		// A negative count is worth nothing and frees no machine.
		{"less than none", pocd.Copies{{-1, 0}, {2}}, []models.Violation{violation("copies", "jobs[j1].tasks[s]", 1)}, 1./4 + 7./8},
		{"a negative count hides no excess", pocd.Copies{{2, -5}, {2}}, []models.Violation{
			violation("copies", "jobs[j1].tasks[n]", 5), violation("capacity", "capacity", 1),
		}, 7./16 + 7./8},
		{"no straggler", pocd.Copies{{0, 2}, {1}}, []models.Violation{violation("straggler", "jobs[j1].tasks[n]", 2)}, 7./16 + 3./4},
		{"decisions that end early", pocd.Copies{{1}}, nil, 3./8 + 1./2},
		{"too many jobs", pocd.Copies{{0, 0}, {0}, {1}}, []models.Violation{
			violation("copies", "jobs that the instance does not have", 1),
		}, 1./4 + 1./2},
		{"too many tasks", pocd.Copies{{0, 0, 1}, {0}}, []models.Violation{
			violation("copies", "jobs[j1]: tasks that the job does not have", 1),
		}, 1./4 + 1./2},
	} {
		r := pocd.Problem.Check(in, c.copies)
		if diff := cmp.Diff(c.want, r.Violations); diff != "" {
			t.Errorf("%s: violations (-want +got)\n%s", c.name, diff)
		}
		if r.Objective == nil {
			t.Fatalf("%s: no objective", c.name)
		}
		near(t, c.name, *r.Objective, c.value)
	}
}

// Counts whose sum no integer holds are refused, not wrapped around.
func TestCheckHugeCounts(t *testing.T) {
	in := shared(t, "ties")
	c := pocd.NoCopies(in)
	for j := range c {
		c[j][0], c[j][1] = math.MaxInt64, math.MaxInt64
	}
	if r := pocd.Problem.Check(in, c); !cmp.Equal(broken(r)[len(r.Violations)-1], "capacity") {
		t.Errorf("violations: %v", r.Violations)
	}
}

// Hopeless jobs are listed where they are left out of the objective.
func TestCheckHopeless(t *testing.T) {
	for name, want := range map[string][]string{
		"hopeless-log": {"late", "slow"}, "hopeless-sum": nil, "all-hopeless": {"late", "slow"},
		"all-hopeless-max-min": {"late", "slow"}, "example": nil,
	} {
		in := shared(t, name)
		if got := pocd.Problem.Check(in, pocd.NoCopies(in)).Hopeless; !cmp.Equal(got, want) {
			t.Errorf("%s: hopeless %v, want %v", name, got, want)
		}
	}
}

// A wrong claim is a violation, a right one is not.
func TestCheckClaim(t *testing.T) {
	in := shared(t, "halves")
	for claim, want := range map[float64][]string{1: nil, 1 + 1e-7: nil, 1.00001: {"objective"}, 0.5: {"objective"}} {
		if got := broken(pocd.Problem.CheckClaim(in, pocd.NoCopies(in), &claim)); !cmp.Equal(got, want) {
			t.Errorf("claim %v: violations %v", claim, got)
		}
	}
}

// The checker's objective is the definition's, multiplied out as docs/problems/pocd.md#objective writes it, wherever that does
// not lose digits, and what keeps the constraints is feasible.
func TestCheckAgainstDefinition(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := drawInstance(t)
		c := drawCopies(t, in)
		r := pocd.Problem.Check(in, c)
		if len(r.Violations) > 0 {
			t.Fatalf("violations: %v", r.Violations)
		}
		sum, least, counted := 0.0, 1.0, 0
		for j, job := range in.Jobs {
			p := 1.0
			for i, k := range job.Tasks {
				q := 1.0
				if left := job.Deadline - job.Elapsed; left > 0 {
					q = min(1, (1-k.Progress)*k.TMin/left)
				}
				if q > 1-1e-4 && q < 1 {
					t.Skip("the definition as written loses digits")
				}
				p *= 1 - math.Pow(q, k.Beta*float64(c[j][i]+1))
			}
			switch {
			case p == 0 && in.Alpha >= 1:
				continue
			case in.Alpha == 1:
				sum += math.Log(p)
			default:
				sum += math.Pow(p, 1-in.Alpha) / (1 - in.Alpha)
			}
			least, counted = min(least, p), counted+1
		}
		want := sum
		if math.IsInf(in.Alpha, 1) {
			want = least
		}
		if math.IsInf(want, 0) {
			want = -math.MaxFloat64
		}
		if got := *r.Objective; math.Abs(got-want) > 1e-6*max(math.Abs(want), 1e-6) {
			t.Errorf("objective %v, want %v (α %v, %d jobs)", got, want, in.Alpha, counted)
		}
	})
}
