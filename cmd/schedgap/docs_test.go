package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"schedgap/bench/catalog"
	"schedgap/bench/plan/suite"
	"schedgap/models/trials"
	"schedgap/reports/papers"
)

// A block is a run of lines of a Markdown file that is set as code; language is what the fence says, empty for indented lines.
type block struct {
	language, text string
	line           int
}

// blocks are the code blocks of a Markdown file.
func blocks(text string) []block {
	var list []block
	var now *block
	fenced := false
	for i, line := range strings.Split(text, "\n") {
		fence := strings.HasPrefix(line, "```")
		indented := strings.HasPrefix(line, "    ")
		switch {
		case fence && fenced:
			fenced, now = false, nil
		case fence:
			list = append(list, block{language: strings.TrimPrefix(line, "```"), line: i + 1})
			fenced, now = true, &list[len(list)-1]
		case fenced:
			now.text += line + "\n"
		case indented && now == nil:
			list = append(list, block{text: line[4:] + "\n", line: i + 1})
			now = &list[len(list)-1]
		case indented:
			now.text += line[4:] + "\n"
		default:
			now = nil
		}
	}
	return list
}

// commandLines are the lines of a block that call the program, without prompt, path and comment.
func (b block) commandLines() []string {
	if b.language != "" && b.language != "sh" && b.language != "bash" {
		return nil
	}
	var list []string
	for _, line := range strings.Split(b.text, "\n") {
		line, _, _ = strings.Cut(strings.TrimPrefix(line, "bin/"), " #")
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "schedgap ") {
			list = append(list, line)
		}
	}
	return list
}

// TestReadmeCommands runs the commands of README.md one after the other in an empty folder, suites only on their first instances
// and searches, which use up their budget, on few candidates, and compares the answers that README shows with those that come.
func TestReadmeCommands(t *testing.T) {
	if !alone(t) {
		return
	}
	text := repository(t).read(t, "README.md")
	t.Chdir(t.TempDir())
	t.Setenv("SCHEDGAP_TRACES", "") // README works without real traces
	answers, ran := map[string]bool{}, 0
	for _, b := range blocks(text) {
		for _, line := range b.commandLines() {
			args := strings.Fields(strings.Replace(line, "--budget 60s", "--evaluations 20", 1))[1:]
			if args[0] == "run" {
				args = append(args, "-i", "*-000", "--quiet")
			}
			if _, err := exec.LookPath("python3"); err != nil && slices.Contains(args, "python3") {
				t.Logf("SKIPPED: %s: there is no python3", line)
				continue
			}
			switch by := strings.Join(args[:2], " "); {
			case trials.Whole():
			case args[0] == "paper":
				continue // TestPaper has another one
			case by == "algorithm check": // TestSkeletons has the same program on all instances by night
				args = slices.Insert(args, 3, "--instance", "rotate")
			}
			out := succeed(t, args...)
			answers[measured.ReplaceAllString(strings.TrimSpace(out), "")] = true
			ran++
		}
	}
	if ran < 12 {
		t.Errorf("README has only %d commands", ran)
	}
	shown := 0
	for _, b := range blocks(text) {
		if b.language != "json" {
			continue
		}
		for _, line := range strings.Split(strings.TrimSpace(b.text), "\n") {
			begin, _, _ := strings.Cut(line, "…")
			found := false
			for a := range answers {
				found = found || strings.HasPrefix(a, begin)
			}
			if !found {
				t.Errorf("README.md:%d shows %s, which no command prints", b.line, line)
			}
			shown++
		}
	}
	if shown < 3 {
		t.Errorf("README shows only %d answers", shown)
	}
}

// TestDocsPages: there are at most 25 pages, docs/README.md links to each, and they stay short enough to be read.
func TestDocsPages(t *testing.T) {
	r := repository(t)
	index := r.read(t, "docs/README.md")
	pages, words := 0, 0
	for _, file := range r.texts {
		name, is := strings.CutPrefix(file, "docs/")
		if !is || path.Ext(name) != ".md" {
			continue
		}
		pages++
		words += len(strings.Fields(r.read(t, file)))
		if name != "README.md" && !strings.Contains(index, "]("+name) {
			t.Errorf("docs/README.md does not link to %s", name)
		}
	}
	if pages > 25 {
		t.Errorf("%d pages, more than 25", pages)
	}
	if words > 46000 {
		t.Logf("NOTE: the pages have %d words; 46,000 are enough to be read", words)
	}
	if n := len(strings.Fields(r.read(t, "README.md"))); n > 1100 {
		t.Errorf("README.md has %d words, more than 1,100", n)
	}
}

// TestTwoCommands: a newcomer finds both commands in the first 30 lines of README.md, and they are what they say.
func TestTwoCommands(t *testing.T) {
	r := repository(t)
	first := strings.Join(strings.SplitN(r.read(t, "README.md"), "\n", 31)[:30], "\n")
	for _, command := range []string{"make demo", "make test"} {
		if !strings.Contains(first, "\n    "+command+"\n") {
			t.Errorf("the first 30 lines of README.md do not show %q", command)
		}
	}
	if !strings.Contains(r.read(t, "Makefile"), "\ndemo:\n\tscripts/demo\n") {
		t.Error("make demo is not scripts/demo")
	}
	if !strings.Contains(r.read(t, ".ci/run"), "\nmake test\n") {
		t.Error(".ci/run does not call make test")
	}
}

// TestReach: README's table of proven sizes follows from the stored measurements.
func TestReach(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	table, err := exec.Command("../../scripts/reach", "--table", "../../docs/reach.csv").Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(repository(t).read(t, "README.md"), "<!-- generated: reach -->\n"+string(table)+"<!-- end -->") {
		t.Errorf("README.md does not have the table of scripts/reach --table docs/reach.csv:\n%s", table)
	}
}

// TestDocsPicture: the sentence and the figure at the top of README.md are those of the report on the suite quick.
func TestDocsPicture(t *testing.T) {
	t.Parallel()
	r := repository(t)
	dir := t.TempDir()
	succeed(t, "run", "quick", "-o", dir, "--quiet")
	succeed(t, "report", dir, "--quiet")
	_, sentence, _ := strings.Cut(r.read(t, "README.md"), "\n> ")
	sentence, _, _ = strings.Cut(sentence, ".\n")
	if summary := read(t, filepath.Join(dir, "report", "summary.md")); !strings.Contains(summary, sentence) {
		t.Errorf("README.md says %q, the report %.500s", sentence, summary)
	}
	const picture = "../../docs/images/quick.svg"
	drawn := read(t, filepath.Join(dir, "report", "plots", "flex-opt-overview.svg"))
	if *update {
		if err := os.WriteFile(picture, []byte(drawn), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if drawn != read(t, picture) {
		t.Errorf("%s is not what the report draws; run with -update", picture)
	}
}

// measured are numbers that differ from run to run.
var measured = regexp.MustCompile(`"wall_seconds":[0-9.e-]+,`)

// TestDocsCommands: every command in the docs is one that the program understands, every suite can be planned, every entry
// of a paper is one, every JSON text is JSON.
func TestDocsCommands(t *testing.T) {
	t.Parallel()
	r := repository(t)
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	commands, suites := 0, 0
	dir := t.TempDir()
	for _, file := range r.texts {
		if filepath.Ext(file) != ".md" || file == "CHANGELOG.md" {
			continue
		}
		for _, b := range blocks(r.read(t, file)) {
			for _, line := range b.commandLines() {
				commands++
				if err := understood(t, line); err != nil {
					t.Errorf("%s:%d: %s: %v", file, b.line, line, err)
				}
			}
			switch b.language {
			case "yaml":
				if strings.HasPrefix(b.text, "paper: ") {
					if _, err := papers.Parse(file, []byte(b.text), registry); err != nil {
						t.Errorf("line %d: %v", b.line, err)
					}
					break
				}
				if strings.Contains(b.text, "\nproblem: ./") { // its programs are not there
					if _, err := suite.ParseAll(file, []byte(b.text)); err != nil {
						t.Errorf("%s:%d: %v", file, b.line, err)
					}
					break
				}
				if strings.Contains(b.text, "\ncommands:") {
					name := regexp.MustCompile(`name: (\S+)`).FindStringSubmatch(b.text)[1]
					if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
						t.Fatal(err)
					}
					if _, err := registry.Adopt(filepath.Dir(write(t, filepath.Join(dir, name), "problem.yaml", b.text))); err != nil {
						t.Errorf("%s:%d: %v", file, b.line, err)
					}
					break
				}
				suites++
				path := write(t, dir, "suite.yaml", b.text)
				e := schedgap(t, "suite", "show", path)
				if e.code != 0 && strings.Contains(b.text, "SCHEDGAP_TRACES") && os.Getenv("SCHEDGAP_TRACES") == "" {
					t.Logf("SKIPPED: the sources of %s:%d need SCHEDGAP_TRACES: %s", file, b.line, e.stderr)
				} else if e.code != 0 && !strings.Contains(e.stderr, "no file") {
					t.Errorf("%s:%d: %s", file, b.line, e.stderr)
				}
			case "json":
				for _, line := range strings.Split(b.text, "\n") {
					if !strings.Contains(b.text, "…") && strings.HasPrefix(line, "{") {
						var v any
						if err := json.NewDecoder(strings.NewReader(b.text)).Decode(&v); err != nil {
							t.Errorf("%s:%d: %v", file, b.line, err)
						}
						break
					}
				}
			}
		}
	}
	if commands < 20 || suites == 0 {
		t.Errorf("only %d commands and %d suites were looked at", commands, suites)
	}
}

// quoted are the words of a command line; single quotes hold one together.
var quoted = regexp.MustCompile(`(?:[^\s']|'[^']*')+`)

// understood reports what the program has against a command line, as far as its command, flags and arguments go.
func understood(t *testing.T, line string) error {
	line, _, _ = strings.Cut(line, "; ")
	line, _, _ = strings.Cut(line, " | ")
	words := quoted.FindAllString(line, -1)
	for i, w := range words {
		words[i] = strings.ReplaceAll(w, "'", "")
		if i > 0 && words[i-1] == "--problem" {
			words[i] = "../../scripts/examples/gpu-types" // whose name is another
		}
	}
	found, rest, err := root(t).Find(words[1:])
	if err != nil {
		return err
	}
	if err := found.ParseFlags(rest); err != nil {
		return err
	}
	if err := found.ValidateRequiredFlags(); err != nil {
		return err
	}
	return found.ValidateArgs(found.Flags().Args())
}
