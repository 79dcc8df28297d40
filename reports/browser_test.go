package reports_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/reports"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

// The folder of the page's tests, and where browsers are found.
const testsDir = "page/tests"

var browsers = []string{"chromium", "chromium-browser", "google-chrome"}

// browser skips the test where the page cannot be tried, and else returns the command that runs a script of the tests.
func browser(t testing.TB) func(ctx context.Context, script, dir string) *exec.Cmd {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	if _, err := os.Stat(filepath.Join(testsDir, "node_modules", "playwright-core")); err != nil {
		t.Skip("playwright-core is not installed: scripts/npm-ci reports/page/tests does that")
	}
	for _, name := range browsers {
		if chromium, err := exec.LookPath(name); err == nil {
			return func(ctx context.Context, script, dir string) *exec.Cmd {
				cmd := exec.CommandContext(ctx, node, filepath.Join(testsDir, script), dir)
				cmd.Env = append(os.Environ(), "CHROMIUM="+chromium)
				return cmd
			}
		}
	}
	t.Skip("there is no Chromium")
	return nil
}

// several adds a problem of maximisation, with seeds, a mark, open optima and a class that is compared with no other, and
// simulations to the experiment.
func several(n int) reports.Input {
	in := experiment(n)
	p := fake.Maximize()
	p.References = append(p.References, models.Reference{Name: "front"})
	p.Algorithms = append(p.Algorithms,
		bench.Algorithm{Name: "pareto", Kind: models.Exact, Reference: "front", Class: "front"},
		bench.Algorithm{Name: "point", Kind: models.Heuristic, Reference: "front", Class: "front"})
	in.Problems = append(in.Problems, p)
	for i := range 12 {
		name, best := fmt.Sprintf("p%02d", i), float64(10+i)
		opt := fake.Optimal(p, name, "opt", best)
		if i%4 == 0 {
			opt = fake.Bounded(p, name, "opt", best+1, &best)
		}
		records := []bench.Record{
			opt, fake.Waived(p, name, "hopper", best+2, "straggler"), fake.Optimal(p, name, "pareto", 100*best),
			fake.Solved(p, name, "point", 90*best),
		}
		for seed := range 2 {
			r := fake.Solved(p, name, "shed", best-float64((i+seed)%3))
			r.Seed, r.UnitID = int64(seed), fmt.Sprint(r.UnitID, seed)
			records = append(records, r)
		}
		for k := range records {
			records[k].Factors = fake.Ptr(fmt.Sprintf(`{"cluster":%d}`, []int{10, 5, 100}[i%3]))
		}
		in.Records = append(in.Records, ratio.Pack(records)...)
	}
	for i := range 5 {
		in.Sim = append(in.Sim, bench.SimRecord{
			Problem: p.Name, Workload: "w", Policy: "shed", Scope: "run", Metric: "pocd", Repetition: int64(i), Value: float64(i),
		})
	}
	return in
}

// In a browser the page shows, sorts, hides and switches; page/tests lists what a reader can do with it.
func TestBrowser(t *testing.T) {
	run := browser(t)
	in := several(80)
	dir, _, err := write(t, in)
	fail.On(t, err)
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	defer cancel()
	out, err := run(ctx, "run.mjs", dir).CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}

// Writes the report of 10⁵ rows that scripts/screenshots looks at.
func TestLarge(t *testing.T) {
	dir := os.Getenv("SCHEDGAP_LARGE")
	if dir == "" {
		t.Skip("SCHEDGAP_LARGE names no folder")
	}
	if _, err := reports.Write(context.Background(), experiment(10_000), dir); err != nil {
		t.Fatal(err)
	}
}
