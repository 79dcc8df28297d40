package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// times are the last column of algorithm check.
var times = regexp.MustCompile(`\d\.\d{3}`)

// TestRetiredFlags: an option that is gone, with a value or without, says in one sentence how it ended, and nothing is written.
func TestRetiredFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "model.mps")
	for flag, successor := range retiredFlags {
		words := strings.Fields(flag)[1:]
		for _, last := range []string{words[len(words)-1], words[len(words)-1] + "=true"} {
			args := append(words[:len(words)-1:len(words)-1], shared+"one-slot.json", "--model", "position", "--format", "mps", "-o", file, last)
			e := schedgap(t, args...)
			if _, err := os.Stat(file); err == nil || e.code != exitUsage || e.stdout != "" || strings.Count(e.stderr, "\n") != 1 ||
				!strings.Contains(e.stderr, successor) {
				t.Errorf("%v: %+v", args, e)
			}
		}
	}
}

// TestHelpCommand: help prints what --help prints, and refuses what is no command.
func TestHelpCommand(t *testing.T) {
	for _, command := range []string{"", "solve", "library", "library show", "algorithm check", "help"} {
		words := strings.Fields(command)
		want := schedgap(t, append(words[:len(words):len(words)], "--help")...)
		got := schedgap(t, append([]string{"help"}, words...)...)
		if got != want || got.code != 0 || got.stdout == "" {
			t.Errorf("help %s: %+v, want %+v", command, got, want)
		}
	}
	for command, says := range map[string]string{
		"slove": `did you mean "solve"?`, "library shwo": `did you mean "show"?`, "solve x": "solve has no commands",
	} {
		e := schedgap(t, append([]string{"help"}, strings.Fields(command)...)...)
		if e.code != exitUsage || e.stdout != "" || strings.Count(e.stderr, "\n") != 1 || !strings.Contains(e.stderr, says) {
			t.Errorf("help %s: %+v", command, e)
		}
	}
}

// TestOldNames: what commands were called once prints the same on stdout and ends with the same code; the new name is on stderr.
func TestOldNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, today string }{
		{"suite show quick", "list suites quick"},
		{"new-algorithm flex --lang python", "algorithm new flex --lang python"},
		{"new-algorithm flx --lang python", "algorithm new flx --lang python"},
		{"check-algorithm flex --instance one-job -- false", "algorithm check flex --instance one-job -- false"},
	} {
		old, today := schedgap(t, strings.Fields(c.old)...), schedgap(t, strings.Fields(c.today)...)
		mask := func(s string) string { return times.ReplaceAllString(s, "") }
		if mask(old.stdout) != mask(today.stdout) || old.code != today.code {
			t.Errorf("%s: exit %d, %s\n%s: exit %d, %s", c.old, old.code, old.stdout, c.today, today.code, today.stdout)
		}
		command, _, _ := strings.Cut(c.today, " flex")
		command, _, _ = strings.Cut(command, " quick")
		if old.code == 0 && !strings.Contains(old.stderr, "today=\"schedgap "+command) {
			t.Errorf("%s: %s", c.old, old.stderr)
		}
	}
	if e := schedgap(t, "version"); e.code != 0 || !strings.HasPrefix(e.stdout, "schedgap ") ||
		!strings.Contains(e.stderr, "schedgap doctor") {
		t.Errorf("version: %+v", e)
	}
}
