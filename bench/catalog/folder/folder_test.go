package folder_test

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/catalog/folder"
	"schedgap/bench/generate"
	"schedgap/models"
)

// The problem of docs/own-problem.md: release-weights, 1|r_j|Σ w_j C_j, with the commands that a test needs. A job's start is its key
// in the solution. The programs are in shell where that is enough.
const spec = `name: release-weights
sense: min
objective: total weighted completion time
unit: slots
size: jobs
parameters:
  jobs: {default: 4, from: 1, to: 60, integer: true}
  spread: {default: 1, from: 0, to: 5}
classes:
  opt: all schedules
  calm: {doc: no idle time, within: opt}
commands:
  generate: [python3, generate.py]
  check: [python3, check.py]
  model: {command: [python3, model.py], format: lp}
  decode: [python3, decode.py]
bounds:
  least: {command: [sh, least.sh], class: opt}
algorithms:
  spt: {command: [python3, spt.py], class: opt}
  picky: {command: [sh, picky.sh]}
`

var programs = map[string]string{
	"generate.py": `import json, random, sys
q = json.load(sys.stdin)
r = random.Random(q["seed"])
print(json.dumps({"jobs": [{"id": "j%d" % k, "weight": r.randint(1, 9), "work": r.randint(1, 5), "arrival": round(r.randint(0, 6) * q["params"]["spread"])}
                           for k in range(q["params"]["jobs"])]}))
`,
	"check.py": `import json, os, sys
def check(q):
    jobs, start = q["instance"]["jobs"], q["solution"].get("start")
    def no(c, at): return {"feasible": False, "objective": None, "violations": [{"constraint": c, "at": at, "excess": 1}]}
    if not isinstance(start, dict) or sorted(start) != sorted(j["id"] for j in jobs): return no("once", "start")
    if not all(isinstance(x, (int, float)) for x in start.values()): return no("form", "start")
    now, cost, calm = 0, 0, True
    for j in sorted(jobs, key=lambda j: start[j["id"]]):
        s = start[j["id"]]
        if s < j["arrival"]: return no("arrival", j["id"])
        if s < now: return no("machine", j["id"])
        calm = calm and s == now
        now = s + j["work"]
        cost += j["weight"] * now
    return {"feasible": True, "objective": cost, "violations": [], "class": calm if isinstance(calm, str) else "calm" if calm else "opt", "more": 1}
for line in sys.stdin if os.environ.get("SCHEDGAP_BATCH") else [sys.stdin.read()]:
    print(json.dumps(check(json.loads(line))), flush=True)
`,
	"model.py": `import json, sys
i = json.load(sys.stdin)
jobs = i["jobs"]
end = max(j["arrival"] for j in jobs) + sum(j["work"] for j in jobs)
cells = [(k, t) for k, j in enumerate(jobs) for t in range(j["arrival"], end - j["work"] + 1)]
print("Minimize\n cost: " + " + ".join("%d x_%d_%d" % (jobs[k]["weight"] * (t + jobs[k]["work"]), k, t) for k, t in cells))
print("Subject To")
for k in range(len(jobs)): print(" once_%d: " % k + " + ".join("x_%d_%d" % c for c in cells if c[0] == k) + " = 1")
for t in range(end):
    at = ["x_%d_%d" % (k, s) for k, s in cells if s <= t < s + jobs[k]["work"]]
    if at: print(" slot_%d: " % t + " + ".join(at) + " <= 1")
print("Binary\n " + " ".join("x_%d_%d" % c for c in cells) + "\nEnd")
`,
	"decode.py": `import json, sys
q = json.load(sys.stdin)
start = {}
for name, v in q["values"].items():
    _, k, t = name.split("_")
    if v > 0.5: start[q["instance"]["jobs"][int(k)]["id"]] = int(t)
print(json.dumps({"start": start}))
`,
	"least.sh": "cat > /dev/null\necho '{\"bound\": 1}'\n",
	"picky.sh": "cat > /dev/null\necho 'it wants more jobs' >&2\nexit 77\n",
	"spt.py": `import json, os, sys
for line in sys.stdin if os.environ.get("SCHEDGAP_BATCH") else [sys.stdin.read()]:
    i = json.loads(line)
    now, start = 0, {}
    for j in sorted(i["jobs"], key=lambda j: j["work"] / j["weight"]):
        now = max(now, j["arrival"])
        start[j["id"]] = now
        now += j["work"]
    print(json.dumps({"problem": i["problem"], "instance": i["name"], "algorithm": "spt", "start": start}), flush=True)
`,
}

// written is a folder with some files in place of those above; nil bytes leave one out.
func written(t testing.TB, other map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{folder.SpecFile: spec}
	for name, text := range programs {
		files[name] = text
	}
	for name, text := range other {
		files[name] = text
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func registry(t testing.TB) *bench.Registry {
	t.Helper()
	r, err := catalog.NewUntil(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func adopted(t testing.TB, dir string) *bench.Problem {
	t.Helper()
	p, err := registry(t).Adopt(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const three = `{"jobs":[{"id":"a","weight":1,"work":3,"arrival":0},{"id":"b","weight":5,"work":1,"arrival":1},{"id":"c","weight":2,"work":2,"arrival":0}]}`

// TestRun solves the three jobs: c in [0, 2], b in [2, 3], a in [3, 6] costs 4 + 15 + 6 = 25; b at its arrival, in [1, 2], has c and a
// after it: 10 + 8 + 7 = 25, too, and with a job before it there is room for none. So 25 is the optimum.
func TestRun(t *testing.T) {
	two := "model: {model: {command: [python3, model.py], format: lp}, none: {command: [sh, none.sh], format: lp}}"
	p := adopted(t, written(t, map[string]string{
		folder.SpecFile: strings.Replace(spec, "model: {command: [python3, model.py], format: lp}", two, 1),
		"none.sh":       "cat > /dev/null\nprintf 'Minimize\n cost: x\nSubject To\n a: x >= 2\n b: x <= 1\nEnd\n'\n",
	}))
	in, err := p.ParseInstance("dir/three.json", []byte(three))
	if err != nil || in.Name != "three" || in.Size.Jobs != 3 {
		t.Fatal(in, err)
	}
	res := p.Run(t.Context(), in, bench.Request{Algorithm: "opt", Seed: 1, Threads: 1}, bench.Observer{})
	if opt, _, err := p.Find("opt"); err != nil || len(opt.Solvers) == 0 {
		t.Skip("there is no MILP solver")
	}
	if res.Status != bench.Optimal || *res.Objective != 25 || !strings.Contains(string(res.Solution), `"start"`) {
		t.Errorf("%s %v: %s", res.Status, res.Objective, res.Error)
	}
	res = p.Run(t.Context(), in, bench.Request{Algorithm: "opt", Model: "none", Seed: 1, Threads: 1}, bench.Observer{})
	if res.Status != bench.Infeasible {
		t.Errorf("a model without a solution ends as %s: %s", res.Status, res.Error)
	}
	res = p.Run(t.Context(), in, bench.Request{Algorithm: "least"}, bench.Observer{})
	if res.Status != bench.Feasible || *res.Bound != 1 {
		t.Errorf("%s: %s", res.Status, res.Error)
	}
	for solution, want := range map[string]string{
		`{"start":{"c":0,"b":2,"a":3}}`: "", `{"start":{"b":1,"c":2,"a":4},"objective":1}`: "objective",
		`{"start":{"b":0,"c":2,"a":4}}`: "arrival", `{"start":{"b":1,"c":1,"a":4}}`: "machine", `{}`: "once",
	} {
		rep, err := in.Check("s", []byte(solution))
		if err != nil || rep.Feasible(nil) != (want == "") || want != "" && rep.Violations[0].Constraint != want {
			t.Errorf("%s: %+v %v, want %q", solution, rep, err, want)
		}
	}
	for _, bad := range []string{`{"problem":"flex","start":{}}`, `{"instance":"four","start":{}}`, `[]`} {
		if _, err := in.Check("s", []byte(bad)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
	if _, err := p.ParseInstance("x", []byte(`{"job":[]}`)); err == nil || !strings.Contains(err.Error(), "x: jobs: must be a list") {
		t.Errorf("an instance without its list: %v", err)
	}
}

// TestGenerate: the seed of the first instance is the one given, and lineages make instances again.
func TestGenerate(t *testing.T) {
	dir := written(t, nil)
	p := adopted(t, dir)
	v := models.Defaults(p.Generator.Params)
	first, err := generate.One(p, "g", v, 7, 0)
	if err != nil {
		t.Fatal(err)
	}
	again, err := generate.One(p, "g", v, 7, 0)
	other, err2 := generate.One(p, "g", v, 7, 1)
	if err != nil || err2 != nil || first.SHA256 != again.SHA256 || first.SHA256 == other.SHA256 || first.Size.Jobs != 4 {
		t.Error(err, err2, first.Size)
	}
	if want := `{"generator":"release-weights","params":{"jobs":4,"spread":1},"seed":7,"index":0}`; !strings.Contains(string(first.JSON), `"lineage":`) ||
		len(first.Lineage) != len(want) {
		t.Errorf("lineage %s", first.Lineage)
	}
}

// TestBroken: a checker that fails is an error of the problem, never a feasible solution, and none of the ways takes long.
func TestBroken(t *testing.T) {
	for script, want := range map[string]string{
		"exit 3":                    "check failed (exit status 3)",
		"kill -9 $$":                "check failed (signal: killed)",
		"echo hello":                "printed no JSON object",
		"echo '[1]'":                "printed no JSON object",
		"echo '{}'":                 `answered without "feasible"`,
		`echo '{"feasible": true}'`: `"feasible" without an "objective"`,
		`echo '{"feasible": "yes", "objective": 1}'`:                                     "something else than a verdict",
		`echo '{"feasible": true, "objective": 1, "class": "best"}'`:                     `answered the class "best"`,
		`echo '{"feasible": true, "objective": 1, "violations": [{"constraint": "c"}]}'`: "answered both",
		"exit 77": "must answer every question",
		"true":    "printed nothing",
	} {
		p := adopted(t, written(t, map[string]string{
			"check.sh": "cat > /dev/null\n" + script + "\n", folder.SpecFile: strings.Replace(spec, "[python3, check.py]", "[sh, check.sh]", 1),
		}))
		in, err := p.ParseInstance("three", []byte(three))
		if err != nil {
			t.Fatal(err)
		}
		rep, err := in.Check("s", []byte(`{"start":{"c":0,"b":2,"a":3}}`))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "the problem release-weights: its command check ") {
			t.Errorf("%s: %v, want %q", script, err, want)
		}
		if rep.Feasible(nil) {
			t.Errorf("%s: it is feasible", script)
		}
	}
}

// TestSpec: every mistake in problem.yaml is a sentence with file, line and field.
func TestSpec(t *testing.T) {
	r, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	for change, want := range map[[2]string]string{
		{"name: release-weights", "name: flex"}:                   `line 1: name: "flex" is a problem of schedgap`,
		{"name: release-weights", "name: Release"}:                `line 1: name: "Release" must be lower case`,
		{"name: release-weights\n", ""}:                           "name: required field is missing",
		{"sense: min", "sense: least"}:                            `line 2: sense: "least" must be min or max`,
		{"unit: slots", "units: slots"}:                           "line 4: units: unknown field",
		{"unit: slots", "unit: [slots]"}:                          "line 4: unit: must be a string",
		{"size: jobs", "size: name"}:                              `line 5: size: "name" is a key that schedgap adds`,
		{"from: 1, to: 60", "from: 1"}:                            "line 7: parameters.jobs.to: required field is missing",
		{"default: 4", "default: 4.5"}:                            "line 7: parameters.jobs: default, from and to must be whole",
		{"from: 1, to: 60", "from: 1, to: 9007199254740993"}:      "line 7: parameters.jobs.to: 9007199254740993 has more digits",
		{"default: 4", "default: 4.00000000000000000001"}:         "line 7: 4.00000000000000000001 has more digits",
		{"default: 4", "default: 61"}:                             "line 7: parameters.jobs.default: 61 must be from 1 to 60",
		{"default: 1, from: 0", "default: 1, from: 9"}:            "line 8: parameters.spread.from: 9 is more than to, 5",
		{"within: opt", "within: best"}:                           `line 11: classes.calm.within: "best" must be a class that stands before`,
		{", within: opt", ""}:                                     "line 11: classes.calm: must say within which class",
		{"  generate: [python3, generate.py]\n", ""}:              "line 12: commands: generate is missing",
		{"  check: [python3, check.py]\n", ""}:                    "line 12: commands: check is missing",
		{"  decode: [python3, decode.py]\n", ""}:                  "line 12: commands: decode is missing",
		{"check: [python3, check.py]", "check: python3 check.py"}: "line 14: commands.check: must be a list",
		{"check: [python3, check.py]", "check: []"}:               "line 14: commands.check: must be a list",
		{"format: lp", "format: nl"}:                              `line 15: commands.model.format: "nl" must be lp or mps`,
		{"least.sh], class: opt", "least.sh], class: all"}:        `line 18: bounds.least.class: "all" is none of the classes`,
		{"  spt:", "  least:"}:                                    `line 20: algorithms.least: the name "least" is taken by one of the bounds`,
		{"  spt:", "  opt:"}:                                      `line 20: algorithms.opt: the name "opt" is taken by the class`,
		{"  spt:", "  library:"}:                                  `line 20: algorithms.library: the name "library" is taken`,
		{"objective: total", "objective: *total"}:                 "line 3:",
	} {
		text := strings.Replace(spec, change[0], change[1], 1)
		if text == spec {
			t.Fatalf("%q is not there", change[0])
		}
		dir := written(t, map[string]string{folder.SpecFile: text})
		if _, err := r.Adopt(dir); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), dir) {
			t.Errorf("%q: %v, want %q", change[1], err, want)
		}
	}
	if _, err := r.Adopt(t.TempDir()); err == nil || !strings.Contains(err.Error(), "problem.yaml") {
		t.Errorf("an empty folder: %v", err)
	}
	first, second := written(t, nil), written(t, nil)
	if _, err := r.Adopt(first); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Adopt(second); err == nil || !strings.Contains(err.Error(), first) {
		t.Errorf("two problems of a name: %v", err)
	}
	several := strings.Replace(spec, "model: {command: [python3, model.py], format: lp}",
		"model: {weak: {command: [a], format: lp}, strong: {command: [b], format: mps}, calm: {command: [c], format: lp, class: calm}}", 1)
	p := adopted(t, written(t, map[string]string{folder.SpecFile: several}))
	if a, _, err := p.Find("opt"); err != nil || strings.Join(a.Models, " ") != "weak strong" {
		t.Errorf("%+v %v", a, err)
	}
	if a, _, err := p.Find("calm"); err != nil || strings.Join(a.Models, " ") != "calm" || a.Reference != "calm" {
		t.Errorf("%+v %v", a, err)
	}
}

// quick generates as generate.py does, other jobs for other seeds, without a Python: a trial generates more often than anything else.
const quick = `read -r q
n=${q#*'"seed":'}
n=${n%%[,\}]*}
echo '{"jobs":[{"id":"a","weight":'$((n % 5 + 1))',"work":3,"arrival":0},{"id":"b","weight":5,"work":1,"arrival":1},'\
'{"id":"c","weight":2,"work":2,"arrival":'$((n % 3))'},{"id":"d","weight":4,"work":5,"arrival":2}]}'
`

// TestTry: the folder above has no mistakes but that examples are missing, and each planted one is found.
func TestTry(t *testing.T) {
	examples := map[string]string{"examples/instance.json": three, "examples/solution.json": `{"start":{"c":0,"b":2,"a":3}}`}
	for _, c := range []struct{ file, old, new, want string }{
		{},
		{folder.SpecFile, "[sh, least.sh]", "[least.sh]", "the program of bounds.least, \"least.sh\", cannot be run; write ./least.sh"},
		{"examples/solution.json", "2", "0", "the checker refuses examples/solution.json: arrival at b"},
		{"generate.py", `random.Random(q["seed"])`, "random.Random()", "generate gives two instances for seed 1"},
		{"generate.py", "import json", "import jso", "generate fails with seed 1"},
		{"check.py", `return no("once", "start")`, `start = {j["id"]: 99 * i for i, j in enumerate(jobs, 1)}`, "the checker accepts"},
		{"check.py", `return no("machine", j["id"])`, "pass", "the checker accepts"},
		{"check.py", "if not isinstance(start, dict) or", "if", "the checker does not judge a solution"},
		{"check.py", "cost +=", "cost = 1 +", "ends as refuted"},
		{"model.py", "<= 1", "<= 2", "refused"},
		{"model.py", " = 1", " = 2", "spt has a solution where opt, model model says that there is none"},
		{"model.py", `* (t + jobs[k]["work"])`, "* t", "opt, model model and the checker differ"},
		{"check.py", `calm = calm and s == now`, `calm = "all"`, `answered the class "all"`},
		{"least.sh", `"bound": 1`, `"bound": 1000`, "is better than least"},
	} {
		t.Run(c.want, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"generate.sh": quick}
			for name, text := range examples {
				files[name] = text
			}
			if c.file != "" {
				text := programs[c.file] + examples[c.file]
				if c.file == folder.SpecFile {
					text = spec
				}
				files[c.file] = strings.Replace(text, c.old, c.new, 1)
				if files[c.file] == text {
					t.Fatalf("%q is not there", c.old)
				}
			}
			if c.file != "generate.py" {
				files[folder.SpecFile] = strings.Replace(cmp.Or(files[folder.SpecFile], spec), "[python3, generate.py]", "[sh, generate.sh]", 1)
			}
			p := adopted(t, written(t, files))
			trial, err := folder.Try(t.Context(), p, 1)
			if err != nil {
				t.Fatal(err)
			}
			if found := strings.Join(trial.Mistakes, "\n"); !strings.Contains(found, c.want) || c.want == "" && found != "" {
				t.Errorf("%s with %q: %q, want %q", c.file, c.new, found, c.want)
			}
		})
	}
}
