package main

import (
	"github.com/spf13/cobra"

	"schedgap/exact/verify/referee"
)

func (a *app) checkCommand() *cobra.Command {
	drawing := ""
	cmd := a.command("check INSTANCE.json SOLUTION.json", func(_ *cobra.Command, args []string) error {
		if err := drawable(drawing, args[0]); err != nil {
			return err
		}
		j, err := a.check(args[0], args[1])
		if err == nil && drawing != "" {
			err = a.drawFile(drawing, args[0], args[1])
		}
		return a.judged(j, err == nil && j.Feasible, err)
	})
	cmd.Flags().StringVar(&drawing, "draw", "", "`FILE.svg` for a drawing of the schedule")
	return cmd
}

// check has the referee judge a solution, or the checker of a problem of the user's own.
func (a *app) check(instance, solution string) (*referee.Judgement, error) {
	if a.own == nil {
		return referee.Check(instance, solution)
	}
	in, err := a.readInstance(instance)
	switch {
	case err != nil:
		return nil, err
	case in.Problem.Folder == nil:
		return referee.Check(instance, solution)
	}
	data, err := readFile(solution)
	if err != nil {
		return nil, err
	}
	report, err := in.Check(solution, data)
	if err != nil {
		return nil, err
	}
	return &referee.Judgement{
		Feasible: report.Feasible(nil), Objective: report.Objective, Waived: []string{}, Violations: orEmpty(report.Violations),
	}, nil
}

func (a *app) drawFile(to, instance, solution string) error {
	in, err := a.readInstance(instance)
	if err != nil {
		return err
	}
	data, err := readFile(solution)
	if err != nil {
		return err
	}
	return draw(to, in, solution, data)
}

func (a *app) verifyCommand() *cobra.Command {
	return a.command("verify INSTANCE.json PROOF", func(cmd *cobra.Command, args []string) error {
		if a.own != nil {
			return needsGo(a.own, "proof files")
		}
		v, err := referee.Verify(cmd.Context(), args[0], args[1])
		return a.judged(v, err == nil && v.Verified, err)
	})
}

// judged prints a judgement that there is; unless it is good, that says it all.
func (a *app) judged(v any, good bool, err error) error {
	if err == nil {
		err = a.printJSON(v)
	}
	return failedUnless(good, err)
}

// failedUnless is how a command ends that has said all on stdout.
func failedUnless(good bool, err error) error {
	if err != nil || good {
		return err
	}
	return &exit{code: exitFailed}
}
