package history_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"schedgap/bench"
	"schedgap/bench/speedcheck"
	"schedgap/reports/compare"
	"schedgap/reports/history"
	"schedgap/reports/internal/fake"
)

// night is the experiment of 30 instances as the program of that night ran it: times vary by a twentieth, nothing else.
func night(i int, change func(r *bench.Record)) history.Source {
	records, instances := fake.Experiment(30, rand.New(rand.NewPCG(1, 1)))
	rng := rand.New(rand.NewPCG(uint64(i), 2))
	at := time.Date(2026, 3, 1+i, 2, 0, 0, 0, time.UTC)
	for k := range records {
		r := &records[k]
		r.RunID = fmt.Sprintf("run%02d", i)
		r.BinaryVersion = fmt.Sprintf("v0.0.0-%s-%012x", at.Add(-time.Hour).Format("20060102150405"), 0xabc000+i)
		r.StartedAt = at.Add(time.Duration(k) * time.Second)
		r.WallSeconds = fake.Ptr(*r.WallSeconds * math.Exp(0.05*rng.NormFloat64()))
		if change != nil {
			change(r)
		}
	}
	return history.Source{Records: records, Comparison: func(sha256 string) *string {
		in, err := instances.Find(sha256)
		if err != nil {
			return nil
		}
		return fake.Ptr(in.Comparison.String())
	}}
}

// dataset is an empty one.
func dataset(t *testing.T) *history.Dataset {
	t.Helper()
	d, err := history.Read(t.Context(), filepath.Join(t.TempDir(), "none"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func look(t *testing.T, d *history.Dataset, gates string) *history.Report {
	t.Helper()
	g, err := compare.ParseGates(gates)
	if err != nil {
		t.Fatal(err)
	}
	r, err := history.New(t.Context(), history.Input{
		Rows: d.Rows, Problems: []*bench.Problem{fake.Problem()}, Gates: g, Recent: 3,
		Seed: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const gates = "ratio=1%,time=10%,correctness,missing"

// Whatever is planted into the last nights is found, alone, and so is nothing where nothing is.
func TestFindings(t *testing.T) {
	of := func(algorithm string, change func(r *bench.Record)) func(i int, r *bench.Record) {
		return func(_ int, r *bench.Record) {
			if r.Algorithm == algorithm && r.Status != string(bench.Crash) {
				change(r)
			}
		}
	}
	hex := func(i int) string { return fmt.Sprintf("%012x", 0xabc000+i) }
	for _, c := range []struct {
		name      string
		from      int // the first night that plant changes, of 20
		plant     func(i int, r *bench.Record)
		want      []string // beginnings of findings, with what they contain after a bar
		regressed int
	}{
		{"nothing", 0, func(int, *bench.Record) {}, nil, 0},
		{
			"a ratio, by a little, on one instance", 19, of("fair", func(r *bench.Record) {
				if r.Instance == "f00000" {
					*r.Objective *= 1 + 1e-6
				}
			}),
			[]string{"flex fair: ratio stepped|on 1 of"},
			0,
		},
		{
			"a ratio", 19, of("fair", func(r *bench.Record) { *r.Objective += 0.05 * math.Abs(*r.Objective) }),
			[]string{
				"flex fair: ratio stepped from|at commit " + hex(19) + " (2026-03-20), after " + hex(18),
				"flex fair: values stepped|worse",
			},
			2,
		},
		{
			"a better ratio", 10, of("spt", func(r *bench.Record) {
				if r.Instance == "f00004" {
					*r.Objective *= 0.99999
				}
			}),
			[]string{"flex spt: ratio stepped|better"},
			0,
		},
		{
			"times", 16, of("flex-ls", func(r *bench.Record) { *r.WallSeconds *= 1.25 }),
			[]string{"flex flex-ls: time stepped|at commit " + hex(16)},
			0, // four nights ago: no longer a gate's
		},
		{
			"times drift, which is no step", 0, func(i int, r *bench.Record) {
				if r.Algorithm == "flex-ls" {
					*r.WallSeconds *= math.Pow(1.01, float64(i))
				}
			},
			nil, 0,
		},
		{
			"crashes", 19, of("spt", func(r *bench.Record) {
				if r.Instance < "f00003" {
					r.Status, r.Objective = string(bench.Crash), nil
				}
			}),
			[]string{"flex spt: share failed stepped from 0 % to 10 %|on 3 of 30"},
			1,
		},
		{
			"a lost proof, which nothing else sees", 19, of("opt", func(r *bench.Record) {
				if r.Instance == "f00004" && *r.Solver == "bnb" && r.Status == string(bench.Optimal) {
					r.Status, r.Bound = string(bench.Timeout), fake.Ptr(*r.Objective*0.9)
				}
			}),
			[]string{"flex opt (bnb): share proven stepped from 100 % to 96.7 %|worse"},
			1,
		},
		{
			"a value beyond what was proven before", 19, of("flex", func(r *bench.Record) {
				if r.Instance == "f00004" {
					*r.Objective *= 0.5
				}
			}),
			[]string{"flex instance f00004|one is wrong"},
			1,
		},
		{
			"a change that was taken back", 10, func(i int, r *bench.Record) {
				if r.Algorithm == "fair" && r.Instance == "f00004" && i < 15 {
					*r.Objective *= 1.5
				}
			},
			[]string{"flex fair: ratio stepped|gone again", "flex fair: ratio stepped|better"},
			0,
		},
		{
			"a ratio, by what is not the program", 18, func(i int, r *bench.Record) {
				if r.BinaryVersion = "v1"; i == 19 && r.Algorithm == "fair" && r.Instance == "f00004" {
					*r.Objective *= 1.5
				}
			},
			[]string{"flex fair: ratio stepped|not the program's doing"},
			1,
		},
		{
			"noise of a search that ends with its time", 0, func(i int, r *bench.Record) {
				if r.Algorithm == "flex-ls" && r.Instance == "f00000" && r.Objective != nil {
					*r.Objective *= 1 + 0.01*rand.New(rand.NewPCG(uint64(i), 9)).Float64()
				}
			},
			nil, 0,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := dataset(t)
			for i := range 20 {
				d.Add(night(i, func(r *bench.Record) {
					if i >= c.from {
						c.plant(i, r)
					}
				}))
			}
			r := look(t, d, gates)
			left := slices.Clone(c.want)
			for _, f := range r.Findings {
				i := slices.IndexFunc(left, func(w string) bool {
					begins, contains, _ := strings.Cut(w, "|")
					return strings.HasPrefix(f.Text, begins) && strings.Contains(f.Text, contains)
				})
				if i < 0 {
					t.Errorf("found besides: %s", f.Text)
					continue
				}
				t.Log(f.Text)
				left = slices.Delete(left, i, i+1)
			}
			if len(left) > 0 {
				t.Errorf("not found: %q", left)
			}
			if len(r.Regressions) != c.regressed {
				t.Errorf("%d regressions, want %d: %q", len(r.Regressions), c.regressed, r.Regressions)
			}
		})
	}
}

// A dataset that is written and read again, in whatever order and however often, is the same; a folder that is completed later is
// one run.
func TestIdempotent(t *testing.T) {
	dir := t.TempDir()
	half := night(1, nil)
	all := slices.Clone(half.Records)
	half.Records = half.Records[:100]
	whole := night(1, nil)
	whole.Records = all
	added := 0
	for _, s := range []history.Source{half, night(0, nil), half, whole, night(0, nil), night(2, nil)} {
		d, err := history.Read(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		added += d.Add(s)
		if d.Add(s) != 0 {
			t.Error("rows are added twice")
		}
		if err := d.Save(dir); err != nil {
			t.Fatal(err)
		}
	}
	d, err := history.Read(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Rows) != 3*len(all) || added != len(d.Rows) {
		t.Fatalf("%d rows, %d added, want %d", len(d.Rows), added, 3*len(all))
	}
	r := look(t, d, gates)
	if len(r.Runs) != 3 || len(r.Findings) > 0 || r.Runs[1].Units != len(all) || r.Runs[1].Commit != fmt.Sprintf("%012x", 0xabc001) {
		t.Errorf("%d runs, %d findings, the second run is %+v", len(r.Runs), len(r.Findings), r.Runs[1])
	}
	fresh := dataset(t)
	for _, i := range []int{2, 0, 1} {
		fresh.Add(night(i, nil))
	}
	one, err1 := json.Marshal(r)
	two, err2 := json.Marshal(look(t, fresh, gates))
	if err1 != nil || err2 != nil || string(one) != string(two) {
		t.Errorf("the order of adding shows: %v, %v", err1, err2)
	}
}

// Rows of an older program, without the columns that may be null, are read; a damaged file is an error that names it.
func TestOldRows(t *testing.T) {
	dir := t.TempDir()
	d := dataset(t)
	d.Add(night(0, nil))
	if err := d.Save(dir); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "rows", "*.parquet"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	type old struct {
		RunID          string    `parquet:"run_id,dict"`
		UnitID         string    `parquet:"unit_id"`
		Suite          string    `parquet:"suite,dict"`
		Problem        string    `parquet:"problem,dict"`
		Instance       string    `parquet:"instance,dict"`
		InstanceSHA256 string    `parquet:"instance_sha256,dict"`
		Source         string    `parquet:"source,dict"`
		Seed           int64     `parquet:"seed"`
		Params         string    `parquet:"params,dict"`
		Algorithm      string    `parquet:"algorithm,dict"`
		Kind           string    `parquet:"kind,dict"`
		Reference      string    `parquet:"reference,dict"`
		Waived         string    `parquet:"waived,dict"`
		Augmentation   float64   `parquet:"augmentation"`
		Status         string    `parquet:"status,dict"`
		Sense          string    `parquet:"sense,dict"`
		Objective      *float64  `parquet:"objective,optional"`
		StartedAt      time.Time `parquet:"started_at,timestamp(microsecond)"`
		Host           string    `parquet:"host,dict"`
		CPUModel       string    `parquet:"cpu_model,dict"`
		NCPUs          int64     `parquet:"n_cpus"`
		GoVersion      string    `parquet:"go_version,dict"`
		BinaryVersion  string    `parquet:"binary_version,dict"`
		Run            string    `parquet:"run,dict"`
		Later          string    `parquet:"a_column_of_later"`
	}
	rows, err := parquet.ReadFile[old](files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := parquet.WriteFile(files[0], rows); err != nil {
		t.Fatal(err)
	}
	d, err = history.Read(t.Context(), dir)
	if err != nil || len(d.Rows) != len(rows) || d.Rows[0].Comparison != nil || d.Rows[0].WallSeconds != nil {
		t.Fatalf("%d rows: %v", len(d.Rows), err)
	}
	if r := look(t, d, gates); !strings.Contains(strings.Join(r.Warnings, "\n"), "30 instance files were not at hand") {
		t.Errorf("warnings %q", r.Warnings)
	}
	if err := os.WriteFile(files[0], []byte("PAR1 no more"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := history.Read(t.Context(), dir); err == nil || !strings.Contains(err.Error(), files[0]) {
		t.Errorf("a damaged file: %v", err)
	}
}

// What a run lacks, what is new in it and where it ran is no change: lines go on with the units that runs share.
func TestIncomparable(t *testing.T) {
	d := dataset(t)
	for i := range 20 {
		s := night(i, func(r *bench.Record) {
			if i >= 14 {
				r.CPUModel = "slow"
				*r.WallSeconds *= 3
			}
		})
		s.Records = slices.DeleteFunc(s.Records, func(r bench.Record) bool {
			return i < 10 && r.Instance > "f00015" || i == 19 && r.Instance < "f00010"
		})
		d.Add(s)
	}
	r := look(t, d, gates)
	for _, f := range r.Findings {
		t.Errorf("found: %s", f.Text)
	}
	last := r.Runs[len(r.Runs)-1]
	if last.Missing == 0 || len(r.Regressions) != 1 || !strings.Contains(r.Regressions[0], fmt.Sprintf("%d units", last.Missing)) {
		t.Errorf("%d missing, regressions %q", last.Missing, r.Regressions)
	}
	machines := map[string]bool{}
	for _, s := range r.Series {
		if s.Metric == history.Time {
			machines[s.Machine] = true
		} else if len(s.Points) != 20 && s.Metric == history.Ratio {
			t.Errorf("%s %s has %d points", s.Algorithm, s.Metric, len(s.Points))
		}
	}
	if len(machines) != 2 {
		t.Errorf("times are on %v", machines)
	}
}

// A machine that is slower every other night, as the reference unit tells, is no noise.
func TestMachineSpeed(t *testing.T) {
	d := dataset(t)
	for i := range 20 {
		speed := 1 + 0.5*rand.New(rand.NewPCG(uint64(i), 4)).Float64()
		s := night(i, func(r *bench.Record) {
			if *r.WallSeconds *= speed; r.Algorithm == "flex-ls" && i >= 17 {
				*r.WallSeconds *= 1.2
			}
		})
		for range 3 {
			s.Samples = append(s.Samples, speedcheck.Sample{RunID: s.Records[0].RunID, Seconds: 0.02 * speed})
		}
		d.Add(s)
	}
	r := look(t, d, gates)
	if len(r.Findings) != 1 || !strings.HasPrefix(r.Findings[0].Text, "flex flex-ls: time stepped") || len(r.Regressions) != 1 {
		t.Errorf("%+v, regressions %q", r.Findings, r.Regressions)
	}
}

// The files are there, the page has the findings, and everything that it links to exists.
func TestWrite(t *testing.T) {
	d := dataset(t)
	for i := range 9 {
		d.Add(night(i, func(r *bench.Record) {
			if r.Algorithm == "fair" && i == 8 && r.Objective != nil {
				*r.Objective += 0.05 * math.Abs(*r.Objective)
			}
		}))
	}
	r, dir := look(t, d, gates), t.TempDir()
	if err := history.Write(t.Context(), r, dir, "v1"); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, part := range strings.Split(page, `href="`)[1:] {
		link, _, _ := strings.Cut(part, `"`)
		if _, err := os.Stat(filepath.Join(dir, link)); err != nil {
			t.Errorf("%s: %v", link, err)
		}
	}
	for _, want := range []string{
		"flex fair: ratio stepped from", "History of 9 runs", "plots/flex-time.pdf",
		"plots/flex-fair-ratio.svg", "regressions by --fail-on: 2",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	var stored history.Report
	if data, err = os.ReadFile(filepath.Join(dir, "history.json")); err == nil {
		err = json.Unmarshal(data, &stored)
	}
	if err != nil || len(stored.Findings) != len(r.Findings) || stored.Findings[0].Text != r.Findings[0].Text {
		t.Errorf("history.json: %v", err)
	}
}

func TestEmpty(t *testing.T) {
	if _, err := history.New(t.Context(), history.Input{}); err == nil {
		t.Error("an empty history has a report")
	}
}
