package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"schedgap/datasets/library"
)

const libraryFamilies = `
seed: 5
pool: 40
shortlist: 10
problems:
  flex: {reference: opt, heuristics: [flex, fair, fifo], bound: lb}
families:
  - {problem: flex, name: response, licence: CC-BY-4.0, params: {jobs: {from: 4, to: 6}, small: [0, 0.5]}}
  - {problem: flex, name: scale, licence: CC-BY-4.0, set: open, n: 2, recipe: true, params: {jobs: 12}}
`

// tinyLibrary makes a library of a few instances of flex, with optima of the sets seen and benchmark and values of open.
func tinyLibrary(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	lib := filepath.Join(dir, "lib")
	succeed(t, "library", "select", write(t, dir, "families.yaml", libraryFamilies), "-o", lib)
	t.Setenv(libraryVariable, lib)
	write(t, dir, "all.yaml", `
name: all
problem: flex
instances: [{library: seen}, {library: benchmark}]
algorithms: [opt]
proofs: true
---
name: open
problem: flex
instances: [{library: open}]
algorithms: [flex, lb-price]
proofs: true
`)
	succeed(t, "run", filepath.Join(dir, "all.yaml"), "-o", filepath.Join(dir, "r"))
	succeed(t, "library", "collect", filepath.Join(dir, "r"), "--dir", lib)
	return lib
}

// TestBenchOfLibrary: with a library bench runs on its seen, or on the set asked for, with what is known of it and without
// proving it again.
func TestBenchOfLibrary(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	tinyLibrary(t)
	script, err := filepath.Abs("../../scripts/examples/flex_spt.py")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for set, instances := range map[string]int{"": 5, "benchmark": 5, "open": 2} {
		var b benched
		out := succeed(t, "bench", "flex", "--set", set, "--json", "--", "python3", script)
		if err := json.Unmarshal([]byte(out), &b); err != nil {
			t.Fatal(err)
		}
		want := "library-flex-" + set
		if set == "" {
			want += seenSet
		}
		if b.Suite != want || b.Details.Instances != instances || b.Details.Failed != 0 {
			t.Errorf("set %q: %+v, %+v", set, b, b.Details)
		}
		if proven := !strings.Contains(b.Verdict, "none proven"); proven != (set != "open") {
			t.Errorf("set %q: %s", set, b.Verdict)
		}
	}
	page, err := os.ReadFile("results/bench-library-flex-benchmark/report/summary.md")
	if err != nil || !strings.Contains(string(page), "The schedgap number on flex, library release 1") ||
		!strings.Contains(string(page), "| flex\\_spt | ratio |") {
		t.Errorf("no schedgap number (%v): %s", err, page)
	}
	if html, err := os.ReadFile("results/bench-library-flex-seen/report/index.html"); err != nil ||
		strings.Contains(string(html), "The schedgap number") {
		t.Errorf("a schedgap number of the set seen: %v", err)
	}
	refused(t, `unknown set "opne"; did you mean "open"?`, "bench", "flex", "--set", "opne", "--", "python3", script)
	refused(t, "exclude each other", "bench", "flex", "--set", "open", "--suite", "flex-small", "--", "python3", script)
	if list := succeed(t, "list", "suites", "flex"); !strings.Contains(list, "library-flex-benchmark") {
		t.Errorf("list suites: %s", list)
	}
	if shown := succeed(t, "list", "suites", "library-flex-open"); !strings.Contains(shown, "library: open") {
		t.Errorf("list suites library-flex-open: %s", shown)
	}
}

// refused: the program ends with exit code 2 and one sentence that says what is wanted of it.
func refused(t *testing.T, want string, args ...string) {
	t.Helper()
	e := schedgap(t, args...)
	if e.code != exitUsage || !strings.Contains(e.stderr, want) || e.stdout != "" {
		t.Errorf("schedgap %s: exit %d, %s%s, want %s", strings.Join(args, " "), e.code, e.stderr, e.stdout, want)
	}
}

// TestLibrarySite: all instances are on the first page, what is open first; each page has what there is, links lead somewhere,
// and what is written is the same twice. axe finds nothing at two widths, where there is a browser.
func TestLibrarySite(t *testing.T) {
	lib := tinyLibrary(t)
	results := filepath.Join(filepath.Dir(lib), "r2")
	succeed(t, "run", "library-flex", "-a", "library,flex,spt", "-o", results)
	dirs := []string{t.TempDir(), t.TempDir()}
	for _, dir := range dirs {
		succeed(t, "library", "site", "-o", dir, "--results", results)
	}
	var files []string
	err := fs.WalkDir(os.DirFS(dirs[0]), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1+12+10*3+2*2 { // an index; a page each; all of what is stored, of open no instance
		t.Errorf("%d files: %v", len(files), files)
	}
	for _, file := range files {
		data := read(t, filepath.Join(dirs[0], file))
		if data != read(t, filepath.Join(dirs[1], file)) {
			t.Errorf("%s is another the second time", file)
		}
		for _, link := range regexp.MustCompile(`href="([^"]+)"`).FindAllStringSubmatch(data, -1) {
			if _, err := os.Stat(filepath.Join(dirs[0], filepath.Dir(file), link[1])); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	index := read(t, filepath.Join(dirs[0], "index.html"))
	if open, easy := strings.Index(index, "flex-open-001"), strings.Index(index, "flex-seen-001"); open < 0 || easy < open {
		t.Errorf("what is open does not come first: %d, %d", open, easy)
	}
	for _, text := range []string{"release 1", `<td class="t">easy</td><td class="t">spt</td>`} {
		if !strings.Contains(index, text) {
			t.Errorf("the index lacks %s", text)
		}
	}
	one := read(t, filepath.Join(dirs[0], "instances", "flex-seen-001.html"))
	for _, text := range []string{
		"<svg", "schedgap verify flex-seen-001/", "checkproof.py", "optimal",
		"solutions/flex/flex-seen-001.json.gz",
	} {
		if !strings.Contains(one, text) {
			t.Errorf("the page of an instance lacks %s", text)
		}
	}
	if other := read(t, filepath.Join(dirs[0], "instances", "flex-open-001.html")); !strings.Contains(other,
		"made again on your machine") {
		t.Error("the page of an instance that is not stored does not say so")
	}
	app := filepath.Join("..", "..", "reports", "page", "tests")
	chromium, err := exec.LookPath("chromium")
	if _, missing := os.Stat(filepath.Join(app, "node_modules", "playwright-core")); err != nil || missing != nil {
		t.Log("not tried in a browser: scripts/npm-ci reports/page/tests installs what that takes")
		return
	}
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(app, "site.mjs"), dirs[0])
	cmd.Env = append(os.Environ(), "CHROMIUM="+chromium)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// mistaken is a copy of a library whose history has no solution of an id, but a proof of twice its optimum.
func mistaken(t *testing.T, lib, id string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "wrong")
	if err := os.CopyFS(dir, os.DirFS(lib)); err != nil {
		t.Fatal(err)
	}
	l, err := library.Open(os.DirFS(lib), lib)
	if err != nil {
		t.Fatal(err)
	}
	var history strings.Builder
	l.Events = slices.DeleteFunc(l.Events, func(v library.Event) bool { return v.ID == id && v.Event == library.Solution })
	for i, v := range l.Events {
		if v.ID == id && v.Event == library.Proof {
			*l.Events[i].Bound *= 2
		}
		line, err := json.Marshal(l.Events[i])
		if err != nil {
			t.Fatal(err)
		}
		history.Write(append(line, '\n'))
	}
	if l.Entries, err = library.Derive(l.Events); err != nil {
		t.Fatal(err)
	}
	write(t, dir, library.HistoryFile, history.String())
	write(t, dir, library.IndexFile, string(l.Index()))
	return dir
}

// TestLibraryMade: what scripts/library does behind run is done again without harm: what is known is not taken twice, the second
// verifier is asked only of what it has not accepted, and what was chosen is held against the pool.
func TestLibraryMade(t *testing.T) {
	lib := tinyLibrary(t)
	dir := filepath.Dir(lib)
	if n := succeed(t, "library", "collect", filepath.Join(dir, "r"), "--dir", lib); n != "0\n" {
		t.Errorf("%s taken again", n)
	}
	half := filepath.Join(dir, "half")
	succeed(t, "library", "choose", "--dir", lib, "--set", "seen", "-o", half)
	succeed(t, "library", "choose", "--dir", lib, "--set", "benchmark", "-o", half)
	if n := strings.Count(succeed(t, "library", "list", "--dir", half), "\n"); n != 11 {
		t.Errorf("%d lines of the library chosen in two steps", n)
	}
	refusedBy := schedgap(t, "library", "confirm", "false", "other", "--dir", half)
	if refusedBy.code != exitFailed || !strings.Contains(refusedBy.stderr, "false refuses the proof") {
		t.Errorf("a verifier that refuses: exit %d, %s", refusedBy.code, refusedBy.stderr)
	}
	if out := succeed(t, "library", "confirm", "test", "other", "--dir", half); strings.Count(out, "gives its proof up") != 10 {
		t.Errorf("a verifier that gives up: %s", out)
	}
	succeed(t, "library", "confirm", "true", "other", "--dir", half)
	if out := succeed(t, "library", "show", "flex-seen-001", "--dir", half); !strings.Contains(out,
		`"verified_by":["schedgap","other"]`) {
		t.Errorf("confirmed: %s", out)
	}
	if out := succeed(t, "library", "confirm", "false", "other", "--dir", half); !strings.Contains(out, `"proofs":0`) {
		t.Errorf("confirmed twice: %s", out)
	}
	drawing := filepath.Join(dir, "drawing.svg")
	succeed(t, "library", "show", "flex-seen-001", "--dir", half, "--drawing", drawing)
	if !strings.Contains(read(t, drawing), "<svg") {
		t.Error("no drawing")
	}
	table := succeed(t, "library", "space", "--dir", lib, "-o", dir)
	if !strings.Contains(table, "| flex | 40 | 10 |") || !strings.HasPrefix(read(t, filepath.Join(dir, "library-space.png")),
		"\x89PNG") {
		t.Errorf("the choice against random ones: %s", table)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestLibraryCommands: what the commands refuse, each in one sentence and with nothing written, and a release that is the same
// twice.
func TestLibraryCommands(t *testing.T) {
	lib := tinyLibrary(t)
	out := filepath.Join(t.TempDir(), "out")
	succeed(t, "library", "get", "flex-seen-001", "-o", out)
	solution, proof := filepath.Join(out, "flex-seen-001.solution.json"), filepath.Join(out, "flex-seen-001.proof.gz")
	half := func(file string) string {
		data := read(t, file)
		return write(t, t.TempDir(), "half", data[:len(data)/2])
	}
	lie := write(t, t.TempDir(), "lie.json", regexp.MustCompile(`"objective":[0-9.]+`).ReplaceAllString(read(t, solution),
		`"objective":1`))
	other := forged(t, proof, func(header map[string]any) { header["reference"] = "opt-moldable" })
	before := tree(t, lib)
	for _, test := range []struct {
		id, flag, file, want string
		code                 int
	}{
		{"flex-seen-001", "--proof", other, `is of "opt-moldable", and flex-seen-001 is of opt`, exitFailed},
		{"nobody", "--solution", solution, `unknown id "nobody"`, exitUsage},
		{"flex-seen-002", "--solution", solution, "flex-seen-001", exitFailed},
		{"flex-seen-002", "--proof", proof, "another instance", exitFailed},
		{"flex-seen-001", "--solution", solution, "does not better", exitFailed},
		{"flex-seen-001", "--proof", proof, "does not better", exitFailed},
		{"flex-seen-001", "--solution", lie, "objective", exitFailed},
		{"flex-seen-001", "--solution", half(solution), "half", exitFailed},
		{"flex-seen-001", "--proof", half(proof), "damaged", exitFailed},
		{"flex-seen-001", "--solution", "absent.json", "absent.json", exitUsage},
	} {
		e := schedgap(t, "library", "submit", test.id, test.flag, test.file, "--author", "A", "--ref", "R", "--dir", lib)
		if e.code != test.code || !strings.Contains(e.stderr, test.want) || strings.Count(e.stderr, "\n") != 1 || e.stdout != "" {
			t.Errorf("%s of %s: exit %d, %s, want %s", test.file, test.id, e.code, e.stderr, test.want)
		}
	}
	if after := tree(t, lib); !slices.Equal(before, after) {
		t.Error("a refused submission changed the library")
	}
	wrong := mistaken(t, lib, "flex-seen-001")
	before = tree(t, wrong)
	e := schedgap(t, "library", "submit", "flex-seen-001", "--solution", solution, "--author", "A", "--ref", "R", "--dir", wrong)
	if e.code != exitFailed || !strings.Contains(e.stderr, "is better than the bound") || strings.Count(e.stderr, "\n") != 1 ||
		!slices.Equal(before, tree(t, wrong)) {
		t.Errorf("a solution that contradicts a proof: exit %d, %s", e.code, e.stderr)
	}
	var releases [2][]string
	for i := range releases {
		t.Chdir(t.TempDir())
		succeed(t, "library", "release", "1", "-o", "release")
		releases[i] = tree(t, "release")
	}
	if len(releases[0]) < 36 || !slices.Equal(releases[0], releases[1]) {
		t.Errorf("%d and %d files, or others", len(releases[0]), len(releases[1]))
	}
	if cff := read(t, "release/CITATION.cff"); !strings.Contains(cff, "license: CC-BY-4.0") || !strings.Contains(cff, "release 1") {
		t.Errorf("CITATION.cff: %s", cff)
	}
	if n := strings.Count(succeed(t, "library", "verify", "--all"), `"faults":[]`); n != 1 {
		t.Error("the library has faults")
	}
	// What is damaged is named, and nothing is answered from it.
	instance, index := filepath.Join(lib, "instances/flex/flex-seen-001.json.gz"), filepath.Join(lib, "index.csv")
	for _, test := range []struct{ file, to, want string }{
		{index, strings.Replace(read(t, index), ",easy,", ",hard,", 1), "out of step with history.jsonl"},
		{instance, read(t, instance)[:100], "damaged"},
		{instance, read(t, filepath.Join(lib, "instances/flex/flex-seen-002.json.gz")), "its SHA-256 is"},
	} {
		good := read(t, test.file)
		write(t, filepath.Dir(test.file), filepath.Base(test.file), test.to)
		refused(t, test.want, "library", "get", "flex-seen-001", "-o", "new")
		refused(t, test.want, "run", "library-flex-seen", "-o", "new")
		write(t, filepath.Dir(test.file), filepath.Base(test.file), good)
	}
	if _, err := os.Stat("new"); err == nil {
		t.Error("something was written")
	}
	refused(t, `unknown id "flex-sen-001"; did you mean "flex-seen-001"?`, "library", "show", "flex-sen-001")
}
