package suite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/plan/suite"
	"schedgap/bench/plan/suite/suitetest"
	"schedgap/bench/toyproblem"
	"schedgap/models/fail"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const full = `
name: full
problem: toy
instances:
  - generate: {n: 2, seed: 7, params: {size: 3}}
  - trace: {format: google2011, dir: $TOY_TRACES/google2011, window: [600s, 70m], n: 20, seed: 3}
  - files: instances/*.json
algorithms: [good, {name: nth, params: {index: 2}}, {name: mine, command: [python3, mine.py]},
  {name: good, solver: beta, model: list}]
solvers: [alpha]
seeds: [1, 2]
limits: {time: 1m30s, memory: 4GiB, cpu: 3m0s, threads: 2}
pin_cpus: true
env: [LICENSE]
watch: [lib/*.py]
`

func parse(t *testing.T, text string) *suite.Suite {
	t.Helper()
	s, err := suitetest.Parse("s.yaml", []byte(text))
	fail.On(t, err)
	return s
}

// Every field arrives, and what is left out has its default.
func TestParse(t *testing.T) {
	minutes := 60 * time.Second
	for _, c := range []struct {
		text string
		want suite.Suite
	}{
		{full, suite.Suite{
			Name: "full", Problem: "toy",
			Instances: []suite.Source{
				{Generate: &suite.Generate{N: 2, Seed: 7, Params: map[string]any{"size": 3.0}}},
				{Trace: &suite.Trace{
					Format: "google2011", Dir: "$TOY_TRACES/google2011", Window: suite.Window{From: 10 * minutes, To: 70 * minutes}, N: 20,
					Seed: 3,
				}},
				{Files: "instances/*.json"},
			},
			Algorithms: []suite.Entry{
				{Name: "good"},
				{Name: "nth", Params: map[string]any{"index": 2.0}},
				{Name: "mine", Command: []string{"python3", "mine.py"}},
				{Name: "good", Solver: "beta", Model: "list"},
			},
			Solvers: []string{"alpha"}, Seeds: []uint64{1, 2},
			Limits:  suite.Limits{Time: suite.Span(90 * time.Second), Memory: 4 << 30, CPU: suite.Span(3 * time.Minute), Threads: 2},
			PinCPUs: true,
			Env:     []string{"LICENSE"}, Watch: []string{"lib/*.py"},
		}},
		{"{name: s, problem: toy, instances: [{generate: {n: 1}}], algorithms: ['mps:a,b']}", suite.Suite{
			Name: "s", Problem: "toy", Instances: []suite.Source{{Generate: &suite.Generate{N: 1, Seed: 1}}},
			Algorithms: []suite.Entry{{Name: "mps:a,b"}}, Seeds: []uint64{1}, Limits: suite.Limits{Time: suite.Span(minutes), Threads: 1},
		}},
	} {
		got := parse(t, c.text)
		if diff := cmp.Diff(&c.want, got, cmpopts.IgnoreUnexported(suite.Suite{})); diff != "" {
			t.Errorf("parsed (-want +got):\n%s", diff)
		}
		written, err := got.YAML()
		fail.On(t, err)
		if diff := cmp.Diff(&c.want, parse(t, string(written)), cmpopts.IgnoreUnexported(suite.Suite{})); diff != "" {
			t.Errorf("written and read again (-want +got):\n%s\n%s", diff, written)
		}
	}
}

// Only the suite's own text is a pattern, whatever characters the folder of the suite, the current one and variables have; and
// what the resolved suite says means the same again.
func TestFolderIsNoPattern(t *testing.T) {
	root := t.TempDir()
	for folder, instance := range map[string]string{"a[1] *?\\": "mine", "a1 xy": "theirs", "a1": "theirs"} {
		fail.On(t, os.Mkdir(filepath.Join(root, folder), 0o777))
		for _, n := range []string{"1", "2"} {
			fail.On(t, os.WriteFile(filepath.Join(root, folder, n+".json"), toyproblem.Instance(t, instance+n, 1).JSON, 0o666))
		}
	}
	odd := filepath.Join(root, "a[1] *?\\")
	t.Setenv("TOY_FILES", odd)
	t.Chdir(odd)
	text := "{name: s, problem: toy, instances: [{files: '%s'}], algorithms: [good], watch: ['%s']}"
	for _, c := range [][2]string{{"", "[1-9].json"}, {odd + "/", "[1-9].json"}, {"/", "$TOY_FILES/[1-9].json"}} {
		s, err := suitetest.Parse(c[0]+"s.yaml", fmt.Appendf(nil, text, c[1], c[1]))
		for range 2 {
			fail.On(t, err)
			plan, err := s.Resolve(t.Context(), toyproblem.Registry())
			if err != nil || len(plan.Units) != 2 || plan.Units[0].Instance.Name != "mine1" {
				t.Fatalf("%q: %v, %+v", c, err, plan)
			}
			again, err := plan.Suites[0].YAML()
			fail.On(t, err)
			s, err = suitetest.Parse("/elsewhere/s.yaml", again)
			fail.On(t, err)
		}
	}
}

// Whatever is wrong is said in one sentence, with the file, the place and the value.
func TestBadSuites(t *testing.T) {
	head := "name: s\nproblem: toy\ninstances: [{generate: {n: 1}}]\nalgorithms: [good]\n"
	with := func(old, new string) string { return strings.Replace(head, old, new, 1) }
	for _, c := range []struct{ text, want string }{
		{"", "the file is empty"},
		{"# only a comment\n", "the file is empty"},
		{head + "---\n" + head, "2 suites in a file for one"},
		{"- a\n", "must be a JSON object, not an array"},
		{"\tname: s", `line 1: not valid YAML near "\tname"`},
		{head + "name: t\n", `line 5: not valid YAML near "name": mapping key "name" already defined`},
		{head + "sovlers: [alpha]\n", `sovlers: unknown field (value an array)`},
		{head + "seeds: [1, -2]\n", "seeds[1]: -2 must not be negative"},
		{head + "seeds: []\n", "seeds: the list of seeds must not be empty"},
		{head + "seeds: 3\n", "seeds: must be an array, not 3"},
		{head + "solvers: [gamma]\n", `solvers[0]: unknown solver "gamma"; known: alpha, beta`},
		{head + "limits: {time: 60}\n", "limits.time: 60 must be a duration with its unit"},
		{head + "limits: {time: 60x}\n", `limits.time: "60x" must be a duration`},
		{head + "limits: {time: -1s}\n", `limits.time: "-1s" must be positive`},
		{head + "limits: {memory: 4GB}\n", `limits.memory: "4GB" must be a size`},
		{head + "limits: {cpu: 0s}\n", `limits.cpu: "0s" must be positive`},
		{head + "limits: {memory: 0}\n", `limits.memory: "0" must be a size`},
		{head + "limits: {memory: 512}\n", `limits.memory: "512" must be at least 1MiB`},
		{head + "limits: {threads: 0}\n", "limits.threads: 0 must be at least 1"},
		{head + "limits: {threads: 1025}\n", "limits.threads: 1025 must be at least 1 and at most 1024"},
		{head + "limits: {cpus: 2}\n", "limits.cpus: unknown field (value 2)"},
		{head + "pin_cpus: maybe\n", `pin_cpus: must be true or false, not "maybe"`},
		{with("name: s\n", ""), "name: required field is missing"},
		{with("name: s", "name: a b"), `name: "a b" is not an identifier`},
		{with("problem: toy", "problem: tetris"), `problem: unknown problem "tetris"; known: toy`},
		{with("{generate: {n: 1}}", ""), "instances: the list of instances must not be empty"},
		{with("generate: {n: 1}", "generate: {n: 1.5}"), "instances[0].generate.n: 1.5 must be an integer"},
		{with("generate: {n: 1}", "generate: {n: 0}"), "instances[0].generate.n: 0 must be at least 1"},
		{with("{n: 1}", "{n: 1, size: 2}"), "instances[0].generate.size: unknown field (value 2)"},
		{
			with("{n: 1}", "{n: 1, params: {siez: 2}}"),
			`instances[0]: generate: value 2: unknown parameter "siez"; did you mean "size"?`,
		},
		{with("{n: 1}", "{n: 1, params: {size: 0}}"), "instances[0]: generate: parameter size: 0 must be at least 1"},
		{with("{n: 1}", "{n: 1, params: {size: [1]}}"), "instances[0].generate.params.size: an array must be a number"},
		{with("generate: {n: 1}", "generated: {n: 1}"), `instances[0]: unknown field "generated"`},
		{with("{n: 1}", "{n: 1}, files: x"), "instances[0]: an object with 2 keys"},
		{with("generate: {n: 1}", "files: none/*.json"), "instances[0]: files: no file matches"},
		{with("generate: {n: 1}", "files: '[.json'"), "syntax error in pattern"},
		{with("generate: {n: 1}", "trace: {format: f, dir: d, n: 1, window: [2s, 1s]}"), "[0].trace.window: [2s 1s] must be"},
		{with("generate: {n: 1}", "trace: {format: f, dir: no/such/dir, n: 1}"), "instances[0]: trace: stat"},
		{with("[good]", "[god]"), `algorithms[0]: unknown algorithm "god"`},
		{with("[good]", "[3]"), "algorithms[0]: 3 must be an algorithm's name or a mapping"},
		{with("[good]", "[{name: nth, parms: {index: 1}}]"), "algorithms[0].parms: unknown field (value an object)"},
		{with("[good]", "[{name: nth, params: {index: -1}}]"), "algorithms[0]: algorithm nth: parameter index: -1 must be"},
		{with("[good]", "[{name: good, solver: gamma}]"), `algorithms[0]: algorithm good: unknown solver "gamma"`},
		{with("[good]", "[{name: good, model: grid}]"), `algorithms[0]: algorithm good: unknown model "grid"`},
		{with("[good]", "[{name: good, command: [x]}]"), `algorithms[0]: the command's name "good" is taken by an algorithm`},
		{with("[good]", "[{name: mine, command: [x], solver: alpha}]"), `algorithms[0]: the command "mine" takes no params`},
		{with("[good]", "[{name: mine, command: []}]"), "algorithms[0].command: the list of command must not be empty"},
		{with("[good]", "[good, first, good]"), "algorithms[2]: good is asked for twice"},
		{with("{n: 1}}", "{n: 1}}, {generate: {n: 3}}"), `instances[1]: the instance name "toy-s1-000" is taken by instances[0], generate`},
	} {
		s, err := suitetest.Parse("s.yaml", []byte(c.text))
		if err == nil {
			_, err = s.Resolve(t.Context(), toyproblem.Registry())
		}
		switch {
		case err == nil:
			t.Errorf("%q is accepted, want %q", c.text, c.want)
		case !strings.HasPrefix(err.Error(), "s.yaml: ") || !strings.Contains(err.Error(), c.want),
			strings.Contains(err.Error(), "\n"):
			t.Errorf("%q:\n got %q,\nwant %q after the file's name", c.text, err, c.want)
		}
	}
}

func resolve(t *testing.T, s *suite.Suite) *suite.Plan {
	t.Helper()
	p, err := s.Resolve(t.Context(), toyproblem.Registry())
	fail.On(t, err)
	return p
}

// describe shows a unit's settings.
func describe(u *bench.Unit) string {
	r := u.Request
	text := fmt.Sprintf("%s %s %s %s/%s seed %d", u.Source, u.Instance.Name, r.Algorithm, r.Solver, r.Model, r.Seed)
	if u.Skip != "" {
		text += " skipped: " + u.Skip
	}
	return text
}

// Solvers multiply the exact algorithms that know them, seeds the random ones and MILP solvers, and nothing else.
func TestUnits(t *testing.T) {
	dir := t.TempDir()
	one := toyproblem.Instance(t, "one", 5)
	fail.On(t, os.WriteFile(filepath.Join(dir, "one.json"), one.JSON, 0o666))
	file := filepath.Join(dir, "s.yaml")
	text := `{name: s, problem: toy, instances: [{files: '*.json'}], seeds: [4, 5], solvers: [beta, alpha],
		algorithms: [good, {name: good, model: list, solver: beta}, first, random, pair, {name: mine, command: [sh, mine.sh]}]}`
	fail.On(t, os.WriteFile(file, []byte(text), 0o666))
	suites, err := suite.Load(file, toyproblem.Registry())
	fail.On(t, err)
	plan := resolve(t, suites[0])
	var got []string
	for i := range plan.Units {
		got = append(got, describe(&plan.Units[i]))
	}
	want := []string{
		"files one good beta/ seed 4", "files one good beta/ seed 5", "files one good alpha/ seed 4", "files one good alpha/ seed 5",
		"files one good beta/list seed 4", "files one good beta/list seed 5",
		"files one first / seed 0", "files one random / seed 4", "files one random / seed 5",
		"files one pair / seed 0 skipped: pair is not applicable to one: it needs two numbers",
		"files one mine / seed 4", "files one mine / seed 5",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("units (-want +got):\n%s", diff)
	}
	if u := plan.Units[10]; u.Dir != dir || u.Limits.Time != time.Minute || u.Request.Threads != 1 {
		t.Errorf("the command's unit is %+v", u)
	}

	// The resolved suite stands for the same units wherever it lies.
	written, err := plan.Suites[0].YAML()
	fail.On(t, err)
	again := resolve(t, parse(t, string(written)))
	if diff := cmp.Diff(ids(t, plan), ids(t, again)); diff != "" {
		t.Errorf("units of the resolved suite (-want +got):\n%s", diff)
	}

	for _, c := range []struct {
		algorithms, instances string
		n                     int
		err                   string
	}{
		{"", "", 12, ""},
		{"good,r*", "o?e", 8, ""},
		{"*", "*", 12, ""},
		{"good,nope*", "", 0, `no algorithm of the suite matches "nope*"`},
		{"", "two", 0, `no instance of the suite matches "two"`},
		{"[", "", 0, "syntax error"},
	} {
		p := suite.Join(plan)
		err := p.Filter(c.algorithms, c.instances)
		ok := c.err == "" && err == nil && len(p.Units) == c.n ||
			c.err != "" && err != nil && strings.Contains(err.Error(), c.err)
		if !ok {
			t.Errorf("-a %q -i %q: %d units, %v; want %d, %q", c.algorithms, c.instances, len(p.Units), err, c.n, c.err)
		}
	}
}

// A MILP solver has a unit a seed, each with an id of its own. With the default seed, or none in the file, it keeps its own, 0.
func TestSeedsOfSolvers(t *testing.T) {
	for _, c := range []struct {
		algorithm, seeds string
		want             []uint64
	}{
		{"good", "solvers: [alpha], ", []uint64{0}},
		{"good", "solvers: [alpha], seeds: [1], ", []uint64{0}},
		{"good", "solvers: [alpha], seeds: [2], ", []uint64{2}},
		{"good", "solvers: [alpha], seeds: [1, 2, 3], ", []uint64{1, 2, 3}},
		{"{name: good, model: list}", "seeds: [1, 2, 3], ", []uint64{1, 2, 3}},
		{"{name: good, solver: beta}", "seeds: [1, 2, 3], ", []uint64{1, 2, 3}},
		{"good", "seeds: [1, 2, 3], ", []uint64{0}},
		{"first", "solvers: [alpha], seeds: [1, 2, 3], ", []uint64{0}},
	} {
		text := "{name: s, problem: toy, instances: [{generate: {n: 1}}], " + c.seeds + "algorithms: [" + c.algorithm + "]}"
		plan := resolve(t, parse(t, text))
		var got []uint64
		for i := range plan.Units {
			got = append(got, plan.Units[i].Request.Seed)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
		apart := ids(t, plan)
		slices.Sort(apart)
		if len(slices.Compact(apart)) != len(c.want) {
			t.Errorf("%s: units share an id", text)
		}
	}
}

func ids(t *testing.T, p *suite.Plan) []string {
	t.Helper()
	out := make([]string, len(p.Units))
	for i := range p.Units {
		var err error
		out[i], err = p.Units[i].ID()
		fail.On(t, err)
	}
	return out
}

// An instance depends on its number, the seed and the parameters alone: asking for more leaves the first ones as they are.
func TestGenerateIsStable(t *testing.T) {
	text := "{name: s, problem: toy, instances: [{generate: {n: %d, seed: %d, params: {size: %d}}}], algorithms: [first]}"
	base := ids(t, resolve(t, parse(t, fmt.Sprintf(text, 3, 7, 4))))
	more := ids(t, resolve(t, parse(t, fmt.Sprintf(text, 5, 7, 4))))
	if diff := cmp.Diff(base, more[:3]); diff != "" {
		t.Errorf("n 5 instead of 3 changes (-want +got):\n%s", diff)
	}
	seen := map[string]bool{}
	for _, all := range [][]string{
		more, ids(t, resolve(t, parse(t, fmt.Sprintf(text, 1, 8, 4)))), ids(t, resolve(t, parse(t, fmt.Sprintf(text, 1, 7, 5)))),
	} {
		for _, id := range all {
			if seen[id] {
				t.Errorf("unit %s comes twice", id)
			}
			seen[id] = true
		}
	}
}

// The identity of a unit is what is run: each setting changes it, the suite's name and the working folder do not.
func TestUnitID(t *testing.T) {
	base := bench.Unit{
		Instance: toyproblem.Instance(t, "one", 1), Request: bench.Request{Algorithm: "nth", Threads: 1},
		Limits: bench.Limits{Time: time.Minute},
	}
	change := func(f func(u *bench.Unit)) string {
		u := base
		fail.On(t, u.Instance.Problem.Resolve(&u.Request))
		f(&u)
		id, err := u.ID()
		fail.On(t, err)
		return id
	}
	same := change(func(*bench.Unit) {})
	for name, f := range map[string]func(u *bench.Unit){
		"suite":   func(u *bench.Unit) { u.Suite, u.Source, u.Dir = "x", "files", "/" },
		"default": func(u *bench.Unit) { u.Request.Params = map[string]any{"index": 0} },
		"integer": func(u *bench.Unit) { u.Request.Params = map[string]any{"index": 0.0} },
	} {
		if change(f) != same {
			t.Errorf("%s changes the identity", name)
		}
	}
	for name, f := range map[string]func(u *bench.Unit){
		"instance":  func(u *bench.Unit) { u.Instance = toyproblem.Instance(t, "one", 2) },
		"algorithm": func(u *bench.Unit) { u.Request.Algorithm = "first" },
		"params":    func(u *bench.Unit) { u.Request.Params = map[string]any{"index": 1} },
		"command":   func(u *bench.Unit) { u.Request.Command = []string{"x"} },
		"solver":    func(u *bench.Unit) { u.Request.Solver = "alpha" },
		"model":     func(u *bench.Unit) { u.Request.Model = "alpha" },
		"seed":      func(u *bench.Unit) { u.Request.Seed = 1 },
		"threads":   func(u *bench.Unit) { u.Request.Threads = 2 },
		"time":      func(u *bench.Unit) { u.Limits.Time = time.Hour },
		"memory":    func(u *bench.Unit) { u.Limits.Memory = 1 },
		"cpu":       func(u *bench.Unit) { u.Limits.CPU = time.Hour },
	} {
		if change(f) == same {
			t.Errorf("%s does not change the identity", name)
		}
	}
}

// A trace is used where its variable says it is, and skipped with a note when the variable is not set.
func TestTrace(t *testing.T) {
	text := "{name: s, problem: toy, algorithms: [good], " +
		"instances: [{trace: {format: google2011, dir: $TOY_TRACES/google2011, window: [600s, 70m], n: 5, seed: 3}}]}"
	t.Setenv("TOY_TRACES", "")
	plan := resolve(t, parse(t, text))
	want := []string{"s.yaml: instances[0]: skipped because $TOY_TRACES is not set"}
	if len(plan.Units) != 0 || !slices.Equal(plan.Notes, want) {
		t.Errorf("without traces: %d units, notes %q", len(plan.Units), plan.Notes)
	}

	// One of two traces is enough to go on.
	dir := t.TempDir()
	t.Setenv("TOY_TRACES", dir)
	plan = resolve(t, parse(t, strings.Replace(text, "instances: [", "instances: [{generate: {n: 2}}, ", 1)))
	want = []string{"s.yaml: instances[1]: skipped because " + filepath.Join(dir, "google2011") + " does not exist"}
	if len(plan.Units) != 2 || !slices.Equal(plan.Notes, want) || !slices.Equal(plan.Skipped, want) {
		t.Errorf("without one trace: %d units, notes %q", len(plan.Units), plan.Notes)
	}
	fail.On(t, os.Mkdir(filepath.Join(dir, "google2011"), 0o777))
	plan = resolve(t, parse(t, text))
	want = []string{"s.yaml: instances[0]: the trace gives 3 of 5 instances: in 2 of the 5 parts of the window there are no more numbers"}
	if len(plan.Units) != 3 || !slices.Equal(plan.Notes, want) {
		t.Fatalf("with traces: %d units, notes %q", len(plan.Units), plan.Notes)
	}
	u := plan.Units[0]
	// The toy's derivation puts the window in seconds and the seed into the instance.
	if u.Source != "trace:google2011" || !strings.Contains(string(u.Instance.JSON), "[600,4200,3]") {
		t.Errorf("source %s, instance %s; want the values 600, 4200, 3", u.Source, u.Instance.JSON)
	}
	if got := plan.Suites[0].Instances[0].Trace.Dir; got != filepath.Join(dir, "google2011") {
		t.Errorf("the resolved folder is %s", got)
	}
}

// A built-in suite is found by its name, alone or with its problem's; a file by its path.
func TestLoad(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"quick", ""},
		{"toy/quick", ""},
		{"slow", `unknown suite or file "slow"; known: quick`},
		{"slow.yaml", "slow.yaml: no such file"},
	} {
		suites, err := suite.Load(c.name, toyproblem.Registry())
		switch {
		case c.want == "" && (err != nil || len(suites) != 1 || len(resolve(t, suites[0]).Units) != 4):
			t.Errorf("%s: %v, %v", c.name, suites, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := suite.Load("slow.yaml", toyproblem.Registry()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// Sizes are written as they are read.
func TestSize(t *testing.T) {
	for text, want := range map[string]int64{
		"4GiB": 4 << 30, "512MiB": 512 << 20, "1.5MiB": 3 << 19, "1048577": 1<<20 + 1, "1048577B": 1<<20 + 1, "2 TiB": 2 << 40,
	} {
		got, err := suite.ParseSize(text)
		if err != nil || got != want {
			t.Errorf("%s is %d, %v; want %d", text, got, err, want)
		}
		if back, err := suite.ParseSize(suite.FormatSize(got)); err != nil || back != want {
			t.Errorf("%d is written as %s", got, suite.FormatSize(got))
		}
	}
	for _, text := range []string{"", "GiB", "-1", "0", "1e400", "NaN", "1GB", "9999999TiB", "512", "1048575B", "0.9MiB"} {
		if got, err := suite.ParseSize(text); err == nil {
			t.Errorf("%q is accepted as %d", text, got)
		}
	}
}

// A solver with a question mark runs where it is installed, and is left out with a note where it is not.
func TestOptionalSolvers(t *testing.T) {
	for _, c := range []struct {
		solvers, want, note string
	}{
		{"[alpha, 'beta?']", "alpha beta", ""},
		{"['beta?', 'gamma?']", "beta", "s.yaml: solver gamma is not available (there is none) and left out"},
		{"[beta, 'scip?']", "beta", "s.yaml: solver scip is left out: no entry of SCHEDGAP_SOLVERS has that name"},
		{"[beta, gamma]", "beta", "s.yaml: solver gamma is not available (there is none), its units will fail"},
	} {
		registry := toyproblem.Registry()
		registry.Solvers = []bench.Solver{{Name: "beta", Available: true}, {Name: "gamma", Reason: "there is none"}}
		s := parse(t, "{name: s, problem: toy, instances: [{generate: {n: 1}}], algorithms: [good], solvers: "+c.solvers+"}")
		plan, err := s.Resolve(t.Context(), registry)
		fail.On(t, err)
		var got []string
		for _, u := range plan.Units {
			got = append(got, u.Request.Solver)
		}
		if strings.Join(got, " ") != c.want || strings.Join(plan.Notes, "; ") != c.note {
			t.Errorf("%s: solvers %q, notes %q", c.solvers, got, plan.Notes)
		}
	}
	for _, name := range []string{"delta", "bata?"} { // the second is a slip of the pen
		s := parse(t, "{name: s, problem: toy, instances: [{generate: {n: 1}}], algorithms: [good], solvers: ['"+name+"']}")
		if _, err := s.Resolve(t.Context(), toyproblem.Registry()); err == nil ||
			!strings.Contains(err.Error(), `solvers[0]: unknown solver "`+strings.TrimSuffix(name, "?")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What some entry sets is a factor of all, with its default where an entry does not; files have none.
func TestFactors(t *testing.T) {
	dir := t.TempDir()
	fail.On(t, os.WriteFile(filepath.Join(dir, "one.json"), toyproblem.Instance(t, "one", 5).JSON, 0o666))
	text := fmt.Sprintf("{name: s, problem: toy, instances: [{generate: {n: 1, params: {size: 3}}}, {generate: {n: 1, seed: 2}}, "+
		"{files: '%s/*.json'}], algorithms: [good]}", dir)
	plan := resolve(t, parse(t, text))
	var got []string
	for _, u := range plan.Units {
		got = append(got, u.Factors)
	}
	if want := []string{`{"size":3}`, `{"size":4}`, ""}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestTaken: two instances of one name are found by their files.
func TestTaken(t *testing.T) {
	dir := t.TempDir()
	for _, file := range []string{"a.json", "b.json"} {
		fail.On(t, os.WriteFile(filepath.Join(dir, file), toyproblem.Instance(t, "same", 1, 2).JSON, 0o666))
	}
	text := "name: s\nproblem: toy\ninstances: [{files: " + dir + "/*.json}]\nalgorithms: [good]\n"
	s, err := suitetest.Parse(filepath.Join(dir, "s.yaml"), []byte(text))
	if err == nil {
		_, err = s.Resolve(t.Context(), toyproblem.Registry())
	}
	if want := filepath.Join(dir, "b.json") + `: the instance name "same" is taken by instances[0], ` + filepath.Join(dir, "a.json"); err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
