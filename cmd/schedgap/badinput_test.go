package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// badInstances are instance files with one thing wrong each: what the file says, and what the message must name besides the
// file: the field's path and the offending value.
var badInstances = map[string]struct {
	contents string
	names    []string
}{
	"empty file": {``, nil},
	"no object":  {`[1]`, []string{"array"}},
	"truncated": {
		`{"problem":"flex","version":1,"name":"x","slots":4,"jobs":[{"id":"a"`,
		[]string{"jobs[0]", "ends too early"},
	},
	"trailing data":          {flexFile(`"slots":4`, `{"id":"a","work":1}`) + `{}`, []string{"trailing data"}},
	"invalid UTF-8":          {flexFile(`"slots":4`, "{\"id\":\"a\xff\",\"work\":1}"), []string{"jobs[0]", "UTF-8"}},
	"unknown field":          {flexFile(`"slots":4,"slotz":5`, `{"id":"a","work":1}`), []string{"slotz", "5"}},
	"unknown field in a job": {flexFile(`"slots":4`, `{"id":"a","work":1,"Max":2}`), []string{"jobs[0].Max", "2"}},
	"duplicate key":          {flexFile(`"slots":4`, `{"id":"a","work":1,"work":2}`), []string{"jobs[0]", `"work"`}},
	"duplicate id":           {flexFile(`"slots":4`, `{"id":"a","work":1},{"id":"a","work":2}`), []string{"jobs[1].id", `"a"`}},
	"id with a comma":        {flexFile(`"slots":4`, `{"id":"a,b","work":1}`), []string{"jobs[0].id", `"a,b"`}},
	"empty id":               {flexFile(`"slots":4`, `{"id":"","work":1}`), []string{"jobs[0].id", `""`}},
	"NaN":                    {flexFile(`"slots":4`, `{"id":"a","work":NaN}`), []string{"jobs[0]", "N"}},
	"number too large":       {flexFile(`"slots":4`, `{"id":"a","work":1e999}`), []string{"jobs[0].work", "1e999"}},
	"negative work":          {flexFile(`"slots":4`, `{"id":"a","work":-1}`), []string{"jobs[0].work", "-1"}},
	"no work":                {flexFile(`"slots":4`, `{"id":"a"}`), []string{"jobs[0].work", "missing"}},
	"string for a number":    {flexFile(`"slots":"4"`, `{"id":"a","work":1}`), []string{"slots", `"4"`}},
	"half a slot":            {flexFile(`"slots":2.5`, `{"id":"a","work":1}`), []string{"slots", "2.5"}},
	"no slots":               {flexFile(`"slots":0`, `{"id":"a","work":1}`), []string{"slots", "0"}},
	"min above max":          {flexFile(`"slots":4`, `{"id":"a","work":1,"min":3,"max":2}`), []string{"jobs[0].max", "2", "3"}},
	"max above slots":        {flexFile(`"slots":4`, `{"id":"a","work":1,"max":5}`), []string{"jobs[0].max", "5"}},
	"negative min":           {flexFile(`"slots":4`, `{"id":"a","work":1,"min":-1}`), []string{"jobs[0].min", "-1"}},
	"minima above slots": {
		flexFile(`"slots":4`, `{"id":"a","work":1,"min":3},{"id":"b","work":1,"min":2}`),
		[]string{"jobs", "5", "4"},
	},
	"empty list of jobs": {flexFile(`"slots":4`, ``), []string{"jobs", "empty"}},
	"zero weight":        {flexFile(`"slots":4`, `{"id":"a","work":1,"weight":0}`), []string{"jobs[0].weight", "0"}},
	"tiny work":          {flexFile(`"slots":4`, `{"id":"a","work":1e-320}`), []string{"jobs[0].work", "1e-320", "1e-100"}},
	"huge weight":        {flexFile(`"slots":4`, `{"id":"a","work":1,"weight":1e300}`), []string{"jobs[0].weight", "1e+300"}},
	"far deadline": {
		flexFile(`"slots":4`, `{"id":"a","work":1,"deadline":-1e300}`, "lateness", "max"),
		[]string{"deadline", "-1e+300"},
	},
	"wrong problem": {
		strings.Replace(flexFile(`"slots":4`, `{"id":"a","work":1}`), `"flex"`, `"flax"`, 1),
		[]string{"problem", `"flax"`},
	},
	"wrong version": {
		strings.Replace(flexFile(`"slots":4`, `{"id":"a","work":1}`), `"version":1`, `"version":2`, 1),
		[]string{"version", "2"},
	},
	"unknown metric of one": {
		flexFile(`"slots":4`, `{"id":"a","work":1},{"id":"b","work":1,"metric":"speed"}`),
		[]string{"jobs[1].metric", `"speed"`},
	},
	"maximum of a tardy job": {
		flexFile(`"slots":4`, `{"id":"a","work":1,"metric":"tardy","deadline":1}`, "response", "max"),
		[]string{"jobs[0].metric", "max"},
	},
	"unknown metric": {
		flexFile(`"slots":4`, `{"id":"a","work":1}`, "speed", "sum"),
		[]string{"objective.metric", `"speed"`},
	},
	"max with tardy": {
		flexFile(`"slots":4`, `{"id":"a","work":1,"deadline":1}`, "tardy", "max"),
		[]string{"objective.aggregate", `"max"`},
	},
	"missing deadline": {flexFile(`"slots":4`, `{"id":"a","work":1}`, "lateness", "max"), []string{"jobs[0].deadline"}},
	"missing steps":    {flexFile(`"slots":4`, `{"id":"a","work":1}`, "sla", "sum"), []string{"jobs[0].steps"}},
	"steps not increasing": {
		flexFile(`"slots":4`, `{"id":"a","work":1,"steps":[{"at":2,"penalty":1},{"at":2,"penalty":3}]}`, "sla", "sum"),
		[]string{"jobs[0].steps[1].at", "2"},
	},
	"penalties not increasing": {
		flexFile(`"slots":4`, `{"id":"a","work":1,"steps":[{"at":2,"penalty":4},{"at":3,"penalty":3}]}`, "sla", "sum"),
		[]string{"jobs[0].steps[1].penalty", "3"},
	},
}

// flexFile is an instance file with these slots and jobs; metric and aggregate are response and sum unless given.
func flexFile(slots, jobs string, objective ...string) string {
	if objective == nil {
		objective = []string{"response", "sum"}
	}
	return `{"problem":"flex","version":1,"name":"x",` + slots + `,"objective":{"metric":"` + objective[0] + `","aggregate":"` +
		objective[1] + `","weighted":false},"jobs":[` + jobs + `]}`
}

// TestBadInput: whatever is wrong with arguments or files, the program ends with exit code 2, an empty stdout and one sentence
// on stderr that names the place and the value, and leaves every file as it was.
func TestBadInput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	one := write(t, dir, "one.json", flexFile(`"slots":4`, `{"id":"a","work":8}`))
	late := write(t, dir, "late.json", flexFile(`"slots":4`, `{"id":"a","work":8,"metric":"tardiness","deadline":1}`))
	mixed := write(t, dir, "mixed.json", flexFile(`"slots":4`,
		`{"id":"a","work":8,"metric":"tardy","deadline":1},{"id":"b","work":1}`))
	solution := func(name, problem, instance, id string) string {
		return write(t, dir, name, `{"problem":"`+problem+`","instance":"`+instance+`","algorithm":"by hand",`+
			`"intervals":[{"start":0,"end":2,"slots":{"`+id+`":4}}]}`)
	}
	succeed(t, "check", one, solution("right.json", "flex", "x", "a"))
	write(t, dir, "workload.jsonl", `{"job":"a","arrival":0,"map":{"tasks":0,"mean":20}}`+"\n")
	phase := func(cpu string) string {
		return `"phases":[{"tasks":1,"cpu":` + cpu + `,"mem":1,"mean":60}]}` + "\n"
	}
	write(t, dir, "large.jsonl", `{"job":"a",`+phase("1")+`{"job":"b",`+phase("64"))
	for name, field := range map[string]string{"metric": `"metric":"speed"`, "tardy": `"metric":"tardy"`, "past": `"deadline":-1`} {
		write(t, dir, name+".jsonl", `{"job":"a","arrival":0,"map":{"tasks":1,"mean":1},`+field+"}\n")
	}
	write(t, dir, "many.jsonl", `{"job":"a","arrival":0,"deadline":400,"tasks":138,"t_min":120,"beta":1.5}`+"\n")
	if err := os.MkdirAll(in("taken/flex-001.json"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"proven", "begun"} {
		if err := os.Mkdir(in(name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"taken/sim", "taken/instances", "proven/proofs", "begun/progress"} {
		write(t, dir, name, "")
	}
	if err := os.Symlink(in("nothing"), in("link")); err != nil {
		t.Fatal(err)
	}

	suite := func(name, rest string) string {
		return write(t, dir, name, "name: s\nproblem: flex\ninstances: [{files: one.json}]\n"+rest+"\n")
	}

	type bad struct {
		name  string
		args  []string
		names []string // what the message must name
	}
	cases := []bad{
		{"missing file", []string{"solve", in("none.json"), "-a", "flex"}, []string{"none.json", "no such file"}},
		{"directory instead of a file", []string{"solve", dir, "-a", "flex"}, []string{dir, "directory"}},
		{
			"proof over the solution",
			[]string{"solve", one, "-a", "opt", "-o", in("out.json"), "--proof", in("./out.json")},
			[]string{"out.json", "is for the solution"},
		},
		{"proof without a name", []string{"solve", one, "-a", "opt", "--proof", ""}, []string{"--proof", "empty"}},
		{"proof instead of an instance", []string{"verify", one, one}, []string{one, "no proof"}},
		{"limit without a unit", []string{"report", dir, "--at-limit", "5"}, []string{"--at-limit", `"5"`, "90s"}},
		{"no instance", []string{"solve", "-a", "flex"}, []string{"INSTANCE.json"}},
		{"no algorithm", []string{"solve", one}, []string{"algorithm"}},
		{"solution over the instance", []string{"solve", one, "-a", "flex", "-o", one}, []string{one, "is the instance"}},
		{
			"model over the instance",
			[]string{"export", one, "--model", "position", "--format", "lp", "-o", one},
			[]string{one, "is the instance"},
		},
		{"one argument too many", []string{"solve", one, "two.json", "-a", "flex"}, []string{`"two.json"`}},
		{"unknown algorithm", []string{"solve", one, "-a", "flux"}, []string{`"flux"`}},
		{"argument where none belongs", []string{"solve", one, "-a", "flex:3"}, []string{`"flex:3"`}},
		{"argument that is missing", []string{"solve", one, "-a", "mps"}, []string{`"mps"`, "mps:"}},
		{"unknown job in an order", []string{"solve", one, "-a", "mps:b"}, []string{"mps:b", `"b"`}},
		{"unknown solver", []string{"solve", one, "-a", "opt", "--solver", "hal"}, []string{`"hal"`}},
		{"unknown model", []string{"solve", one, "-a", "opt", "--model", "top"}, []string{`"top"`}},
		{"solver for a heuristic", []string{"solve", one, "-a", "flex", "--solver", "highs"}, []string{"flex", `"highs"`}},
		{"unknown parameter", []string{"solve", one, "-a", "flex", "-p", "x=1"}, []string{`"x"`, "1"}},
		{"parameter out of range", []string{"solve", one, "-a", "flex-ls", "-p", "evaluations=-1"}, []string{"evaluations", "-1"}},
		{"parameter of another type", []string{"solve", one, "-a", "flex-ls", "-p", "evaluations=x"}, []string{"evaluations", `"x"`}},
		{"parameter without value", []string{"solve", one, "-a", "flex-ls", "-p", "evaluations"}, []string{`"evaluations"`}},
		{"bad duration", []string{"solve", one, "-a", "flex", "--time-limit", "5"}, []string{"--time-limit", `"5"`}},
		{"negative duration", []string{"solve", one, "-a", "flex", "--time-limit", "-5s"}, []string{"--time-limit", `"-5s"`}},
		{"bad size", []string{"solve", one, "-a", "flex", "--memory-limit", "4GX"}, []string{"--memory-limit", `"4GX"`}},
		{"no threads", []string{"solve", one, "-a", "flex", "--threads", "0"}, []string{"--threads", `"0"`}},
		{"too many threads", []string{"solve", one, "-a", "flex", "--threads", "2147483647"}, []string{"--threads", "1 to 1024"}},
		{"too many instances", []string{"generate", "flex", "-n", "2147483647", "-o", in("new")}, []string{"--count", "1 to 1000000"}},
		{
			"too many repetitions",
			[]string{"simulate", "flex", "-a", "fair", "--generate", "", "--reps", "2147483647", "-o", in("new")},
			[]string{"--reps", "1 to 1000000"},
		},
		{
			"window of no trace",
			[]string{"simulate", "flex", "-a", "fair", "--generate", "", "--window", "1s,2s", "-o", in("new")},
			[]string{"window", "generate"},
		},
		{"negative seed", []string{"solve", one, "-a", "flex", "--seed", "-1"}, []string{"--seed", `"-1"`}},
		{"unknown flag", []string{"solve", one, "-a", "flex", "--fast"}, []string{"--fast"}},
		{"unknown log format", []string{"solve", one, "-a", "flex", "--log-format", "xml"}, []string{"--log-format", `"xml"`}},
		{
			"output in a missing folder",
			[]string{"solve", one, "-a", "flex", "-o", in("no/out.json")},
			[]string{in("no"), "no such file"},
		},
		{"output on a folder", []string{"solve", one, "-a", "flex", "-o", dir}, []string{dir, "directory"}},

		{
			"solution of another problem",
			[]string{"check", one, solution("s1.json", "pocd", "x", "a")},
			[]string{"s1.json", "problem", `"pocd"`},
		},
		{
			"solution of another instance",
			[]string{"check", one, solution("s2.json", "flex", "y", "a")},
			[]string{"s2.json", "instance", `"y"`},
		},
		{
			"unknown job in a solution",
			[]string{"check", one, solution("s3.json", "flex", "x", "b")},
			[]string{"s3.json", "intervals[0]", `"b"`},
		},
		{"no solution", []string{"check", one}, []string{"SOLUTION.json"}},

		{"unknown problem", []string{"generate", "flux", "-o", in("new")}, []string{`"flux"`}},
		{"no instances", []string{"generate", "flex", "-n", "0", "-o", in("new")}, []string{"--count", `"0"`}},
		{"no folder", []string{"generate", "flex"}, []string{"output"}},
		{
			"generator's parameter twice",
			[]string{"generate", "flex", "-p", "jobs=1", "-p", "jobs=2", "-o", in("new")},
			[]string{"jobs"},
		},
		{
			"generator's parameters at odds",
			[]string{"generate", "flex", "-p", "jobs=9", "-p", "slots=2", "-o", in("new")},
			[]string{"jobs", "9"},
		},
		{
			"generator's parameter of unknown word",
			[]string{"generate", "flex", "-p", "metric=speed", "-o", in("new")},
			[]string{"metric", `"speed"`},
		},
		{"folder that is a file", []string{"generate", "flex", "-o", one}, []string{one, "not a directory"}},

		{"unknown model to export", []string{"export", one, "--model", "top", "--format", "lp"}, []string{`"top"`}},
		{"unknown format to export", []string{"export", one, "--model", "position", "--format", "cplex"}, []string{`"cplex"`}},

		{
			"model of jobs with metrics of their own",
			[]string{"export", late, "--model", "grid", "--format", "lp"},
			[]string{"grid", "metrics of their own"},
		},
		{"penalties that jump beside others", []string{"solve", mixed, "-a", "opt"}, []string{"opt", "tardy and sla"}},
		{"their bound", []string{"solve", mixed, "-a", "lb-price"}, []string{"lb-price", "tardy and sla"}},

		{"trace that is none", []string{"trace", "info", dir}, []string{dir, "trace"}},
		{"trace that is missing", []string{"trace", "info", in("none")}, []string{in("none"), "no such file"}},
		{"unknown trace format", []string{"trace", "info", dir, "--format", "bitbrains"}, []string{"--format", `"bitbrains"`}},
		{
			"window the wrong way round",
			[]string{"trace", "derive", "flex", dir, "--window", "9s,3s", "-o", in("new")},
			[]string{"--window", `"9s,3s"`},
		},
		{"unknown parameter of a derivation", []string{"trace", "derive", "flex", dir, "-p", "x=1", "-o", in("new")}, []string{`"x"`}},

		{"unknown policy", []string{"simulate", "flex", "-a", "fair,lifo", "--generate", "", "-o", in("new")}, []string{`"lifo"`}},
		{"no workload", []string{"simulate", "flex", "-a", "fair", "-o", in("new")}, []string{"workload"}},
		{
			"two workloads",
			[]string{"simulate", "flex", "-a", "fair", "--generate", "", "--trace", dir, "-o", in("new")},
			[]string{"generate", "trace"},
		},
		{
			"bad workload",
			[]string{"simulate", "flex", "-a", "fair", "--workload", in("workload.jsonl"), "-o", in("new")},
			[]string{"workload.jsonl:1", "map.tasks", "0"},
		},
		{"bad spec", []string{"simulate", "flex", "-a", "fair", "--generate", "jobs", "-o", in("new")}, []string{`"jobs"`}},
		{
			"task that is too large",
			[]string{"simulate", "cloning", "-a", "srpt", "--workload", in("large.jsonl"), "-o", in("new")},
			[]string{"large.jsonl:2: ", `job "b"`, "phase 0", "[64 1]"},
		},
		{
			"job that is too large",
			[]string{"simulate", "pocd", "-a", "dolly", "--workload", in("many.jsonl"), "-o", in("new")},
			[]string{"many.jsonl:1: ", `job "a"`, "139"},
		},
		{
			"generated job that is too large",
			[]string{"simulate", "pocd", "-a", "none", "--generate", "tasks=500", "-o", in("new")},
			[]string{"workload generate:tasks=500: ", "501"},
		},
		{"maximum of tardy jobs", []string{
			"simulate", "flex", "-a", "flex", "--generate", "", "-p", "metric=tardy", "-p",
			"aggregate=max", "-o", in("new"),
		}, []string{"aggregate", "tardy"}},
		{
			"metric of a job of a workload",
			[]string{"simulate", "flex", "-a", "flex", "--workload", in("metric.jsonl"), "-o", in("new")},
			[]string{"metric.jsonl:1", "metric", `"speed"`},
		},
		{"maximum of a workload's tardy job", []string{
			"simulate", "flex", "-a", "flex", "--workload", in("tardy.jsonl"), "-p",
			"aggregate=max", "-o", in("new"),
		}, []string{"tardy.jsonl:1", `job "a"`, "tardy"}},
		{"deadline of a job that has passed", []string{
			"simulate", "flex", "-a", "flex", "--workload", in("past.jsonl"), "-o",
			in("new"),
		}, []string{"past.jsonl:1", "deadline", "-1"}},
		{"steps the wrong way round", []string{
			"simulate", "flex", "-a", "flex", "--generate", "", "-p", "step_from=3", "-o",
			in("new"),
		}, []string{"step_from", "3"}},
		{
			"window of no slots",
			[]string{"simulate", "speculation", "-a", "window", "--generate", "", "-p", "window=0", "-o", in("new")},
			[]string{"window", "0.001"},
		},
		{"window of nobody's slots", []string{
			"simulate", "speculation", "-a", "window", "--generate", "", "-p", "window_slots=none",
			"-o", in("new"),
		}, []string{"window_slots", `"none"`}},
		{"copy that cannot be kept", []string{
			"simulate", "cloning", "-a", "dollymp1", "--generate", "", "-p", "keep=best", "-o",
			in("new"),
		}, []string{"keep", `"best"`}},
		{"simulation into a file", []string{
			"simulate", "redundancy", "-a", "mine", "--policy", "mine=touch " + in("ran"), "--generate",
			"horizon=9", "-o", one,
		}, []string{one, "not a directory"}},
		{"simulation below a file", []string{
			"simulate", "redundancy", "-a", "mine", "--policy", "mine=touch " + in("ran"),
			"--generate", "horizon=9", "-o", in("one.json/x"),
		}, []string{one, "not a directory"}},
		{"simulation where a file is in the way", []string{
			"simulate", "redundancy", "-a", "mine", "--policy",
			"mine=touch " + in("ran"), "--generate", "horizon=9", "-o", in("taken"),
		}, []string{in("taken/sim"), "not a directory"}},
		{"run into a file", []string{"run", "-o", one}, []string{one, "not a directory"}},
		{"run where a file is in the way", []string{"run", "-o", in("taken")}, []string{in("taken/instances"), "not a directory"}},
		{
			"run where a file is in the proofs' way",
			[]string{"run", "-o", in("proven")},
			[]string{in("proven/proofs"), "not a directory"},
		},
		{
			"run where a file is in the progress's way",
			[]string{"run", "-o", in("begun")},
			[]string{in("begun/progress"), "not a directory"},
		},
		{"instances into a file", []string{"generate", "flex", "-o", one}, []string{one, "not a directory"}},
		{
			"instances through a link to nothing",
			[]string{"generate", "flex", "-o", in("link/new")},
			[]string{in("link"), "link to nothing"},
		},
		{
			"instances on a folder",
			[]string{"generate", "flex", "-n", "2", "-o", in("taken")},
			[]string{in("taken/flex-001.json"), "is a directory"},
		},
		{"derived instances into a file", []string{"trace", "derive", "flex", dir, "-o", one}, []string{one, "not a directory"}},
		{"trace into a file", []string{"trace", "synthesize", "-o", one}, []string{one, "not a directory"}},
		{"merge into a file", []string{"merge", dir, "-o", one}, []string{one, "not a directory"}},
		{"report into a file", []string{"report", dir, "-o", one}, []string{one, "not a directory"}},
		{
			"model into a missing folder",
			[]string{"export", one, "--model", "grid", "--format", "mps", "-o", in("no/m.mps")},
			[]string{in("no"), "no such file"},
		},
		{
			"memory limit without a unit",
			[]string{"solve", one, "-a", "flex", "--memory-limit", "512"},
			[]string{"--memory-limit", `"512"`, "1MiB"},
		},
		{"suite that is missing", []string{"run", in("none.yaml"), "-o", in("new")}, []string{"none.yaml", "no such file"}},
		{"unknown built-in suite", []string{"run", "slow", "-o", in("new")}, []string{`"slow"`}},
		{
			"unknown field in a suite",
			[]string{"run", suite("s1.yaml", "algorithms: [flex]\nalgorithmz: 1"), "-o", in("new")},
			[]string{"s1.yaml", "algorithmz"},
		},
		{
			"unknown algorithm in a suite",
			[]string{"run", suite("s2.yaml", "algorithms: [flux]"), "-o", in("new")},
			[]string{"s2.yaml", "algorithms[0]", `"flux"`},
		},
		{
			"bad duration in a suite",
			[]string{"run", suite("s3.yaml", "algorithms: [flex]\nlimits: {time: 5}"), "-o", in("new")},
			[]string{"s3.yaml", "limits.time", "5"},
		},
		{
			"unknown solver in a suite",
			[]string{"run", suite("s4.yaml", "algorithms: [opt]\nsolvers: [hal]"), "-o", in("new")},
			[]string{"s4.yaml", "solvers[0]", `"hal"`},
		},
		{"YAML that is none", []string{"run", suite("s5.yaml", "algorithms: [flex"), "-o", in("new")}, []string{"s5.yaml", "line"}},
		{
			"glob without a match",
			[]string{"run", suite("s6.yaml", "algorithms: [flex]"), "-a", "fa*", "-o", in("new")},
			[]string{`"fa*"`},
		},
		{"shard out of range", []string{"run", "--shard", "4/4", "-o", in("new")}, []string{"--shard", `"4/4"`}},
		{"no workers", []string{"run", "--workers", "0", "-o", in("new")}, []string{"--workers", `"0"`}},
		{"status of no results", []string{"status", dir}, []string{dir}},
		{"status of a missing folder", []string{"status", in("none")}, []string{in("none"), "no such file"}},
		{"report on no results", []string{"report", dir, "-o", in("new")}, []string{dir, "no results"}},
		{"merge of nothing", []string{"merge", "-o", in("new")}, []string{"DIR"}},
		{"merge of a missing folder", []string{"merge", in("none"), "-o", in("new")}, []string{in("none"), "no such file"}},
		{"unknown list", []string{"list", "problem"}, []string{`"problem"`}},
		{"unknown shell", []string{"completion", "tcsh"}, []string{`"tcsh"`}},
	}
	for name, c := range badInstances {
		file := write(t, dir, strings.ReplaceAll(name, " ", "-")+".json", c.contents)
		cases = append(cases, bad{name, []string{"solve", file, "-a", "flex", "-o", in("out.json")}, append(c.names, file)})
	}
	before := tree(t, dir)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := schedgap(t, c.args...)
			if e.code != 2 || e.stdout != "" {
				t.Errorf("exit %d with stdout %q, want exit 2 and nothing", e.code, e.stdout)
			}
			message, ok := strings.CutPrefix(e.stderr, "schedgap: ")
			if !ok || strings.Count(message, "\n") != 1 || strings.Contains(message, "schedgap: ") {
				t.Errorf("stderr is not one sentence: %q", e.stderr)
			}
			for _, n := range c.names {
				if !strings.Contains(message, n) {
					t.Errorf("stderr does not name %s: %q", n, e.stderr)
				}
			}
			if after := tree(t, dir); !slices.Equal(before, after) {
				t.Fatalf("files changed: %q, before %q", after, before)
			}
		})
	}
}

// tree lists all files below dir with their contents.
func tree(t *testing.T, dir string) []string {
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			all = append(all, path)
			return err
		}
		data, err := os.ReadFile(path)
		all = append(all, path+": "+string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
