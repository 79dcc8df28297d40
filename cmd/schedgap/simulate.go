package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/bench/run/simrun"
	"schedgap/bench/run/store"
	"schedgap/models"
	"schedgap/models/simulation"
	"schedgap/models/strict"
)

// simulated is the answer of simulate.
type simulated struct {
	Problem     string        `json:"problem"`
	Workload    string        `json:"workload"`
	Seed        uint64        `json:"seed"`
	Repetitions int           `json:"repetitions"`
	Params      models.Values `json:"params"`
	Rows        int           `json:"rows"` // that were added to the dataset
	Means       []simrun.Mean `json:"means"`
	Warnings    []string      `json:"warnings"` // about records left out of the workload, and about the means
}

func (a *app) simulateCommand() *cobra.Command {
	var (
		plan                 = simrun.Plan{Seed: 1, Repetitions: 1, Workers: runtime.NumCPU()}
		policies, file, spec string
		request              models.DeriveRequest
		win                  window
		given, own           []string
		out                  string
		workloads            = []string{"workload", "trace", "generate"}
	)
	const use = "simulate PROBLEM -a POLICY[,…] (--workload FILE.jsonl | --trace DIR | --generate SPEC) -o DIR"
	cmd := a.problemCommand(use, func(cmd *cobra.Command, p *bench.Problem, _ []string) (err error) {
		sim := p.Simulator
		plan.Problem = p
		if sim == nil {
			return needsGo(p, "simulators")
		}
		var errOwn, errPolicies, errParams error
		_, plan.Commands, errOwn = namedCommands("--policy", own)
		plan.Policies, errPolicies = simrun.Policies(sim, plan.Commands, policies)
		plan.Params, errParams = resolve(sim.Params, given)
		if err := cmp.Or(errOwn, errPolicies, errParams); err != nil {
			return err
		}
		if err := writableFolder(out, simFolder); err != nil {
			return err
		}
		var (
			data     []byte       // of the workload's file
			warnings = []string{} // about the trace's
		)
		switch {
		case cmd.Flags().Changed("workload"):
			data, err = readFile(file)
			if err != nil {
				return err
			}
			plan.Workload = filepath.Base(file)
			plan.Fixed, err = sim.ReadWorkload(file, bytes.NewReader(data))
			if err != nil {
				return err
			}
		case cmd.Flags().Changed("trace"):
			request.From, request.To = win.from, win.to
			request.Params = plan.Params
			request.Warn = func(sentence string) { warnings = append(warnings, sentence) }
			plan.Workload = "trace:" + filepath.Base(filepath.Clean(request.Dir))
			plan.Fixed, err = sim.FromTrace(cmd.Context(), request)
			if err != nil {
				return err
			}
		default:
			plan.Workload = strings.TrimSuffix("generate:"+spec, ":")
			plan.Spec, err = resolve(sim.Specs, strings.FieldsFunc(spec, func(r rune) bool { return r == ',' }))
			if err != nil {
				return err
			}
		}
		err = a.simulate(cmd.Context(), plan, out, warnings)
		var fault *simulation.Fault
		if errors.As(err, &fault) && fault.Job != "" && data != nil {
			return strict.Errorf(fmt.Sprintf("%s:%d", file, simulation.LineOf(data, fault.Job)), "", "%v", fault)
		}
		return err
	})
	fs := cmd.Flags()
	listFlag(fs, &policies, "algorithm", "a", "POLICY", "the policies to compare")
	fs.StringArrayVar(&own, "policy", nil, "`NAME=COMMAND`, a policy of your own; may be repeated")
	fs.StringVar(&file, "workload", "", "`FILE.jsonl` with one job on each line")
	fs.StringVar(&request.Dir, "trace", "", "`DIR` or file of a cluster trace with the jobs")
	fs.StringVar(&spec, "generate", "", "`SPEC` of a random workload, key=value,…; may be empty")
	formatFlag(fs, &request.Format)
	windowFlag(fs, &win)
	strictFlag(fs, &request.Strict)
	seedFlag(fs, &plan.Seed)
	countFlag(fs, &plan.Repetitions, most, "reps", "", "number of repetitions")
	countFlag(fs, &plan.Workers, most, "workers", "", "repetitions at a time; the results do not depend on it")
	paramFlag(fs, &given, "simulation")
	writesTo(cmd, &out, "`DIR` of the results dataset")
	a.completePolicies(cmd)
	a.helpByProblem(cmd, describeSimulator)
	cmd.MarkFlagsOneRequired(workloads...)
	cmd.MarkFlagsMutuallyExclusive(workloads...)
	must(cmd, "algorithm")
	for _, ofTrace := range []string{"format", "window", "strict"} { // for traces only
		cmd.MarkFlagsMutuallyExclusive(ofTrace, "workload")
		cmd.MarkFlagsMutuallyExclusive(ofTrace, "generate")
	}
	return cmd
}

// simulate runs plan. Warnings about the workload come before warnings about the means.
func (a *app) simulate(ctx context.Context, plan simrun.Plan, out string, warnings []string) error {
	rows, err := simrun.Run(ctx, plan)
	if err != nil {
		return err
	}
	added, err := simrun.Store(ctx, store.Open(out), rows)
	if err != nil {
		return err
	}
	means := simrun.Means(rows)
	if text := simrun.Unreached(means, plan.Params); text != "" {
		warnings = append(warnings, text)
	}
	warnings = append(warnings, simrun.Doubts(means)...)
	for _, warning := range warnings {
		a.log.Warn(warning)
	}
	return a.printJSON(simulated{plan.Problem.Name, plan.Workload, plan.Seed, plan.Repetitions, plan.Params, added, means, warnings})
}

// describeSimulator writes the policies and parameters of a problem's simulator and returns an example with its first two policies.
func describeSimulator(b *strings.Builder, p *bench.Problem) string {
	s := p.Simulator
	if s == nil {
		return ""
	}
	fmt.Fprintf(b, "\n%s\n\nPolicies, -a:\n", s.Doc)
	var names []string
	for _, q := range s.Policies {
		fmt.Fprintf(b, "  %s: %s\n", policyName(q), firstLine(q.Doc))
		names = append(names, q.Name)
	}
	describeParams(b, "Parameters of the simulation, -p:", s.Params)
	describeParams(b, "Parameters of a generated workload, --generate:", s.Specs)
	return fmt.Sprintf("schedgap simulate %s -a %s%s -o results", p.Name, strings.Join(names[:min(2, len(names))], ","),
		firstParam(" --generate ", s.Specs))
}
