package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"schedgap/bench/catalog"
	"schedgap/bench/run/sysinfo"
	"schedgap/bench/run/worker"
	"schedgap/bench/score/evaluate"
	"schedgap/datasets/library"
	"schedgap/models/trials"
)

// judged runs evaluate with a cache that the tests of this package share.
func judged(t *testing.T, args ...string) (evaluate.Outcome, string) {
	t.Helper()
	out := succeed(t, append([]string{"evaluate"}, args...)...)
	var o evaluate.Outcome
	if err := json.Unmarshal([]byte(out), &o); err != nil || strings.Count(out, "\n") != 1 {
		t.Fatalf("no single line of JSON: %v\n%s", err, out)
	}
	if o.Score != o.Metrics.Score || !(o.Score >= 0 && o.Score <= 1) {
		t.Errorf("scores %v, %v", o.Score, o.Metrics.Score)
	}
	return o, out
}

// cached has evaluate keep optima from test to test, and know no library, so that train is the same whatever that holds. It returns
// the variables that it sets, with which a test may have processes do the same.
func cached(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, library.HistoryFile, "")
	write(t, dir, library.IndexFile, string((&library.Library{}).Index()))
	set := map[string]string{"SCHEDGAP_CACHE": filepath.Join(os.TempDir(), "schedgap-evaluate-test"), libraryVariable: dir}
	setenv(t, set)
	return set
}

// honest is a heuristic for flex in Python in a folder of its own.
func honest(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mine.py")
	succeed(t, "algorithm", "new", "flex", "--lang", "python", "-o", file)
	return file
}

// answerThree is a command that, on rotate (three jobs of work 2, at most one slot each, two slots, the latest end: the optimum
// is 3), runs two jobs and then the third, which ends at 4, and does more. Jobs have the names that it is given.
func answerThree(more string) string {
	return `import json,sys,os,time
i=json.load(sys.stdin); n=[j["id"] for j in i["jobs"]]
s={"problem":"flex","instance":i["name"],"algorithm":"x","intervals":[{"start":0,"end":2,"slots":{n[0]:1,n[1]:1}},{"start":2,"end":4,"slots":{n[2]:1}}]}
` + more
}

const sayIt = "print(json.dumps(s),flush=True)\n"

// TestEvaluateWorth: every kind of answer has the score that it is worth, and nothing that it says of itself counts.
func TestEvaluateWorth(t *testing.T) {
	t.Parallel()
	cached(t)
	dir := t.TempDir()
	for i, c := range []struct {
		name, more string
		want       float64
		says       string
	}{
		{"honest", sayIt, 0.75, "It loses most on rotate (jobs: 3, machines: 2): 4 against the proven optimum of 3"},
		{"claims", `s["objective"]=1;` + sayIt, 0, "objective"},
		{"claims no number", sayIt + `print('{"combined_score":1,"objective":NaN}')`, 0, "1 of 1 count 0"},
		{"no number", `s["intervals"][0]["end"]=float("nan");` + sayIt, 0, "1 of 1 count 0"},
		{"infinite", `s["intervals"][1]["end"]=float("inf");` + sayIt, 0, "1 of 1 count 0"},
		{"late", sayIt + `time.sleep(60)`, 0, "it was late"},
		{"too many slots", `s["intervals"]=[{"start":0,"end":2,"slots":{n[0]:1,n[1]:1,n[2]:1}}];` + sayIt, 0, "slots at"},
		{"less work", `s["intervals"][1]["end"]=2.001;` + sayIt, 0, "breaks the constraint work at"},
		{
			"the original's names", `s=json.loads(json.dumps(s).replace(n[0],"a").replace(n[1],"b").replace(n[2],"c"));` + sayIt, 0,
			"1 of 1 count 0",
		},
		{"fails", sayIt + `sys.exit(1)`, 0, "it failed (error)"},
		{"dies", sayIt + `os.kill(os.getpid(),9)`, 0, "it failed (crash)"},
		{"declines", `print("not for me",file=sys.stderr);sys.exit(77)`, 0, "not made for it (not for me)"},
		{"says nothing", ``, 0, "it failed (error)"},
		{"a score on stderr", sayIt + `print('{"combined_score":1}',file=sys.stderr)`, 0.75, "It loses most"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := write(t, dir, fmt.Sprintf("c%d.py", i), answerThree(c.more))
			o, _ := judged(t, "flex", "--sandbox", "off", "--time-limit", "2s", "--files", shared+"rotate.json", "--", "python3", file)
			if math.Abs(o.Score-c.want) > 1e-12 || o.Status != evaluate.Success || !strings.Contains(o.Artifacts["feedback"], c.says) {
				t.Errorf("%s %v: %s", o.Status, o.Score, o.Artifacts["feedback"])
			}
			if strings.Contains(o.Artifacts["feedback"], dir) {
				t.Errorf("a temporary folder is named: %s", o.Artifacts["feedback"])
			}
		})
	}
}

// TestEvaluatePermuted: whatever the names and the order that the seed gives them, a command that does not look at them has the
// same score.
func TestEvaluatePermuted(t *testing.T) {
	t.Parallel()
	cached(t)
	file, dir := honest(t), t.TempDir()
	succeed(t, "generate", "flex", "-n", "6", "-p", "jobs=6", "-p", "weighted=true", "-o", dir) // of works and weights that differ
	var first evaluate.Outcome
	for _, seed := range []string{"1", "2", "3"} {
		o, _ := judged(t, "flex", "--sandbox", "off", "--batch", "--seed", seed, "--files", filepath.Join(dir, "*.json"), "--",
			"python3", file)
		if seed == "1" {
			first = o
		}
		if math.Abs(o.Score-first.Score) > 1e-12 || o.Score == 1 || o.Metrics.ValidShare != 1 {
			t.Errorf("seed %s: %v, with another %v", seed, o.Score, first.Score)
		}
	}
}

// TestEvaluateTwice: a second call prints the same except seconds, and a batch scores what one process an instance scores.
func TestEvaluateTwice(t *testing.T) {
	t.Parallel()
	cached(t)
	file := honest(t)
	plain := regexp.MustCompile(`"seconds":[0-9.e-]+`)
	run := func(args ...string) string {
		_, out := judged(t, append(append([]string{"flex", "--sandbox", "off", "--files", shared + "*.json"}, args...), "--", "python3",
			file)...)
		return plain.ReplaceAllString(out, "")
	}
	first := run()
	if again := run(); again != first {
		t.Errorf("not the same again:\n%s\n%s", first, again)
	}
	if batch := run("--batch"); batch != first {
		t.Errorf("a batch differs:\n%s\n%s", first, batch)
	}
	if !strings.Contains(first, `"worst_instance":"{`) || !strings.Contains(first, `"gantt":"the command, time from 0 to`) ||
		!strings.Contains(first, "the optimum, time") {
		t.Errorf("artifacts lack something: %s", first)
	}
}

// TestEvaluateBatch: a crash and an instance too late cost their lines only, the folder for temporary files is empty after a
// restart, and a command that says more than one line for an answer does not get the next one's.
func TestEvaluateBatch(t *testing.T) {
	t.Parallel()
	cached(t)
	dir := t.TempDir()
	for i, name := range []string{"a", "b", "c", "d", "e", "f"} {
		text, err := os.ReadFile(shared + "rotate.json")
		if err != nil {
			t.Fatal(err)
		}
		// The work is different, so that the program can tell them apart.
		text = []byte(strings.ReplaceAll(strings.ReplaceAll(string(text), `"rotate"`, `"`+name+`"`), `"work":2`,
			fmt.Sprintf(`"work":%d`, i+1)))
		write(t, dir, name+".json", string(text))
	}
	program := `import json,sys,os,time
left=os.path.join(os.environ["TMPDIR"],"left")
assert os.environ["SCHEDGAP_BATCH"]=="1"
fresh=not os.path.exists(left)
for line in sys.stdin:
  i=json.loads(line); n=[j["id"] for j in i["jobs"]]; w=i["jobs"][0]["work"]
  assert fresh
  open(left,"w")
  if w==MISCHIEF: HOW
  print(json.dumps({"problem":"flex","instance":i["name"],"algorithm":"x","intervals":[{"start":0,"end":w,"slots":{n[0]:1,n[1]:1}},{"start":w,"end":2*w,"slots":{n[2]:1}}]}),flush=True)
`
	for how, says := range map[string]string{
		"os.kill(os.getpid(),9)": "it failed (crash)", "time.sleep(60)": "it was late", `sys.exit("oh")`: "it failed (error)",
		"print(1)": "it failed",
	} {
		for _, at := range []string{"1", "4"} {
			file := write(t, dir, "b.py", strings.ReplaceAll(strings.ReplaceAll(program, "MISCHIEF", at), "HOW", how))
			o, _ := judged(t, "flex", "--batch", "--sandbox", "off", "--time-limit", "1500ms", "--files", filepath.Join(dir, "?.json"),
				"--", "python3", file)
			lost := math.Round(6 * (1 - o.Metrics.ValidShare))
			// An answer that is left over costs the next line of the process, too, unless it is there in time.
			if lost != 1 && (lost != 2 || how != "print(1)") || !strings.Contains(o.Artifacts["feedback"], says) {
				t.Errorf("%s at %s: %v: %s", how, at, o.Metrics.ValidShare, o.Artifacts["feedback"])
			}
		}
	}
}

// TestEvaluateHides: on the set test no artifact holds an instance, an optimum's decisions or what the command says.
func TestEvaluateHides(t *testing.T) {
	t.Parallel()
	cached(t)
	file := write(t, t.TempDir(), "leak.py", "import sys\nsys.stderr.write(sys.stdin.read())\nsys.exit(1)\n")
	o, out := judged(t, "speculation", "--sandbox", "off", "--set", "test", "--seed", "3", "--", "python3", file)
	if len(o.Artifacts) != 2 || strings.Contains(out, "copy_time") || o.Metrics.Instances != 30 {
		t.Errorf("%s", out)
	}
	shown, _ := judged(t, "speculation", "--sandbox", "off", "--stage", "1", "--", "python3", file)
	if shown.Metrics.Instances != 5 || shown.Artifacts["worst_instance"] == "" {
		t.Errorf("stage 1: %+v", shown)
	}
}

// TestEvaluateContradiction: better than what is proven is an error that names the instance, whatever the other instances give. A
// false optimum is put into the cache for it.
func TestEvaluateContradiction(t *testing.T) {
	t.Parallel()
	cache := t.TempDir()
	cached(t)["SCHEDGAP_CACHE"] = cache
	file := write(t, t.TempDir(), "c.py", answerThree(sayIt))
	args := []string{"flex", "--sandbox", "off", "--files", shared + "rotate.json", "--", "python3", file}
	judged(t, args...)
	kept, err := filepath.Glob(filepath.Join(cache, "optima", "*.json"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v %v", kept, err)
	}
	write(t, filepath.Dir(kept[0]), filepath.Base(kept[0]), `{"reference":"opt","value":5,"bound":5,"build":"`+sysinfo.BuildID()+`"}`)
	o, _ := judged(t, args...)
	if o.Status != evaluate.Failed || o.Score != 0 || !strings.Contains(o.Artifacts["feedback"],
		"On rotate the value 4 is better than 5") {
		t.Errorf("%+v", o)
	}
	write(t, filepath.Dir(kept[0]), filepath.Base(kept[0]), "{") // a damaged entry is no entry
	if o, _ := judged(t, args...); o.Score != 0.75 {
		t.Errorf("%+v", o)
	}
}

// TestEvaluateExits: the exit codes and one sentence.
func TestEvaluateExits(t *testing.T) {
	t.Parallel()
	cached(t)
	off := []string{"evaluate", "flex", "--sandbox", "off"}
	script := write(t, t.TempDir(), "script", "#!/no/such/interpreter\n")
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{append(off, "--", "no-such-program-here"), exitFailed, "the command does not start"},
		{append(off, "--stage", "1", "--", "sh", "-c", "no-such-program-here"), exitFailed, "the command does not start"},
		{append(off, "--stage", "1", "--batch", "--", "env", "no-such-program-here"), exitFailed, "the command does not start"},
		{append(off, "--stage", "1", "--", script), exitFailed, `its interpreter "/no/such/interpreter"`},
		{[]string{"evaluate", "flex", "--stage", "1", "--", script}, exitFailed, "the command does not start"},
		{append(off, "--stage", "1", "--files", os.TempDir(), "--files", ".", "--", "true"), exitUsage, "are both folders"},
		{append(off, "--set", "tset", "--", "true"), exitUsage, `"tset"`},
		{append(off, "--set", "test", "--files", "x", "--", "true"), exitUsage, "exclude each other"},
		{append(off, "--files", "nothing-here.json", "--", "true"), exitUsage, "nothing-here.json"},
		{append(off, "--stage", "1", "--set", "tset", "--", "true"), exitUsage, `"tset"`},
		{append(off, "--stage", "4", "--", "true"), exitUsage, "stage"},
		{append(off, "--adversarial", "2", "--", "true"), exitUsage, "--evaluations"},
		{append(off, "--sandbox", "open", "--", "true"), exitUsage, "must be one of"},
		{[]string{"evaluate", "flex"}, exitUsage, "COMMAND"},
		{[]string{"evaluate", "flxe", "--", "true"}, exitUsage, `did you mean "flex"?`},
	} {
		e := schedgap(t, c.args...)
		if e.code != c.code || !strings.Contains(e.stderr, c.says) || (c.code == exitUsage) != (e.stdout == "") {
			t.Errorf("%v: exit %d, %q, %q", c.args, e.code, e.stdout, e.stderr)
		}
	}
	e := schedgap(t, append(off, "--require-valid", "--files", shared+"rotate.json", "--files", shared+"full-minima.json", "--",
		"python3",
		write(t, t.TempDir(), "c.py", answerThree(`if i["slots"]==2: `+sayIt)))...)
	if e.code != 0 || !strings.Contains(e.stdout, `"combined_score":0,"metrics":{"combined_score":0,"mean_ratio":1.33333`) {
		t.Errorf("--require-valid: %+v", e)
	}
}

// TestEvaluateAdversarial: the instances on which the command is worst are kept as a set, which evaluate takes, and the run's own
// score is what it is without them.
func TestEvaluateAdversarial(t *testing.T) {
	t.Parallel()
	cached(t)
	file := honest(t)
	dir := t.TempDir()
	before, _ := judged(t, "flex", "--sandbox", "off", "--stage", "1", "--", "python3", file)
	args := []string{
		"flex", "--sandbox", "off", "--batch", "--stage", "1", "--adversarial", "2", "--evaluations", "60", "--out",
		dir,
	}
	after, _ := judged(t, append(args, "--", "python3", file)...)
	if after.Score != before.Score || strings.Count(after.Artifacts["adversarial"], ", optimum ") != 2 {
		t.Errorf("%v, without %v: %v", after.Score, before.Score, after.Artifacts["adversarial"])
	}
	set := filepath.Join(dir, evaluate.SetFile)
	hard, _ := judged(t, "flex", "--sandbox", "off", "--suite", set, "--", "python3", file)
	if hard.Metrics.Instances != 2 || hard.Score >= 0.95 || hard.Metrics.OptimalShare > 0 || hard.Metrics.OpenShare != 0 {
		t.Errorf("the set: %+v", hard)
	}
}

// runs is a program that runs this program as schedgap, found by PATH, in a folder.
func runs(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(command(t))+":"+os.Getenv("PATH"), "PYTHONPATH="+dir)
	for _, own := range []string{"SCHEDGAP_CACHE", libraryVariable} {
		cmd.Env = append(cmd.Env, own+"="+environment(t)(own))
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

// TestScaffolds: what --scaffold writes for every problem is right as it is, in both protocols; OpenEvolve's stages are called as
// OpenEvolve calls them, with its result class made up.
func TestScaffolds(t *testing.T) {
	t.Parallel()
	cached(t)
	for k, problem := range []string{"flex", "pocd", "cloning", "redundancy", "speculation"} {
		dir := t.TempDir()
		succeed(t, "evaluate", problem, "--scaffold", "python", "-o", dir)
		scores, ways := map[float64]bool{}, [][]string{{"--batch"}, nil}
		if k > 0 && !trials.Whole() {
			ways = ways[:1]
		}
		for _, options := range ways {
			o, _ := judged(t, append(append([]string{problem, "--stage", "1"}, options...), "--", "python3",
				filepath.Join(dir, catalog.Initial))...)
			scores[o.Score] = true
			if o.Metrics.ValidShare != 1 {
				t.Errorf("%s: %+v", problem, o)
			}
		}
		if len(scores) != 1 {
			t.Errorf("%s: scores %v", problem, scores)
		}
		if e := schedgap(t, "evaluate", problem, "--scaffold", "python", "-o", dir); e.code != exitUsage ||
			!strings.Contains(e.stderr, "not replaced") {
			t.Errorf("%s again: %+v", problem, e)
		}
	}
	dir := t.TempDir()
	succeed(t, "evaluate", "redundancy", "--scaffold", "openevolve", "-o", dir)
	if err := os.Mkdir(filepath.Join(dir, "openevolve"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "openevolve/__init__.py", "")
	write(t, dir, "openevolve/evaluation_result.py",
		"class EvaluationResult:\n  def __init__(self, metrics, artifacts): self.metrics, self.artifacts = metrics, artifacts\n")
	write(t, dir, "call.py", `import importlib.util, json, os, tempfile
os.environ["EVALUATE"] = "--batch"
spec = importlib.util.spec_from_file_location("evaluation_module", "evaluator.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as program:
    program.write(open("initial_program.py").read())
scores = []
for stage in module.evaluate_stage1, module.evaluate_stage2, module.evaluate, module.evaluate_stage3:
    result = stage(program.name)
    assert all(type(v) in (int, float) for v in result.metrics.values()) and all(type(v) is str for v in result.artifacts.values())
    scores.append((result.metrics["combined_score"], result.metrics["instances"]))
json.dump(scores, open("scores.json", "w"))
`)
	runs(t, dir, "python3", "call.py")
	data, err := os.ReadFile(filepath.Join(dir, "scores.json"))
	var scores [][2]float64
	if err != nil || json.Unmarshal(data, &scores) != nil || len(scores) != 4 || scores[0][1] != 5 || scores[1] != scores[2] ||
		scores[3][1] != scores[2][1]+20 {
		t.Errorf("%v %s", err, data)
	}
	for _, s := range scores {
		if !(s[0] > 0.5 && s[0] <= 1) {
			t.Errorf("scores %v", scores)
		}
	}
}

// TestLoops: the lines of docs/evaluate.md for SkyDiscover, ShinkaEvolve and Harbor do what those call for.
func TestLoops(t *testing.T) {
	t.Parallel()
	cached(t)
	dir := t.TempDir()
	succeed(t, "evaluate", "flex", "--scaffold", "openevolve", "-o", dir) // whose program is one file
	if err := os.Rename(filepath.Join(dir, catalog.Initial), filepath.Join(dir, "mine.py")); err != nil {
		t.Fatal(err)
	}
	command, instances := "evaluate flex", 50.
	if !trials.Whole() {
		command, instances = command+" --stage 1", 5
	}
	var scripts []string
	for _, b := range blocks(repository(t).read(t, "docs/evaluate.md")) {
		if b.language == "bash" || b.language == "python" {
			text := strings.NewReplacer("/app", dir, "/logs/verifier", dir, "evaluate flex", command,
				`"evaluate", "flex"`, `"`+strings.ReplaceAll(command, " ", `", "`)+`"`).Replace(b.text)
			scripts = append(scripts, write(t, dir, fmt.Sprintf("s%d", len(scripts)), text))
		}
	}
	if len(scripts) != 3 {
		t.Fatalf("%d scripts", len(scripts))
	}
	for _, mode := range []string{"train", "test"} {
		if mode == "train" && !trials.Whole() {
			continue // the next script has it, too
		}
		runs(t, dir, "sh", "-c", "bash "+scripts[0]+" mine.py "+mode+" > sky.json")
		var o evaluate.Outcome
		if data, err := os.ReadFile(filepath.Join(dir, "sky.json")); err != nil || json.Unmarshal(data, &o) != nil ||
			o.Status != "success" || !(o.Score > 0.9) {
			t.Errorf("%s: %v %+v", mode, err, o)
		}
	}
	runs(t, dir, "python3", scripts[1], "--program_path", "mine.py", "--results_dir", "results")
	metrics := struct {
		Score    float64            `json:"combined_score"`
		Public   map[string]float64 `json:"public"`
		Feedback string             `json:"text_feedback"`
		Correct  bool               `json:"correct"`
	}{}
	for _, name := range []string{"metrics.json", "correct.json"} {
		if data, err := os.ReadFile(filepath.Join(dir, "results", name)); err != nil || json.Unmarshal(data, &metrics) != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !(metrics.Score > 0.9) || !metrics.Correct || metrics.Public["instances"] != instances || metrics.Feedback == "" {
		t.Errorf("%+v", metrics)
	}
	runs(t, dir, "bash", scripts[2])
	if data, err := os.ReadFile(filepath.Join(dir, "reward.txt")); err != nil || !strings.HasPrefix(string(data), "0.9") {
		t.Errorf("%v %s", err, data)
	}
}

// TestEvaluateOutside: solutions with larger machines than the instance's, or of a class that is not asked for, count 0 though
// the checker has nothing against them.
func TestEvaluateOutside(t *testing.T) {
	t.Parallel()
	cached(t)
	for problem, c := range map[string]struct{ more, says string }{
		"cloning": {`return {**honest(instance), "capacity_factor": 2.0}`, "2 times as large or fast"},
	} {
		dir := t.TempDir()
		succeed(t, "evaluate", problem, "--scaffold", "python", "-o", dir)
		file := filepath.Join(dir, catalog.Initial)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, catalog.Initial, strings.Replace(string(text), "if __name__",
			"honest = solve\n\n\ndef solve(instance):\n    "+c.more+"\n\n\nif __name__", 1))
		o, _ := judged(t, problem, "--sandbox", "off", "--stage", "1", "--", "python3", file)
		if o.Score != 0 || !strings.Contains(o.Artifacts["feedback"], c.says) {
			t.Errorf("%s: %v: %s", problem, o.Score, o.Artifacts["feedback"])
		}
	}
}

// TestEvaluateCopies: a command runs with its files as they were at the start, wherever they lie: the folder of its program, without
// links that lead out of it, repositories and results, and what its words name elsewhere. This program is no command to be judged.
func TestEvaluateCopies(t *testing.T) {
	t.Parallel()
	cached(t)
	dir, other := t.TempDir(), t.TempDir()
	for _, folder := range []string{"package", ".git", "results/runs"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir, "package/deep.py", "x = 1\n")
	write(t, dir, "helper.py", "import importlib\nimportlib.import_module('pack' + 'age.deep')\n")
	write(t, dir, ".git/config", "")
	write(t, dir, "results/runs/main-000001.parquet", "")
	for link, to := range map[string]string{"inside": "helper.py", "outside": "../" + filepath.Base(other) + "/secret.py"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	secret := write(t, other, "secret.py", "")
	if err := os.Symlink(secret, filepath.Join(dir, "linked.py")); err != nil {
		t.Fatal(err)
	}
	file := write(t, dir, "c.py", "import helper\n"+answerThree(`
here=os.path.dirname(os.path.abspath(__file__))
assert sorted(f for f in os.listdir(here) if f[0]!="_")==["c.py","helper.py","inside","package"], os.listdir(here)
assert open(here+"/inside").read()==open(here+"/helper.py").read()
assert "`+dir+`" not in here and open(sys.argv[1]+"/weights").read()=="1" and open(sys.argv[2].split("=")[1]).read()=="2"
open("`+dir+`/c.py","w").write("broken(")
`+sayIt))
	if err := os.Mkdir(filepath.Join(other, "data"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, other, "data/weights", "1")
	more := write(t, other, "more", "2")
	o, _ := judged(t, "flex", "--sandbox", "off", "--files", shared+"rotate.json", "--", "python3", file,
		filepath.Join(other, "data"), "--more="+more)
	if o.Score != 0.75 {
		t.Errorf("%s", o.Artifacts["feedback"])
	}
	if err := os.Truncate(filepath.Join(other, "data", "weights"), 300<<20); err != nil {
		t.Fatal(err)
	}
	e := schedgap(t, "evaluate", "flex", "--sandbox", "off", "--stage", "1", "--", "python3", file, filepath.Join(other, "data"))
	if e.code != exitUsage || !strings.Contains(e.stderr, "weights: with this file the command's own files exceed 256 MiB") {
		t.Errorf("300 MiB: %+v", e)
	}
	common, err := schedcheck()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "mine") // it is known by what it is, not by its name
	if err := copyFile(common, program); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{program}, {"python3", program}} {
		e := schedgap(t, append([]string{"evaluate", "flex", "--sandbox", "off", "--stage", "1", "--"}, command...)...)
		if e.code != exitUsage || !strings.Contains(e.stderr, "is schedgap itself") {
			t.Errorf("%v: %+v", command, e)
		}
	}
}

// TestEvaluateAnywhere: a command has the score that it is worth with any home folder, cache and folder for temporary files, wherever it
// lies, and whichever way its words name its files.
func TestEvaluateAnywhere(t *testing.T) {
	if !alone(t) {
		return
	}
	set := cached(t)
	cache := set["SCHEDGAP_CACHE"]
	instance, err := filepath.Abs(shared + "rotate.json")
	if err != nil {
		t.Fatal(err)
	}
	sandboxes := []string{"strict", "off"}
	if _, err := worker.Confine(t.Context()); err != nil {
		sandboxes = sandboxes[1:]
	} else if !trials.Whole() {
		sandboxes = sandboxes[:1]
	}
	for _, c := range []struct {
		name    string
		set     map[string]string // unset: no value
		command []string
		files   string
	}{
		{"no home", map[string]string{"HOME": unset, "SCHEDGAP_CACHE": ""}, nil, ""},
		{"an empty home", map[string]string{"HOME": "", "SCHEDGAP_CACHE": ""}, nil, ""},
		{"a relative home", map[string]string{"HOME": ".", "SCHEDGAP_CACHE": ""}, nil, ""},
		{"a relative cache of the system", map[string]string{"HOME": unset, "XDG_CACHE_HOME": ".", "SCHEDGAP_CACHE": ""}, nil, ""},
		{"the cache is here", map[string]string{"SCHEDGAP_CACHE": "."}, nil, ""},
		{"a variable names this folder", map[string]string{"SCHEDGAP_RESULTS": ".", "SCHEDGAP_CACHE": cache}, nil, ""},
		{"the home is here", map[string]string{"HOME": thisFolder}, nil, ""},
		{"the home is the interpreter's", map[string]string{"HOME": "/usr/bin"}, nil, ""},
		{"temporary files elsewhere", map[string]string{"TMPDIR": "tmp"}, nil, ""},
		{"an absolute path", nil, []string{"python3", thisFolder + "/mine.py"}, ""},
		{"a folder", nil, []string{"python3", "program"}, ""},
		{"a module", nil, []string{"python3", "-m", "program.mine"}, ""},
		{"a shell", nil, []string{"sh", "-c", "python3 mine.py"}, ""},
		{"a script", nil, []string{"./run"}, ""},
		{"through a link", nil, []string{"python3", "linked/mine.py"}, ""},
		{"another folder", nil, []string{"python3", "../beside/mine.py"}, ""},
		{"a given folder", nil, []string{"python3", "program/far.py"}, "."},
		{"a given folder around", nil, []string{"python3", "program/far.py"}, ".."},
	} {
		t.Run(c.name, func(t *testing.T) {
			top := t.TempDir()
			if err := os.Chmod(filepath.Dir(top), 0o755); err != nil { // other users reach it
				t.Fatal(err)
			}
			dir := filepath.Join(top, "my [data] ä")
			for _, folder := range []string{"program", "tmp", "../beside", "../my d ä"} {
				if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			t.Chdir(dir)
			program := "import importlib; importlib.import_module('he'+'lper')\n" + answerThree(sayIt)
			for _, file := range []string{"mine.py", "program/mine.py", "program/__main__.py", "../beside/mine.py"} {
				write(t, ".", file, program)
				write(t, filepath.Dir(file), "helper.py", "")
			}
			write(t, ".", "program/far.py", answerThree("open(os.path.dirname(__file__)+'/../mine.py')\n"+sayIt))
			write(t, ".", "run", "#!/bin/sh\nexec python3 \"$(dirname \"$0\")/mine.py\"\n")
			if err := errors.Join(os.Chmod("run", 0o755), os.Symlink("program", "linked")); err != nil {
				t.Fatal(err)
			}
			for name, value := range c.set {
				t.Setenv(name, strings.Trim(strings.ReplaceAll(value, thisFolder, dir), unset)) // restores it
				if value == unset {
					os.Unsetenv(name)
				}
				if _, own := set[name]; own {
					set[name] = value
					t.Cleanup(func() { set[name] = cache })
				}
			}
			command := []string{"python3", "mine.py"}
			if c.command != nil {
				command = nil
			}
			for _, word := range c.command {
				command = append(command, strings.ReplaceAll(word, thisFolder, dir))
			}
			for _, sandbox := range sandboxes {
				args := []string{"flex", "--sandbox", sandbox, "--files", instance}
				if c.files != "" {
					args = append(args, "--files", c.files)
				}
				if o, _ := judged(t, append(append(args, "--"), command...)...); o.Score != 0.75 {
					t.Errorf("sandbox %s: %v: %s", sandbox, o.Score, o.Artifacts["feedback"])
				}
			}
		})
	}
}

// What stands in the cases of TestEvaluateAnywhere for no value, and for the current folder.
const (
	unset      = "\x00"
	thisFolder = "HERE"
)

// TestEvaluateInterpreters: in the sandbox a command has the packages of its virtual environment, and a version manager's script
// is replaced by the program for which it stands. Nothing else of the folders in which these lie is seen.
func TestEvaluateInterpreters(t *testing.T) {
	if !alone(t) {
		return
	}
	if _, err := worker.Confine(t.Context()); err != nil {
		t.Skip(err)
	}
	cached(t)
	dir := t.TempDir()
	if out, err := exec.Command("python3", "-m", "venv", "--without-pip", filepath.Join(dir, "env")).CombinedOutput(); err != nil {
		t.Skipf("%v: %s", err, out)
	}
	packages, err := filepath.Glob(filepath.Join(dir, "env/lib/python*/site-packages"))
	if err != nil || len(packages) != 1 {
		t.Fatalf("%v, %v", packages, err)
	}
	write(t, packages[0], "inside.py", "")
	write(t, dir, "env/secret", "")
	if err := os.Mkdir(filepath.Join(dir, "shims"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"manager":    `test "$1" = which && test "$2" = mine && echo ` + filepath.Join(dir, "env/bin/python3"),
		"shims/mine": `exec "` + filepath.Join(dir, "manager") + `" exec mine "$@"`,
	} {
		if err := os.Chmod(write(t, dir, name, "#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", os.Getenv("PATH")+":"+filepath.Join(dir, "shims"))
	file := write(t, t.TempDir(), "c.py", answerThree("import inside\nassert not os.path.exists('"+dir+"/env/secret') and not "+
		"os.path.exists('"+dir+"/shims')\n"+sayIt))
	for _, program := range []string{filepath.Join(dir, "env/bin/python"), "mine"} {
		if o, _ := judged(t, "flex", "--files", shared+"rotate.json", "--", program, file); o.Score != 0.75 ||
			o.Artifacts["sandbox"] != "" {
			t.Errorf("%s: %+v", program, o.Artifacts)
		}
	}
}
