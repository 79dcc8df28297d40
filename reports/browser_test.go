package reports_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports"
	"schedgap/reports/internal/fake"
	"schedgap/reports/page"
	"schedgap/reports/ratio"
)

// The folder of the interactive part, and where browsers are found.
const appDir = "page/app"

var browsers = []string{"chromium", "chromium-browser", "google-chrome"}

// browser skips the test where the page cannot be tried, and else returns the command that runs a script of appDir.
func browser(t testing.TB) func(ctx context.Context, script, dir string) *exec.Cmd {
	t.Helper()
	if !page.Interactive() {
		t.Skip("the interactive part is not in this binary: scripts/bundle makes it")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	if _, err := os.Stat(filepath.Join(appDir, "node_modules", "playwright-core")); err != nil {
		t.Skip("playwright-core is not installed: scripts/bundle --tests does that")
	}
	for _, name := range browsers {
		if chromium, err := exec.LookPath(name); err == nil {
			return func(ctx context.Context, script, dir string) *exec.Cmd {
				cmd := exec.CommandContext(ctx, node, filepath.Join(appDir, "test", script), dir)
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

// The page recomputes, in a browser, what summary.json says and, for a filter, what a computation by the definition says;
// page/app/test lists what a reader can do with it.
func TestBrowser(t *testing.T) {
	run := browser(t)
	in := several(80)
	dir, r, err := write(t, in)
	if err != nil {
		t.Fatal(err)
	}
	expected := filter(t, in, "response sum", 10)
	drawn, bars := drawings(r)
	expected["drawn"] = map[string]any{"sha": drawn.SHA256, "bars": bars}
	var buf bytes.Buffer
	if err := page.HTML(&buf, r, page.Options{Links: in.InstanceLinks, Charts: drawn.charts}); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(expected)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"index.html": buf.Bytes(), "expected.json": text} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	defer cancel()
	out, err := run(ctx, "run.mjs", dir).CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}

type charted struct {
	*ratio.Instance
	charts map[*ratio.Unit]models.Chart
}

// drawings makes up two drawings of the first instance, of a heuristic and of an optimum, and counts their bars.
func drawings(r *reports.Report) (of charted, bars int) {
	of = charted{r.Problems[0].Views[0].Problem.Instances[0], map[*ratio.Unit]models.Chart{}}
	done := map[string]bool{}
	for _, u := range of.Units {
		if (u.Algorithm == "flex" || u.Algorithm == "opt") && !done[u.Algorithm] && u.Value != nil {
			done[u.Algorithm] = true
			c := models.Chart{Axis: "time"}
			for i := range 3 {
				c.Bars = append(c.Bars, models.Bar{
					Lane: fmt.Sprintf("job%d", i), Label: "slots", Start: float64(i), End: float64(i + 2), Amount: float64(i + 1),
				})
			}
			of.charts[u] = c
			bars += len(c.Bars)
		}
	}
	return of, bars
}

// filter computes, from records by the definition of a ratio, the table of one metric and at least min jobs.
func filter(t *testing.T, in reports.Input, metric string, least int64) map[string]any {
	t.Helper()
	set, err := ratio.New(ratio.Input{Records: in.Records, Problems: in.Problems, Instance: in.Instance})
	if err != nil {
		t.Fatal(err)
	}
	type interval struct {
		Lo *float64 `json:"lo"`
		Hi *float64 `json:"hi"`
	}
	type row struct {
		Algorithm string   `json:"algorithm"`
		Instances int      `json:"instances"`
		Compared  int      `json:"compared"`
		GeoMean   interval `json:"geometric_mean"`
		Worst     *float64 `json:"worst"`

		los, his float64 // sums of logarithms
		failed   bool    // somewhere, so that mean and worst case are infinite, which JSON has no number for
	}
	p := set.Problems[0]
	rows := map[string]*row{}
	units, instances := 0, map[string]bool{}
	var failed map[string]any
	for u := range p.Rows() {
		if u.Reference != "opt" {
			continue
		}
		if u.Status == string(bench.Crash) && failed == nil {
			failed = map[string]any{"sha": u.InstanceSHA256, "name": u.Instance, "error": *u.Unit.Error}
		}
		if u.Metric == nil || *u.Metric != metric || u.NJobs == nil || *u.NJobs < least {
			continue
		}
		units++
		instances[u.Instance] = true
		if u.Kind == string(models.Bound) {
			continue
		}
		label := u.Algorithm
		if u.Kind == string(models.Exact) {
			label += " (" + *u.Solver + ")" // two solvers on every instance
		}
		if u.Unit.Mark != "" {
			label += "*"
		}
		if rows[label] == nil {
			rows[label] = &row{Algorithm: label}
		}
		r := rows[label]
		r.Instances++
		if u.RatioLo == nil || u.RatioHi == nil {
			r.failed = r.failed || u.Objective == nil && u.BestBound != nil
			continue
		}
		r.Compared++
		r.los += math.Log(*u.RatioLo)
		r.his += math.Log(*u.RatioHi)
		if r.Worst == nil || *u.RatioHi > *r.Worst {
			r.Worst = u.RatioHi
		}
	}
	list := []*row{}
	for _, r := range rows {
		if r.failed {
			r.Worst = nil
		} else if n := float64(r.Compared); n > 0 {
			r.GeoMean = interval{fake.Ptr(math.Exp(r.los / n)), fake.Ptr(math.Exp(r.his / n))}
		}
		list = append(list, r)
	}
	if units == 0 || failed == nil {
		t.Fatal("the experiment has nothing to filter or no failure")
	}
	return map[string]any{
		"hash": fmt.Sprintf("#problem=flex&metric=%s&min=%d", metric, least), "metric": metric, "min": least, "units": units,
		"all":       len(p.Units),
		"instances": len(instances), "rows": list, "failed": failed,
	}
}

// BenchmarkOpen measures how long a page of 10³ and of 10⁵ rows takes to show its tables, and its size:
// go test -bench Open -benchtime 1x.
func BenchmarkOpen(b *testing.B) {
	run := browser(b)
	for _, instances := range []int{100, 10_000} {
		b.Run(fmt.Sprint("rows=", 10*instances), func(b *testing.B) {
			dir := b.TempDir()
			if _, err := reports.Write(context.Background(), experiment(instances), dir); err != nil {
				b.Fatal(err)
			}
			info, err := os.Stat(filepath.Join(dir, "index.html"))
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				out, err := run(context.Background(), "open.mjs", dir).CombinedOutput()
				if err != nil {
					b.Fatalf("%v: %s", err, out)
				}
				b.Log(strings.TrimSpace(string(out)))
			}
			b.ReportMetric(float64(info.Size())/1e6, "MB/page")
		})
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
