package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"schedgap/bench"
	"schedgap/bench/store"
	"schedgap/reports"
	"schedgap/reports/compare"
)

func (a *app) compareCommand() *cobra.Command {
	gates, format, seed := compare.DefaultGates, "text", uint64(1)
	var again []string
	all := false
	cmd := a.command("compare BASE HEAD", func(cmd *cobra.Command, args []string) error {
		in := compare.Input{Seed: seed, Problems: a.registry.Problems}
		var err error
		if in.Gates, err = compare.ParseGates(gates); err != nil {
			return fmt.Errorf("--fail-on: %w", err)
		}
		defer debug.SetGCPercent(debug.SetGCPercent(50)) // as in report
		read := func() (any, error) { return nil, a.readSides(cmd.Context(), &in, args[0], args[1]) }
		if _, err := reports.Until(cmd.Context(), read); err != nil {
			return err
		}
		for _, pair := range again {
			base, head, ok := strings.Cut(pair, ",")
			if !ok || base == "" || head == "" {
				return fmt.Errorf("--again: %q is not BASE,HEAD", pair)
			}
			b, errBase := compare.Read(cmd.Context(), base)
			h, errHead := compare.Read(cmd.Context(), head)
			if err := cmp.Or(errBase, errHead); err != nil {
				return fmt.Errorf("--again: %w", err)
			}
			in.Again = append(in.Again, compare.Round{Base: b, Head: h})
		}
		defer saveMemory(len(in.Base.Records)+len(in.Head.Records), math.MaxInt64)()
		r, err := reports.Until(cmd.Context(), func() (*compare.Report, error) { return compare.New(cmd.Context(), in) })
		if err != nil {
			return err
		}
		for _, path := range args {
			if n := a.simulations(cmd.Context(), path); n > 0 {
				a.log.Warn(fmt.Sprintf("%d simulation rows are not compared", n), "in", path)
			}
		}
		err = map[string]func(io.Writer) error{
			"text": func(w io.Writer) error { return r.Text(w, all) }, "json": func(io.Writer) error { return a.printJSON(r) },
			"markdown": r.Markdown, "github": r.GitHub, "junit": r.JUnit,
			"unsure": func(io.Writer) error { return a.print([]byte(globs(r.Unsure()))) },
		}[format](a.stdout)
		return failedUnless(len(r.Regressions) == 0, err)
	})
	fs := cmd.Flags()
	fs.StringVar(&gates, "fail-on", gates, "`LIST` of what counts as a regression")
	choice(fs, &format, "format", "of the result", "text", "markdown", "json", "github", "junit", "unsure")
	fs.StringArrayVar(&again, "again", nil, "`BASE,HEAD` of a further round; may be repeated")
	fs.BoolVar(&all, "all", false, "the text with every algorithm and every column, not what changed alone")
	seedFlag(fs, &seed)
	_ = fs.MarkHidden("seed") // of the bootstrap
	return cmd
}

// globs are names as run -a takes them.
func globs(names []string) string {
	escape := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`, `,`, `\,`)
	for i, name := range names {
		names[i] = escape.Replace(name)
	}
	return strings.Join(names, ",") + "\n"
}

// simulations counts the rows of simulations, which are not compared, of a results folder; a file has none.
func (a *app) simulations(ctx context.Context, path string) int {
	rows, bad, err := store.Open(path).Sim(ctx)
	if err != nil && !errors.Is(err, unix.ENOTDIR) {
		a.log.Warn("simulations cannot be read; they would not be compared anyway", "error", err.Error())
	}
	for _, b := range bad {
		a.log.Warn("a file of simulations cannot be read; it would not be compared anyway", "error", b.Error())
	}
	return len(rows)
}

// readSides reads both result sets, the problems that they name, and where their instances are found.
func (a *app) readSides(ctx context.Context, in *compare.Input, base, head string) (err error) {
	var folders []*store.Dir
	for _, s := range []struct {
		path string
		side *compare.Side
	}{{base, &in.Base}, {head, &in.Head}} {
		if *s.side, err = compare.Read(ctx, s.path); err != nil {
			done, bad, unread := store.Open(s.path).DoneUnits(ctx)
			if n := len(done) + len(bad); n == 0 && unread == nil && a.simulations(ctx, s.path) > 0 {
				return fmt.Errorf("%s: holds only simulations, which are not compared", s.path)
			}
			return err
		}
		// The instances of a file are beside it or, if it is one of DIR/runs, one folder up.
		parent := filepath.Dir(s.path)
		for _, path := range []string{s.path, parent, filepath.Dir(parent)} {
			if folder(path) == nil {
				folders = append(folders, store.Open(path))
			}
		}
	}
	in.Instance = func(sha256 string) (*bench.Instance, error) {
		for _, f := range folders {
			if in, err := a.storedInstance(f, sha256); !errors.Is(err, os.ErrNotExist) {
				return in, err
			}
		}
		return nil, fmt.Errorf("instance %s: %w", sha256, os.ErrNotExist)
	}
	return nil
}
