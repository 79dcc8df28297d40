package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"schedgap/bench/evidence"
	"schedgap/bench/store"
	"schedgap/datasets/library"
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
	make := func(use, short string, run action, args ...string) *cobra.Command {
		var f libraryFlags
		cmd := &cobra.Command{Use: use, Short: short, Hidden: true, Args: positional(args...)}
		cmd.RunE = func(cmd *cobra.Command, given []string) error {
			c := &evidence.Collection{Registry: a.registry, Traces: os.Getenv("SCHEDGAP_TRACES")}
			if f.dir != "" {
				var err error
				if c, _, err = f.open(a); err != nil {
					return err
				}
			}
			return run(c, &f, cmd, given)
		}
		f.add(cmd.Flags(), false)
		cmd.Flags().StringVarP(&out, "output", "o", "", "`DIR` of the new library")
		cmd.Flags().StringVar(&release, "release", "1", "`VERSION` that it becomes part of")
		return cmd
	}
	return []*cobra.Command{
		make("select FAMILIES.yaml -o DIR", "Draw pools and short-list", func(
			c *evidence.Collection, _ *libraryFlags, cmd *cobra.Command, args []string,
		) error {
			data, err := readFile(args[0])
			if err != nil {
				return err
			}
			s, err := evidence.ReadSelection(args[0], data)
			if err != nil {
				return err
			}
			return c.Select(cmd.Context(), s, out, release, func(problem string, pool int) {
				a.log.Info("pool", "problem", problem, "instances", pool)
			})
		}, "FAMILIES.yaml"),
		make("collect RESULTS --dir DIR", "Take in what run found", func(
			c *evidence.Collection, f *libraryFlags, cmd *cobra.Command, args []string,
		) error {
			n, err := c.Collect(cmd.Context(), f.dir, store.Open(args[0]), "schedgap", "", release)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.stdout, n)
			return err
		}, "RESULTS"),
		make("worst FOLDER --dir DIR", "Take in the worst instances known", func(
			c *evidence.Collection, f *libraryFlags, _ *cobra.Command, args []string,
		) error {
			return c.AddWorst(os.DirFS(args[0]), f.dir, 10, release)
		}, "FOLDER"),
		make("fill ALGORITHM,… SET SECONDS --dir DIR", "Run algorithms on entries that are not closed", func(
			c *evidence.Collection, f *libraryFlags, cmd *cobra.Command, args []string,
		) error {
			seconds, err := strconv.Atoi(args[2])
			if err != nil {
				return err
			}
			var entries []*library.Entry
			for _, e := range c.Entries {
				if e.Set == args[1] && !e.Closed() || args[1] == "valueless" && e.Value == nil && e.Set != library.OpenSet {
					entries = append(entries, e)
				}
			}
			n, err := c.Fill(cmd.Context(), f.dir, entries, strings.Split(args[0], ","), time.Duration(seconds)*time.Second, release)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.stdout, n)
			return err
		}, "ALGORITHM,…", "SET", "SECONDS"),
		make("choose --dir DIR -o DIR", "Choose the library from the short list", func(
			c *evidence.Collection, f *libraryFlags, _ *cobra.Command, _ []string,
		) error {
			return c.Choose(os.DirFS(f.dir), out, quotas)
		}),
	}
}
