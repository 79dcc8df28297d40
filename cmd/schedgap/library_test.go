package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/library/evidence"
	"schedgap/bench/library/evidence/evidencetest"
	"schedgap/datasets/library"
	"schedgap/exact/verify/verifytest"
)

// tinyLibrary makes a library of a few instances of flex, with optima of the sets seen and benchmark and values of open.
func tinyLibrary(t *testing.T) string {
	t.Helper()
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	p, err := registry.Problem("flex")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	lib := filepath.Join(dir, "lib")
	params := map[string]any{"jobs": 5, "small": 0.5}
	open := evidencetest.Generated(t, p, "open", 2, map[string]any{"jobs": 12})
	for i := range open {
		open[i].Recipe = true
	}
	entries := slices.Concat(evidencetest.Generated(t, p, "seen", 5, params), evidencetest.Generated(t, p, "benchmark", 5, params), open)
	evidencetest.Write(t, lib, entries)
	t.Setenv(libraryVariable, lib)
	l, err := library.Open(os.DirFS(lib), lib)
	if err != nil {
		t.Fatal(err)
	}
	c := &evidence.Collection{Library: l, Registry: registry}
	for _, e := range entries {
		algorithms := []string{"opt"}
		if e.Recipe {
			algorithms = []string{"flex", "lb-price"}
		}
		for _, algorithm := range algorithms {
			a, _, err := p.Find(algorithm)
			if err != nil {
				t.Fatal(err)
			}
			r := a.Provable(bench.Request{Algorithm: algorithm, Seed: 1, Threads: 1, Prove: true})
			if err := p.Resolve(&r); err != nil {
				t.Fatal(err)
			}
			res := p.Run(t.Context(), e.Instance, r, bench.Observer{})
			p.Prove(t.Context(), e.Instance, res)
			about := evidence.Submission{ID: e.Instance.Name, File: algorithm, By: "A", Ref: "R", Release: "1", Seconds: 1}
			for _, s := range []struct{ solution, proof []byte }{{solution: res.Solution}, {proof: res.Proof}} {
				about.Solution, about.Proof = s.solution, s.proof
				if s.solution == nil && s.proof == nil {
					continue
				}
				if _, err := c.Submit(t.Context(), lib, about); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return lib
}

// TestBenchOfLibrary: with a library bench runs on its seen, or on the set asked for, with what is known of it and without
// proving it again.
func TestBenchOfLibrary(t *testing.T) {
	if !alone(t) {
		return
	}
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
		if open := strings.Contains(b.Verdict, "The optimum of 2 of 2 instances is open."); open != (set == "open") {
			t.Errorf("set %q: %s", set, b.Verdict)
		}
	}
	page, err := os.ReadFile("results/bench-library-flex-benchmark/report/summary.md")
	if err != nil || !strings.Contains(string(page), "The schedgap number on flex, library release 1") ||
		!strings.Contains(string(page), "| flex\\_spt (yours) | ratio |") {
		t.Errorf("no schedgap number (%v): %s", err, page)
	}
	if html, err := os.ReadFile("results/bench-library-flex-seen/report/index.html"); err != nil ||
		strings.Contains(string(html), "The schedgap number") {
		t.Errorf("a schedgap number of the set seen: %v", err)
	}
	var s ran
	if err := json.Unmarshal([]byte(succeed(t, "run", "flex", "--set", "open", "--dry-run")), &s); err != nil || s.Units == 0 ||
		s.Directory != "results/library-flex-open" {
		t.Errorf("run --set: %v, %+v", err, s)
	}
	refused(t, `unknown set "opne"; did you mean "open"?`, "run", "flex", "--set", "opne")
	refused(t, `--set: unknown problem "flexx"`, "run", "flexx", "--set", "open")
	succeed(t, "bench", "flex", "--set", "open", "--pool", "--", "python3", script)
	page, err = os.ReadFile("results/bench-library-flex-open/report/summary.md")
	if err != nil || !strings.Contains(string(page), "* flex: flex\\_spt is ") {
		t.Errorf("bench --pool: %v, %s", err, page)
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
	l.Entries, err = library.Derive(l.Events)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, library.HistoryFile, history.String())
	write(t, dir, library.IndexFile, string(l.Index()))
	return dir
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
	if !alone(t) {
		return
	}
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
	other := write(t, t.TempDir(), "other.gz", string(verifytest.Altered(t, []byte(read(t, proof)), func(header map[string]any) {
		header["reference"] = "opt-moldable"
	})))
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
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	script, err := filepath.Abs("../../scripts/release-library")
	if err != nil {
		t.Fatal(err)
	}
	release := func(args ...string) error {
		return exec.CommandContext(t.Context(), "python3", append([]string{script}, args...)...).Run()
	}
	var releases [2][]string
	for i := range releases {
		t.Chdir(t.TempDir())
		if err := release("1", "release", "--library", lib); err != nil {
			t.Fatal(err)
		}
		releases[i] = tree(t, "release")
	}
	if len(releases[0]) < 36 || !slices.Equal(releases[0], releases[1]) {
		t.Errorf("%d and %d files, or others", len(releases[0]), len(releases[1]))
	}
	if cff := read(t, "release/CITATION.cff"); !strings.Contains(cff, "license: CC-BY-4.0") || !strings.Contains(cff, "release 1") {
		t.Errorf("CITATION.cff: %s", cff)
	}
	if n := strings.Count(read(t, "release/CHANGES.csv"), "\n"); n != 13 {
		t.Errorf("%d lines of changes", n)
	}
	if err := release("1", "again", "--library", lib, "--before", filepath.Join(lib, "index.csv")); err != nil ||
		strings.Count(read(t, "again/CHANGES.csv"), "\n") != 1 {
		t.Errorf("changes since the same library: %v", err)
	}
	if release("2", "none", "--library", lib) == nil {
		t.Error("a release of which nothing is known was made")
	}
	succeed(t, "library", "show", "flex-seen-001", "--drawing", "drawing.svg")
	if !strings.Contains(read(t, "drawing.svg"), "<svg") {
		t.Error("no drawing")
	}
	refused(t, "does not end in .svg", "library", "show", "flex-seen-001", "--drawing", "drawing.png")
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
