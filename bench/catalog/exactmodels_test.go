package catalog

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"schedgap/exact"
	exactcloning "schedgap/exact/cloning"
	cloningoracle "schedgap/exact/cloning/oracle"
	exactflex "schedgap/exact/flex"
	flexoracle "schedgap/exact/flex/oracle"
	"schedgap/exact/milp"
	"schedgap/exact/milp/milptest"
	exactpocd "schedgap/exact/pocd"
	pocdoracle "schedgap/exact/pocd/oracle"
	exactredundancy "schedgap/exact/redundancy"
	redundancyoracle "schedgap/exact/redundancy/oracle"
	exactspeculation "schedgap/exact/speculation"
	speculationoracle "schedgap/exact/speculation/oracle"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/flex"
	"schedgap/models/pocd"
	"schedgap/models/redundancy"
	"schedgap/models/speculation"
)

// TestExactModels: of every formulation, the file for solvers that compute in rationals, read back as decimals, has the optimum
// among its points: with the integers of the encoded optimum, rational numbers that satisfy every row exactly, and the optimum's
// value.
func TestExactModels(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 7))
	exactlyOf(t, 40, flex.Problem, func() *flex.Instance { return flexoracle.RandomInstance(rng, 1+rng.IntN(3)) }, exactflex.Opt)
	exactlyOf(t, 40, pocd.Problem, func() *pocd.Instance {
		return pocdoracle.RandomInstance(rng, pocdoracle.Alphas[rng.IntN(len(pocdoracle.Alphas))])
	}, exactpocd.Opt, exactpocd.OptAll)
	exactlyOf(t, 12, cloning.Problem, func() *cloning.Instance { return cloningoracle.RandomInstance(rng, 3) },
		exactcloning.Opt, exactcloning.OptNonpreemptive)
	exactlyOf(t, 16, redundancy.Problem, func() *redundancy.Instance {
		return redundancyoracle.RandomInstance(rng,
			rng.IntN(2) == 0)
	},
		exactredundancy.Opt)
	exactlyOf(t, 40, speculation.Problem, func() *speculation.Instance {
		return speculationoracle.RandomInstance(rng, speculationoracle.Shapes[rng.IntN(len(speculationoracle.Shapes))], 4)
	}, exactspeculation.Opt)
}

func exactlyOf[I models.Instance, S any](t *testing.T, n int, p *models.Problem[I, S], random func() I,
	targets ...*exact.Target[I, S],
) {
	glpsol, err := exec.LookPath("glpsol")
	if err != nil {
		t.Logf("%s: glpsol is not installed, so only this test's own reader reads the files", p.Name)
	}
	seen := map[string]int{}
	for i := range n {
		in := random()
		for _, target := range targets {
			out, err := target.Methods[0].Solve(t.Context(), &models.Pass[I, S]{
				Instance: in, Threads: 1, Improved: func(S) {}, Bounded: func(float64) {},
			}, nil)
			if err != nil || out.Status != models.Optimal {
				t.Fatalf("%s: %s, %v", p.Name, out.Status, err)
			}
			value := *p.Check(in, out.Solution).Objective
			for _, f := range target.Formulations {
				if f.Applies != nil && f.Applies(in) != nil {
					continue
				}
				seen[f.Name]++
				built, file := exactly(t, f, in)
				x, err := built.Encode(out.Solution)
				if err != nil {
					t.Fatalf("%s %s: %v", p.Name, f.Name, err)
				}
				m, err := milptest.ReadExact(file)
				if err != nil {
					t.Fatalf("%s %s: %v", p.Name, f.Name, err)
				}
				for len(x) < len(m.Cols) {
					x = append(x, 0) // the column of an offset
				}
				least := m.Complete(x)
				text, _ := p.MarshalInstance(in)
				if least == nil {
					t.Fatalf("%s %s: the optimum is no point of the model\n%s", p.Name, f.Name, text)
				}
				if built.Model.Maximize {
					least.Neg(least)
				}
				if got, _ := least.Float64(); math.Abs(built.Worth(got)-value) > 1e-8*max(1, math.Abs(value)) {
					t.Fatalf("%s %s: the point is worth %v, the optimum %v\n%s", p.Name, f.Name, got, value, text)
				}
				if glpsol != "" && i < 3 && len(m.Rows) > 0 && len(m.Cols) < 200 {
					readable(t, glpsol, file, least, built.Model)
				}
			}
		}
	}
	for _, target := range targets {
		for _, f := range target.Formulations {
			if seen[f.Name] == 0 {
				t.Errorf("%s: no instance for %s", p.Name, f.Name)
			}
		}
	}
	t.Logf("%s: %v models", p.Name, seen)
}

// exactly builds and writes a model for exact solvers, and checks that its numbers survive.
func exactly[I models.Instance, S any](t *testing.T, f *exact.Formulation[I, S], in I) (*exact.Built[S], []byte) {
	t.Helper()
	built, err := f.Build(in, exact.Form{Exactly: true})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := milp.WriteMPS(&b, built.Model, true); err != nil {
		t.Fatal(err)
	}
	return built, b.Bytes()
}

var relaxed = regexp.MustCompile(`(?i)OPTIMAL (?:LP )?SOLUTION FOUND`)

// readable has glpsol, which computes the relaxation in rationals, read a file and find no more than the optimum in it.
func readable(t *testing.T, glpsol string, file []byte, optimum *big.Rat, m *milp.Model) {
	t.Helper()
	dir := t.TempDir()
	model, solution := filepath.Join(dir, "model.mps"), filepath.Join(dir, "solution")
	if err := os.WriteFile(model, file, 0o600); err != nil {
		t.Fatal(err)
	}
	log, err := exec.Command(glpsol, "--freemps", model, "--exact", "--nomip", "--write", solution).CombinedOutput()
	if err != nil || !relaxed.Match(log) {
		t.Fatalf("glpsol --exact: %v\n%s\n%s", err, log, file)
	}
	text, err := os.ReadFile(solution)
	if err != nil {
		t.Fatal(err)
	}
	match := regexp.MustCompile(`(?m)^s bas \d+ \d+ \w \w (\S+)`).FindSubmatch(text)
	if match == nil {
		t.Fatalf("glpsol writes no objective\n%s", text)
	}
	bound, err := strconv.ParseFloat(string(match[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	best, _ := optimum.Float64()
	if m.Maximize {
		best = -best
	}
	if bound > best+1e-9*max(1, math.Abs(best)) {
		t.Errorf("glpsol --exact: the relaxation's minimum %v is above the optimum %v\n%s", bound, best, file)
	}
}
