package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"schedgap/bench"
	"schedgap/bench/plan/suite"
	"schedgap/bench/run/runner"
	"schedgap/bench/run/store"
	"schedgap/models"
	"schedgap/models/nearest"
	"schedgap/reports"
	"schedgap/reports/summary"
	"schedgap/reports/tables"
)

// benched is the answer of bench --json.
type benched struct {
	Problem    string             `json:"problem"`
	Set        string             `json:"set"`       // of the library; else the suite
	Instances  int                `json:"instances"` // that the command was run on and did not decline, with all objectives
	Algorithms []benchedAlgorithm `json:"algorithms"`
	Verdict    string             `json:"verdict"`
	P          summary.Number     `json:"p"` // of the command against its best rival, the larger of the two tests'; null: none
	Suite      string             `json:"suite"`
	Directory  string             `json:"directory"`
	Page       string             `json:"page"`
	Ran        int                `json:"ran"` // units; the others had their rows already
	Details    *summary.Verdict   `json:"details"`
}

// A benchedAlgorithm has the mean of an algorithm's ratios, or of differences, to the proven optima or bounds, with its 95 %
// interval, the worst one, and the share of the set's instances with a solution. Null means not known.
type benchedAlgorithm struct {
	Name  string         `json:"name"`
	Rank  int            `json:"rank"` // the same for those that share it
	Mean  summary.Number `json:"mean"`
	Low   summary.Number `json:"low"`
	High  summary.Number `json:"high"`
	Worst summary.Number `json:"worst"`
	Valid float64        `json:"valid"`
}

// judge fills in the results of the command and its rivals.
func (b *benched) judge(p *summary.Problem, name string) (err error) {
	b.Details, err = p.Verdict(name)
	if err != nil {
		return err
	}
	b.Verdict, b.Instances, b.P = b.Details.Text, b.Details.Instances, summary.Missing
	if len(b.Details.Objectives) > 0 {
		b.Instances = 0
		for _, o := range b.Details.Objectives {
			b.Instances += o.Instances
		}
	}
	if pair := b.Details.Against; pair != nil {
		b.P = max(pair.SignP, pair.WilcoxonP)
	}
	v, class := p.Lead()
	for _, r := range p.Ranked(v, class) {
		lead := r.Lead()
		row := benchedAlgorithm{
			r.Label, r.Rank, lead.Hi, lead.CILo, lead.CIHi, summary.Missing, 1 - float64(r.Missing)/float64(v.Size(class)),
		}
		if r.Worst != nil {
			row.Worst = r.Worst.Hi
		}
		b.Algorithms = append(b.Algorithms, row)
	}
	return nil
}

func (a *app) benchCommand() *cobra.Command {
	var (
		o               runner.Options
		name, suiteName string
		set, reference  string
		rivals          string
		limit           time.Duration
		with            []string
		asJSON, pool    bool
	)
	cmd := a.problemCommand("bench PROBLEM -- COMMAND …", func(cmd *cobra.Command, p *bench.Problem, args []string) error {
		suites, err := a.benchSuites(p, objectiveFlags(cmd.Flags()), &suiteName, set)
		if err != nil {
			return err
		}
		if name == "" {
			name = commandName(args[1:])
		}
		if o.Dir == "" {
			o.Dir = filepath.Join("results", "bench-"+suites[0].Name)
		}
		if err := writableFolder(o.Dir, append(runFolders, "report")...); err != nil {
			return resumable(err)
		}
		if err := suites[0].Add(name, args[1:]); err != nil {
			return fmt.Errorf("--name: %w", err)
		}
		if err := keepRivals(p, suites[0], rivals, name); err != nil {
			return err
		}
		suites[0].Algorithms[len(suites[0].Algorithms)-1].Reference = reference
		if limit > 0 {
			suites[0].Limits.Time = suite.Span(limit)
		}
		if err := addCommands(suites, with); err != nil {
			return err
		}
		plan, err := a.withLibrary(cmd.Context(), suites[0])
		if err != nil {
			return err
		}
		o.Probe = true
		if o.Commit == "" {
			o.Commit = commitOf(cmd.Context(), suiteName, plan, true)
		}
		s, err := a.runPlan(cmd.Context(), plan, o)
		if errYours := store.Open(o.Dir).SetUserAlgorithm(name); err == nil {
			err = errYours
		}
		if failing := new(runner.FailingError); errors.As(err, &failing) {
			return &exit{exitFailed, failing.Error()}
		}
		if err != nil {
			return resumable(err)
		}
		if s.Interrupted {
			return &exit{exitInterrupted, "interrupted; the same command goes on where it stopped"}
		}
		b := benched{Problem: p.Name, Suite: suites[0].Name, Directory: o.Dir, Ran: s.ToRun}
		b.Set = cmp.Or(set, strings.TrimPrefix(b.Suite, suite.LibrarySuite(p.Name, "")))
		if err := a.judgeBench(cmd.Context(), b, name, asJSON, pool); err != nil {
			return err
		}
		return faulty(s, o.Dir)
	})
	cmd.Args = problemAndCommand
	fs := cmd.Flags()
	fs.StringVar(&suiteName, "suite", "", "`SUITE.yaml|BUILTIN` with the instances and rivals")
	fs.StringVar(&set, "set", "", "`NAME` of a set of the library, such as benchmark (default: seen, or without it the suite "+
		"PROBLEM-small)")
	fs.String("metric", "", "`METRIC` of generated instances, such as tardiness, in place of a suite")
	fs.Bool("weighted", false, "the metric is weighted")
	fs.String("aggregate", "", "`AGGREGATE` of the metric: sum or max")
	withFlag(fs, &with)
	listFlag(fs, &rivals, "against", "", "GLOB", "rivals in the suite (default: all)")
	durationFlag(fs, &limit, "time-limit", "for each unit, such as 5m (default: the suite's)")
	fs.StringVar(&reference, "reference", "", "`NAME` of the class of the command's solutions (default: the one that they state, or the "+
		"problem's first)")
	fs.StringVar(&name, "name", "", "`NAME` of the command in tables and figures (default: its file's name)")
	fs.StringVarP(&o.Dir, "output", "o", "", "`DIR` of results and report (default: results/bench-SUITE)")
	labelFlags(fs, &o)
	envFlag(fs, &o.Worker.Pass)
	countFlag(fs, &o.Workers, most, "workers", "", "units at a time (default: the number of CPUs)")
	fs.BoolVar(&pool, "pool", false, "pool all instances, without rows for families and factors")
	fs.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// benchSuites is the one suite that bench runs, of an objective or by its name, which it completes.
func (a *app) benchSuites(p *bench.Problem, objective map[string]any, name *string, set string) (suites []*suite.Suite, err error) {
	switch {
	case len(objective) > 0 && (*name != "" || set != ""):
		return nil, errors.New("--metric, --weighted and --aggregate make a suite of their own, without --suite and --set")
	case len(objective) > 0:
		suites, err = a.suiteOfObjective(p, objective)
	default:
		*name, err = a.benchSuite(p, *name, set)
		if err == nil {
			suites, err = suite.Load(*name, a.registry)
		}
	}
	if err != nil {
		return nil, err
	}
	if len(suites) != 1 {
		return nil, fmt.Errorf("--suite %s: is not one suite of %s but %d", *name, p.Name, len(suites))
	}
	if of := suites[0].Problem; of != p.Name {
		return nil, fmt.Errorf("--suite %s: is not one suite of %s; it is of %s: schedgap bench %s --suite %s",
			*name, p.Name, of, of, *name)
	}
	return suites, nil
}

// benchSuite is the name of the suite that bench runs: the one asked for, or that of the library's set, or the library's seen if it
// has any, or the built-in one of small instances.
func (a *app) benchSuite(p *bench.Problem, name, set string) (string, error) {
	sets, err := a.registry.Library.Sets(p.Name)
	switch {
	case err != nil:
		return "", err
	case name != "" && set != "":
		return "", errors.New("--suite and --set exclude each other")
	case name == quick:
		return quickSuite(p, a.registry)
	case name != "":
		return name, nil
	case set != "" && !slices.Contains(sets, set):
		return "", fmt.Errorf("--set: %w", nearest.Unknown("set", set, sets))
	case set == "" && !slices.Contains(sets, seenSet):
		return p.Name + "-small", nil
	}
	return suite.LibrarySuite(p.Name, cmp.Or(set, seenSet)), nil
}

// quick is the suite for a first look.
const quick = "quick"

// quickSuite is a problem's suite quick, or its small suite where it has none.
func quickSuite(p *bench.Problem, registry *bench.Registry) (string, error) {
	all, err := suite.Builtin(registry)
	if err != nil {
		return "", err
	}
	if slices.ContainsFunc(all, func(s *suite.Suite) bool { return s.Problem == p.Name && s.Name == quick }) {
		return p.Name + "/" + quick, nil
	}
	return p.Name + "-small", nil
}

// objectiveFlags are the parameters of the generator that state an objective, where a flag of that name is given.
func objectiveFlags(fs *pflag.FlagSet) suite.Params {
	given := suite.Params{}
	for _, name := range []string{"metric", "weighted", "aggregate"} {
		if f := fs.Lookup(name); f.Changed {
			given[name] = f.Value.String()
			if f.Value.Type() == "bool" {
				given[name] = f.Value.String() == "true"
			}
		}
	}
	return given
}

// suiteOfObjective returns the built-in suite whose instances are all generated with an objective, or else the problem's suite of
// weighted tardiness, drawn again with that objective.
func (a *app) suiteOfObjective(p *bench.Problem, objective suite.Params) ([]*suite.Suite, error) {
	for name := range objective {
		if !slices.ContainsFunc(p.Generator.Params, func(q models.Param) bool { return q.Name == name }) {
			return nil, fmt.Errorf("--%s: instances of %s are not generated with a %s; see: schedgap generate %s --help", name, p.Name, name, p.Name)
		}
	}
	want, err := models.Resolve(p.Generator.Params, objective)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"small", "weighted-response", "weighted-tardiness", "makespan"} {
		suites, err := suite.Load(p.Name+"-"+name, a.registry)
		if err != nil {
			return nil, err
		}
		has, err := models.Resolve(p.Generator.Params, suites[0].Instances[0].Generate.Params)
		if err != nil {
			return nil, err
		}
		if has.Text("metric") == want.Text("metric") && has.Bool("weighted") == want.Bool("weighted") &&
			has.Text("aggregate") == want.Text("aggregate") {
			return suites, nil
		}
	}
	suites, err := suite.Load(p.Name+"-weighted-tardiness", a.registry)
	if err != nil {
		return nil, err
	}
	s := suites[0]
	s.Instances[0].Generate.Params = objective
	words := []string{p.Name, want.Text("metric"), want.Text("aggregate")}
	if want.Bool("weighted") {
		words = slices.Insert(words, 1, "weighted")
	}
	s.Name = strings.Join(words, "-")
	return suites, nil
}

// seenSet is the set of the library to develop on.
const seenSet = "seen"

// withLibrary resolves a suite, to which the library's answers are added wherever it has some.
func (a *app) withLibrary(ctx context.Context, s *suite.Suite) (*suite.Plan, error) {
	p, err := a.registry.Problem(s.Problem)
	if err != nil {
		return nil, err
	}
	added := p.Folder == nil && !slices.ContainsFunc(s.Algorithms, func(e suite.Entry) bool { return e.Name == bench.FromLibrary })
	if added {
		s.AddEntry(suite.Entry{Name: bench.FromLibrary})
	}
	plan, err := s.Resolve(ctx, a.registry)
	if err != nil {
		return nil, err
	}
	plan.Units = slices.DeleteFunc(plan.Units, func(u bench.Unit) bool {
		return added && u.Request.Algorithm == bench.FromLibrary && u.Skip != ""
	})
	return plan, nil
}

// judgeBench writes the report and prints the verdict.
func (a *app) judgeBench(ctx context.Context, b benched, name string, asJSON, pool bool) error {
	in, err := a.results(ctx, b.Directory)
	if err != nil {
		return err
	}
	in.Seed, in.InstanceLinks, in.Pool = 1, "../instances", pool
	out := filepath.Join(b.Directory, "report")
	r, err := reports.Write(ctx, *in, out)
	if err != nil {
		return unreported(b.Directory, err)
	}
	b.Page = filepath.Join(out, "index.html")
	of := slices.IndexFunc(r.Problems, func(p *summary.Problem) bool { return p.Name == b.Problem })
	err = b.judge(r.Problems[of], name)
	if err != nil {
		reason := ""
		for i := range in.Records {
			if rec := &in.Records[i]; rec.Algorithm == name && rec.Error != nil && reason == "" {
				reason = "; on " + rec.Instance + ": " + firstLine(*rec.Error)
			}
		}
		return &exit{exitFailed, fmt.Sprintf("%v%s; for all reasons: schedgap report %s", err, reason, summary.Quote(b.Directory))}
	}
	if asJSON {
		return a.printJSON(b)
	}
	text := b.Details.Sentence + "\n"
	if rest := strings.TrimPrefix(b.Verdict, b.Details.Sentence); rest != "" {
		text += strings.TrimSpace(rest) + "\n"
	}
	if _, err := io.WriteString(a.stdout, text); err != nil {
		return err
	}
	if t := tables.Objectives(r.Problems[of], b.Details.Reference, name); len(t.Rows) > 0 {
		var rows [][]string
		for _, row := range t.Rows {
			rows = append(rows, row.Cells)
		}
		if err := a.printTable(t.Heads(), rows); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(a.stdout, b.Page)
	return err
}

// problemAndCommand accepts PROBLEM -- COMMAND …, of a command that can be run.
func problemAndCommand(cmd *cobra.Command, args []string) error {
	if err := oneOf(nil, "PROBLEM")(cmd, args); err != nil {
		return err
	}
	return runnable(args[1:])
}

// oneOf accepts one argument, and behind it either a COMMAND that can be run or, by -a, an algorithm; nil: there is no -a, and
// the COMMAND may be one that does not start.
func oneOf(algorithm *string, argument string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		at, see := dash(cmd), "see: "+cmd.CommandPath()+" --help"
		switch {
		case len(args) == 0 || at == 0:
			return fmt.Errorf("%s is missing; %s", argument, see)
		case algorithm == nil && (at != 1 || len(args) < 2):
			return fmt.Errorf("after the problem, -- and a COMMAND are needed; %s", see)
		case at < 0 && len(args) > 1 || at > 1:
			return fmt.Errorf("unexpected argument %q; %s", args[1], see)
		case at == 1 && len(args) < 2:
			return fmt.Errorf("after --, a COMMAND is needed; %s", see)
		case at < 0 && *algorithm == "":
			return fmt.Errorf("the algorithm is missing, -a ALGORITHM or -- COMMAND; %s", see)
		case at == 1 && algorithm != nil && *algorithm != "":
			return errors.New("-a ALGORITHM and -- COMMAND exclude each other")
		case at == 1 && algorithm != nil:
			return runnable(args[1:])
		}
		return nil
	}
}

// runnable reports whether a command's program is there.
func runnable(command []string) error {
	if _, err := exec.LookPath(command[0]); err != nil {
		return fmt.Errorf("the command %q cannot be run: %w", command[0], errors.Unwrap(err))
	}
	return nil
}

// keepRivals keeps the named command, exact methods, bounds and the algorithms that match globs, of a suite's.
func keepRivals(p *bench.Problem, s *suite.Suite, globs, name string) error {
	if globs == "" {
		return nil
	}
	var rivals []string
	kept := func(e suite.Entry) bool {
		a, _, err := p.Find(e.Name)
		return e.Name == name || err == nil && (a.Kind == models.Exact || a.Kind == models.Bound)
	}
	for _, e := range s.Algorithms {
		if !kept(e) {
			rivals = append(rivals, e.Name)
		}
	}
	matched, left, err := suite.Match(globs, rivals)
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("the suite %s has no rival that matches %q", s.Name, left[0])
	}
	if err != nil {
		return fmt.Errorf("--against: %w", err)
	}
	s.Algorithms = slices.DeleteFunc(slices.Clone(s.Algorithms), func(e suite.Entry) bool { return !kept(e) && !matched[e.Name] })
	return nil
}

// scriptFile is a word that looks like the file of a script, there or not.
var scriptFile = regexp.MustCompile(`^[\w./-]+\.\w+$`)

// commandName is the name of a command in reports: its first argument that is a file or looks like a script, otherwise its
// program.
func commandName(command []string) string {
	file := command[0]
	for _, word := range command[1:] {
		info, err := os.Stat(word)
		if err == nil && info.Mode().IsRegular() || err != nil && scriptFile.MatchString(word) && word[0] != '-' {
			file = word
			break
		}
	}
	file = filepath.Base(file)
	return strings.TrimSuffix(file, filepath.Ext(file))
}

// simpleWords is a command that needs no shell.
var simpleWords = regexp.MustCompile(`^[\w@%+=:,./ -]+$`)

// namedCommands reads the values of a flag, each NAME=COMMAND. A command with quotes or other special characters runs in a shell.
func namedCommands(flag string, given []string) (names []string, commands map[string][]string, err error) {
	commands = map[string][]string{}
	for _, text := range given {
		name, command, ok := strings.Cut(text, "=")
		switch {
		case !ok || name == "" || strings.ContainsAny(name, ", ") || strings.TrimSpace(command) == "":
			return nil, nil, fmt.Errorf("%s %q must be NAME=COMMAND", flag, text)
		case commands[name] != nil:
			return nil, nil, fmt.Errorf("%s %s is given twice", flag, name)
		}
		names, commands[name] = append(names, name), []string{"sh", "-c", "exec " + command}
	}
	return names, commands, nil
}

// addCommands adds the commands of --with to suites. Those that need no shell do without, so that edits of their files are seen.
func addCommands(suites []*suite.Suite, with []string) error {
	names, commands, err := namedCommands("--with", with)
	if err != nil {
		return err
	}
	for _, name := range names {
		command := commands[name]
		if line := strings.TrimPrefix(command[2], "exec "); simpleWords.MatchString(line) {
			command = strings.Fields(line)
		}
		if err := runnable(command); err != nil {
			return err
		}
		for _, s := range suites {
			if err := s.Add(name, command); err != nil {
				return fmt.Errorf("--with %s: %w", name, err)
			}
		}
	}
	return nil
}

func withFlag(fs *pflag.FlagSet, with *[]string) {
	fs.StringArrayVar(with, "with", nil, "`NAME=COMMAND`, a command to run beside the suite's algorithms; may be repeated")
}
