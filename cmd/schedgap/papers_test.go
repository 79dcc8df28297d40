package main

import (
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench/catalog"
	data "schedgap/datasets/papers"
	"schedgap/reports/papers"
)

// TestPapers: docs/papers.md, its figures and README's table are those that follow from the entries and what was measured.
func TestPapers(t *testing.T) {
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	book, err := papers.Load(data.Files, "datasets/papers", registry)
	if err != nil {
		t.Fatal(err)
	}
	printed, err := papers.ReadPrinted(data.Files, book)
	if err != nil {
		t.Fatal(err)
	}
	var have []papers.Row
	listed := map[string]bool{"papers.yaml": true}
	for _, p := range book.Papers {
		rows, err := papers.Stored(data.Files, p.ID)
		if err != nil {
			t.Fatal(err)
		}
		have = append(have, rows...)
		for _, id := range p.Entries {
			listed[id+".yaml"] = true
		}
	}
	files, err := fs.Glob(data.Files, "*.yaml")
	for _, file := range files {
		if !listed[file] || err != nil {
			t.Errorf("papers.yaml does not list %s, %v", file, err)
		}
	}
	readme := repository(t).read(t, "README.md")
	before, rest, begins := strings.Cut(readme, "<!-- generated: papers -->\n")
	_, after, ends := strings.Cut(rest, "<!-- end -->")
	if !begins || !ends {
		t.Fatal("README has no place for the papers")
	}
	written := map[string][]byte{
		"docs/papers.md": papersPage(t, book, printed, have),
		"README.md":      []byte(before + "<!-- generated: papers -->\n" + papersSummary(book, have) + "<!-- end -->" + after),
	}
	if n := len(strings.Fields(string(written["docs/papers.md"]))); n > 9000 {
		t.Errorf("docs/papers.md has %d words, more than 9,000", n)
	}
	drawn := map[string]int{}
	for _, e := range book.Entries {
		for i, s := range e.Statements {
			if cells := e.Cells(i+1, have); s.Argument == "" && cells[2] == "" {
				t.Errorf("%s, statement %d was never measured", e.ID, i+1)
			}
		}
		if e.Draw == nil || !e.Draw.Page {
			continue
		}
		drawn[e.Paper]++
		svg, err := e.Figure(have).SVG()
		if err != nil {
			t.Fatal(err)
		}
		written["docs/images/"+e.ID+".svg"] = svg
	}
	for _, p := range book.Papers {
		if n := drawn[p.ID]; n < 1 || n > 2 {
			t.Errorf("%s has %d figures on the page, want one or two", p.ID, n)
		}
	}
	for name, text := range written {
		path := filepath.Join("..", "..", filepath.FromSlash(name))
		if !*update {
			if old, err := os.ReadFile(path); err != nil || string(old) != string(text) {
				t.Errorf("%s is not what follows; go test ./cmd/schedgap -run TestPapers -update writes it", name)
			}
			continue
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPaper lists, measures an entry and one of a file, and draws them.
func TestPaper(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var items []paperItem
	if err := json.Unmarshal([]byte(succeed(t, "paper", "--json")), &items); err != nil || len(items) < 30 {
		t.Fatalf("%d entries, %v", len(items), err)
	}
	timed := 0
	for _, item := range items {
		if item.Seconds != nil {
			timed++
		}
	}
	if text := succeed(t, "paper"); timed < 30 || !strings.Contains(text, "CPU SECONDS") {
		t.Errorf("%d entries say how long they take:\n%s", timed, text)
	}
	var lemma paperResult
	if err := json.Unmarshal([]byte(succeed(t, "paper", "flex-lemma1", "--json", "-o", dir)), &lemma); err != nil {
		t.Fatal(err)
	}
	if s := lemma.Statements; len(s) != 1 || s[0].Measured == nil || math.Abs(s[0].Measured.Value-4./3) > 1e-9 || lemma.Figure != nil {
		t.Errorf("Lemma 1: %+v", lemma)
	}
	const entry = `paper: flex
problem: flex
title: Three jobs
source: none
simulation: {policies: [flex, fair], repetitions: 2}
workload: {jobs: 3, map_tasks: 400, reduce_tasks: 80}
cases:
  - {x: 0.2, params: {slack: 0.2}}
  - {x: 0.9, params: {slack: 0.9}}
open:
  - {name: sigma, set: [workload.sigma], default: 1, low: 0, high: 2, reason: a test}
blocks: 6
settings: 2
setting_blocks: 2
reduced: 1
draw: {column: average_response, of: [flex], against: [fair], as: ratio, x: slack, y: ratio}
points:
  - {of: flex, x: 0.9, y: 0.5, source: none}
statements:
  - {where: here, says: something, column: average_response, of: [flex], against: [fair], as: reduction, over: least, unit: "%"}
`
	file := write(t, dir, "mine.yaml", entry)
	var mine paperResult
	if err := json.Unmarshal([]byte(succeed(t, "paper", file, "--json", "-o", dir)), &mine); err != nil {
		t.Fatal(err)
	}
	if m := mine.Statements[0].Measured; m.Low > m.Value || m.High < m.Value || m.Least > m.Value || m.Low == 0 || m.Least == 0 {
		t.Errorf("%+v", m)
	}
	if svg, err := os.ReadFile(filepath.Join(dir, "mine.svg")); err != nil || !strings.Contains(string(svg), "the paper") {
		t.Errorf("the figure lacks the paper's points: %v", err)
	}
	if csv, err := os.ReadFile(filepath.Join(dir, "flex.csv")); err != nil || strings.Count(string(csv), "\nmine,") != 3 {
		t.Errorf("measurements: %v, %s", err, csv)
	}
	other := succeed(t, "paper", file, "--json", "-o", dir, "--seed", "5", "--workers", "1")
	if again := succeed(t, "paper", file, "--json", "-o", dir, "--seed", "5"); again != other || strings.Contains(other, string(*mine.Figure)+"x") {
		t.Error("the number of workers changes the results")
	}
	for _, c := range []struct{ from, to, line, want string }{
		{"column: average_response, of: [flex], against: [fair], as: reduction", "column: average_respnse, of: [flex], against: [fair], as: reduction", "line 20", `unknown column "average_respnse"`},
		{", reason: a test", "", "line 11", "reason"},
		{", source: none}", "}", "line 18", "source"},
		{"of: [flex], against: [fair], as: ratio", "of: [flax], against: [fair], as: ratio", "line 16", "flax"},
		{"set: [workload.sigma]", "set: [workload.sgma]", "line 11", "workload.sgma"},
		{"params: {slack: 0.2}", "params: {slak: 0.2}", "line", "slak"},
		{"over: least", "over: best", "line 20", "best"},
		{"blocks: 6\n", "blocks: 6\nnonsense: 1\n", "line 13", "nonsense"},
		{"low: 0, high: 2", "low: 2, high: 0", "line 11", "default"},
		{"problem: flex", "problem: felx", "line 2", "felx"},
		{"settings: 2", "settings: 0", "line 12", "settings"},
	} {
		bad := write(t, dir, "bad.yaml", strings.Replace(entry, c.from, c.to, 1))
		e := schedgap(t, "paper", bad, "-o", filepath.Join(dir, "none"))
		if e.code != exitUsage || e.stdout != "" || strings.Count(e.stderr, "\n") > 1 && !strings.Contains(e.stderr, "progress") ||
			!strings.Contains(e.stderr, "bad.yaml: "+c.line) || !strings.Contains(e.stderr, c.want) {
			t.Errorf("%q: exit %d, %q", c.to, e.code, e.stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "none")); err == nil {
		t.Error("a bad entry has written something")
	}
}
