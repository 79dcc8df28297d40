package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestLists: a flag that takes a list takes it in parts, too, and the first part replaces the default.
func TestLists(t *testing.T) {
	if !alone(t) {
		return
	}
	t.Chdir(t.TempDir())
	suite := write(t, ".", "s.yaml", small("{n: 3, params: {jobs: 4}}", "opt, fair, spt, fifo"))
	for dir, args := range map[string][]string{
		"parts": {"-a", "opt", "-a", "fa*", "--algorithms", "spt", "-i", "*-000", "-i", "*-002"}, "one": {"-a", "opt,fa*,spt", "-i", "*-000,*-002"},
	} {
		succeed(t, append([]string{"run", suite, "-o", dir, "--quiet"}, args...)...)
		if got, want := units(t, dir), "[fair:2 opt:2 spt:2]"; got != want {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
	}
	e := schedgap(t, "compare", "parts", "one", "--fail-on", "ratio=1%", "--fail-on", "missing", "--format", "json")
	if !strings.Contains(e.stdout, `"gates":{"ratio":0.01,"gap":null,"time":null,"correctness":false,"missing":true,"changed":false}`) {
		t.Errorf("gates in parts: %.500s", e.stdout)
	}
	if e := schedgap(t, "simulate", "flex", "-a", "fair", "-a", "spt", "--generate", "jobs=3", "-o", "sim", "--quiet"); e.code != 0 {
		t.Error(e.stderr)
	}
	succeed(t, "report", "parts", "-a", "fair", "-a", "opt", "-o", "report")
	if text := read(t, "report/summary.md"); strings.Contains(text, "| spt") || !strings.Contains(text, "| fair") {
		t.Error("the report is not about both parts of the list")
	}
}

// TestFlagsHelp: the flags of every command stand below each other, and what kind of thing a list is of stands there once.
func TestFlagsHelp(t *testing.T) {
	var each func(cmd *cobra.Command)
	each = func(cmd *cobra.Command) {
		for _, line := range strings.Split(cmd.LocalFlags().FlagUsages(), "\n") {
			if len(line) != utf8.RuneCountInString(line) && strings.Contains(line[:min(len(line), 30)], "…") {
				t.Errorf("%s: not aligned: %s", cmd.CommandPath(), line)
			}
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			kind, usage := pflag.UnquoteUsage(f)
			if strings.HasSuffix(kind, ",...") && strings.Contains(usage, strings.TrimSuffix(kind, ",...")) {
				t.Errorf("%s --%s: %s stands in %q, too", cmd.CommandPath(), f.Name, kind, usage)
			}
		})
		for _, sub := range cmd.Commands() {
			each(sub)
		}
	}
	each(root(t))
}
