package parquettest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"schedgap/bench"
	"schedgap/bench/run/store"
	"schedgap/models/fail"
	"schedgap/reports/anytime"
	"schedgap/reports/compare"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
)

// scripts is the folder with the readers and recipes for analysts, and with their npm packages.
const scripts = "../../scripts/notebooks"

// node returns a function that runs one of the readers in a folder. The test is skipped without Node.js, or where the packages
// of the readers are not installed and there is no npm to do so or SCHEDGAP_OFFLINE is set; it fails when npm does.
func node(t testing.TB) func(dir, stdin, script string, args ...string) []byte {
	t.Helper()
	program, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed, so DuckDB and hyparquet do not read the results here")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	// The go command must not answer from its cache when what the script looks at has changed.
	_ = os.Getenv("SCHEDGAP_OFFLINE")
	for _, file := range []string{"package-lock.json", "node_modules/.schedgap-lock", "duckdb.mjs", "hyparquet.mjs"} {
		_, _ = os.Stat(filepath.Join(scripts, file))
	}
	out, err := exec.CommandContext(ctx, "../../scripts/npm-ci", scripts).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 3:
		t.Skipf("DuckDB and hyparquet do not read the results here: %s", out)
	case err != nil:
		t.Fatalf("npm cannot install DuckDB and hyparquet: %v: %s", err, out)
	}
	return func(dir, stdin, script string, args ...string) []byte {
		t.Helper()
		path, err := filepath.Abs(filepath.Join(scripts, script))
		fail.On(t, err)
		cmd := exec.CommandContext(ctx, program, append([]string{path}, args...)...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v: %s%s", script, err, out, stderr.String())
		}
		return out
	}
}

// dataset writes a results folder of some hundred units on 40 instances, among them failed ones, two that were run again and two
// that were interrupted before, with simulations and what a report makes of them.
func dataset(t *testing.T, changes ...func(records []bench.Record)) (dir string, records []bench.Record, r *summary.Report) {
	t.Helper()
	dir = t.TempDir()
	records, instances := fake.Experiment(40, rand.New(rand.NewPCG(1, 2)))
	records = varied(records)
	for _, change := range changes {
		change(records)
	}
	put := func(rows []bench.Record) {
		w, err := store.Open(dir).NewRuns("0000")
		fail.On(t, err)
		w.Rows = len(rows) + 1
		for _, row := range rows {
			fail.On(t, w.Append(row))
		}
		fail.On(t, w.Close())
	}
	stale := slices.Clone(records[:4])
	for i := range stale {
		stale[i].Status = string(bench.Crash)
		if i >= 2 {
			stale[i].Status = string(bench.Interrupted)
		}
	}
	put(stale)
	put(records)
	sim, err := store.Open(dir).NewSim("0000")
	fail.On(t, err)
	for repetition := range 3 {
		if err := sim.Append(bench.SimRecord{
			Problem: "flex", Workload: "w", Policy: "fair", Params: "{}", Repetition: int64(repetition), Scope: "run",
			Metric: "mean flowtime", Unit: "s", Value: float64(10 * (repetition + 1)),
		}); err != nil {
			t.Fatal(err)
		}
	}
	fail.On(t, sim.Close())
	progress, err := store.Open(dir).NewProgress("0000")
	fail.On(t, err)
	for _, row := range records {
		if row.Algorithm != "opt" || row.Objective == nil {
			continue
		}
		// Twice the value after a tenth of the time, of this run and of one that was killed.
		event := bench.ProgressRecord{
			UnitID: row.UnitID, Kind: bench.KindIncumbent, WallSeconds: *row.WallSeconds / 10, Objective: fake.Ptr(2 * *row.Objective),
		}
		for _, run := range []string{row.RunID, "killed"} {
			event.RunID = run
			fail.On(t, progress.Append(event))
		}
	}
	fail.On(t, progress.Close())
	set, err := ratio.New(ratio.Input{
		Records: ratio.Pack(records), Problems: []*bench.Problem{fake.Problem()},
		Instance: instances.Find,
	})
	fail.On(t, err)
	for name, write := range map[string]func(context.Context, io.Writer) error{
		"ratios.parquet": set.WriteParquet, "instances.parquet": set.WriteInstances, "prices.parquet": set.WritePrices, "ratios.csv": set.WriteCSV,
	} {
		var file bytes.Buffer
		fail.On(t, write(t.Context(), &file))
		fail.On(t, store.WriteFile(filepath.Join(dir, "report", name), file.Bytes()))
	}
	r = summary.New(set, nil, 1)
	return dir, records, r
}

// An answer is the outcome of one recipe.
type answer struct {
	Name string
	Rows []map[string]any
}

// infinite are the numbers of duckdb.mjs and of Python that Go refuses.
var infinite = regexp.MustCompile(`([:,\[] ?)(?:1e999|Infinity)\b`)

func recipes(t *testing.T, out []byte) map[string][]map[string]any {
	t.Helper()
	got := map[string][]map[string]any{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var a answer
		if err := json.Unmarshal(infinite.ReplaceAll(lines.Bytes(), []byte(`$1"Infinity"`)), &a); err != nil {
			t.Fatalf("%v: %.200s", err, lines.Bytes())
		}
		got[a.Name] = a.Rows
	}
	return got
}

func near(a, b any) bool {
	if a == "Infinity" {
		x, ok := b.(float64)
		return b == a || ok && math.IsInf(x, 1)
	}
	x, okX := a.(float64)
	y, okY := b.(float64)
	return okX && okY && math.Abs(x-y) <= 1e-9*max(1, math.Abs(x))
}

// unordered are answers with the rows of each in the order of their texts, and numbers to nine digits: DuckDB adds up in any
// order, and rows that a query does not tell apart come in any.
func unordered(answers map[string][]map[string]any) map[string][]string {
	out := map[string][]string{}
	for name, rows := range answers {
		for _, row := range rows {
			row = maps.Clone(row)
			for column, v := range row {
				if x, ok := v.(float64); ok {
					row[column] = fmt.Sprintf("%.9g", x)
				}
			}
			out[name] = append(out[name], fmt.Sprint(row))
		}
		slices.Sort(out[name])
	}
	return out
}

// bests counts the instances on which a contender has the best value of all, up to the report's tolerance: a mean over seeds, none
// where one failed.
func bests(p *ratio.Problem) map[string]int {
	best := map[string]int{}
	for _, in := range p.Instances {
		seeds, least := map[string][]float64{}, math.Inf(1)
		for _, u := range in.Units {
			if v := (summary.Variant{Kind: u.Kind, Mark: u.WhyNot}); v.Contender() {
				value := math.Inf(1)
				if u.Value != nil {
					value = *u.Value
				}
				seeds[u.Algorithm] = append(seeds[u.Algorithm], value)
			}
		}
		for _, xs := range seeds {
			least = min(least, stats.Mean(xs))
		}
		for name, xs := range seeds {
			if mean := stats.Mean(xs); least >= 0 && !math.IsInf(mean, 0) && in.Optimal(mean, least) {
				best[name]++
			}
		}
	}
	return best
}

// The queries on the page about results count each unit once, and with plan.json leave out what the plan does not ask for.
func TestDocumentedSQL(t *testing.T) {
	run := node(t)
	dir, records, _ := dataset(t)
	page, err := os.ReadFile("../../docs/results.md")
	fail.On(t, err)
	var queries strings.Builder
	blocks := strings.Split(string(page), "\n```sql\n")[1:]
	for i, block := range blocks {
		query, _, _ := strings.Cut(block, "\n```")
		fmt.Fprintf(&queries, "-- name: %d\n%s\n", i, query)
	}
	var asked []string
	each := map[string]float64{}
	for _, rec := range records {
		each[rec.Algorithm]++
		if rec.Algorithm != "opt" {
			asked = append(asked, rec.UnitID)
		}
	}
	plan, err := json.Marshal(map[string]any{"suites": []any{map[string]any{"units": []any{map[string]any{"unit_ids": asked}}}}})
	fail.On(t, err)
	fail.On(t, os.WriteFile(filepath.Join(dir, "plan.json"), plan, 0o666))
	got := recipes(t, run(dir, queries.String(), "duckdb.mjs"))
	if len(blocks) != 2 || len(got["1"]) != len(asked) || len(asked) == len(records) {
		t.Errorf("%d queries; the plan asks for %d of %d units, and DuckDB has %d", len(blocks), len(asked), len(records), len(got["1"]))
	}
	counted := map[string]float64{}
	for _, row := range got["0"] {
		counted[row["algorithm"].(string)] = row["count_star()"].(float64)
	}
	if d := cmp.Diff(each, counted); d != "" {
		t.Errorf("units (-records +DuckDB): %s", d)
	}
}

// DuckDB runs every recipe where its data are, and its numbers are the report's: outcomes, mean ratios, penalised times. A file
// that it makes of the whole folder is a side for compare, equal to the folder.
func TestDuckDB(t *testing.T) {
	run := node(t)
	dir, records, r := dataset(t)
	files, err := filepath.Glob(filepath.Join(scripts, "recipes*.sql"))
	fail.On(t, err)
	got := map[string][]map[string]any{}
	for _, file := range files {
		sql, err := os.ReadFile(file)
		fail.On(t, err)
		alone := t.TempDir() // with the data of these recipes and no others
		data, known := map[string][]string{
			"recipes.sql": {"runs"}, "recipes-progress.sql": {"runs", "progress"}, "recipes-ratios.sql": {"report"},
			"recipes-sim.sql": {"sim"},
		}[filepath.Base(file)]
		if !known {
			t.Fatalf("%s: what folder is it for?", file)
		}
		for _, folder := range data {
			fail.On(t, os.CopyFS(filepath.Join(alone, folder), os.DirFS(filepath.Join(dir, folder))))
		}
		answers := recipes(t, run(alone, string(sql), "duckdb.mjs"))
		if filepath.Base(file) == "recipes-ratios.sql" { // a report elsewhere is named
			where := fmt.Sprintf("-- name: view of where\nset variable report = '%s';\n", filepath.Join(alone, "report"))
			elsewhere := recipes(t, run(t.TempDir(), where+string(sql), "duckdb.mjs"))
			delete(elsewhere, "view of where")
			if d := cmp.Diff(unordered(answers), unordered(elsewhere)); d != "" {
				t.Errorf("a report elsewhere has other answers: %s", d)
			}
		}
		if want := strings.Count(string(sql), "\n-- name: "); len(answers) != want {
			t.Errorf("%s: %d answers to %d recipes", file, len(answers), want)
		}
		for name, rows := range answers {
			if len(rows) == 0 && !strings.HasPrefix(name, "view of ") {
				t.Errorf("%s: no rows", name)
			}
		}
		maps.Copy(got, answers)
		if filepath.Base(file) == "recipes.sql" {
			dir = alone
		}
	}

	units := map[string]float64{}
	for _, rec := range records {
		units[rec.Algorithm+" "+rec.Status]++
	}
	counted := map[string]float64{}
	for _, row := range got["outcomes"] {
		counted[row["algorithm"].(string)+" "+row["status"].(string)] = row["units"].(float64)
	}
	if d := cmp.Diff(units, counted); d != "" {
		t.Errorf("outcomes (-records +DuckDB): %s", d)
	}

	again := map[string]float64{}
	for _, row := range got["two runs"] { // the folder beside itself
		again[row["algorithm"].(string)] = row["units"].(float64)
		if row["worse"] != 0.0 || row["lost"] != 0.0 || !near(row["time_change"], 1.0) {
			t.Errorf("two runs: %v", row)
		}
	}
	each := map[string]float64{}
	for _, rec := range records {
		each[rec.Algorithm]++
	}
	if d := cmp.Diff(each, again); d != "" {
		t.Errorf("units of two runs (-records +DuckDB): %s", d)
	}

	means(t, r.Problems[0], got)
	shares := bests(r.Problems[0].Views[0].Problem)
	for _, row := range got["performance profile"] {
		if name := row["algorithm"].(string); row["tau"] == 1.0 && !near(row["share"], float64(shares[name])/40) {
			t.Errorf("profile at 1: %v, the best value %d of 40 times", row, shares[name])
		}
	}
	for _, want := range r.Problems[0].Solvers {
		if !(want.PAR2Lo < want.PAR2 && want.PAR2 < want.PAR2Hi) {
			t.Errorf("%s by %s: PAR2 %v is not inside its interval [%v, %v]", want.Algorithm, want.Solver, want.PAR2, want.PAR2Lo,
				want.PAR2Hi)
		}
		for _, row := range got["penalised times"] {
			if row["algorithm"] == want.Algorithm && row["solver"] == want.Solver &&
				(row["solved"] != float64(want.Solved) || !near(row["par2_seconds"], float64(want.PAR2))) {
				t.Errorf("%s by %s: DuckDB has %v, the report PAR2 %v of %d", want.Algorithm, want.Solver, row, want.PAR2, want.Solved)
			}
		}
	}
	// Twice the value is planted after a tenth of the time, and limits are 60 s.
	best, integrals := map[string]float64{}, []float64{}
	for _, rec := range records {
		if b, known := best[rec.Instance]; rec.Objective != nil && rec.Waived == "" && (!known || *rec.Objective < b) {
			best[rec.Instance] = *rec.Objective
		}
	}
	for _, rec := range records {
		integral := 60.0
		if x, w := rec.Objective, *rec.WallSeconds; x != nil {
			b := best[rec.Instance]
			integral = w/10 + (w-w/10)*anytime.Distance(2**x, b) + (60-w)*anytime.Distance(*x, b)
		}
		if rec.Algorithm == "opt" {
			integrals = append(integrals, integral)
		}
	}
	found := false
	for _, row := range got["gap over time"] {
		if row["algorithm"] == "opt" {
			found = near(row["primal_integral_seconds"], stats.Mean(integrals))
		}
	}
	if !found {
		t.Errorf("gap over time: %v, want the integral %v", got["gap over time"], stats.Mean(integrals))
	}
	if row := got["simulated policies"][0]; row["mean"] != 20.0 || row["sd"] != 10.0 {
		t.Errorf("simulated policies: %v", row)
	}

	folder, err := compare.Read(t.Context(), dir)
	fail.On(t, err)
	file, err := compare.Read(t.Context(), filepath.Join(dir, "all.parquet"))
	fail.On(t, err)
	byUnit := func(a, b ratio.Record) int { return strings.Compare(a.UnitID, b.UnitID) }
	slices.SortFunc(folder.Records, byUnit)
	slices.SortFunc(file.Records, byUnit)
	if d := cmp.Diff(folder.Records, file.Records); d != "" {
		t.Errorf("DuckDB's copy differs (-folder +copy): %.1000s", d)
	}
}

// hyparquet reads every file with the documented types and the values that were written, nulls for nulls.
func TestHyparquet(t *testing.T) {
	run := node(t)
	dir, records, _ := dataset(t)
	type contents struct {
		Version string
		Types   map[string]string
		Rows    []map[string]any
	}
	read := func(file string) (got contents) {
		t.Helper()
		fail.On(t, json.Unmarshal(run(dir, "", "hyparquet.mjs", file), &got))
		return got
	}
	of := map[string]contents{}
	types := map[string]string{
		"text": "BYTE_ARRAY UTF8", "int64": "INT64 INT_64", "float64": "DOUBLE", "bool": "BOOLEAN",
		"timestamp": "INT64 TIMESTAMP_MICROS",
	}
	for name, row := range rows {
		got := read(map[string]string{
			"runs": "runs/0000-000001.parquet", "progress": "progress/0000-000000.parquet", "sim": "sim/0000-000000.parquet",
			"ratios": "report/ratios.parquet", "instances": "report/instances.parquet", "prices": "report/prices.parquet",
		}[name])
		of[name] = got
		if got.Version != "1" {
			t.Errorf("%s: schema version %q", name, got.Version)
		}
		want := map[string]string{}
		for _, f := range parquet.SchemaOf(row).Fields() { // which TestDocumentation holds to the documentation
			base, null := strings.CutSuffix(typeName(f), ", null")
			want[f.Name()] = types[base] + map[bool]string{true: " OPTIONAL", false: " REQUIRED"}[null]
		}
		if name == "ratios" || name == "instances" || name == "prices" { // the features of fake.Experiment
			want[ratio.FeaturePrefix+"slack"] = types["float64"] + " OPTIONAL"
			want[ratio.FeaturePrefix+"small_share"] = types["float64"] + " OPTIONAL"
			want[ratio.FactorPrefix+"load"] = types["float64"] + " OPTIONAL"
		}
		if d := cmp.Diff(want, got.Types); d != "" {
			t.Errorf("%s (-docs +hyparquet): %s", name, d)
		}
	}

	for _, row := range of["instances"].Rows {
		if proven := row["best_value"] != nil && row["gap"] == 0.0; row["proven"] != proven || proven &&
			row["best_bound"] != row["best_value"] {
			t.Errorf("%v", row)
		}
	}
	if n := len(of["instances"].Rows); n < 40 {
		t.Errorf("%d rows for 40 instances", n)
	}

	if n := len(of["runs"].Rows); n != len(records) {
		t.Fatalf("%d rows of %d", n, len(records))
	}
	byUnit := map[string]map[string]any{}
	for _, row := range of["runs"].Rows {
		byUnit[row["unit_id"].(string)] = row
	}
	value := func(x *float64) any {
		if x == nil {
			return nil
		}
		return *x
	}
	for _, r := range records {
		row := byUnit[r.UnitID]
		want := map[string]any{
			"algorithm": r.Algorithm, "status": r.Status, "objective": value(r.Objective), "bound": value(r.Bound),
			"seed":         float64(r.Seed),
			"wall_seconds": value(r.WallSeconds), "n_jobs": float64(*r.NJobs),
			"started_at": r.StartedAt.Format("2006-01-02T15:04:05.000Z"),
		}
		for name, w := range want {
			if g := row[name]; g != w {
				t.Errorf("unit %s: %s is %v, want %v", r.UnitID, name, g, w)
			}
		}
	}
}

// TestDuckDBRefuted: a refuted claim is an outcome of its own in the recipes, and neither solved nor proven.
func TestDuckDBRefuted(t *testing.T) {
	run := node(t)
	columns := map[string]string{"outcomes": "units", "penalised times": "solved", "time to proof by size": "proven"}
	var asked strings.Builder
	for _, file := range []string{"recipes.sql", "recipes-ratios.sql"} {
		sql, err := os.ReadFile(filepath.Join(scripts, file))
		fail.On(t, err)
		for _, part := range strings.SplitAfter(string(sql), "\n-- name: ") {
			name, _, _ := strings.Cut(part, "\n")
			if columns[name] != "" || strings.HasPrefix(name, "view of ") {
				fmt.Fprintf(&asked, "-- name: %s", strings.TrimSuffix(part, "-- name: "))
			}
		}
	}
	count := func(dir string) map[string]float64 {
		sums := map[string]float64{}
		answers := recipes(t, run(dir, asked.String(), "duckdb.mjs"))
		for name, column := range columns {
			for _, row := range answers[name] {
				if row["algorithm"] == "opt" {
					status, _ := row["status"].(string)
					sums[strings.TrimSpace(name+" "+status)] += row[column].(float64)
				}
			}
		}
		return sums
	}
	plain, _, _ := dataset(t)
	planted := 0.0
	dir, _, _ := dataset(t, func(records []bench.Record) {
		for i := range records {
			if r := &records[i]; planted == 0 && r.Algorithm == "opt" && r.Status == string(bench.Optimal) {
				planted++
				r.Status, r.Bound, r.Gap = string(bench.Refuted), nil, nil
			}
		}
	})
	want, got := count(plain), count(dir)
	want["outcomes optimal"]--
	want["outcomes refuted"]++
	want["penalised times"]--
	want["time to proof by size"]--
	if d := cmp.Diff(want, got); d != "" || planted == 0 {
		t.Errorf("sums (-want +got): %s", d)
	}
}
