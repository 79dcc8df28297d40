// Package runner runs plans. It gives the units without a row to worker processes and writes their results into a folder, so
// that a run can be stopped, or killed, and started again at any moment. Its entry point is Run, which `schedgap run` and `bench`
// call.
package runner

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"schedgap/bench"
	"schedgap/bench/plan/suite"
	"schedgap/bench/run/external"
	"schedgap/bench/run/proc"
	"schedgap/bench/run/store"
	"schedgap/bench/run/sysinfo"
	"schedgap/bench/run/worker"
	"schedgap/models"

	"golang.org/x/sync/errgroup"
)

// Options say where and how a plan is run.
type Options struct {
	Dir     string // the results folder
	Workers int    // units at a time; 0: as many as there are CPUs
	Shard   Shard
	// RerunFailed runs units again whose row says crash, error, oom or invalid, RerunTimeouts those with a timeout. The new
	// row replaces the old one when it is written.
	RerunFailed, RerunTimeouts bool
	Rerun                      map[string]bool // algorithms whose units are run again, whatever their rows say
	Label, Commit              string          // of all rows, see bench.Record; empty: null
	DryRun                     bool            // only find out what there is to do; writes nothing

	// When Kill ends, the running units are killed; nil means never. When Run's context ends, only new units stop starting.
	Kill context.Context
	// Progress, unless nil, is called before the first unit and after every one, never twice at a time.
	Progress func(Progress)
	// Note, unless nil, receives sentences that the user should see.
	Note func(string)

	Probe  bool           // each command is probed once to see whether it accepts batches, and gets batches if so
	Worker worker.Options // CPUs are set by Run
	Output int64          // replaces the suites' limit on a command's output; 0: it does not
	Flush  time.Duration  // the longest time that a row waits to be written; 0: store.DefaultDelay
}

// Progress is how far a run is.
type Progress struct {
	Total, Done int           // units of this run
	Failed      int           // of those done: crash, error, oom, invalid
	Started     time.Time     // of the first unit
	Record      *bench.Record // of the unit that has just ended; nil before the first
	// Work is the seconds spent on finished units, Rest the expected seconds of the others. 0 means not known.
	Work, Rest float64
}

// Left is how long the rest takes if it goes on as expected or, where nothing is, if its units take as long as those that are done;
// 0 when none is or nothing is left.
func (p Progress) Left(now time.Time) time.Duration {
	if p.Done == 0 {
		return 0
	}
	spent := now.Sub(p.Started)
	left := float64(spent) / float64(p.Done) * float64(p.Total-p.Done)
	if p.Work > 0 && p.Done < p.Total {
		left = float64(spent) / p.Work * p.Rest
	}
	return time.Duration(min(left, math.MaxInt64/2))
}

// A Summary counts the units of a run, or of a dry run.
type Summary struct {
	Units       int                  `json:"units"`        // of the plan in this shard
	AlreadyDone int                  `json:"already_done"` // had a row that stays
	Stale       int                  `json:"stale"`        // have a row of a command whose files were edited; are run again
	ToRun       int                  `json:"to_run"`       // all others
	Ran         map[bench.Status]int `json:"ran"`          // rows of this run
	Rows        map[bench.Status]int `json:"rows"`         // of all units of the shard, however old
	Workers     int                  `json:"workers"`
	WorstCase   float64              `json:"worst_case_seconds"` // if every unit took its whole time limit
	Unlimited   int                  `json:"unlimited"`          // units to run without a time limit, which WorstCase does not know
	Interrupted bool                 `json:"interrupted"`        // units are left because the context ended

	failed int // of Rows
	faulty int // of these, errors of the problem
}

// EveryRowFailed reports that not one unit that was tried came to anything.
func (s *Summary) EveryRowFailed() bool {
	tried := -s.Rows[bench.Skipped]
	for _, n := range s.Rows {
		tried += n
	}
	return tried > 0 && s.failed == tried
}

// Faulty is how many units of the shard are errors of their problem, and not of an algorithm.
func (s *Summary) Faulty() int { return s.faulty }

// Failures is how many units of the shard came to nothing.
func (s *Summary) Failures() int { return s.failed }

func (s *Summary) count(d store.Done) {
	s.Rows[bench.Status(d.Status)]++
	if d.Failed() {
		s.failed++
	}
	if d.Faulty() {
		s.faulty++
	}
}

// A planned unit knows its identity.
type planned struct {
	*bench.Unit
	id     string
	digest string // what its command was made of when the run began; empty: it has none
}

// Run runs the plan's units that have no row in the results folder, and those whose row is to be replaced. When ctx ends, the
// running units are still finished, and the summary says so. The error is about the folder or the worker processes; failures of
// algorithms are in their rows.
func Run(ctx context.Context, plan *suite.Plan, o Options) (*Summary, error) {
	r := &run{options: o, dir: store.Open(o.Dir), info: sysinfo.Read(), id: newRunID(), changed: map[string]bool{}, hasRow: map[string]bool{}}
	r.summary = Summary{Workers: o.Workers, Ran: map[bench.Status]int{}, Rows: map[bench.Status]int{}}
	if r.summary.Workers <= 0 {
		r.summary.Workers = r.info.CPUs
	}
	for _, n := range plan.Notes {
		r.note("%s", n)
	}
	r.pass = slices.Clone(o.Worker.Pass)
	for _, s := range plan.Suites {
		r.pass = append(r.pass, s.Env...)
	}
	if !o.DryRun {
		unlock, err := r.dir.Lock(o.Shard.name())
		if err != nil {
			return nil, err
		}
		defer unlock()
	}
	if err := r.choose(ctx, plan); err != nil {
		return nil, err
	}
	if o.DryRun {
		return &r.summary, nil
	}
	if err := r.describe(ctx, plan); err != nil {
		return nil, err
	}
	if err := r.probe(ctx); err != nil {
		return nil, err
	}
	cpus, all, err := r.pin(plan)
	if err != nil {
		return nil, err
	}
	r.journal, err = openJournal(filepath.Join(r.dir.Path(), store.RunsFolder, "."+o.Shard.name()+".started"))
	if err != nil {
		return nil, err
	}
	defer r.journal.close()
	err = r.execute(ctx, cpus, all)
	return &r.summary, err
}

type run struct {
	options Options
	dir     *store.Dir
	info    sysinfo.Info
	todo    []planned
	hasRow  map[string]bool // those of todo with a row that is not interrupted
	kept    int             // bytes up to which a solution and its instance are kept
	pass    []string        // names of variables that commands see
	journal *journal
	files   external.Files // of commands
	id      string         // of this run

	rows      *store.Writer[bench.Record]
	progress  *store.Writer[bench.ProgressRecord]
	solutions *store.Writer[store.Solution]

	mu      sync.Mutex // of what follows
	summary Summary
	done    int
	broken  int  // of done, see Progress.Failed
	faulted bool // an error of the problem was told of
	paces   paces
	started time.Time       // of the first unit
	changed map[string]bool // commands whose files changed since the run began
}

func (r *run) note(format string, args ...any) {
	if r.options.Note != nil {
		r.options.Note(fmt.Sprintf(format, args...))
	}
}

// choose finds out which units are to be run.
func (r *run) choose(ctx context.Context, plan *suite.Plan) error {
	have, bad, err := r.dir.DoneUnits(ctx)
	if err != nil {
		return err
	}
	if err := r.setAside(bad); err != nil {
		return err
	}
	s := &r.summary
	total := 0.0 // seconds: many long limits are more than a time.Duration holds
	threads, unproven := 1, 0
	seen := map[string]bool{}
	digests := map[string]string{} // by problem, algorithm and command, which the files follow from
	for i := range plan.Units {
		u := planned{Unit: &plan.Units[i]}
		u.id, err = r.identify(u.Unit)
		if err != nil {
			return err
		}
		if seen[u.id] {
			continue // suites may overlap
		}
		seen[u.id] = true
		if !r.options.Shard.Has(u.id) {
			continue
		}
		s.Units++
		if command := u.Request.Command; len(command) > 0 || u.Instance.Problem.Folder != nil {
			key := fmt.Sprintf("%q %q %q %q %q", u.Instance.Problem.Name, u.Request.Algorithm, command, u.Home(), u.Watch)
			if digests[key] == "" {
				digests[key], err = r.commandDigest(ctx, u.Unit)
				if err != nil {
					return err
				}
			}
			u.digest = digests[key]
		}
		d, ok := have[u.id]
		interrupted := ok && bench.Status(d.Status) == bench.Interrupted
		if ok && !interrupted && u.digest != "" && stale(d.Command, u.digest) {
			s.Stale++
		} else if ok && !r.again(d) {
			s.AlreadyDone++
			s.count(d)
			if _, err := os.Stat(r.dir.ProofPath(u.id)); u.Request.Prove && errors.Is(err, fs.ErrNotExist) {
				unproven++
			}
			continue
		}
		r.todo, r.hasRow[u.id] = append(r.todo, u), ok && !interrupted
		switch {
		case u.Skip != "":
		case u.Limits.Time == 0:
			s.Unlimited++
		default:
			total += u.Limits.Time.Seconds()
		}
		threads = max(threads, u.Request.Threads)
	}
	s.ToRun = len(r.todo)
	if s.Stale > 0 {
		r.note("run again, since their command was edited or its version is unknown: %d of the units", s.Stale)
	}
	if unproven > 0 {
		r.note("not run again for a proof: %d of the units; the same run into another folder makes their proofs", unproven)
	}
	s.WorstCase = total / float64(s.Workers)
	if n := s.Workers * threads; n > r.info.CPUs && s.ToRun > 0 {
		r.note("%d workers with %d threads each share %d CPUs: the times will not be comparable",
			s.Workers, threads, r.info.CPUs)
	}
	return nil
}

// again reports whether a unit with a row is to be run all the same.
func (r *run) again(d store.Done) bool {
	status := bench.Status(d.Status)
	return status == bench.Interrupted || status.Broken() && r.options.RerunFailed || status == bench.Timeout && r.options.RerunTimeouts ||
		r.options.Rerun[d.Algorithm]
}

// setAside gets files out of the way that no reader can read; their units are run again.
func (r *run) setAside(bad []*store.FileError) error {
	for _, b := range bad {
		if b.Version {
			return fmt.Errorf("the results folder belongs to another version of this program: %w", b)
		}
		if r.options.DryRun {
			r.note("%v; a run will set it aside", b)
			continue
		}
		to, err := r.dir.SetAside(b)
		if err != nil {
			return err
		}
		r.note("%v; set aside as %s", b, to)
	}
	return nil
}

// describe writes the full plan into the folder, even if this run is a part of it.
func (r *run) describe(ctx context.Context, plan *suite.Plan) error {
	type key struct{ problem, suite, with string }
	asked := map[key]*store.Requested{}
	var order []key
	for _, s := range plan.Suites {
		for _, with := range append([]string{""}, s.Added()...) {
			doc, err := s.Part(with).YAML()
			if err != nil {
				return err
			}
			k := key{s.Problem, s.Name, with}
			if asked[k] == nil {
				asked[k], order = &store.Requested{Problem: s.Problem, Suite: s.Name, With: with}, append(order, k)
			}
			a := asked[k]
			if with == "" {
				a.Notes = append(a.Notes, s.Notes()...)
			}
			a.Partial = a.Partial || s.Partial()
			if a.YAML != "" {
				a.YAML += "---\n"
			}
			a.YAML += string(doc)
		}
	}
	units := plan.Asked
	if units == nil {
		units = plan.Units
	}
	for i := range units {
		u := &units[i]
		id, err := r.identify(u)
		if err != nil {
			return err
		}
		k := key{u.Instance.Problem.Name, u.Suite, u.Request.Algorithm}
		if asked[k] == nil {
			k.with = ""
		}
		asked[k].Add(u.Request.Algorithm, id)
	}
	list := make([]store.Requested, len(order))
	for i, k := range order {
		list[i] = *asked[k]
	}
	return r.dir.PutPlan(ctx, list)
}

// identify is the unit's identity under the options' limit on output.
func (r *run) identify(u *bench.Unit) (string, error) {
	if r.options.Output > 0 {
		u.Limits.Output = r.options.Output
	}
	return u.ID()
}

// tries is the number of instances on which a command that fails is tried before a run that probes gives up.
const tries = 3

// A FailingError says that a command failed on the first instances in the same way.
type FailingError struct{ Algorithm, Reason string }

func (e *FailingError) Error() string {
	return fmt.Sprintf("%s fails on each of the first %d instances: %s", e.Algorithm, tries, e.Reason)
}

// probe finds out which commands read many instances, on the first unit of each, and gives up on one that fails on its first
// instances in the same way.
func (r *run) probe(ctx context.Context) error {
	speaks := map[string]bool{}
	for i := range r.todo {
		u := r.todo[i].Unit
		if !r.options.Probe || len(u.Request.Command) == 0 || u.Request.Batch {
			continue
		}
		yes, known := speaks[u.Request.Algorithm]
		if !known {
			var alone *bench.Result
			var err error
			o := r.options.Worker
			o.Pass, o.Solutions = r.pass, bench.DefaultOutput
			yes, alone, err = worker.SpeaksBatch(ctx, o, *u)
			if err != nil {
				return err
			}
			if err := alone.Fault(); err != nil {
				return err
			}
			if err := r.failing(ctx, i, o, alone); err != nil {
				return err
			}
			speaks[u.Request.Algorithm] = yes
		}
		u.Request.Batch = yes
	}
	return nil
}

// failing returns a FailingError if the command of unit i, which ended as given, fails on its next instances in the same way.
func (r *run) failing(ctx context.Context, i int, o worker.Options, first *bench.Result) error {
	w := worker.New(o)
	defer w.Close()
	failed := func(res *bench.Result) bool {
		return res.Status == bench.Error || res.Status == bench.Crash || res.Status == bench.Invalid
	}
	instance, left := r.todo[i].Instance, tries-1
	for _, u := range r.todo[i:] {
		if left == 0 || !failed(first) {
			break
		}
		if u.Request.Algorithm != r.todo[i].Request.Algorithm || u.Instance == instance {
			continue
		}
		instance = u.Instance
		res, err := w.Run(ctx, u.Unit)
		if err != nil || !failed(res) || res.Error != first.Error {
			return err
		}
		left--
	}
	if left > 0 {
		return nil
	}
	return &FailingError{r.todo[i].Request.Algorithm, first.Error}
}

// pin gives each worker processors for its commands, and, if a suite asks for that, for all that it runs: then there must be
// enough.
func (r *run) pin(plan *suite.Plan) (cpus [][]int, all bool, err error) {
	threads := 1
	for _, s := range plan.Suites {
		all = all || s.PinCPUs
		threads = max(threads, s.Limits.Threads)
	}
	n := r.summary.Workers
	cpus, err = worker.Share(n, threads)
	if !all {
		return cpus, false, nil // where the system cannot assign processors, it does not
	}
	if free, _ := worker.CPUs(); err == nil && n*threads > len(free) {
		err = fmt.Errorf("pin_cpus: %d workers with %d threads need %d CPUs, and there are %d", n, threads, n*threads, len(free))
	}
	return cpus, true, err
}

// execute runs the chosen units.
func (r *run) execute(ctx context.Context, cpus [][]int, all bool) error {
	_ = proc.Adopt() // finds processes left by dead supervisors below this process; the run works without it, too
	var err error
	r.rows, err = r.dir.NewRuns(r.options.Shard.name())
	if err != nil {
		return err
	}
	r.rows.Early, r.rows.Delay = firstFlush, cmp.Or(r.options.Flush, r.rows.Delay)
	r.progress, err = r.dir.NewProgress(r.options.Shard.name())
	if err != nil {
		return err
	}
	r.solutions, err = r.dir.NewSolutions(r.options.Shard.name())
	if err != nil {
		return err
	}
	r.progress.Rows, r.progress.Delay, r.solutions.Delay = 100*store.DefaultRows, time.Hour, time.Hour
	// A row never speaks of an instance that is not there.
	r.rows.First = func() error { return errors.Join(r.progress.Flush(), r.solutions.Flush(), r.dir.Sync()) }
	if err := r.interrupted(); err != nil {
		return err
	}
	r.started, r.paces = time.Now(), newPaces(r.todo)
	r.report(nil)

	// Units live as long as alive; new ones start as long as starting.
	alive, kill := context.WithCancel(context.WithoutCancel(ctx))
	defer kill()
	if r.options.Kill != nil {
		defer context.AfterFunc(r.options.Kill, func() {
			r.journal.interrupted()
			kill()
		})()
	}
	defer context.AfterFunc(ctx, r.journal.interrupted)()
	workers, starting := errgroup.WithContext(ctx)
	var next atomic.Int64
	r.kept = maxKept
	if slices.ContainsFunc(r.todo, func(u planned) bool { return u.Request.Prove }) {
		r.kept = store.MaxSolution // a value that is to be proven takes its solution
	}
	for i := range min(r.summary.Workers, len(r.todo)) {
		options := r.options.Worker
		options.Solutions, options.Pass, options.Progress = r.kept, r.pass, true
		if cpus != nil {
			options.CommandCPUs = cpus[i]
		}
		if all {
			options.CPUs = cpus[i]
		}
		workers.Go(func() error {
			w := worker.New(options)
			defer w.Close()
			for starting.Err() == nil && alive.Err() == nil {
				i := next.Add(1) - 1
				if i >= int64(len(r.todo)) {
					break
				}
				if err := r.unit(alive, w, r.todo[i]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err = errors.Join(workers.Wait(), r.rows.Close(), r.progress.Close(), r.solutions.Close(), r.journal.present())
	r.summary.Interrupted = r.done < len(r.todo) && err == nil
	for _, name := range slices.Sorted(maps.Keys(r.changed)) {
		r.note("the files of the command %s changed during the run: rows that were made with others than those of now do not count "+
			"as done, and the same command runs their units again", name)
	}
	return err
}

// firstFlush is when the first rows of a run are written: a short run that is killed should not lose all it has.
const firstFlush = 500 * time.Millisecond

// unit runs one unit, unless alive ends, and writes what came of it.
func (r *run) unit(alive context.Context, w *worker.Worker, u planned) error {
	started := time.Now()
	before, err := r.commandDigest(alive, u.Unit)
	var res *bench.Result
	if err == nil {
		res, err = r.result(alive, w, u)
	}
	var after string
	if err == nil {
		after, err = r.commandDigest(alive, u.Unit)
	}
	var row bench.Record
	if err == nil {
		row, err = r.record(u, res, started)
	}
	if err != nil {
		if alive.Err() != nil {
			return nil // killed, and so without a row
		}
		return err
	}
	if after == before {
		row.CommandSHA256 = bench.OrNull(after)
	}
	// Its row comes last: it says that all the rest is there.
	if err := r.keep(u, res); err != nil {
		return err
	}
	for i := range res.Progress {
		res.Progress[i].RunID, res.Progress[i].UnitID = r.id, u.id
	}
	if err := r.progress.Append(res.Progress...); err != nil {
		return err
	}
	if err := r.rows.Append(row); err != nil {
		return err
	}
	if err := r.journal.ended(u); err != nil {
		return err
	}
	r.mu.Lock()
	if before != u.digest || after != u.digest {
		r.changed[u.Request.Algorithm] = true
	}
	r.mu.Unlock()
	r.report(&row)
	return nil
}

// result returns the result of a unit: from a worker, unless it is known before.
func (r *run) result(ctx context.Context, w *worker.Worker, u planned) (*bench.Result, error) {
	if err := r.dir.PutInstance(u.Instance.SHA256, u.Instance.JSON); err != nil {
		return nil, err
	}
	res := u.Instance.Problem.Blank(u.Request)
	if u.Skip != "" {
		res.Status, res.Error = bench.Skipped, u.Skip
		return res, nil
	}
	if len(u.Request.Command) > 0 { // nothing else can end a run
		deaths := r.journal.died(u)
		if len(deaths) >= maxDeaths {
			res.Status, res.Raw = bench.Crash, history(deaths)
			res.Error = res.Raw + "; it is not run again, unless by --rerun-failed"
			return res, nil
		}
		if err := r.journal.start(u); err != nil {
			return nil, err
		}
		if len(deaths) == maxDeaths-1 {
			return r.guarded(ctx, w, u, deaths)
		}
	}
	return w.Run(ctx, u.Unit)
}

// guarded runs a unit for the last time below a process that stands in for this one: a command that kills its run kills that
// process instead.
func (r *run) guarded(ctx context.Context, w *worker.Worker, u planned, deaths []string) (*bench.Result, error) {
	guard := w.Guarded()
	defer guard.Close()
	res, err := guard.Run(ctx, u.Unit)
	if err == nil && res.Status == bench.Crash {
		res.Raw = history(append(slices.Clone(deaths), "now, below a process that died in place of the run"))
	}
	return res, err
}

// maxDeaths is how many runs may die in a row while a command is running before it is believed to be the reason.
const maxDeaths = 3

// interrupted writes rows of the units during which earlier runs died and that have no other row.
func (r *run) interrupted() error {
	for _, u := range r.todo {
		deaths := r.journal.died(u)
		if len(deaths) == 0 || len(deaths) >= maxDeaths || r.hasRow[u.id] {
			continue
		}
		res := u.Instance.Problem.Blank(u.Request)
		res.Status, res.Raw = bench.Interrupted, history(deaths)
		if err := r.dir.PutInstance(u.Instance.SHA256, u.Instance.JSON); err != nil {
			return err
		}
		row, err := r.record(u, res, time.Now())
		if err == nil {
			row.WallSeconds, row.CommandSHA256 = nil, bench.OrNull(u.digest)
			err = r.rows.Append(row)
		}
		if err != nil {
			return err
		}
	}
	return r.rows.Flush()
}

// maxKept is the size in bytes up to which a solution and its instance can be drawn.
const maxKept = 20_000

// keep stores the proof of a bound, and a small solution that the checker has accepted, for the report's drawings.
func (r *run) keep(u planned, res *bench.Result) error {
	if len(res.Proof) > 0 {
		if err := r.dir.PutProof(u.id, res.Proof); err != nil {
			return err
		}
	}
	if err := r.dir.DropSolution(u.id); err != nil { // that of an older row is not this one's
		return err
	}
	drawable := res.Kind == string(models.Heuristic) || res.Kind == string(models.Exact) || res.Kind == string(models.External)
	accepted := res.Feasible != nil && *res.Feasible
	if !drawable || !accepted || len(res.Solution) == 0 || max(len(res.Solution), len(u.Instance.JSON)) > r.kept {
		return nil
	}
	return r.solutions.Append(store.Solution{UnitID: u.id, RunID: r.id, Text: res.Solution})
}

// report counts a row, if there is one, and tells of the progress.
func (r *run) report(row *bench.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if row != nil {
		r.done++
		r.paces.ended(row)
		if bench.Status(row.Status).Broken() {
			r.broken++
		}
		if row.Faulty() && !r.faulted {
			r.faulted = true
			r.note("an error of the problem, and not of %s on %s: %s", row.Algorithm, row.Instance, *row.Error)
		}
		r.summary.Ran[bench.Status(row.Status)]++
		r.summary.count(store.Done{Status: row.Status, Raw: row.RawStatus, Objective: row.Objective, Bound: row.Bound})
	}
	if r.options.Progress != nil {
		work, rest := r.paces.expect()
		r.options.Progress(Progress{
			Total: len(r.todo), Done: r.done, Failed: r.broken, Started: r.started, Record: row, Work: work, Rest: rest,
		})
	}
}

func newRunID() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return time.Now().UTC().Format("20060102T150405Z") + "-" + hex.EncodeToString(b[:])
}
