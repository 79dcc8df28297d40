package main

import (
	"errors"
	"fmt"
	"math"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/bench/algocheck"
)

func (a *app) checkAlgorithmCommand() *cobra.Command {
	o := algocheck.Options{Seed: 1, Threads: 1, Limits: bench.Limits{Time: 10 * time.Second}, Exact: bench.Limits{Time: 10 * time.Second}}
	asJSON := false
	cmd := &cobra.Command{
		Use:   "check-algorithm PROBLEM -- COMMAND …",
		Short: "Test an algorithm of your own on small instances",
		Long: "Runs a command on small instances of a problem, as a suite would, and says what is wrong with it: one row an\n" +
			"instance, then one sentence a mistake. The command reads the instance on its standard input and prints a solution;\n" +
			"docs/external.md has the protocol. Exit code 1 when anything is wrong.",
		Args: func(cmd *cobra.Command, args []string) error {
			switch at := cmd.ArgsLenAtDash(); {
			case len(args) == 0 || at == 0:
				return fmt.Errorf("PROBLEM is missing; see: %s --help", cmd.CommandPath())
			case at != 1 || len(args) < 2:
				return fmt.Errorf("after the problem, -- and a COMMAND are needed; see: %s --help", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: a.completeProblems,
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := a.registry.Problem(args[0])
			if err != nil {
				return err
			}
			o.Command = args[1:]
			if _, err := exec.LookPath(o.Command[0]); err != nil {
				return fmt.Errorf("the command %q cannot be run: %w", o.Command[0], errors.Unwrap(err))
			}
			instances, err := algocheck.Instances(p, o.Seed)
			if err != nil {
				return err
			}
			return a.tryOut(cmd, instances, o, asJSON)
		},
	}
	fs := cmd.Flags()
	limitFlags(fs, &o.Limits, &o.Threads)
	seedFlag(fs, &o.Seed)
	fs.BoolVar(&asJSON, "json", false, "one JSON object an instance")
	return cmd
}

// tryOut prints the verdicts and picks the exit code.
func (a *app) tryOut(cmd *cobra.Command, instances []*bench.Instance, o algocheck.Options, asJSON bool) error {
	name := len("instance")
	for _, in := range instances {
		name = max(name, len(in.Name))
	}
	var broken error // the first error of writing
	say := func(format string, args ...any) {
		if _, err := fmt.Fprintf(a.stdout, format, args...); broken == nil {
			broken = err
		}
	}
	// A row is printed when it is known: a command that hangs takes minutes.
	row := func(cells ...any) {
		say("%-*s  %-8s  %-12s  %-12s  %-9s  %s\n", append([]any{name}, cells...)...)
	}
	var remarks []string
	wrong, applied := 0, 0
	if !asJSON {
		row("instance", "result", "objective", "optimum", "gap", "seconds")
	}
	err := algocheck.Run(cmd.Context(), instances, o, func(v algocheck.Verdict) {
		result := v.Status
		if !v.OK {
			wrong++
			result = "WRONG"
		}
		if v.Status != string(bench.Skipped) {
			applied++
		}
		for _, s := range append(v.Wrong, v.Notes...) {
			remarks = append(remarks, fmt.Sprintf("%s: %s", v.Instance, s))
		}
		if asJSON {
			if line, err := encode(v); err == nil {
				say("%s", line)
			}
			return
		}
		row(v.Instance, result, number(v.Objective), number(v.Optimum), gapText(v), fmt.Sprintf("%.3f", v.Seconds))
	})
	if !asJSON {
		if len(remarks) > 0 {
			say("\n")
		}
		for _, r := range remarks {
			say("%s\n", strings.TrimSpace(strings.ReplaceAll(r, "\n", "\n  ")))
		}
	}
	if err := errors.Join(err, broken); err != nil {
		return err
	}
	switch {
	case wrong > 0:
		return &exit{exitFailed, fmt.Sprintf("the command is wrong on %d of %d instances", wrong, len(instances))}
	case applied == 0:
		return &exit{exitFailed, "the command is applicable to none of the instances"}
	}
	return nil
}

func number(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.6g", *x)
}

// gapText is how far the value is from the proven optimum, in the optimum's own unit: ratios would need the problem's rules.
func gapText(v algocheck.Verdict) string {
	if v.Objective == nil || v.Optimum == nil {
		return "-"
	}
	gap := *v.Objective - *v.Optimum
	if math.Abs(gap) <= 1e-9*max(1, math.Abs(*v.Optimum)) {
		gap = 0
	}
	return fmt.Sprintf("%.3g", gap)
}
