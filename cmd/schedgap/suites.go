package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/bench/plan/suite"
	"schedgap/reports/words"
)

type suiteItem struct {
	Name       string   `json:"name"`
	Problem    string   `json:"problem"`
	Purpose    *string  `json:"purpose"`         // null: not stated
	Figure     *string  `json:"figure"`          // of a paper; null: none
	Typical    *float64 `json:"typical_seconds"` // on two cores, in its order of magnitude; null: not stated
	Instances  []string `json:"instances"`
	Algorithms []string `json:"algorithms"`
	Solvers    []string `json:"solvers"`
	Seeds      []uint64 `json:"seeds"`
	TimeLimit  float64  `json:"time_limit_seconds"`
}

func (a *app) listSuites(problems []*bench.Problem, add adder) error {
	all, err := suite.Builtin(a.registry)
	for _, s := range all {
		if !slices.ContainsFunc(problems, func(p *bench.Problem) bool { return p.Name == s.Problem }) {
			continue
		}
		item := suiteItem{
			Name: s.Name, Problem: s.Problem, Purpose: bench.OrNull(s.Purpose), Figure: bench.OrNull(s.Figure), Instances: []string{},
			Algorithms: []string{}, Solvers: orEmpty(s.Solvers),
			Typical: bench.OrNull(time.Duration(s.Typical).Seconds()), Seeds: s.Seeds, TimeLimit: time.Duration(s.Limits.Time).Seconds(),
		}
		for _, src := range s.Instances {
			switch {
			case src.Generate != nil:
				item.Instances = append(item.Instances, fmt.Sprintf("%d generated", src.Generate.N))
			case src.Trace != nil:
				item.Instances = append(item.Instances, fmt.Sprintf("up to %d from %s", src.Trace.N, src.Trace.Dir))
			case src.Library != "":
				item.Instances = append(item.Instances, "of the library: "+src.Library)
			default:
				item.Instances = append(item.Instances, src.Files)
			}
		}
		for _, e := range s.Algorithms {
			item.Algorithms = append(item.Algorithms, e.Name)
		}
		typical := "-"
		if s.Typical > 0 {
			typical = shortDuration(time.Duration(s.Typical))
		}
		add(item, s.Name, s.Problem, typical, cmp.Or(s.Figure, "-"), cmp.Or(s.Purpose, "-"))
	}
	return err
}

// shortDuration leaves out the zeros behind: 1m, not 1m0s.
func shortDuration(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// showSuite prints a suite as it would be run, as YAML that run takes: with its defaults and purpose, folders of traces and files
// written out, and the number of its units. Sources that are skipped are named on stderr.
func (a *app) showSuite(cmd *cobra.Command, args []string) error {
	suites, err := suite.Load(args[0], a.registry)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for i, s := range suites {
		plan, err := s.Resolve(cmd.Context(), a.registry)
		if err != nil {
			return err
		}
		for _, n := range plan.Notes {
			a.log.Warn(n)
		}
		if i > 0 {
			text.WriteString("---\n")
		}
		doc, err := plan.Suites[0].YAML()
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "# %s on %s\n%s", words.Count(len(plan.Units), "unit"), words.Count(plan.Instances(), "instance"), doc)
	}
	return a.print(text.Bytes())
}

// completeSuites completes a command's first argument by built-in suites, and by files.
func (a *app) completeSuites(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	builtin, err := suite.Builtin(a.registry)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names := make([]string, len(builtin))
	for i, s := range builtin {
		names[i] = cobra.CompletionWithDesc(s.Name, s.Purpose)
	}
	return names, cobra.ShellCompDirectiveDefault
}
