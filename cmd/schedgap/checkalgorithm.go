package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/bench/score/algocheck"
	"schedgap/models"
	"schedgap/reports/stats"
)

// algorithmCommand holds the commands for a user's own algorithms.
func (a *app) algorithmCommand() *cobra.Command {
	cmd := a.command("algorithm new|check PROBLEM", nil)
	group(cmd, a.newAlgorithmCommand("new"), a.checkAlgorithmCommand("check"))
	return cmd
}

func (a *app) checkAlgorithmCommand(name string) *cobra.Command {
	o := algocheck.Options{
		Seed: 1, Threads: 1, Limits: bench.Limits{Time: 10 * time.Second},
		Exact: bench.Limits{Time: 10 * time.Second},
	}
	var (
		asJSON     bool
		only, keep string
	)
	cmd := a.problemCommand(name+" PROBLEM -- COMMAND …", func(cmd *cobra.Command, p *bench.Problem, args []string) error {
		o.Command = args[1:]
		instances, err := algocheck.Instances(p, o.Seed)
		if err != nil {
			return err
		}
		if only != "" {
			var names []string
			all := instances
			instances = nil
			for _, in := range all {
				names = append(names, in.Name)
				if in.Name == only {
					instances = append(instances, in)
				}
			}
			if len(instances) == 0 {
				return fmt.Errorf("no instance %q; there are %s", only, strings.Join(names, ", "))
			}
		}
		if err := writableFolder(keep); keep != "" && err != nil {
			return err
		}
		return a.tryOut(cmd, instances, o, asJSON, keep)
	})
	cmd.Args = problemAndCommand
	fs := cmd.Flags()
	limitFlags(fs, &o.Limits, &o.Threads)
	seedFlag(fs, &o.Seed)
	envFlag(fs, &o.Pass)
	fs.BoolVar(&asJSON, "json", false, "print one JSON object for each instance")
	fs.StringVar(&only, "instance", "", "`NAME` of the only instance to try")
	fs.BoolVar(&o.First, "first", false, "stop at the first mistake")
	fs.StringVar(&keep, "keep", "", "`DIR` for the instances and the command's answers, NAME.json and NAME.solution.json")
	return cmd
}

// tryOut prints the verdicts and picks the exit code.
func (a *app) tryOut(cmd *cobra.Command, instances []*bench.Instance, o algocheck.Options, asJSON bool, keep string) error {
	name := len("instance")
	for _, in := range instances {
		name = max(name, len(in.Name))
	}
	var broken error // the first error of writing
	say := func(format string, args ...any) {
		_, err := fmt.Fprintf(a.stdout, format, args...)
		broken = cmp.Or(broken, err)
	}
	// A row is printed when it is known: a command that hangs takes minutes.
	row := func(cells ...any) {
		if !asJSON {
			say("%-*s  %-8s  %-12s  %-12s  %-9s  %s\n", append([]any{name}, cells...)...)
		}
	}
	var remarks []string           // each once
	where := map[string][]string{} // the instances that one is about
	wrong, applied, tried := 0, 0, 0
	compared := standing{ratios: map[string]map[string]float64{}}
	row("instance", "result", "objective", "optimum", "gap", "seconds")
	err := algocheck.Run(cmd.Context(), instances, o, func(v algocheck.Verdict) {
		result := v.Status
		if !v.OK {
			wrong++
			result = "WRONG"
		}
		if v.Status != string(bench.Skipped) {
			applied++
		}
		compared.add(instances[tried], &v)
		for _, s := range append(v.Wrong, v.Notes...) {
			if where[s] == nil {
				remarks = append(remarks, s)
			}
			where[s] = append(where[s], v.Instance)
		}
		tried++
		if keep != "" && broken == nil {
			broken = keepTried(keep, instances[tried-1], v.Solution)
		}
		if asJSON {
			broken = cmp.Or(broken, a.printJSON(v))
		}
		row(v.Instance, result, number(v.Objective), number(v.Optimum), gapText(v.Gap), fmt.Sprintf("%.3f", v.Seconds))
	})
	if !asJSON && len(remarks) > 0 {
		say("\n")
		for _, r := range remarks {
			at := where[r][0]
			if more := len(where[r]) - 1; more > 0 {
				at += fmt.Sprintf(" and %d more", more)
			}
			say("%s: %s\n", at, strings.TrimSpace(strings.ReplaceAll(r, "\n", "\n  ")))
		}
	}
	if err == nil && !asJSON && wrong == 0 && applied > 0 {
		say("\nright on all %d instances%s\n", applied, compared.words())
	}
	switch err := errors.Join(err, broken); {
	case err != nil:
		return err
	case wrong > 0:
		return &exit{exitFailed, fmt.Sprintf("the command is wrong on %d of %d instances", wrong, tried)}
	case applied == 0:
		return &exit{exitFailed, "the command is applicable to none of the instances"}
	}
	return nil
}

// A standing is how far a command and its rivals are from proven optima.
type standing struct {
	instances []string
	ratios    map[string]map[string]float64 // by heuristic and instance; the empty name is the command's
	augmented map[string]float64            // by heuristic: the largest factor of its solutions above 1
}

func (s *standing) add(in *bench.Instance, v *algocheck.Verdict) {
	if v.Optimum == nil || v.Objective == nil || !v.OK || in.Comparison == models.Difference || *v.Optimum <= 0 ||
		*v.Objective <= 0 {
		return
	}
	s.instances = append(s.instances, v.Instance)
	add := func(name string, value float64) {
		if s.ratios[name] == nil {
			s.ratios[name] = map[string]float64{}
		}
		if value > 0 {
			s.ratios[name][v.Instance] = math.Pow(value / *v.Optimum, float64(in.Problem.Sense))
		}
	}
	add("", *v.Objective)
	for name, value := range v.Rivals {
		add(name, value)
	}
	if s.augmented == nil {
		s.augmented = map[string]float64{}
	}
	for name, factor := range v.Augmented {
		s.augmented[name] = max(s.augmented[name], factor)
	}
}

// with says how much more than the optimum a heuristic had, which is why its ratio may be below 1.
func (s *standing) with(name string) string {
	if s.augmented[name] == 0 {
		return ""
	}
	return fmt.Sprintf(" with augmentation of up to %.4g", s.augmented[name])
}

// words are empty where there is nothing to compare with.
func (s *standing) words() string {
	if len(s.instances) == 0 {
		return ""
	}
	mean := func(name, on string) float64 { // where another has ratios
		var xs []float64
		for _, instance := range s.instances {
			if s.ratios[on][instance] > 0 {
				xs = append(xs, s.ratios[name][instance])
			}
		}
		return stats.GeoMean(xs)
	}
	own, best := s.ratios[""], ""
	worst := slices.MaxFunc(s.instances, func(a, b string) int { return cmp.Compare(own[a], own[b]) })
	for _, name := range slices.Sorted(maps.Keys(s.ratios)) {
		if 2*len(s.ratios[name]) > len(s.instances) && (best == "" || mean(name, name) < mean(best, best)) {
			best = name
		}
	}
	beside := ""
	if best != "" {
		beside = fmt.Sprintf(" (%s %.3f%s", best, mean(best, best), s.with(best))
		if n := len(s.ratios[best]); n < len(s.instances) {
			beside += fmt.Sprintf(" on %d of them, where this one has %.3f", n, mean("", best))
		}
		beside += ")"
	}
	return fmt.Sprintf(". On the %d with a positive optimum: %.3f times the optimum on average%s%s, at worst %.3f (%s)", len(s.instances),
		mean("", ""), s.with(""), beside, own[worst], worst)
}

func number(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.6g", *x)
}

// gapText is the gap of a value to the proven optimum.
func gapText(gap *float64) string {
	if gap == nil {
		return "-"
	}
	return fmt.Sprintf("%.3g", *gap)
}

// keepTried writes an instance and, if there is one, the solution that the command printed.
func keepTried(dir string, in *bench.Instance, solution []byte) error {
	err := writeFile(filepath.Join(dir, in.Name+".json"), in.JSON)
	if err == nil && solution != nil {
		err = writeFile(filepath.Join(dir, in.Name+".solution.json"), append(slices.Clone(solution), '\n'))
	}
	return err
}
