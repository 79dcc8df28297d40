// Package suite reads suites, the YAML files that say what is to be run, and resolves them into instances and units.
package suite

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/models/input"
)

// A Suite is one suite file's contents, defaults filled in.
type Suite struct {
	Name    string `json:"name" is:"id"`
	Problem string `json:"problem"`
	Purpose string `json:"purpose,omitempty" doc:"what the suite is for, one line"`
	// such as "Figure 5(a), Wolf et al. 2010"
	Figure     string   `json:"figure,omitempty" doc:"of the paper that it is about"`
	Typical    Span     `json:"typical,omitempty" doc:"how long it usually takes, such as 10m"` // on two cores; 0: not stated
	Instances  []Source `json:"instances" is:"some"`
	Algorithms []Entry  `json:"algorithms" is:"some"`
	Solvers    []string `json:"solvers,omitempty" is:"some" doc:"for exact algorithms with MILP models, with a question mark: where it is installed; default: each chooses"`
	Seeds      []uint64 `json:"seeds" is:"some" default:"[1]" doc:"for algorithms that are random, and for MILP solvers if they are not only the default"`
	Limits     Limits   `json:"limits" is:"optional" doc:"of a unit"`
	Proofs     bool     `json:"proofs,omitempty" default:"false" doc:"of what exact algorithms find are made, kept and checked"`
	PinCPUs    bool     `json:"pin_cpus" default:"false" doc:"every worker keeps to processors of its own"`
	Env        []string `json:"env,omitempty" is:"some" doc:"variables that commands see besides the few that they always do"`
	Watch      []string `json:"watch,omitempty" is:"some" doc:"patterns of files that commands depend on, relative to the suite's folder"`
	// Folder is that of a problem of the user's own; the key problem may hold it in place of a name.
	Folder string `json:"folder,omitempty"`
	// Where is where relative paths begin, which only suites that a program wrote say.
	Where *string `json:"dir,omitempty"`

	added   []string // names of the commands, and of the library's answers, that were added
	partial bool     // resolved without what is not there: a trace, a solver
	notes   []string // of resolving it, see Plan.Notes
	file    string   // as the user named it
	own     bool     // it is that of a folder
	dir     string   // where its relative paths begin; empty: the current folder
	fsys    fs.FS    // of a built-in suite, which has no dir
}

// Limits hold for each unit of a suite. The time has a default; 0 means no limit for the others.
type Limits struct {
	Time    Span `json:"time" default:"\"1m0s\"" doc:"wall time, such as 60s"`
	Memory  size `json:"memory,omitempty" doc:"resident memory, such as 4GiB; default: none"`
	CPU     Span `json:"cpu,omitempty" doc:"processor time, such as 60s; default: none"`
	Output  size `json:"output,omitempty" doc:"what a command may print, such as 128MiB; default: 64MiB"`
	Threads int  `json:"threads" is:">=1 <=1024" default:"1"`
}

// Dir is where the suite's relative paths begin; empty: in the current folder.
func (s *Suite) Dir() string { return s.dir }

// Added lists the names under which algorithms were added to what the suite has.
func (s *Suite) Added() []string { return s.added }

// Partial reports whether the suite was resolved without what is not there: a trace, or a solver.
func (s *Suite) Partial() bool { return s.partial }

// Notes say what of its instances a resolved suite does not have.
func (s *Suite) Notes() []string { return s.notes }

// ofUnit are the limits as a unit has them.
func (l Limits) ofUnit() bench.Limits {
	return bench.Limits{Time: time.Duration(l.Time), Memory: int64(l.Memory), CPU: time.Duration(l.CPU), Output: int64(l.Output)}
}

// The defaults of a suite. There is none for memory: without a limit there is no limit.
const (
	DefaultTime    = Span(60 * time.Second)
	DefaultThreads = 1

	DefaultSeed = 1

	// MaxThreads of a unit and MaxInstances of a source are beyond all that anybody means; more would only exhaust the memory.
	MaxThreads   = 1024
	MaxInstances = 1_000_000
)

// A Source gives instances; exactly one of its fields is set.
type Source struct {
	Generate *Generate `json:"generate,omitempty" doc:"random instances"`
	Trace    *Trace    `json:"trace,omitempty" doc:"instances derived from a cluster trace"`
	Files    string    `json:"files,omitempty" doc:"a pattern of instance files, relative to the suite's folder"`
	Library  string    `json:"library,omitempty" doc:"a set of the library, such as benchmark, or all"`
}

// Generate makes N random instances. The i-th depends on the seed, the parameters and i, not on N.
type Generate struct {
	N      int    `json:"n" is:">=1 <=1000000" doc:"how many, or at most how many"`
	Seed   uint64 `json:"seed" default:"1"`
	Params Params `json:"params,omitempty"`
}

// A Trace is a cluster trace to derive up to N instances from.
type Trace struct {
	Format string `json:"format,omitempty" doc:"google2011, google2019, alibaba, swim, swf or csv; by default found out"`
	Dir    string `json:"dir" doc:"the trace's folder, or file, relative to the suite's; variables are replaced"`
	Window Window `json:"window,omitempty" doc:"start and end in the trace's own time, such as [600s, 4200s]"`
	N      int    `json:"n" is:">=1 <=1000000" doc:"how many, or at most how many"`
	Seed   uint64 `json:"seed" default:"1"`
	Params Params `json:"params,omitempty"`
}

// A Window is in a trace's own time; To 0: to the end.
type Window struct{ From, To time.Duration }

// An Entry is an algorithm with its settings.
type Entry struct {
	Name    string   `json:"name" doc:"of an algorithm, with its argument after a colon; of a command any name"`
	Params  Params   `json:"params,omitempty"`
	Command []string `json:"command,omitempty" is:"some" doc:"an external algorithm"` // it runs in the suite's folder
	// Reference is the class of a command's solutions; empty: the one they state, or the problem's first.
	Reference string `json:"reference,omitempty" doc:"the class to which a command's solutions belong"`
	Batch     bool   `json:"batch,omitempty" doc:"the command reads many instances, a line each, and answers each with a line"`
	Solver    string `json:"solver,omitempty" doc:"in place of the suite's solvers"`
	Model     string `json:"model,omitempty" doc:"of an exact algorithm"`
	// Without, Copies and Preemption restrict an exact algorithm to what is left of its class, see bench.Problem.Restricted.
	Without    []string `json:"without,omitempty" is:"some" doc:"what solutions of an exact algorithm do without: copies, preemption, sharing or malleability"`
	Copies     int      `json:"copies,omitempty" is:">=1" doc:"the most copies in solutions of an exact algorithm"`
	Preemption string   `json:"preemption,omitempty" words:"yes|no" doc:"no: solutions of an exact algorithm do without it"`
}

// Add adds a command, whose relative paths begin in the current folder, to the algorithms. Where the suite's own commands run
// elsewhere, those of its words that name files of the current folder are written out from the root.
func (s *Suite) Add(name string, command []string) error {
	if slices.ContainsFunc(s.Algorithms, func(e Entry) bool { return e.Name == name }) {
		return fmt.Errorf("the suite %s has an algorithm %s already; choose another name, or leave it out of the suite", s.Name, name)
	}
	here, err := filepath.Abs("")
	if err != nil {
		return fmt.Errorf("the command %s: %w", name, err)
	}
	file := func(word string) (string, bool) {
		info, err := os.Stat(word)
		if !filepath.IsAbs(word) {
			word = filepath.Join(here, word)
		}
		return word, err == nil && info.Mode().IsRegular()
	}
	command = slices.Clone(command)
	if s.fsys != nil {
		s.dir = here
	}
	for i, word := range command {
		if path, ok := file(word); ok && s.fsys == nil {
			command[i] = path
		}
	}
	if line := 2; len(command) == line+1 && command[0] == "sh" && command[1] == "-c" {
		// Edits of the files that a line for the shell names count, too.
		for _, word := range strings.Fields(command[line]) {
			if path, ok := file(strings.Trim(word, `"'`)); ok {
				s.Watch = append(slices.Clone(s.Watch), input.Literal(path))
			}
		}
		if s.fsys == nil {
			command[line] = fmt.Sprintf("cd '%s' && %s", strings.ReplaceAll(here, "'", `'\''`), command[line])
		}
	}
	s.AddEntry(Entry{Name: name, Command: command})
	return nil
}

// AddEntry adds an algorithm to what the suite has.
func (s *Suite) AddEntry(e Entry) {
	s.Algorithms, s.added = append(slices.Clone(s.Algorithms), e), append(slices.Clone(s.added), e.Name)
}
