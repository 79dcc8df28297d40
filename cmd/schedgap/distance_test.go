package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"schedgap/models/trials"
	"schedgap/reports/ratio"
)

// TestBenchOfTwins: a rival that is the same program, but declines, fails or is late on an instance, changes nothing of what bench says
// of the command, in text or JSON, and takes no rank from it. By day one rival does all of that, by night others do one of them each.
func TestBenchOfTwins(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED: there is no python3")
	}
	module, err := os.ReadFile("../../scripts/python/schedgap.py")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	results := filepath.Join(dir, "r")
	write(t, dir, "schedgap.py", string(module))
	mine := succeed(t, "algorithm", "new", "redundancy", "--lang", "python")
	command := []string{"python3", write(t, dir, "mine.py", mine)}
	const head = "def solve(instance):\n"
	if !strings.Contains(mine, head) {
		t.Fatalf("no %q in %s", head, mine)
	}
	args := func(more ...string) []string {
		args := append([]string{"bench", "redundancy", "--suite", filepath.Join(dir, "twins.yaml"), "-o", results}, more...)
		return append(append(args, "--"), command...)
	}
	// bench runs what changed: all at first, then the twin.
	bench := func(where, twin string) (b benched) {
		t.Helper()
		write(t, dir, "twin.py", strings.Replace(mine, head, head+"    if instance['name'][-1] in '"+where+"': "+twin+"\n", 1))
		write(t, dir, "twins.yaml", `name: twins
problem: redundancy
instances:
  - generate: {n: 6, seed: 4, params: {jobs: 4}}
algorithms: [opt, srpt+r, fair+r, {name: twin, command: [python3, `+dir+`/twin.py]}]
limits: {time: 2s}
`)
		if err := json.Unmarshal([]byte(succeed(t, args("--json")...)), &b); err != nil {
			t.Fatal(err)
		}
		return b
	}
	// own is what is said of the command alone.
	own := func(b benched) any {
		v := *b.Details
		v.Rank, v.Tied, v.Rival, v.Against, v.Text = 0, nil, "", nil, ""
		row := benchedAlgorithm{}
		for _, r := range b.Algorithms {
			if r.Name == "mine" {
				row = r
			}
		}
		return []any{v, row}
	}
	equal := bench("3", "pass")
	alone := reportedOf(t, results, "mine")
	if len(alone) < 15 {
		t.Errorf("the report says too little of the command: %q", alone)
	}
	text := succeed(t, args()...)
	sentence, rest, _ := strings.Cut(text, "\n")
	if sentence != equal.Details.Sentence || len(strings.Fields(sentence)) > 30 || !strings.Contains(rest, "It is shared first with ") ||
		!strings.Contains(rest, "twin") || strings.Contains(text, "first of") {
		t.Errorf("%d words, and ties: %s", len(strings.Fields(sentence)), text)
	}
	const declines, fails, dies = "import sys; sys.exit(77)", "import sys; sys.exit(3)", "import os; os.kill(os.getpid(), 9)"
	const late, wrong = "import time; time.sleep(9)", "return {'intervals': []}"
	twins := map[string]struct{ where, does string }{
		"does all of that": {"01345", `exec(["` + strings.Join([]string{declines, fails, "", dies, late, "pass"}, `", "`) +
			`"][int(instance['name'][-1])]); ` + wrong},
		"has nothing": {"012345", declines},
	}
	if trials.Whole() {
		for name, twin := range map[string]struct{ where, does string }{
			"declines": {"3", declines}, "fails": {"14", fails}, "dies": {"05", dies}, "late": {"3", late}, "wrong": {"0134", wrong},
		} {
			twins[name] = twin
		}
	}
	for name, twin := range twins {
		b := bench(twin.where, twin.does)
		if b.Ran != 6 {
			t.Errorf("a twin that %s: %d units ran, want the twin's 6", name, b.Ran)
		}
		if d := cmp.Diff(alone, reportedOf(t, results, "mine")); d != "" {
			t.Errorf("a twin that %s, in the report: %s", name, d)
		}
		if d := cmp.Diff(own(equal), own(b)); d != "" {
			t.Errorf("a twin that %s: %s", name, d)
		}
		if !strings.HasPrefix(b.Verdict, sentence) || b.Details.Rank != 1 {
			t.Errorf("a twin that %s: %s", name, b.Verdict)
		}
		for _, r := range b.Algorithms {
			if r.Name == "twin" && (r.Rank <= 1 && len(twin.where) < 6 || math.Round(6*r.Valid) != float64(6-len(twin.where))) {
				t.Errorf("a twin that %s: %+v", name, r)
			}
		}
	}
}

// reportedOf is what a report says of an algorithm alone, without times and rank: its rows in the summary's table of algorithms, on the
// page and in the table for a paper, its numbers for LaTeX, and its rows of ratios.parquet, which SQL reads.
func reportedOf(t *testing.T, dir, name string) (says []string) {
	t.Helper()
	succeed(t, "report", dir, "--for", "paper")
	report := filepath.Join(dir, "report")
	// ranks, times, letters of footnotes and what is bold, as the three kinds of table have them
	relative := regexp.MustCompile(`\d+, shared|[\d.]+ [µm]?s\b|\\textsuperscript\{\w\}|\\textbf\{|\}`)
	lines := func(file, cut, prefix string) {
		data, err := os.ReadFile(filepath.Join(report, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		before := len(says)
		for line := range strings.SplitSeq(string(data), cut) {
			line = relative.ReplaceAllString(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), `class="best"`), ">"), "")
			if strings.HasPrefix(line, prefix) {
				says = append(says, line)
			}
		}
		if len(says) == before {
			t.Errorf("%s has no line that begins with %q", file, prefix)
		}
	}
	lines("summary.md", "\n", "| "+name+" (yours) | 1.")
	lines("index.html", "<tr", `<td class="t">`+name+` (yours)</td><td>1.`)
	for _, number := range []string{"Compared", "Missing", "Mean", "Worst", "Optimal"} {
		lines("paper/numbers.tex", "\n", `\newcommand{\redundancyOpt`+strings.ToUpper(name[:1])+name[1:]+number)
	}
	lines("paper/tables/redundancy-opt.tex", "\n", name+" ")
	rows, err := parquet.ReadFile[ratio.Row](filepath.Join(report, "ratios.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Algorithm == name {
			says = append(says, fmt.Sprintf("%s: %s, %v, %v, %v", r.Instance, r.Status, *r.Objective, *r.RatioLo, *r.RatioHi))
		}
	}
	return says
}

// TestPaperIsSet: LaTeX sets what report --for paper writes, at the width of a column, with no box that is too wide: tables by family,
// columns that need a second table, several objectives, ties and instances that were declined.
func TestPaperIsSet(t *testing.T) {
	for _, needed := range []string{"pdflatex", "bibtex", "bash"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("SKIPPED: needs %s", needed)
		}
	}
	program := command(t)
	dir := t.TempDir()
	var args []string
	for i, suite := range []string{`
problem: flex
instances:
  - generate: {n: 4, seed: 1, params: {jobs: 4}}
  - generate: {n: 3, seed: 2, params: {jobs: 4, metric: lateness}}
  - generate: {n: 3, seed: 3, params: {jobs: 4, metric: tardiness, weighted: true, slack: 0.2}}
  - generate: {n: 3, seed: 3, params: {jobs: 4, metric: tardiness, weighted: true, slack: 0.5}}
algorithms: [opt, fifo, fifo-min, spt, {name: flex-ls, params: {evaluations: 5}}, {name: flex-ls, params: {evaluations: 80}}]
limits: {time: 5s}
`, `
problem: redundancy
instances:
  - generate: {n: 8, seed: 4, params: {jobs: 5}}
algorithms: [opt, srpt+r, fair+r, srpt, fair]
limits: {time: 5s}
`} {
		name := fmt.Sprintf("s%d", i)
		results := filepath.Join(dir, name)
		succeed(t, "run", write(t, dir, name+".yaml", "name: "+name+suite), "-o", results, "--quiet")
		args = append(args, results)
	}
	if out, err := script(t, []string{"SCHEDGAP=" + program}, "check-paper", args...); err != nil ||
		!strings.Contains(out, "article: ") {
		t.Errorf("%v: %s", err, out)
	}
}
