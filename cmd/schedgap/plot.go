package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/bench/worst"
	"schedgap/reports"
	"schedgap/reports/plots"
)

func (a *app) plotCommand() *cobra.Command {
	out, seed := "", uint64(1)
	var forPaper paperFlags
	cmd := a.command("plot (INSTANCE SOLUTION… | RESULTS FIGURE) -o FILE", func(cmd *cobra.Command, args []string) error {
		render := map[string]func(*plots.Figure) ([]byte, error){
			".svg": (*plots.Figure).SVG, ".png": (*plots.Figure).PNG, ".pdf": (*plots.Figure).PDF,
		}[strings.ToLower(filepath.Ext(out))]
		if render == nil {
			return fmt.Errorf("-o %q does not end in .svg, .png or .pdf", out)
		}
		look, err := forPaper.look()
		if err := cmp.Or(writableFile(out, args[0]), err); err != nil {
			return err
		}
		var f *plots.Figure
		if info, statErr := os.Stat(args[0]); statErr == nil && info.IsDir() {
			if len(args) > 2 {
				return fmt.Errorf("%s is a folder of results, of which one figure is drawn at a time", args[0])
			}
			f, err = a.figure(cmd.Context(), args[0], args[1], seed)
		} else {
			f, err = a.schedules(args[0], args[1:])
		}
		if err != nil {
			return err
		}
		if !cmd.Flags().Changed("width") {
			look.Width = 0
		}
		data, err := render(f.For(look))
		if err != nil {
			return err
		}
		return writeFile(out, data)
	})
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) < 2 {
			return fmt.Errorf("plot takes INSTANCE SOLUTION…, or RESULTS FIGURE")
		}
		return nil
	}
	fs := cmd.Flags()
	writesTo(cmd, &out, "`FILE`, .svg, .png or .pdf")
	forPaper.addLook(fs)
	seedFlag(fs, &seed)
	_ = fs.MarkHidden("seed") // of the bootstrap
	return cmd
}

func (a *app) figure(ctx context.Context, dir, name string, seed uint64) (*plots.Figure, error) {
	ctx, done := withMemory(ctx, dir)
	defer done()
	f, err := reports.Until(ctx, func() (*plots.Figure, error) {
		in, err := a.results(ctx, dir)
		if err != nil {
			return nil, err
		}
		in.Seed = seed
		f, err := reports.Figure(*in, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		return f, nil
	})
	return f, unreported(dir, err)
}

// schedules draws solutions, which must be ones of the instance but need not be feasible.
func (a *app) schedules(instance string, solutions []string) (*plots.Figure, error) {
	in, err := a.readInstance(instance)
	if err != nil {
		return nil, err
	}
	list := make([]plots.Schedule, len(solutions))
	for i, file := range solutions {
		data, err := readFile(file)
		if err == nil {
			list[i], err = schedule(in, file, data)
		}
		if err != nil {
			return nil, err
		}
	}
	f, err := plots.Schedules(list)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", instance, err)
	}
	return f, nil
}

// drawFound draws the algorithm's schedule over the optimum; a problem without drawings has none.
func drawFound(f *worst.Found) ([]byte, error) {
	actual, errActual := schedule(f.Instance, worst.ActualFile, f.Value.Solution)
	optimal, errOptimal := schedule(f.Instance, worst.OptimalFile, f.Value.Optimal)
	if err := cmp.Or(errActual, errOptimal); err != nil {
		return nil, err
	}
	drawn, err := plots.Schedules([]plots.Schedule{actual, optimal})
	if err != nil {
		return nil, nil // there are no bars
	}
	return drawn.SVG()
}

func schedule(in *bench.Instance, file string, data []byte) (plots.Schedule, error) {
	chart, err := in.Chart(file, data)
	if err != nil {
		return plots.Schedule{}, err
	}
	v, err := in.Check(file, data)
	if err != nil {
		return plots.Schedule{}, err
	}
	title := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if v.Feasible(nil) && v.Objective != nil {
		title += fmt.Sprintf(": %.6g", *v.Objective)
	} else {
		title += ": not feasible"
	}
	return plots.Schedule{Title: title, Chart: chart}, nil
}
