package pocd

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/exact"
	"schedgap/exact/command"
	"schedgap/exact/milp"
	"schedgap/exact/highs"
	"schedgap/exact/lpsolve"
	"schedgap/exact/pocd/oracle"
	"schedgap/models"
	"schedgap/models/pocd"
)

func TestStress(t *testing.T) {
	var solvers []milp.Solver
	solvers = append(solvers, highs.Solver{}, lpsolve.Solver{})
	for _, c := range []command.Config{command.CBC(), command.Glpsol()} {
		s, err := command.New(c)
		if err != nil {
			t.Fatal(err)
		}
		solvers = append(solvers, s)
	}
	list := Algorithms(exact.Parts[*pocd.Instance, pocd.Copies]{Solvers: solvers})
	rng := rand.New(rand.NewPCG(77, 1))
	bad, na, ok := map[string]int{}, map[string]int{}, map[string]int{}
	alphas := []float64{0, 0.001, 0.5, 0.99, 0.999999, 1, 1 + 1e-6, 2, 5, 20, 50, math.Inf(1)}
	for i := range 1200 {
		in := oracle.RandomInstance(rng, alphas[i%len(alphas)])
		if i%3 > 0 {
			for j := range in.Jobs {
				job := &in.Jobs[j]
				left := job.Deadline - job.Elapsed
				if left <= 0 { continue }
				for k := range job.Tasks {
					task := &job.Tasks[k]
					task.Beta = math.Exp(6*rng.Float64() - 4)
					switch rng.IntN(3) {
					case 0:
						task.Progress = 0
						task.TMin = left * (1 - math.Exp(-18*rng.Float64()))
					case 1:
						task.TMin = left * math.Exp(-30*rng.Float64())
					}
				}
			}
		}
		for n, a := range list[:2] {
			want := oracle.Opt(in, n == 1)
			if math.IsInf(want, -1) { want = -math.MaxFloat64 }
			ways := [][2]string{{"dp", ""}, {"highs", "knapsack"}, {"lpsolve", "knapsack"}}
			if i%8 == 0 { ways = append(ways, [2]string{"cbc", "knapsack"}, [2]string{"glpsol", "knapsack"}) }
			if in.Alpha == 1 {
				ways = append(ways, [2]string{"highs", "literal"}, [2]string{"lpsolve", "literal"})
				 ways = append(ways, [2]string{"cbc", "literal"}, [2]string{"glpsol", "literal"}) 
			}
			for _, way := range ways {
				p := pass(in)
				p.Solver, p.Model = way[0], way[1]
				out, err := a.Run(t.Context(), p)
				key := way[0] + " " + way[1]
				var notApplicable *models.NotApplicable
				if errors.As(err, &notApplicable) {
					na[key]++
					continue
				}
				if err != nil || out.Status != models.Optimal {
					t.Logf("%v: %v %v\n%s", way, err, out.Status, show(in))
					bad[key]++
					continue
				}
				got := *pocd.Problem.Check(in, out.Solution).Objective
				if !near(got, want) {
					bad[key]++
					t.Logf("%v α %v: %.15g want %.15g (rel %g)\n%s", way, in.Alpha, got, want, math.Abs(got-want)/math.Abs(want), show(in))
					continue
				}
				ok[key]++
			}
			if ub := UpperBound(t.Context(), in); n == 0 && ub < want {
				t.Errorf("ub %v want %v", ub, want)
			}
		}
	}
	t.Log("ok", ok, "bad", bad, "na", na)
}
