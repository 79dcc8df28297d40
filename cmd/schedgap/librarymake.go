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
	out, release, problem := "", "", ""
	quotas := []evidence.Quota{
		{Set: "seen", N: 40, Easy: 40},
		{Set: "benchmark", N: 40, Easy: 20},
		{Set: "adversarial", N: 10, Easy: 10},
		{Set: library.OpenSet, N: 10},
		{Set: "dag", N: 50, Easy: 25},
	}
	choose := a.command("select FAMILIES.yaml -o DIR", func(cmd *cobra.Command, args []string) error {
		data, err := readFile(args[0])
		if err != nil {
			return err
		}
		s, err := evidence.ReadSelection(args[0], data)
		if err != nil {
			return err
		}
		maps.DeleteFunc(s.Problems, func(name string, _ evidence.Rivals) bool { return cmp.Or(problem, name) != name })
		c := &evidence.Collection{Registry: a.registry, Traces: os.Getenv("SCHEDGAP_TRACES")}
		return c.Select(cmd.Context(), s, out, release, func(problem string, pool int) {
			a.log.Info("pool", "problem", problem, "instances", pool)
		})
	})
	choose.Flags().StringVar(&problem, "problem", "", "`NAME` of a problem: its pool only")
	list := []*cobra.Command{
		choose,
		a.onLibrary("collect RESULTS --dir DIR", false, func(cmd *cobra.Command, l opened, args []string) error {
			n, err := l.Collect(cmd.Context(), l.dir, store.Open(args[0]), "schedgap", "", release)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.stdout, n)
			return err
		}),
		a.onLibrary("worst FOLDER --dir DIR", false, func(_ *cobra.Command, l opened, args []string) error {
			return l.AddWorst(os.DirFS(args[0]), l.dir, 10, release)
		}),
		a.onLibrary("confirm COMMAND NAME --dir DIR", true, func(cmd *cobra.Command, l opened, args []string) error {
			o := evidence.VerifyOptions{Entries: l.chosen, Second: strings.Fields(args[0])}
			v, err := l.Confirm(cmd.Context(), l.dir, o, args[1], release)
			if err != nil {
				return err
			}
			return a.verified(v)
		}),
		a.onLibrary("space --dir DIR -o DIR", false, func(_ *cobra.Command, l opened, _ []string) error {
			spaces, err := l.Spaces(l.files)
			if err != nil {
				return err
			}
			return a.librarySpace(spaces, out)
		}),
		a.onLibrary("choose --dir DIR -o DIR", true, func(_ *cobra.Command, l opened, _ []string) error {
			return l.Choose(l.chosen, l.files, out, quotas)
		}),
	}
	for i, short := range []string{
		"Draw pools and short-list", "Take in what run found", "Take in the worst instances known",
		"Have a second verifier go through the proofs that it has not accepted yet",
		"Hold what was chosen of the pools against random choices", "Choose the library from the short list",
	} {
		list[i].Hidden, list[i].Short = true, short
		list[i].Flags().StringVarP(&out, "output", "o", "", "`DIR` of the new library")
		list[i].Flags().StringVar(&release, "release", "1", "`VERSION` that it becomes part of")
	}
	return list
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
