package experiment_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/catalog/measure"
	"schedgap/bench/experiment"
	"schedgap/bench/runner"
	"schedgap/bench/simrun"
	"schedgap/bench/store"
	"schedgap/bench/toyproblem"
	"schedgap/models"
)

// checks are what the sample of kind check names.
var checks = map[string]measure.Check{"toy-half": {
	Doc: "half of the sum",
	Params: []models.Param{
		{Name: "of", Default: 0.0, Max: 10},
		{Name: "more", Default: 0.0, Max: 10},
		{Name: "noise", Default: false},
	},
	Run: func(_ context.Context, rng *rand.Rand, p models.Values) (map[string]float64, error) {
		half := (p.Float("of") + p.Float("more")) / 2
		if p.Bool("noise") {
			half += rng.Float64()
		}
		return map[string]float64{"half": half}, nil
	},
}}

func registryOf(t testing.TB, name string) *bench.Registry {
	t.Helper()
	if name != "toy-pocd" {
		return toyproblem.Registry()
	}
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

func text(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func parse(t testing.TB, name, text string) *experiment.Experiment {
	t.Helper()
	e, err := experiment.Parse(name+".yaml", []byte(text), registryOf(t, name), checks)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// statistics of the samples, whose values are known or related.
var statistics = map[string]map[string]string{
	"toy-pocd": {
		"a": `m("pocd", "shed+", 0.2)`,
		"b": `sd([m("pocd", "shed+", 0.2), m("pocd", "shed+", 0.2)])`, // 0
		"c": `min(map(xs(), m("pocd", "shed+", #) - m("pocd", "hadoop", #)))`,
		"d": `share("execution", "hadoop", 0.2, max(job("execution", "hadoop", 0.2)))`,                                             // 1
		"e": `share("execution", "hadoop", 0.8, min(job("execution", "hadoop", 0.8))) * len(job("execution", "hadoop", 0.8)) >= 1`, // 1
		"f": `all(paired("execution", "shed+", "shed+", 0.2), # == 1)`,                                                             // 1
		"g": `count(job("execution", "shed+", 0.8), # > 1e9)`,                                                                      // 0
		"h": `m("execution", "hadoop", 0.8) - mean(job("execution", "hadoop", 0.8))`,                                               // 0
		"i": `sd([1, 2, 3])`,                                                                                                       // 1
	},
	"toy-solve": {
		"a": `ratio("first", 4)`,
		"b": `worst("first", 9) >= ratio("first", 9) && max(ratios("first", 9)) == worst("first", 9)`,                      // 1
		"c": `len(ratios("first", 4)) / len(objectives("first", 4)) + len(ratios("good", 9)) / len(objectives("good", 9))`, // 2
		"d": `value("first", 0, 4) / value("good", 0, 4) - ratios("first", 4)[0]`,                                          // 0
		"e": `objective("good", 4) - mean(objectives("good", 4))`,                                                          // 0
		"f": `ratio("good", 9)`,                                                                                            // 1
	},
	"toy-check": {"a": `v("half", 1)`, "b": `v("half", 3) == 3/2`},
}

// known are values of statistics that hold in every block at the default point.
var known = map[string]map[string]float64{
	"toy-pocd":  {"b": 0, "d": 1, "e": 1, "f": 1, "g": 0, "h": 0, "i": 1},
	"toy-solve": {"b": 1, "c": 2, "d": 0, "e": 0, "f": 1},
	"toy-check": {"a": 0.5, "b": 1},
}

func measureIt(t testing.TB, name string, o experiment.Options) *experiment.Measured {
	t.Helper()
	m, err := experiment.Measure(t.Context(), parse(t, name, text(t, name)), statistics[name], o)
	if err != nil {
		t.Fatal(err)
	}
	m.Seconds = 0
	return m
}

// Statistics have the values that they must have; the interval of a figure's mark has its mean inside.
func TestMeasure(t *testing.T) {
	for name := range statistics {
		e := parse(t, name, text(t, name))
		m := measureIt(t, name, experiment.Options{})
		for id, want := range known[name] {
			for _, got := range m.Values[id][0] {
				if diff := got - want; diff > 1e-9 || diff < -1e-9 {
					t.Errorf("%s %s: %v, want %v", name, id, got, want)
				}
			}
		}
		for id, points := range m.Values {
			if len(points) != len(m.Design) || len(points[0]) != e.Seeds {
				t.Fatalf("%s %s: %d points, %d blocks", name, id, len(points), len(points[0]))
			}
		}
		if len(e.Figures) > 0 && len(m.Series) == 0 {
			t.Errorf("%s: no marks of the figures", name)
		}
		for _, mark := range m.Series {
			if mark.Low > mark.Mean || mark.High < mark.Mean {
				t.Errorf("%s: %+v", name, mark)
			}
		}
	}
}

// What is measured does not depend on the workers, on what a run before left behind, nor on how often it was interrupted.
func TestResume(t *testing.T) {
	for name := range statistics {
		want := measureIt(t, name, experiment.Options{Workers: 1})
		if got := measureIt(t, name, experiment.Options{Workers: 4}); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: with 4 workers %+v, with one %+v", name, got, want)
		}
		dir := t.TempDir()
		e := parse(t, name, text(t, name))
		first, fresh, steps := 0, 0, 0
		for steps = 0; steps < 100; steps++ {
			ctx, cancel := context.WithCancel(t.Context())
			begin := -1
			got, err := experiment.Measure(ctx, e, statistics[name], experiment.Options{
				Dir: dir, Workers: 2,
				Progress: func(done, total int) {
					if begin < 0 {
						begin = done
						if done < first {
							t.Errorf("%s: run %d begins with %d blocks of %d, the one before ended with %d", name, steps, done, total, first)
						}
						return
					}
					if fresh++; done >= begin+total/3 && done < total {
						first = done
						cancel()
					}
				},
			})
			cancel()
			if errors.Is(err, context.Canceled) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			got.Seconds = 0
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: resumed %+v, want %+v", name, got, want)
			}
			break
		}
		if steps < 1 {
			t.Errorf("%s: interrupted %d times", name, steps)
		}
		before := fresh
		_, err := experiment.Measure(t.Context(), e, statistics[name], experiment.Options{Dir: dir, Progress: func(done, total int) {
			if done != total {
				fresh++
			}
		}})
		if err != nil || fresh != before {
			t.Errorf("%s: %d blocks were measured twice, %v", name, fresh-before, err)
		}
	}
}

// A block is the same whatever comes after it, and a repetition whatever comes after that.
func TestBlocks(t *testing.T) {
	original := strings.Replace(text(t, "toy-pocd"), "reduced: {", "reduced: {repetitions: 2, ", 1)
	stats := map[string]string{
		"mean": `m("pocd", "shed+", 0.8)`, "first": `job("execution", "hadoop", 0.8)[0] + 10 * job("execution", "hadoop", 0.8)[1]`,
	}
	values := func(text string) map[string][][]float64 {
		t.Helper()
		m, err := experiment.Measure(t.Context(), parse(t, "toy-pocd", text), stats, experiment.Options{Points: -1})
		if err != nil {
			t.Fatal(err)
		}
		return m.Values
	}
	was := values(original)
	more := values(strings.Replace(original, "\nseeds: 5", "\nseeds: 7", 1))
	longer := values(strings.Replace(original, "\nrepetitions: 2", "\nrepetitions: 3", 1))
	if !reflect.DeepEqual(was["mean"][0], more["mean"][0][:5]) || !reflect.DeepEqual(was["first"], longer["first"]) {
		t.Errorf("blocks %v, with more seeds %v; repetitions %v, with more %v", was["mean"], more["mean"], was["first"],
			longer["first"])
	}
	if reflect.DeepEqual(was["mean"], longer["mean"]) {
		t.Errorf("more repetitions change nothing: %v", was["mean"])
	}
}

// The reduced form gives the stored numbers again, and what is written is read again.
func TestStored(t *testing.T) {
	for name := range statistics {
		m := measureIt(t, name, experiment.Options{Version: "v"})
		reduced, err := experiment.Reduced(t.Context(), parse(t, name, text(t, name)), statistics[name])
		if err != nil || !reflect.DeepEqual(reduced, m.Reduced) || len(reduced) != len(statistics[name]) {
			t.Errorf("%s: %v, stored %v, %v", name, reduced, m.Reduced, err)
		}
		dir := t.TempDir()
		if err := experiment.WriteMeasured(dir, m); err != nil {
			t.Fatal(err)
		}
		again, err := experiment.Read(os.DirFS(dir), name)
		if err != nil || fmt.Sprintf("%+v", again) != fmt.Sprintf("%+v", m) {
			t.Errorf("%s: read %+v, %v, written %+v", name, again, err, m)
		}
	}
}

// The default point of a simulation joins a dataset once, and its rows say which sweep and case they are of.
func TestRunSimulation(t *testing.T) {
	e := parse(t, "toy-pocd", text(t, "toy-pocd"))
	o := experiment.Options{Dir: t.TempDir(), Workers: 2}
	added, cases, err := experiment.RunSimulation(t.Context(), e, o)
	// pocd, and what is kept beside it
	if err != nil || added == 0 || len(cases) != 2 || cases[1].X != 0.8 || len(cases[1].Means) != 2*4 {
		t.Fatalf("%d rows, %+v, %v", added, cases, err)
	}
	rows, _, err := store.Open(o.Dir).Sim(t.Context())
	if err != nil || len(rows) != added {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows {
		if p, ok := simrun.ParseSweep(r.Workload); !ok || p.Name != "toy-pocd" || p.At != "" || p.X != 0.2 && p.X != 0.8 {
			t.Fatalf("%q: %+v", r.Workload, p)
		}
	}
	m := measureIt(t, "toy-pocd", experiment.Options{})
	mean := stat.Mean(m.Values["a"][0], nil)
	again, same, err := experiment.RunSimulation(t.Context(), e, o)
	if err != nil || again != 0 || !reflect.DeepEqual(same, cases) {
		t.Errorf("%d rows again, %+v, %v", again, same, err)
	}
	if got := cases[0].Means[4]; got.Policy != "shed+" || math.Abs(got.Mean-mean) > 1e-9 {
		t.Errorf("%+v, measured %+v", got, mean)
	}
	parts := experiment.Options{Dir: t.TempDir(), Workers: 1}
	sum := 0
	for i := range 3 {
		parts.Shard = runner.Shard{Index: i, Of: 3}
		n, _, err := experiment.RunSimulation(t.Context(), e, parts)
		if err != nil || n == 0 || n == added {
			t.Errorf("shard %d adds %d of %d rows, %v", i, n, added, err)
		}
		sum += n
	}
	parts.Shard = runner.Shard{}
	if rest, together, err := experiment.RunSimulation(t.Context(), e, parts); err != nil || rest != 0 || sum != added ||
		len(together) != 2 {
		t.Errorf("the shards have %d of %d rows, and %d are missing, %v", sum, added, rest, err)
	}
	if _, _, err := experiment.RunSimulation(t.Context(), parse(t, "toy-check", text(t, "toy-check")), o); err == nil {
		t.Error("a check was simulated")
	}
}

// Whatever decides what is measured changes the hash; words do not.
func TestHash(t *testing.T) {
	for name := range statistics {
		hash := func(text string, more map[string]string) string {
			t.Helper()
			stats := map[string]string{}
			for _, m := range []map[string]string{statistics[name], more} {
				for id, s := range m {
					stats[id] = s
				}
			}
			h, err := parse(t, name, text).Hash(stats)
			if err != nil {
				t.Fatal(err)
			}
			return h
		}
		original := text(t, name)
		was := hash(original, nil)
		for _, c := range []struct {
			from, to string
			same     bool
		}{
			{"title: ", "title: that is, ", true},
			{"reason: ", "reason: say ", true},
			{"\nseeds: 1\n", "\nseeds: 5\n", false},
			{"\nseeds: 5\n", "\nseeds: 6\n", false},
			{"high: 1, reason: any", "high: 1.01, reason: any", false},
			{"x: 0.2, workload: {load: 0.2}", "x: 0.2, workload: {load: 0.25}", false},
			{"launch: 60", "launch: 61", false},
			{"vms: 138", "vms: 120", false},
			{"size: 9", "size: 10", false},
			{"of: 3", "of: 4", false},
		} {
			if !strings.Contains(original, c.from) {
				continue
			}
			if now := hash(strings.Replace(original, c.from, c.to, 1), nil); (now == was) != c.same {
				t.Errorf("%s: %q for %q: the hash changes: %v", name, c.to, c.from, now != was)
			}
		}
		if hash(original, map[string]string{"a": "1"}) == was {
			t.Errorf("%s: another statistic, the same hash", name)
		}
	}
}

// The design is the same every time, keeps to the box, and has a point in every slice of every range.
func TestDesign(t *testing.T) {
	e := parse(t, "toy-pocd", strings.Replace(text(t, "toy-pocd"), "points: 3", "points: 16", 1))
	design := e.Design()
	if len(design) != 17 || !design[0].Default || !reflect.DeepEqual(design, e.Design()) {
		t.Fatalf("%d points, %+v", len(design), design[0])
	}
	var deadlines []float64
	for _, p := range design[1:] {
		d := p.At["deadline"].(float64)
		if c := p.At["crowd"].(float64); c < 0.5 || c > 2 || d < 0.7 || d > 1.3 {
			t.Errorf("%v", p.At)
		}
		deadlines = append(deadlines, d)
	}
	slices.Sort(deadlines)
	for i, d := range deadlines {
		if low := 0.7 + 0.6*float64(i)/16; d < low-1e-3 || d > low+0.6/16+1e-3 {
			t.Errorf("slice %d of 16 has no deadline: %v", i, deadlines)
		}
	}
}

// Every mistake in a file is one sentence that says where it is and what.
func TestBadFiles(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"toy-pocd", "policies:", "polcies:", `toy-pocd.yaml: line 8: near "polcies": unknown field "polcies"`},
		{"toy-pocd", "problem: pocd", "problem: pacd", `toy-pocd.yaml: problem: unknown problem "pacd"; did you mean "pocd"?`},
		{"toy-pocd", "kind: simulate", "kind: simulation", `toy-pocd.yaml: kind: "simulation" must be simulate, solve or check`},
		{
			"toy-pocd", "policies: [shed+,", "policies: [shad+,",
			`toy-pocd.yaml: policies[0]: unknown policy "shad+"; did you mean "shed+"?`,
		},
		{
			"toy-pocd", "load: 0.8}", "laod: 0.8}",
			`toy-pocd.yaml: cases[1], x = 0.8: workload: value 0.8: unknown parameter "laod"; did you mean "load"?`,
		},
		{
			"toy-pocd", "workload.deadline", "workload.deadlin",
			`toy-pocd.yaml: untold[0] deadline: set: unknown parameter "workload.deadlin"; did you mean "workload.deadline"?`,
		},
		{"toy-pocd", "workload.deadline", "deadline", `toy-pocd.yaml: set: "deadline" must be workload.KEY or params.KEY`},
		{"toy-pocd", "high: 1.3", "high: 0.9", `toy-pocd.yaml: untold[0] deadline: default: 1 must be a number from low to high, 0.7 to 0.9`},
		{"toy-pocd", "low: 0.7", "low: -0.7", `toy-pocd.yaml: cases[0], x = 0.2: workload: parameter deadline: -0.7 must be at least 0.001`},
		{"toy-pocd", "factor: true, ", "", `toy-pocd.yaml: untold[2] crowd: set: cases[0] sets workload.load, too; say factor: true to multiply its value`},
		{"toy-pocd", "\nseeds: 5", "\nseeds: 4", `toy-pocd.yaml: seeds: 4 must be at least 5`},
		{"toy-pocd", "\npoints: 3", "\npoints: 33", `toy-pocd.yaml: points: 33 must be from 1 to 32`},
		{"toy-pocd", "cases: [0.2, 0.8]", "cases: [0.3]", `toy-pocd.yaml: reduced.cases: there is no case x = 0.3`},
		{"toy-pocd", "at: 0.8, ", "", `toy-pocd.yaml: figures[1].at: it must say which of the cases is drawn`},
		{"toy-pocd", "y: pocd", "y: pcod", `toy-pocd.yaml: figures[0].y: unknown name pcod (1:1)`},
		{
			"toy-pocd", ", reason: Figure 9 speaks of 350 s", "",
			`toy-pocd.yaml: untold[0] deadline: reason: it must say why these values are plausible`,
		},
		{"toy-solve", "reference: good", "reference: best", `toy-solve.yaml: reference: "best" must be one of the policies`},
		{"toy-solve", "time: 5s", "time: five", `toy-solve.yaml: limits.time: "five" must be a duration such as 5s`},
		{
			"toy-solve", "reference: good", "reference: good\nworkload: {generate: {}}",
			`toy-solve.yaml: line 9: near "workload": unknown field "workload"`,
		},
		{
			"toy-check", "check: toy-half", "check: toy-hlaf",
			`toy-check.yaml: check: unknown check "toy-hlaf"; did you mean "toy-half"?`,
		},
		{"toy-check", "of: 1}", "off: 1}", `toy-check.yaml: cases[0], x = 1: params: value 1: unknown parameter "off"; did you mean "of"?`},
	} {
		original := text(t, c.name)
		bad := strings.Replace(original, c.from, c.to, 1)
		if bad == original {
			t.Fatalf("%s has no %q", c.name, c.from)
		}
		_, err := experiment.Parse(c.name+".yaml", []byte(bad), registryOf(t, c.name), checks)
		if err == nil || err.Error() != c.want {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
}

// A statistic that cannot be evaluated is one sentence, before anything long is measured.
func TestBadStatistics(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"toy-pocd", `m("pcod", "shed+", 0.2)`, `toy-pocd: the statistic of c: unknown metric "pcod"; did you mean "pocd"?`},
		{"toy-pocd", `m("pocd", "shad", 0.2)`, `toy-pocd: the statistic of c: unknown policy "shad"; known: shed+, hadoop`},
		{"toy-pocd", `m("pocd", "shed+")`, `toy-pocd: the statistic of c in the reduced form: x is missing, and there are 2 cases`},
		{"toy-pocd", `ratio("shed+")`, `toy-pocd: the statistic of c: unknown name ratio (1:1)`},
		{"toy-pocd", `[1]`, `toy-pocd: the statistic of c in the reduced form: it gives [1], neither a number nor a truth value`},
		{"toy-pocd", `1/0`, `toy-pocd: the statistic of c in the reduced form: it gives +Inf`},
		{"toy-check", `v("haf", 1)`, `toy-check: the statistic of c in the reduced form: unknown number "haf"; did you mean "half"?`},
		{"toy-check", ` `, `toy-check: the statistic of c: it is empty`},
	} {
		_, err := experiment.Measure(t.Context(), parse(t, c.name, text(t, c.name)), map[string]string{"c": c.text},
			experiment.Options{})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.text, err, c.want)
		}
	}
	// A check with one block must not draw.
	e := parse(t, "toy-check", strings.Replace(text(t, "toy-check"), "check: toy-half", "check: toy-half\nparams: {noise: true}", 1))
	if _, err := experiment.Reduced(t.Context(), e, nil); err == nil || !strings.Contains(err.Error(), "draws random numbers") {
		t.Error(err)
	}
}

// The catalog's experiments are sound.
func TestAll(t *testing.T) {
	if _, err := experiment.All(); err != nil {
		t.Fatal(err)
	}
	if _, err := experiment.Find("nothing-like-it"); err == nil {
		t.Error("an experiment of any name")
	}
}
