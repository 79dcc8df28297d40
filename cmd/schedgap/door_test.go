package main

import (
	"encoding/json"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"schedgap/bench/catalog"
	"schedgap/exact/milp/linked"
)

// root is the program's root command.
func root(t *testing.T) *cobra.Command {
	t.Helper()
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	a := &app{registry: registry, log: slog.New(slog.DiscardHandler)}
	return a.root()
}

// visible are the commands that users see.
func visible(of *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{of}
	for _, c := range of.Commands() {
		if c.IsAvailableCommand() {
			list = append(list, visible(c)...)
		}
	}
	return list
}

// TestHelpHasExamples: every command has an example, and each is a command line that the program understands.
func TestHelpHasExamples(t *testing.T) {
	all := visible(root(t))
	for _, c := range all {
		if !strings.Contains(c.Example, c.CommandPath()+" ") && !strings.HasSuffix(c.Example, c.CommandPath()) {
			t.Errorf("%s has no example of itself: %q", c.CommandPath(), c.Example)
			continue
		}
		for _, line := range strings.Split(c.Example, "\n") {
			line = strings.TrimSuffix(strings.TrimPrefix(line, "  source <("), ")")
			if err := understood(t, strings.TrimSpace(line)); err != nil {
				t.Errorf("%s: the example %q: %v", c.CommandPath(), line, err)
			}
		}
	}
	if len(all) < 28 {
		t.Errorf("only %d commands were looked at", len(all))
	}
	for _, heading := range regexp.MustCompile(`(?m)^# schedgap ?(.*)$`).FindAllStringSubmatch(help, -1) {
		words := strings.Fields(heading[1])
		if c, rest, err := root(t).Find(words); err != nil || len(rest) > 0 || c.Example == "" && c.Name() != "suites" {
			t.Errorf("help.md speaks of %q: %v", heading[1], err)
		}
	}
}

// TestHelpFits: the first help fits a screen and names every command; others have at most two examples and each flag once.
func TestHelpFits(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(succeed(t, "--help")), "\n")
	if len(lines) > 24 {
		t.Errorf("--help has %d lines", len(lines))
	}
	for _, line := range lines {
		if n := len([]rune(line)); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	for _, c := range visible(root(t)) {
		words := strings.Fields(c.CommandPath())[1:]
		if len(words) == 1 && !strings.Contains(strings.Join(lines, "\n"), " "+words[0]+" ") {
			t.Errorf("--help does not name %s", words[0])
		}
		if n := strings.Count(c.Example, "\n"); n > 1 {
			t.Errorf("%s has %d examples", c.CommandPath(), n+1)
		}
		if n := strings.Count(c.Long, "\n"); n > 2 {
			t.Errorf("%s is described in %d lines", c.CommandPath(), n+1)
		}
		if len(words) == 0 {
			continue
		}
		help := succeed(t, append(words, "--help")...)
		c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			if n := len(regexp.MustCompile(`(?m)^ .*--`+f.Name+`( |$)`).FindAllString(help, -1)); n != 1 && f.Name != "help" && !f.Hidden &&
				!strings.Contains(c.Example+c.UseLine(), "--"+f.Name) {
				t.Errorf("%s shows --%s %d times", c.CommandPath(), f.Name, n)
			}
		})
	}
}

// TestCompletionKnowsTheProblem: the shell offers what the problem has that the command line names, by its name or by an
// instance's file.
func TestCompletionKnowsTheProblem(t *testing.T) {
	cloning := filepath.Join("..", "..", "models", "cloning", "examples")
	files, err := filepath.Glob(filepath.Join(cloning, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples of cloning: %v", err)
	}
	for _, c := range []struct {
		line      string
		has, lack []string
	}{
		{"generate ", []string{"flex", "pocd"}, nil},
		{"generate flex -p ", []string{"jobs=", "metric="}, []string{"window="}},
		{"generate flex -p metric=", []string{"metric=response"}, []string{"jobs="}},
		{"simulate redundancy -a ", []string{"srpt+r"}, []string{"fifo-min", "tetris"}},
		{"simulate redundancy -a srpt+r,", []string{"srpt+r,laps+r"}, []string{"srpt+r", "laps+r"}},
		{"simulate redundancy --generate ", []string{"lambda="}, nil},
		{"solve -a ", []string{"tetris", "fifo-min"}, nil},
		{"solve " + shared + "ties.json -a ", []string{"fifo-min", "opt"}, []string{"tetris"}},
		{"solve " + files[0] + " -a ", []string{"tetris", "opt"}, []string{"fifo-min"}},
		{"solve " + shared + "ties.json -a opt --model ", []string{"position"}, []string{"literal"}},
		{"solve " + shared + "ties.json -a opt --solver ", []string{"bnb", "cbc"}, []string{"hungarian"}},
		{"solve " + shared + "ties.json -a flex-ls -p ", []string{"evaluations="}, nil},
		{"export " + shared + "ties.json --model ", []string{"grid"}, []string{"assignment"}},
		{"trace derive flex DIR -p ", []string{"jobs="}, nil},
	} {
		words := strings.Split(c.line, " ")
		e := schedgap(t, append([]string{"__complete"}, words...)...)
		var offered []string
		for _, line := range strings.Split(e.stdout, "\n") {
			name, _, _ := strings.Cut(line, "\t")
			offered = append(offered, name)
		}
		for _, want := range c.has {
			if !slices.Contains(offered, want) {
				t.Errorf("%s<tab> does not offer %s: %q", c.line, want, offered)
			}
		}
		for _, no := range c.lack {
			if slices.Contains(offered, no) {
				t.Errorf("%s<tab> offers %s", c.line, no)
			}
		}
	}
}

// TestSolverNotLinked: in a build without a solver, solve says how to get it.
func TestSolverNotLinked(t *testing.T) {
	missing := linked.Missing()
	if len(missing) == 0 {
		t.Skip("SKIPPED: this build has all solvers; CGO_ENABLED=0 go test runs it")
	}
	for _, s := range missing {
		e := schedgap(t, "solve", shared+"one-slot.json", "-a", "opt", "--model", "position", "--solver", s.Name())
		if e.code != exitFailed || !strings.Contains(e.stderr, "not part of this build") || !strings.Contains(e.stderr, "make build") {
			t.Errorf("%s: exit %d, stderr %q", s.Name(), e.code, e.stderr)
		}
		var answer struct{ Status string }
		if err := json.Unmarshal([]byte(e.stdout), &answer); err != nil || answer.Status != "error" {
			t.Errorf("%s: stdout %q: %v", s.Name(), e.stdout, err)
		}
	}
}

// TestInstall: make install puts program, completions, man pages and licences below DESTDIR and PREFIX.
func TestInstall(t *testing.T) {
	t.Parallel()
	program := command(t)
	for _, needed := range []string{"bash", "install"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("SKIPPED: needs %s", needed)
		}
	}
	dir := t.TempDir()
	if out, err := script(t, []string{"SCHEDGAP=" + program, "SCHEDCHECK=" + program}, "install",
		filepath.Join(dir, "usr", "my local")); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for file, want := range map[string]string{
		"bin/schedgap":   "",
		"bin/schedcheck": "",
		"share/bash-completion/completions/schedgap":    "__start_schedgap",
		"share/zsh/site-functions/_schedgap":            "#compdef schedgap",
		"share/fish/vendor_completions.d/schedgap.fish": "complete -c schedgap",
		"share/man/man1/schedgap.1":                     ".SH SEE ALSO",
		"share/man/man1/schedgap-solve.1":               "schedgap solve instances/flex-000.json -a opt",
		"share/man/man1/schedgap-trace-derive.1":        "TRACE",
		"share/licenses/schedgap/schedgap/LICENSE":      "Apache License",
		"share/licenses/schedgap/go/LICENSE":            "The Go Authors",
	} {
		data, err := os.ReadFile(filepath.Join(dir, "usr", "my local", file))
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(strings.ReplaceAll(string(data), `\-`, "-"), want) {
			t.Errorf("%s lacks %q", file, want)
		}
	}
	if hidden, _ := filepath.Glob(filepath.Join(dir, "usr", "my local", "share/man/man1/*worker*")); len(hidden) > 0 {
		t.Errorf("internal commands have man pages: %v", hidden)
	}
}
