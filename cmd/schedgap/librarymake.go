package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"schedgap/bench/evidence"
	"schedgap/bench/store"
	"schedgap/datasets/library"
	"schedgap/reports/plots"
)

// libraryMake are the hidden commands that made the library, see scripts/library: a pool is drawn and short-listed, what run
// found of the short list is collected, and the library chosen from it.
func (a *app) libraryMake() []*cobra.Command {
	var out, release string
	quotas := []evidence.Quota{
		{Set: "seen", N: 40, Easy: 40},
		{Set: "benchmark", N: 40, Easy: 20},
		{Set: "adversarial", N: 10, Easy: 10},
		{Set: library.OpenSet, N: 10},
		{Set: "dag", N: 50, Easy: 25},
	}
	type action func(c *evidence.Collection, f *libraryFlags, cmd *cobra.Command, args []string) error
	make := func(use, short string, run action) *cobra.Command {
		var f libraryFlags
		cmd := a.command(use, func(cmd *cobra.Command, given []string) error {
			c := &evidence.Collection{Registry: a.registry, Traces: os.Getenv("SCHEDGAP_TRACES")}
			if f.dir != "" {
				var err error
				if c, _, err = f.open(a); err != nil {
					return err
				}
			}
			return run(c, &f, cmd, given)
		})
		cmd.Hidden, cmd.Short = true, short
		f.add(cmd.Flags(), true)
		cmd.Flags().StringVarP(&out, "output", "o", "", "`DIR` of the new library")
		cmd.Flags().StringVar(&release, "release", "1", "`VERSION` that it becomes part of")
		return cmd
	}
	return []*cobra.Command{
		make("select FAMILIES.yaml -o DIR", "Draw pools and short-list", func(
			c *evidence.Collection, f *libraryFlags, cmd *cobra.Command, args []string,
		) error {
			data, err := readFile(args[0])
			if err != nil {
				return err
			}
			s, err := evidence.ReadSelection(args[0], data)
			if err != nil {
				return err
			}
			maps.DeleteFunc(s.Problems, func(problem string, _ evidence.Rivals) bool { return cmp.Or(f.problem, problem) != problem })
			return c.Select(cmd.Context(), s, out, release, func(problem string, pool int) {
				a.log.Info("pool", "problem", problem, "instances", pool)
			})
		}),
		make("collect RESULTS --dir DIR", "Take in what run found", func(
			c *evidence.Collection, f *libraryFlags, cmd *cobra.Command, args []string,
		) error {
			n, err := c.Collect(cmd.Context(), f.dir, store.Open(args[0]), "schedgap", "", release)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.stdout, n)
			return err
		}),
		make("worst FOLDER --dir DIR", "Take in the worst instances known", func(
			c *evidence.Collection, f *libraryFlags, _ *cobra.Command, args []string,
		) error {
			return c.AddWorst(os.DirFS(args[0]), f.dir, 10, release)
		}),
		make("confirm COMMAND NAME --dir DIR", "Have a second verifier go through the proofs that it has not accepted yet", func(
			c *evidence.Collection, f *libraryFlags, cmd *cobra.Command, args []string,
		) error {
			entries, err := f.chosen(c)
			if err != nil {
				return err
			}
			o := evidence.VerifyOptions{Entries: entries, Second: strings.Fields(args[0])}
			v, err := c.Confirm(cmd.Context(), f.dir, o, args[1], release)
			if err != nil {
				return err
			}
			return a.verified(v)
		}),
		make("space --dir DIR -o DIR", "Hold what was chosen of the pools against random choices", func(
			c *evidence.Collection, f *libraryFlags, _ *cobra.Command, _ []string,
		) error {
			spaces, err := c.Spaces(os.DirFS(f.dir))
			if err != nil {
				return err
			}
			return a.librarySpace(spaces, out)
		}),
		make("choose --dir DIR -o DIR", "Choose the library from the short list", func(
			c *evidence.Collection, f *libraryFlags, _ *cobra.Command, _ []string,
		) error {
			entries, err := f.chosen(c)
			if err != nil {
				return err
			}
			return c.Choose(entries, os.DirFS(f.dir), out, quotas)
		}),
	}
}

// librarySpace prints how well each problem's choice covers its pool, and draws both in out.
func (a *app) librarySpace(spaces []evidence.Space, out string) error {
	fmt.Fprintln(a.stdout, "| problem | pool | chosen | mean distance | at random | largest distance | at random | random choices "+
		"with a smaller one |")
	fmt.Fprintln(a.stdout, "|---|---|---|---|---|---|---|---|")
	var drawing *plots.Figure
	for _, s := range spaces {
		fmt.Fprintf(a.stdout, "| %s | %d | %d | %.2f | %.2f | %.2f | %.2f | %d of %d |\n",
			s.Problem, len(s.All), len(s.In), s.Mean, s.RandomMean, s.Most, s.RandomMost, s.Better, evidence.RandomChoices)
		frame := plots.Frame{Title: s.Problem}
		frame.X = plots.Axis{Label: "first principal component of sizes, features and distances", Scale: plots.Linear, Base: math.NaN()}
		frame.Y = plots.Axis{Label: "best heuristic from the bound", Scale: plots.Log, Base: math.NaN()}
		points := func(label string, style int, of []int) plots.Line {
			l := plots.Line{Label: label, Style: plots.Style{Index: style}, Loose: true}
			for _, k := range of {
				l.X, l.Y = append(l.X, s.Place[k]), append(l.Y, s.Far[k])
			}
			return l
		}
		f := plots.Lines(frame, []plots.Line{points("pool", 14, s.All), points("at random", 3, s.Random), points("chosen", 1, s.In)})
		if drawing == nil {
			drawing = f
		} else {
			drawing.Above(f)
		}
	}
	if drawing == nil {
		return nil
	}
	png, err := drawing.PNG()
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(out, "library-space.png"), png)
}
