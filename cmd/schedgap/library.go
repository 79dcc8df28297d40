package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"schedgap/bench/evidence"
	"schedgap/bench/store"
	"schedgap/datasets/library"
	"schedgap/models/nearest"
	"schedgap/reports/site"
	"schedgap/reports/words"
)

// libraryFlags choose a library and some of its entries.
type libraryFlags struct {
	dir, problem, tier, set string
	json                    bool
}

func (f *libraryFlags) add(fs *pflag.FlagSet, filters bool) {
	fs.StringVar(&f.dir, "dir", "", "`DIR` of another library than the one in this program")
	if filters {
		fs.StringVar(&f.problem, "problem", "", "`NAME` of a problem: its entries only")
		fs.StringVar(&f.tier, "tier", "", "`TIER`: easy, hard, open or scale")
		fs.StringVar(&f.set, "set", "", "`SET`: seen, benchmark, adversarial, open or dag")
	}
}

// libraryVariable names the folder of a library that takes the place of the one in this program.
const libraryVariable = "SCHEDGAP_LIBRARY"

// openLibrary opens the library in a folder; empty: that of the variable, or of this program.
func openLibrary(dir string) (*library.Library, fs.FS, error) {
	files, name := fs.FS(library.Files), "the library"
	if dir = cmp.Or(dir, os.Getenv(libraryVariable)); dir != "" {
		if err := folder(dir); err != nil {
			return nil, nil, err
		}
		files, name = os.DirFS(dir), dir
	}
	l, err := library.Open(files, name)
	return l, files, err
}

// open opens the library that the flags name, and says so where that has nothing in it.
func (f *libraryFlags) open(a *app) (*evidence.Collection, fs.FS, error) {
	l, files, err := openLibrary(f.dir)
	if err != nil {
		return nil, nil, err
	}
	if len(l.Entries) == 0 {
		a.log.Warn("the library is empty", "library", l.Path(""))
	}
	return &evidence.Collection{Library: l, Registry: a.registry, Traces: os.Getenv("SCHEDGAP_TRACES")}, files, nil
}

// An opened library is what its commands work on.
type opened struct {
	*evidence.Collection
	files  fs.FS
	chosen []*library.Entry
}

// with has a command run on the library that the flags name.
func (f *libraryFlags) with(
	a *app, run func(cmd *cobra.Command, l opened, args []string) error,
) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c, files, err := f.open(a)
		if err != nil {
			return err
		}
		list, err := f.chosen(c)
		if err != nil {
			return err
		}
		return run(cmd, opened{c, files, list}, args)
	}
}

// chosen are the entries that the filters leave.
func (f *libraryFlags) chosen(c *evidence.Collection) ([]*library.Entry, error) {
	for _, want := range []struct {
		what, value string
		of          func(e *library.Entry) string
	}{
		{"problem", f.problem, func(e *library.Entry) string { return e.Problem }},
		{"tier", f.tier, (*library.Entry).Tier},
		{"set", f.set, func(e *library.Entry) string { return e.Set }},
	} {
		var known []string
		for _, e := range c.Entries {
			known = append(known, want.of(e))
		}
		slices.Sort(known)
		if known = slices.Compact(known); want.value != "" && !slices.Contains(known, want.value) {
			return nil, nearest.Unknown(want.what, want.value, known)
		}
	}
	var list []*library.Entry
	for _, e := range c.Entries {
		if cmp.Or(f.problem, e.Problem) == e.Problem && cmp.Or(f.tier, e.Tier()) == e.Tier() && cmp.Or(f.set, e.Set) == e.Set {
			list = append(list, e)
		}
	}
	return list, nil
}

func (a *app) libraryCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "library list|show|get|verify|submit|release|site",
		Short: "The library of instances, best known values and proofs",
		Long: "A frozen collection of instances, each with the best value and bound known and the evidence for both. What is\n" +
			"called optimal has a proof that verify replays. docs/library.md says how to cite it, and how to hand in something better.",
		Example: "  schedgap library list --problem flex --tier open\n  schedgap library verify",
	}
	group(cmd, a.libraryList(), a.libraryShow(), a.libraryGet(), a.libraryVerify(), a.librarySubmit(), a.libraryRelease(), a.librarySite())
	cmd.AddCommand(a.libraryMake()...)
	return cmd
}

// An entryItem is what list and show print of an entry.
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
	var f libraryFlags
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "The instances, with value, bound and gap",
		Example: "  schedgap library list --problem cloning --tier open",
		Args:    positional(),
		Long:    "Lists the instances of the library, or those of one problem, tier or set.",
		RunE: f.with(a, func(_ *cobra.Command, l opened, _ []string) error {
			if f.json {
				items := make([]entryItem, len(l.chosen))
				for i, e := range l.chosen {
					items[i] = item(e)
				}
				return a.printJSON(items)
			}
			t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(t, "ID\tREFERENCE\tFAMILY\tTIER\tJOBS\tVALUE\tBOUND\tGAP")
			for _, e := range l.chosen {
				fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n", e.ID, e.Reference, e.Family, e.Tier(), e.Jobs,
					words.Or(library.Number(e.Value)), words.Or(library.Number(e.Bound)), percent(e.Gap()))
			}
			return t.Flush()
		}),
	}
	f.add(cmd.Flags(), true)
	cmd.Flags().BoolVar(&f.json, "json", false, "print JSON")
	return cmd
}

func percent(gap *float64) string {
	if gap == nil {
		return words.None
	}
	return fmt.Sprintf("%.2g %%", 100**gap)
}

func (a *app) libraryShow() *cobra.Command {
	var f libraryFlags
	drawing := ""
	cmd := &cobra.Command{
		Use:     "show ID",
		Short:   "What is known of an instance, and since when",
		Example: "  schedgap library show flex-seen-001",
		Args:    positional("ID"),
		Long: "Prints what is known of an instance as one JSON object: its index row, features and lineage, and the\n" +
			"events of its history.",
		RunE: f.with(a, func(cmd *cobra.Command, l opened, args []string) error {
			e, err := l.Find(args[0])
			if err != nil {
				return err
			}
			if drawing != "" {
				svg, err := site.Drawing(cmd.Context(), l.Collection, e)
				if err == nil && svg == nil {
					err = fmt.Errorf("%s: there is nothing to draw: it has no stored solution, or one with too many parts", e.ID)
				}
				if err == nil {
					err = writeFile(drawing, svg)
				}
				if err != nil {
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
		}),
	}
	f.add(cmd.Flags(), false)
	cmd.Flags().StringVar(&drawing, "drawing", "", "`FILE.svg` for a drawing of the best solution")
	return cmd
}

func (a *app) libraryGet() *cobra.Command {
	var f libraryFlags
	out := ""
	cmd := &cobra.Command{
		Use:     "get [ID] -o DIR",
		Short:   "Write instances, solutions and proofs to a folder",
		Example: "  schedgap library get --set open -o open",
		Args:    positional("[ID]"),
		Long: "Writes an instance, or those of a problem, tier or set, with their best solutions and proofs. What is not stored is\n" +
			"made again from its lineage, for which those of traces need the trace below SCHEDGAP_TRACES; it is checked by its hash.",
		RunE: f.with(a, func(cmd *cobra.Command, l opened, args []string) error {
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
					if files[e.ID+".solution.json"], err = l.Solution(e); err != nil {
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
				for name, data := range files {
					if err := os.MkdirAll(out, 0o777); err != nil {
						return pathError(out, err)
					}
					if err := writeFile(filepath.Join(out, name), data); err != nil {
						return err
					}
				}
				fmt.Fprintln(a.stdout, filepath.Join(out, e.ID+".json"))
			}
			return nil
		}),
	}
	f.add(cmd.Flags(), true)
	cmd.Flags().StringVarP(&out, "output", "o", "", "`DIR` for the files")
	must(cmd, "output")
	return cmd
}

func (a *app) libraryVerify() *cobra.Command {
	var f libraryFlags
	all, second := false, ""
	cmd := &cobra.Command{
		Use:     "verify",
		Short:   "Check all solutions, replay all proofs, derive the index again",
		Example: "  schedgap library verify --problem flex",
		Args:    positional(),
		Long: "Checks every solution by the checker and every stored proof by the verifier, and that the index is what history says.\n" +
			"Exit code 1 when anything is not as it should be.",
		RunE: f.with(a, func(cmd *cobra.Command, l opened, _ []string) error {
			v, err := l.Verify(cmd.Context(), evidence.VerifyOptions{Entries: l.chosen, Recipes: all, Second: strings.Fields(second)})
			if err != nil {
				return err
			}
			return a.verified(v)
		}),
	}
	f.add(cmd.Flags(), true)
	cmd.Flags().BoolVar(&all, "all", false, "make instances and proofs again that are not stored, too")
	cmd.Flags().StringVar(&second, "second", "", "`COMMAND` of a second verifier, which gets both files")
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
	var f libraryFlags
	var s evidence.Submission
	solution, proof := "", ""
	cmd := &cobra.Command{
		Use:     "submit ID (--solution FILE | --proof FILE) --author NAME --ref REF --dir DIR",
		Short:   "Hand in a better solution or bound",
		Example: "  schedgap library submit flex-open-003 --solution mine.json --author Author --ref doi:10.1000/1 --dir datasets/library",
		Long: "Checks a solution or a proof and, if it betters what is known, adds it and a line of history to the library in DIR.\n" +
			"A value counts with its solution, a bound with a proof that is verified. What contradicts a proof or does not improve is\n" +
			"refused with exit code 1.",
		Args: positional("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case (solution == "") == (proof == ""):
				return errors.New("submit takes one of --solution and --proof")
			case s.By == "" || s.Ref == "":
				return errors.New("--author and --ref say whom to credit, and where it is published")
			case f.dir == "":
				return errors.New("--dir names the library's folder, such as datasets/library")
			}
			if err := writableFolder(f.dir); err != nil {
				return err
			}
			c, _, err := f.open(a)
			if err != nil {
				return err
			}
			s.ID, s.File = args[0], solution+proof
			data, err := readFile(s.File)
			if err != nil {
				return err
			}
			if s.Solution = data; proof != "" {
				s.Solution, s.Proof = nil, data
			}
			v, err := c.Submit(cmd.Context(), f.dir, s)
			var refused *evidence.Unacceptable
			if errors.As(err, &refused) {
				return &exit{exitFailed, refused.Error()}
			} else if err != nil {
				return err
			}
			return a.printJSON(v)
		},
	}
	f.add(cmd.Flags(), false)
	fl := cmd.Flags()
	fl.StringVar(&solution, "solution", "", "`FILE` of a solution")
	fl.StringVar(&proof, "proof", "", "`FILE` of a proof")
	fl.StringVar(&s.By, "author", "", "`NAME` to credit")
	fl.StringVar(&s.Ref, "ref", "", "`REF`: a DOI, an address or a sentence")
	fl.StringVar(&s.Release, "release", "next", "`VERSION` that it becomes part of")
	fl.StringVar(&s.Recipe, "recipe", "", "`COMMAND` that makes the proof again, if it is too large to be stored")
	return cmd
}

func (a *app) librarySite() *cobra.Command {
	var f libraryFlags
	out, results := "", ""
	cmd := &cobra.Command{
		Use:     "site -o DIR",
		Short:   "Write the library as pages",
		Example: "  schedgap library site -o site --results results/library-flex",
		Args:    positional(),
		Long: "Writes a page with all instances, what is open first, a page an instance, with its best solution drawn, and files to\n" +
			"download. The pages need no network.",
		RunE: f.with(a, func(cmd *cobra.Command, l opened, _ []string) error {
			if err := writableFolder(out); err != nil {
				return err
			}
			s := site.Site{Library: l.Collection, Files: l.files}
			if results != "" {
				if err := folder(results); err != nil {
					return err
				}
				rows, bad, err := store.Open(results).Records(cmd.Context())
				if err != nil {
					return err
				}
				if len(bad) > 0 {
					return bad[0]
				}
				s.Rows = rows
			}
			if err := s.Write(cmd.Context(), out); err != nil {
				return err
			}
			_, err := fmt.Fprintln(a.stdout, filepath.Join(out, "index.html"))
			return err
		}),
	}
	f.add(cmd.Flags(), false)
	cmd.Flags().StringVarP(&out, "output", "o", "", "`DIR` for the pages")
	cmd.Flags().StringVar(&results, "results", "", "`DIR` of results on the library's instances, for a table of algorithms")
	must(cmd, "output")
	return cmd
}

func (a *app) libraryRelease() *cobra.Command {
	var f libraryFlags
	out, baselines := "", ""
	cmd := &cobra.Command{
		Use:     "release VERSION -o DIR",
		Short:   "Write a release",
		Example: "  schedgap library release 1 -o release-1",
		Args:    positional("VERSION"),
		Long: "Writes the library as a release: data, index, what changed, CITATION.cff and the hashes of all files. Made twice it\n" +
			"is the same to the byte.",
		RunE: f.with(a, func(_ *cobra.Command, l opened, args []string) error {
			if err := writableFolder(out); err != nil {
				return err
			}
			tables := map[string][]byte{}
			if baselines != "" {
				data, err := readFile(baselines)
				if err != nil {
					return err
				}
				tables["baselines.parquet"] = data
			}
			return l.Release(l.files, args[0], out, tables)
		}),
	}
	f.add(cmd.Flags(), false)
	cmd.Flags().StringVarP(&out, "output", "o", "", "`DIR` for the release")
	cmd.Flags().StringVar(&baselines, "baselines", "", "`FILE` of the baselines' results, a report's ratios.parquet")
	must(cmd, "output")
	return cmd
}
