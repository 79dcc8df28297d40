package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"schedgap/exact/milp/linked/linkedtest"
)

// A feasible schedule of one-slot.json in shared: SPT, response 1 + 3 + 6.
const oneSlotSPT = `{"problem":"flex","instance":"one-slot","algorithm":"by hand","objective":10,"intervals":[
	{"start":0,"end":1,"slots":{"b":1}},{"start":1,"end":3,"slots":{"c":1}},{"start":3,"end":6,"slots":{"a":1}}]}`

// TestGolden holds the commands to their exact output and exit code. No case lists what grows with every new algorithm.
func TestGolden(t *testing.T) {
	dir := t.TempDir()
	good := write(t, dir, "good.json", oneSlotSPT)
	wrong := write(t, dir, "wrong.json", strings.Replace(oneSlotSPT, `"objective":10`, `"objective":9`, 1))
	short := write(t, dir, "short.json", strings.Replace(oneSlotSPT, `"end":6`, `"end":5`, 1))
	twice := write(t, dir, "twice.json", strings.Replace(oneSlotSPT, `{"b":1}`, `{"b":1,"c":1}`, 1))
	for _, c := range []struct {
		name string
		code int
		args []string
	}{
		{"help", 0, []string{"--help"}},
		{"help-solve", 0, []string{"solve", "--help"}},
		{"no-command", 2, nil},
		{"unknown-command", 2, []string{"sovle"}},
		{"solve-heuristic", 0, []string{"solve", shared + "ties.json", "-a", "flex"}},
		{"solve-waived", 0, []string{"solve", shared + "ties.json", "-a", "fifo"}},
		{"solve-argument", 0, []string{"solve", shared + "one-slot.json", "-a", "mps:c,a,b"}},
		{"solve-parameter", 0, []string{"solve", shared + "one-slot.json", "-a", "flex-ls", "-p", "evaluations=1"}},
		{"solve-not-applicable", 2, []string{"solve", shared + "rotate.json", "-a", "edd"}},
		{"check-feasible", 0, []string{"check", shared + "one-slot.json", good}},
		{"check-claim", 1, []string{"check", shared + "one-slot.json", wrong}},
		{"check-work", 1, []string{"check", shared + "one-slot.json", short}},
		{"check-slots", 1, []string{"check", shared + "one-slot.json", twice}},
		{"generate", 0, []string{"generate", "flex", "-n", "3", "--seed", "5", "-p", "jobs=2", "-o", filepath.Join(dir, "generated")}},
		{"unknown-list", 2, []string{"list", "nothing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := schedgap(t, c.args...)
			if e.code != c.code {
				t.Errorf("exit %d, want %d", e.code, c.code)
			}
			golden(t, c.name, dir, e)
		})
	}
}

// TestSolveKeys: solve prints one object with exactly these keys in this order, for success and failure alike.
func TestSolveKeys(t *testing.T) {
	want := []string{
		"problem", "instance", "algorithm", "model", "solver", "reference", "status", "sense", "objective", "bound", "gap",
		"feasible", "waived", "hopeless", "wall_seconds", "solution",
	}
	dec := json.NewDecoder(strings.NewReader(succeed(t, "solve", shared+"sla.json", "-a", "fair")))
	var keys []string
	depth := 0
	for isKey := true; dec.More() || depth > 0; {
		tok, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		switch d, _ := tok.(json.Delim); {
		case d == '{' || d == '[':
			depth++
		case d == '}' || d == ']':
			depth--
		case depth == 1 && isKey:
			keys = append(keys, tok.(string))
			isKey = false
			continue
		}
		isKey = depth == 1
	}
	if got := strings.Join(keys, " "); got != strings.Join(want, " ") {
		t.Errorf("keys %s, want %s", got, strings.Join(want, " "))
	}
}

// TestAbsurdSolution: amounts that no number measures are still printed as numbers; an objective that none measures is bad input.
func TestAbsurdSolution(t *testing.T) {
	for interval, code := range map[string]int{
		`"start":0,"end":2,"slots":{"a":1e308,"b":1e308}`: exitFailed,
		`"start":0,"end":1e308,"slots":{"a":9}`:           exitFailed,
		`"start":-1e308,"end":1e308,"slots":{"a":1}`:      exitFailed,
	} {
		dir := t.TempDir()
		one := write(t, dir, "one.json", flexFile(`"slots":4`, `{"id":"a","work":8},{"id":"b","work":8}`))
		file := write(t, dir, "s.json", `{"problem":"flex","instance":"x","algorithm":"by hand","intervals":[{`+interval+`}]}`)
		e := schedgap(t, "check", one, file)
		if e.code != code || (e.code == exitUsage) != (e.stdout == "") || strings.Contains(e.stderr, "json:") {
			t.Errorf("%s: exit %d, stdout %q, stderr %q", interval, e.code, e.stdout, e.stderr)
		}
	}
}

// TestSolutionFile: -o writes the bytes that solve prints, and check agrees with the objective.
func TestSolutionFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "solution.json")
	var got struct {
		Objective float64
		Solution  json.RawMessage
	}
	if err := json.Unmarshal([]byte(succeed(t, "solve", shared+"tardy.json", "-a", "flex", "-o", file)), &got); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bytes.TrimSuffix(written, []byte("\n")), got.Solution) {
		t.Errorf("-o writes\n%s, stdout has\n%s", written, got.Solution)
	}
	var v struct {
		Feasible  bool
		Objective float64
	}
	if err := json.Unmarshal([]byte(succeed(t, "check", shared+"tardy.json", file)), &v); err != nil {
		t.Fatal(err)
	}
	if !v.Feasible || v.Objective != got.Objective {
		t.Errorf("check says %+v of a solution with objective %v", v, got.Objective)
	}
}

// TestGenerate: an instance is the same whether it is made alone or among many, and says where it comes from; another seed
// makes another.
func TestGenerate(t *testing.T) {
	dir := t.TempDir()
	read := func(path ...string) string {
		data, err := os.ReadFile(filepath.Join(append([]string{dir}, path...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	paths := succeed(t, "generate", "flex", "-n", "3", "--seed", "9", "-p", "jobs=4", "-o", filepath.Join(dir, "three"))
	if want := 3; strings.Count(paths, "\n") != want {
		t.Errorf("stdout names %q, want %d paths", paths, want)
	}
	succeed(t, "generate", "flex", "-n", "2", "--seed", "9", "-p", "jobs=4", "-o", filepath.Join(dir, "two"))
	succeed(t, "generate", "flex", "-n", "2", "--seed", "10", "-p", "jobs=4", "-o", filepath.Join(dir, "other"))
	if read("three", "flex-001.json") != read("two", "flex-001.json") {
		t.Error("flex-001 depends on how many instances are made")
	}
	if read("other", "flex-001.json") == read("two", "flex-001.json") {
		t.Error("flex-001 does not depend on the seed")
	}
	var in struct {
		Lineage struct {
			Generator   string
			Params      map[string]any
			Seed, Index int
		}
	}
	if err := json.Unmarshal([]byte(read("two", "flex-001.json")), &in); err != nil {
		t.Fatal(err)
	}
	if l := in.Lineage; l.Generator != "flex" || l.Seed != 9 || l.Index != 1 || l.Params["jobs"] != 4.0 {
		t.Errorf("lineage is %+v", l)
	}
}

// TestListsAreJSON: every list has a machine-readable form that names what the registry holds.
func TestListsAreJSON(t *testing.T) {
	for list, want := range map[string][]string{
		"problems": {"flex"}, "algorithms": {"flex", "fifo", "fair"}, "suites": {"quick", "paper-flex"}, "solvers": nil, "models": nil,
	} {
		var items []struct{ Name string }
		if err := json.Unmarshal([]byte(succeed(t, "list", list, "--json")), &items); err != nil {
			t.Fatalf("list %s: %v", list, err)
		}
		names := map[string]bool{}
		for _, i := range items {
			names[i.Name] = true
		}
		for _, w := range want {
			if !names[w] {
				t.Errorf("list %s --json lacks %s", list, w)
			}
		}
		if text := succeed(t, "list", list); strings.Count(text, "\n") != len(items)+1 {
			t.Errorf("list %s: %d items, but the table is\n%s", list, len(items), text)
		}
	}
}

// TestCompletion: there is a script for every shell that the help names.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if !strings.Contains(succeed(t, "completion", shell), "schedgap") {
			t.Errorf("the script for %s does not mention schedgap", shell)
		}
	}
}

// TestJSONLogs: with --log-format json the one sentence on stderr is a JSON object, and --quiet does not silence it.
func TestJSONLogs(t *testing.T) {
	e := schedgap(t, "solve", "none.json", "-a", "flex", "--log-format", "json", "--quiet")
	var line struct{ Level, Msg string }
	if err := json.Unmarshal([]byte(e.stderr), &line); err != nil || e.code != 2 || e.stdout != "" {
		t.Fatalf("exit %d, stdout %q, stderr %q: %v", e.code, e.stdout, e.stderr, err)
	}
	if line.Level != "ERROR" || line.Msg != "none.json: no such file or directory" {
		t.Errorf("%+v", line)
	}
}

// TestVersion: the program, Go and the linked solvers are named.
func TestVersion(t *testing.T) {
	text := succeed(t, "version")
	for _, want := range append([]string{"schedgap ", "go1"}, linkedtest.Names("highs", "lpsolve")...) {
		if !strings.Contains(text, want) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
}

// TestReleaseScript: scripts/release moves the version, the changelog's section and the citation together, and refuses an older version.
func TestReleaseScript(t *testing.T) {
	t.Parallel()
	r, dir := repository(t), t.TempDir()
	for _, file := range []string{"bench/run/sysinfo/sysinfo.go", "CHANGELOG.md", "CITATION.cff"} {
		text := r.read(t, file)
		if file == "CHANGELOG.md" && !strings.Contains(text, "\n## Unreleased\n") {
			text = "# Changelog\n\n## Unreleased\n* Something.\n" + text
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755),
			os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	for _, version := range []string{"0.9.0", "1.0.0", "1", "1.1.0-rc"} {
		if out, err := script(t, []string{"SCHEDGAP_RELEASE_DIR=" + dir}, "release", version); err == nil {
			t.Errorf("it accepts %s: %s", version, out)
		}
	}
	if out, err := script(t, []string{"SCHEDGAP_RELEASE_DIR=" + dir}, "release", "99.1.0"); err != nil || !strings.Contains(out, "git tag -a v99.1.0") {
		t.Fatalf("%v: %s", err, out)
	}
	for file, want := range map[string]string{
		"bench/run/sysinfo/sysinfo.go": "\nconst Release = \"99.1.0\"\n", "CHANGELOG.md": "\n## 99.1.0, ", "CITATION.cff": "\nversion: 99.1.0\n",
	} {
		if text := read(t, filepath.Join(dir, file)); !strings.Contains(text, want) {
			t.Errorf("%s lacks %q", file, want)
		}
	}
}

// TestRelease: the program, the newest release in CHANGELOG.md and CITATION.cff have one version and one date.
func TestRelease(t *testing.T) {
	r := repository(t)
	newest := regexp.MustCompile(`(?m)^## (\d\S*), (\d{4}-\d{2}-\d{2})$`).FindStringSubmatch(r.read(t, "CHANGELOG.md"))
	if newest == nil {
		t.Fatal("CHANGELOG.md has no release")
	}
	cited := r.read(t, "CITATION.cff")
	for what, line := range map[string]string{"version": newest[1], "date-released": newest[2]} {
		if !strings.Contains(cited, "\n"+what+": "+line+"\n") {
			t.Errorf("CITATION.cff does not say %s: %s", what, line)
		}
	}
	version, _, _ := strings.Cut(strings.TrimSpace(succeed(t, "--version")), "+")
	if want := "schedgap " + newest[1]; version != want {
		t.Errorf("--version prints %q, CHANGELOG.md has %q", version, want)
	}
}
