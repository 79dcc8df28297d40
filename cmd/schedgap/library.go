package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"schedgap/bench"
	"schedgap/bench/library/evidence"
	"schedgap/datasets/library"
	"schedgap/datasets/public"
	"schedgap/models/nearest"
	"schedgap/reports/words"
)

// libraryFlags choose a library and some of its entries.
type libraryFlags struct {
	dir, problem, tier, set string
}

func (f *libraryFlags) add(fs *pflag.FlagSet, filters bool) {
	fs.StringVar(&f.dir, "dir", "", "`DIR` of a library (default: the one in this program)")
	if filters {
		fs.StringVar(&f.problem, "problem", "", "`NAME` of a problem: its entries only")
		fs.StringVar(&f.tier, "tier", "", "`TIER`: easy, hard, open or scale")
		fs.StringVar(&f.set, "set", "", "`SET`: seen, benchmark, adversarial, open or dag")
	}
}

// libraryVariable names the folder of a library that takes the place of the one in this program.
const libraryVariable = "SCHEDGAP_LIBRARY"

// tracesVariable names the folder of the real traces.
const tracesVariable = "SCHEDGAP_TRACES"

// openLibrary opens the library in a folder; empty: that of the variable, or of this program.
func (a *app) openLibrary(dir string) (*library.Library, error) {
	files, name := fs.FS(library.Files), "the library"
	dir = cmp.Or(dir, a.getenv(libraryVariable))
	if dir != "" {
		if err := folder(dir); err != nil {
			return nil, err
		}
		files, name = os.DirFS(dir), dir
	}
	return library.Open(files, name)
}

// An opened library, for the commands below library.
type opened struct {
	*evidence.Collection
	chosen []*library.Entry
	dir    string // as it is given; empty: it is not
}

// onLibrary is a command on the library that its flags name.
func (a *app) onLibrary(use string, filters bool, run func(cmd *cobra.Command, l opened, args []string) error) *cobra.Command {
	var f libraryFlags
	cmd := a.command(use, func(cmd *cobra.Command, args []string) error {
		c, err := a.openLibrary(f.dir)
		if err != nil {
			return err
		}
		if len(c.Entries) == 0 {
			a.log.Warn("the library is empty", "library", c.Path(""))
		}
		l := opened{&evidence.Collection{Library: c, Registry: a.registry, Traces: a.getenv(tracesVariable)}, nil, f.dir}
		l.chosen, err = f.chosen(l.Collection)
		if err != nil {
			return err
		}
		return run(cmd, l, args)
	})
	f.add(cmd.Flags(), filters)
	return cmd
}

// chosen are the entries that the filters leave.
func (f *libraryFlags) chosen(c *evidence.Collection) ([]*library.Entry, error) {
	list := slices.Clone(c.Entries)
	for _, want := range []struct {
		what, value string
		of          func(e *library.Entry) string
	}{
		{"problem", f.problem, func(e *library.Entry) string { return e.Problem }},
		{"tier", f.tier, (*library.Entry).Tier},
		{"set", f.set, func(e *library.Entry) string { return e.Set }},
	} {
		if want.value == "" {
			continue
		}
		var known []string
		for _, e := range c.Entries {
			known = append(known, want.of(e))
		}
		slices.Sort(known)
		if !slices.Contains(known, want.value) {
			return nil, nearest.Unknown(want.what, want.value, slices.Compact(known))
		}
		list = slices.DeleteFunc(list, func(e *library.Entry) bool { return want.of(e) != want.value })
	}
	return list, nil
}

func (a *app) libraryCommand() *cobra.Command {
	cmd := a.command("library list|show|get|verify|submit", nil)
	group(cmd, a.libraryList(), a.libraryShow(), a.libraryGet(), a.libraryVerify(), a.librarySubmit())
	return cmd
}

// An entryItem is an entry as list and show print it.
type entryItem struct {
	ID         string   `json:"id"`
	Problem    string   `json:"problem"`
	Reference  string   `json:"reference"`
	Set        string   `json:"set"`
	Family     string   `json:"family"`
	Tier       string   `json:"tier"`
	Status     string   `json:"status"`
	Value      *float64 `json:"value"`
	Bound      *float64 `json:"bound"`
	BoundBy    string   `json:"bound_by"`
	Gap        *float64 `json:"gap"`
	NJobs      int      `json:"n_jobs"`
	VerifiedBy []string `json:"verified_by"`
	SHA256     string   `json:"sha256"`
}

func item(e *library.Entry) entryItem {
	return entryItem{
		e.ID, e.Problem, e.Reference, e.Set, e.Family, e.Tier(), e.Status(), e.Value, e.Bound, e.BoundBy(), e.Gap(), e.Jobs,
		orEmpty(e.VerifiedBy), e.SHA256,
	}
}

func (a *app) libraryList() *cobra.Command {
	var asJSON bool
	cmd := a.onLibrary("list", true, func(_ *cobra.Command, l opened, _ []string) error {
		items, rows := make([]entryItem, len(l.chosen)), make([][]string, len(l.chosen))
		for i, e := range l.chosen {
			items[i] = item(e)
			rows[i] = []string{
				e.ID, e.Reference, e.Family, e.Tier(), fmt.Sprint(e.Jobs), words.Or(library.Number(e.Value)),
				words.Or(library.Number(e.Bound)), percent(e.Gap()),
			}
		}
		return a.printList(asJSON, items, []string{"ID", "REFERENCE", "FAMILY", "TIER", "JOBS", "VALUE", "BOUND", "GAP"}, rows)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func percent(gap *float64) string {
	if gap == nil {
		return words.None
	}
	return fmt.Sprintf("%.2g %%", 100**gap)
}

func (a *app) libraryShow() *cobra.Command {
	drawing := ""
	cmd := a.onLibrary("show ID", false, func(cmd *cobra.Command, l opened, args []string) error {
		e, err := l.Find(args[0])
		if err != nil {
			return err
		}
		if drawing != "" {
			if err := l.draw(cmd.Context(), e, drawing); err != nil {
				return err
			}
		}
		var history []library.Event
		for _, v := range l.Events {
			if v.ID == e.ID {
				history = append(history, v)
			}
		}
		return a.printJSON(struct {
			entryItem
			History []library.Event `json:"history"`
		}{item(e), history})
	})
	cmd.Flags().StringVar(&drawing, "drawing", "", "`FILE.svg` for a drawing of the best solution")
	return cmd
}

// draw draws the best solution of an entry.
func (l opened) draw(ctx context.Context, e *library.Entry, to string) error {
	if e.Solution == nil {
		return fmt.Errorf("%s: there is no solution to draw", e.ID)
	}
	if err := drawable(to, ""); err != nil {
		return err
	}
	in, err := l.Instance(ctx, e)
	if err != nil {
		return err
	}
	data, err := l.Solution(e)
	if err != nil {
		return err
	}
	return draw(to, in, e.ID, data)
}

func (a *app) libraryGet() *cobra.Command {
	out := ""
	cmd := a.onLibrary("get [ID] -o DIR", true, func(cmd *cobra.Command, l opened, args []string) error {
		if len(args) == 1 && strings.HasPrefix(args[0], "public-") {
			return a.getPublic(args[0], out)
		}
		if len(args) == 1 {
			e, err := l.Find(args[0])
			if err != nil {
				return err
			}
			l.chosen = []*library.Entry{e}
		}
		if err := writableFolder(out); err != nil {
			return err
		}
		for _, e := range l.chosen {
			in, err := l.Instance(cmd.Context(), e)
			if errors.Is(err, evidence.ErrAbsent) && len(args) == 0 {
				a.log.Warn("an instance is left out", "reason", err.Error())
				continue
			} else if err != nil {
				return err
			}
			files := map[string][]byte{e.ID + ".json": in.JSON}
			if e.Solution != nil {
				files[e.ID+".solution.json"], err = l.Solution(e)
				if err != nil {
					return err
				}
			}
			proof, err := l.Proof(e)
			if err != nil {
				return err
			}
			if proof != nil {
				files[e.ID+".proof.gz"] = proof
			}
			if err := writeFiles(out, files); err != nil {
				return err
			}
			fmt.Fprintln(a.stdout, filepath.Join(out, e.ID+".json"))
		}
		return nil
	})
	writesTo(cmd, &out, "`DIR` for the files")
	return cmd
}

// getPublic writes the instances of a public benchmark, whose files the folder holds, with a suite that runs them.
func (a *app) getPublic(name, dir string) error {
	sources := public.Sources()
	names := make([]string, len(sources))
	for i, s := range sources {
		names[i] = s.Name
	}
	at := slices.Index(names, name)
	if at < 0 {
		return nearest.Unknown("id", name, names)
	}
	source := sources[at]
	p, err := a.registry.Problem(source.Problem)
	if err != nil {
		return err
	}
	list, err := source.Instances(dir)
	if err != nil {
		return err
	}
	instances := make([]*bench.Instance, len(list))
	for i, in := range list {
		data, err := in.JSON()
		if err != nil {
			return err
		}
		instances[i], err = p.ParseInstance(in.Name, data)
		if err != nil {
			return err
		}
	}
	if err := writableFolder(dir); err != nil {
		return err
	}
	suite := fmt.Sprintf("# %s; the files are from %s\nname: %s\nproblem: %s\ninstances: [{files: %s-%s*.json}]\nalgorithms: [%s]\n",
		source.Doc, source.Site, source.Name, source.Problem, source.Problem,
		strings.TrimPrefix(source.Name, "public-"), strings.Join(source.Algorithms, ", "))
	if err := writeFile(filepath.Join(dir, "suite.yaml"), []byte(suite)); err != nil {
		return err
	}
	return a.writeInstances(dir, instances)
}

func (a *app) libraryVerify() *cobra.Command {
	all, second := false, ""
	cmd := a.onLibrary("verify", true, func(cmd *cobra.Command, l opened, _ []string) error {
		v, err := l.Verify(cmd.Context(), evidence.VerifyOptions{Entries: l.chosen, Recipes: all, Second: strings.Fields(second)})
		if err != nil {
			return err
		}
		return a.verified(v)
	})
	cmd.Flags().BoolVar(&all, "all", false, "also make the instances and proofs that are not stored")
	cmd.Flags().StringVar(&second, "second", "", "`COMMAND` of a second verifier, called with instance and proof")
	return cmd
}

func (a *app) verified(v *evidence.Verification) error {
	if err := a.printJSON(v); err != nil {
		return err
	}
	if len(v.Faults) > 0 {
		return &exit{exitFailed, fmt.Sprintf("%s: %s", v.Faults[0].ID, v.Faults[0].Reason)}
	}
	return nil
}

func (a *app) librarySubmit() *cobra.Command {
	var s evidence.Submission
	solution, proof := "", ""
	cmd := a.onLibrary("submit ID (--solution FILE | --proof FILE) --author NAME --ref REF --dir DIR", false,
		func(cmd *cobra.Command, l opened, args []string) error {
			switch {
			case (solution == "") == (proof == ""):
				return errors.New("submit takes one of --solution and --proof")
			case s.By == "" || s.Ref == "":
				return errors.New("--author and --ref say whom to credit, and where it is published")
			case l.dir == "":
				return errors.New("--dir names the library's folder, such as datasets/library")
			}
			if err := writableFolder(l.dir); err != nil {
				return err
			}
			s.ID, s.File = args[0], solution+proof
			data, err := readFile(s.File)
			if err != nil {
				return err
			}
			s.Solution = data
			if proof != "" {
				s.Solution, s.Proof = nil, data
			}
			v, err := l.Submit(cmd.Context(), l.dir, s)
			var refused *evidence.Unacceptable
			if errors.As(err, &refused) {
				return &exit{exitFailed, refused.Error()}
			} else if err != nil {
				return err
			}
			return a.printJSON(v)
		})
	fl := cmd.Flags()
	fl.StringVar(&solution, "solution", "", "`FILE` of a solution")
	fl.StringVar(&proof, "proof", "", "`FILE` of a proof")
	fl.StringVar(&s.By, "author", "", "`NAME` to credit")
	fl.StringVar(&s.Ref, "ref", "", "`REF`: a DOI, an address or a sentence")
	fl.StringVar(&s.Release, "release", "next", "`VERSION` of the library that gets it")
	fl.StringVar(&s.Recipe, "recipe", "", "`COMMAND` that makes the proof again, if it is too large to be stored")
	return cmd
}
