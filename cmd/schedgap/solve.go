package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/bench/run/worker"
	"schedgap/models"
)

// answer is the answer of solve. Every key is always there; a value that does not apply is null.
type answer struct {
	Problem     string          `json:"problem"`
	Instance    string          `json:"instance"`
	Algorithm   string          `json:"algorithm"`
	Model       *string         `json:"model"`
	Solver      *string         `json:"solver"`
	Reference   string          `json:"reference"`
	Status      string          `json:"status"`
	Sense       string          `json:"sense"`
	Objective   *float64        `json:"objective"`
	Bound       *float64        `json:"bound"`
	Gap         *float64        `json:"gap"`
	Feasible    *bool           `json:"feasible"`
	Waived      []string        `json:"waived"`
	Hopeless    []string        `json:"hopeless"`
	WallSeconds float64         `json:"wall_seconds"`
	Solution    json.RawMessage `json:"solution"`
}

func (a *app) solveCommand() *cobra.Command {
	var (
		request = bench.Request{Seed: 1, Threads: 1}
		limits  = bench.Limits{Time: time.Minute}
		given   []string
		out     string
		pass    []string
		proof   string
		name    string
	)
	cmd := a.command("solve INSTANCE.json (-a ALGORITHM | -- COMMAND …)", func(cmd *cobra.Command, args []string) (err error) {
		in, errInstance := a.readInstance(args[0])
		request.Params, err = models.ParseAssignments(given)
		if err := cmp.Or(errInstance, err); err != nil {
			return err
		}
		request.Prove = proof != ""
		if request.Prove && in.Problem.Folder != nil {
			return needsGo(in.Problem, "proof files")
		}
		request.Command = args[1:]
		if len(request.Command) > 0 {
			request.Algorithm = cmp.Or(name, commandName(request.Command))
		} else if err := in.Problem.Validate(in, request); err != nil {
			return err
		}
		if a, _, err := in.Problem.Find(request.Algorithm); err == nil && !a.Random && !cmd.Flags().Changed("seed") {
			request.Seed = 0 // as in a suite: a MILP solver has its own
		}
		if err := cmp.Or(in.Problem.Resolve(&request), writableFile(out, args[0]), writableFile(proof, args[0])); err != nil {
			return err
		}
		if proof != "" && same(proof, out) {
			return fmt.Errorf("%s: is for the solution, which the proof would replace", proof)
		}
		res := worker.RunOne(cmd.Context(), worker.Options{Pass: pass}, in, request, limits)
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		if res.Status == bench.Skipped {
			return models.NotApplicablef("%s is not applicable to %s: %s", request.Algorithm, in.Name, res.Error)
		}
		var unwritten error // the answer is printed all the same
		if proof != "" && len(res.Proof) == 0 {
			unwritten = fmt.Errorf("%s has no proof of its result on %s: %s is not written", request.Algorithm, in.Name, proof)
		} else if proof != "" {
			if res.Status == bench.Optimal && res.Verified == bench.ProvenBound {
				a.log.Warn(fmt.Sprintf("%s is the proof of a bound that is not the optimum; a longer time limit may give one of it", proof))
			}
			unwritten = writeFile(proof, res.Proof)
		}
		if err := a.conclude(in, request, res, out); err != nil || unwritten == nil {
			return err
		}
		return &exit{exitFailed, unwritten.Error()}
	})
	cmd.Args = oneOf(&request.Algorithm, "INSTANCE.json")
	fs := cmd.Flags()
	fs.StringVarP(&request.Algorithm, "algorithm", "a", "", "`NAME` of the algorithm; see: schedgap list algorithms")
	fs.StringVar(&name, "name", "", "`NAME` of the command in the answer (default: its file's name)")
	fs.StringVar(&request.Solver, "solver", "", "`NAME` of the MILP solver or exact method (default: the best for the instance)")
	fs.StringVar(&request.Model, "model", "", "`NAME` of the exact model (default: the best for the instance)")
	paramFlag(fs, &given, "algorithm")
	limitFlags(fs, &limits, &request.Threads)
	envFlag(fs, &pass)
	seedFlag(fs, &request.Seed)
	fs.StringVar(&proof, "proof", "", "`FILE` for the proof of the optimum or bound, for verify")
	fs.StringVarP(&out, "output", "o", "", "`FILE` for the solution")
	a.completeAlgorithm(cmd, &request.Algorithm)
	return cmd
}

// conclude prints the answer and picks the exit code.
func (a *app) conclude(in *bench.Instance, r bench.Request, res *bench.Result, out string) error {
	ans := answer{
		Problem: in.Problem.Name, Instance: in.Name, Algorithm: r.Algorithm,
		Model: bench.OrNull(res.Model), Solver: bench.OrNull(res.Solver), Reference: res.Reference, Sense: in.Problem.Sense.String(),
		Objective: res.Objective, Bound: res.Bound, Gap: res.Gap(in), Feasible: res.Feasible,
		Waived: orEmpty(res.Waived), Hopeless: orEmpty(res.Hopeless), WallSeconds: res.WallSeconds, Solution: res.Solution,
	}
	failed := true
	switch res.Status {
	case bench.Optimal, bench.Feasible:
		failed = false
	case bench.Timeout, bench.OOM:
		res.Status = bench.Timeout // both are limits
		found := res.Feasible != nil && *res.Feasible
		bounded := res.Bound != nil && !found
		failed = !found && !(bounded && res.Kind == string(models.Bound))
		if bounded && res.Error == "" {
			res.Error = fmt.Sprintf("%s on %s: a limit was reached, and only a bound was found", r.Algorithm, in.Name)
		}
	case bench.Infeasible, bench.Refuted:
	default:
		res.Status = bench.Error
	}
	ans.Status = string(res.Status)
	message := firstLine(res.Error)
	switch {
	case failed:
		message = cmp.Or(message, fmt.Sprintf("%s on %s: %s", r.Algorithm, in.Name, outcome[res.Status]))
	case message != "":
		a.log.Warn(message)
	case res.Kind == string(models.Exact) && res.Status == bench.Feasible && res.Raw != "":
		a.log.Warn(fmt.Sprintf("%s ended early: %s", r.Algorithm, res.Raw))
	}
	if out != "" && !failed && res.Solution != nil {
		if err := writeFile(out, append(res.Solution, '\n')); err != nil {
			return err
		}
	} else if out != "" && !failed {
		failed, message = true, fmt.Sprintf("%s gives no solution: %s is not written", r.Algorithm, out)
	}
	if err := a.printAnswer(ans); err != nil || !failed {
		return err
	}
	return &exit{exitFailed, message}
}

// printAnswer is printJSON. The solution, which comes last, is printed as it is: it may have millions of numbers.
func (a *app) printAnswer(ans answer) error {
	solution := ans.Solution
	ans.Solution = nil
	if solution == nil {
		return a.printJSON(ans)
	}
	line, err := encode(ans)
	if err != nil {
		return err
	}
	for _, part := range [][]byte{bytes.TrimSuffix(line, []byte("null}\n")), solution, []byte("}\n")} {
		if err := a.print(part); err != nil {
			return err
		}
	}
	return nil
}

// outcome describes the statuses of unsuccessful runs in words.
var outcome = map[bench.Status]string{
	bench.Timeout:    "a limit was reached and nothing found",
	bench.Infeasible: "proven to have no solution",
	bench.Error:      "failed",
}
