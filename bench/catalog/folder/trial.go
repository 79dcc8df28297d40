package folder

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/bench/generate"
	"schedgap/bench/run/worker"
	"schedgap/exact"
	"schedgap/models"
	"schedgap/models/input"
	"schedgap/scripts"
)

// A Trial is what was found when a folder was tried.
type Trial struct {
	Problem   string   `json:"problem"`
	Mistakes  []string `json:"mistakes"` // a sentence each, with what to do
	Notes     []string `json:"notes"`    // allowed, but seldom wanted
	Instances int      `json:"instances"`
	Solutions int      `json:"solutions"` // that the checker accepted
	Proven    int      `json:"proven"`    // instances with a proven optimum
	// Infeasible is the number of times that a model was proven to have no solution.
	Infeasible int `json:"infeasible,omitempty"`

	problem *bench.Problem
	folder  *folder
	said    map[string]int  // how often, by the sentence without its example
	planned int             // instances
	speaks  map[string]bool // whether commands that were run read many instances, by their names
}

const (
	// trialTime is how long an algorithm or a solver may take over an instance.
	trialTime = 10 * time.Second
	// late is how many optima may be missing before no more are sought.
	late = 5
	// several is the number of instances from which on it pays to find out whether an algorithm reads many.
	several = 5
)

// Try tries a folder's commands on its examples and on n generated instances. The error says that ctx ended or that no process could be
// started; mistakes of the folder are in the trial.
func Try(ctx context.Context, p *bench.Problem, n int) (*Trial, error) {
	s, err := readSpec(p.Folder.Path)
	if err != nil {
		return nil, err
	}
	f := &folder{spec: s, path: p.Folder.Path, ctx: ctx}
	f.generate, f.check = f.command("generate", s.Commands.Generate), f.command("check", s.Commands.Check)
	t := &Trial{
		Problem: p.Name, Mistakes: []string{}, Notes: []string{}, problem: p, folder: f, said: map[string]int{}, planned: n,
		speaks: map[string]bool{},
	}
	t.programs()
	if len(t.Mistakes) > 0 {
		return t, nil
	}
	t.generator(ctx)
	t.batches(ctx)
	if len(t.Mistakes) == 0 {
		t.examples()
		err = t.solve(ctx, n)
	}
	if t.Infeasible > 0 {
		t.note("%d times a solver proved that a model has no solution; is that right?", t.Infeasible)
	}
	for kind, times := range t.said {
		if times > 1 {
			i := slices.IndexFunc(t.Mistakes, func(m string) bool { return strings.HasPrefix(m, kind) })
			t.Mistakes[i] += fmt.Sprintf(" (and %d more times)", times-1)
		}
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return t, err
}

// wrong enters a mistake; of those of a kind the first is kept. The kind begins the sentence.
func (t *Trial) wrong(kind, format string, args ...any) {
	t.said[kind]++
	if t.said[kind] == 1 {
		t.Mistakes = append(t.Mistakes, kind+fmt.Sprintf(format, args...))
	}
}

func (t *Trial) note(format string, args ...any) {
	t.Notes = append(t.Notes, fmt.Sprintf(format, args...))
}

// commands are all of the folder, in the order of its file.
func (t *Trial) commands() (all []*command) {
	s := t.folder.spec
	add := func(what string, words program) {
		if words != nil {
			all = append(all, t.folder.command(what, words))
		}
	}
	add("generate", s.Commands.Generate)
	add("check", s.Commands.Check)
	for _, m := range s.Commands.Model {
		add("model."+m.Key, m.Value.Command)
	}
	add("decode", s.Commands.Decode)
	for _, b := range s.Bounds {
		add("bounds."+b.Key, b.Value.Command)
	}
	for _, a := range s.Algorithms {
		add("algorithms."+a.Key, a.Value.Command)
	}
	return all
}

// programs: what a command starts must be there.
func (t *Trial) programs() {
	for _, c := range t.commands() {
		program := c.words[0]
		if strings.Contains(program, "/") && !filepath.IsAbs(program) {
			program = filepath.Join(c.dir, program)
		}
		if _, err := exec.LookPath(program); err == nil {
			continue
		}
		advice := "install it, or name another program"
		if _, err := os.Stat(filepath.Join(c.dir, c.words[0])); err == nil {
			advice = fmt.Sprintf("write ./%s, and make it executable: chmod +x %s", strings.TrimPrefix(c.words[0], "./"), c.words[0])
		}
		t.wrong("the program of "+c.what, ", %q, cannot be run; %s", c.words[0], advice)
	}
}

// generator: the same seed gives the same instance, and others give others.
func (t *Trial) generator(ctx context.Context) {
	c, different := t.folder.generate, map[string]bool{}
	for seed := uint64(1); seed <= 3 && ctx.Err() == nil; seed++ {
		question, _ := json.Marshal(map[string]any{"seed": seed, "params": models.Defaults(t.folder.spec.params())}) // numbers
		var first json.RawMessage
		for range 2 {
			out, err := c.alone(ctx, question, settings{seed: seed})
			var made json.RawMessage
			if err == nil {
				made, err = c.object(out)
			}
			if err == nil {
				_, err = t.problem.Folder.Generate("trial", models.Defaults(t.folder.spec.params()), seed)
			}
			switch {
			case err != nil:
				t.wrong("generate fails", " with seed %d: %v; try: echo '%s' | %s", seed, err, question, c)
				return
			case first != nil && !bytes.Equal(first, made):
				t.wrong("generate gives two instances", " for seed %d and the same parameters; draw all randomness from the seed of the question", seed)
				return
			}
			first = made
		}
		different[string(first)] = true
	}
	if len(different) == 1 && ctx.Err() == nil {
		t.note("generate gives the same instance for seeds 1 to 3; use the question's seed")
	}
}

// batches tells which of the two commands that are asked most start a process for each answer, and holds the others to answering the
// same as alone.
func (t *Trial) batches(ctx context.Context) {
	in, err := generate.One(t.problem, "trial", models.Defaults(t.problem.Generator.Params), 1, 0)
	if err != nil || len(t.Mistakes) > 0 {
		return
	}
	made, _ := json.Marshal(map[string]any{"seed": 7, "params": models.Defaults(t.folder.spec.params())}) // numbers
	for c, question := range map[*command][]byte{
		t.folder.check:    slices.Concat([]byte(`{"instance":`), bytes.TrimSpace(in.JSON), []byte(`,"solution":{}}`)),
		t.folder.generate: made,
	} {
		t.batch(ctx, c, question)
	}
}

func (t *Trial) batch(ctx context.Context, c *command, question []byte) {
	out, err := c.alone(ctx, question, settings{seed: 7})
	if err != nil {
		return // which is found below
	}
	alone, err := c.object(out)
	if err != nil {
		return
	}
	s := c.stream()
	for range 2 {
		answer, err := c.exchange(ctx, s, question, false)
		if err != nil {
			t.note("%s does not read many questions, one a line, where SCHEDGAP_BATCH is 1, so that each starts a process", c.what)
			return
		}
		if !bytes.Equal(answer, alone) {
			t.wrong(c.what+" answers otherwise in a batch", " than alone: %.100s in place of %.100s; let no answer depend on the questions before"+
				" or on SCHEDGAP_SEED", answer, alone)
			break
		}
	}
	s.Kill()
}

// examples: the checker accepts them.
func (t *Trial) examples() {
	list, err := t.problem.Examples()
	if err != nil {
		t.wrong("examples", ": %v", err)
		return
	}
	if len(list) == 0 {
		t.wrong("examples/instance.json is missing", "; generate one, and keep it with a solution in examples/solution.json")
		return
	}
	names, _ := filepath.Glob(input.Literal(t.folder.path) + "/examples/solution*.json") // the pattern is well-formed
	if len(names) == 0 {
		t.wrong("examples/solution.json is missing", "; a solution of examples/instance.json shows what one is")
	}
	for _, name := range names {
		instance := filepath.Join(filepath.Dir(name), strings.Replace(filepath.Base(name), "solution", "instance", 1))
		at := "examples/" + filepath.Base(name)
		data, err := input.Read(instance, input.MaxData)
		var in *bench.Instance
		if err == nil {
			in, err = t.problem.ParseInstance(instance, data)
		}
		if err == nil {
			data, err = input.Read(name, input.MaxData)
		}
		if err != nil {
			t.wrong(at, ": %v", err)
			continue
		}
		rep, err := in.Check(at, data)
		switch {
		case err != nil:
			t.wrong(at+" is not judged", ": %v", err)
		case !rep.Feasible(nil):
			v := rep.Violations[0]
			t.wrong("the checker refuses "+at, ": %s at %s; mend the checker or the example", v.Constraint, v.Where)
		default:
			t.disturb(in, at, data, *rep.Objective, nil)
		}
	}
}

// disturb holds the checker to refusing what is no solution: optimum, unless nil, is the proven one.
func (t *Trial) disturb(in *bench.Instance, of string, data []byte, objective float64, optimum *float64) {
	all := disturbances(data, in.Size.Jobs)
	same := func(x float64) bool { return in.Accuracy.Same(x, objective) }
	reports := make([]models.Report, len(all))
	used := map[string]bool{} // keys on which something depends
	for i, d := range all {
		var err error
		reports[i], err = in.Check(of, d.data)
		if err != nil {
			t.wrong("the checker does not judge a solution "+d.what,
				" (%s): %v; it must answer {\"feasible\": false, …} whatever a solution is", of, err)
			return
		}
		used[d.key] = used[d.key] || !reports[i].Feasible(nil) || !same(*reports[i].Objective)
	}
	for i, d := range all {
		switch rep := &reports[i]; {
		case !rep.Feasible(nil):
		case !used[d.key]:
			if note := "nothing depends on the solution's key " + d.key; !slices.Contains(t.Notes, note) {
				t.note("%s", note)
			}
		case d.must:
			t.wrong("the checker accepts a solution "+d.what, " (%s); refuse it, with a constraint that says why", of)
		case d.same && same(*rep.Objective):
			t.wrong("the checker accepts at the same objective a solution "+d.what,
				" (%s); refuse it, or leave the part out of solutions if nothing depends on it", of)
		case optimum != nil && t.beyond(in.Accuracy, *rep.Objective, *optimum):
			t.wrong("the checker accepts a solution "+d.what, " (%s), with the objective %v, better than the optimum %v; refuse it", of, *rep.Objective, *optimum)
		}
	}
}

// beyond reports whether a value is better than what nothing can be better than, by more than a solver's claims are granted.
func (t *Trial) beyond(a models.Accuracy, value, limit float64) bool {
	return t.problem.Sense.Better(value, limit) && !a.Near(value, limit)
}

// solve runs all algorithms on generated instances.
func (t *Trial) solve(ctx context.Context, n int) error {
	w := worker.New(worker.Options{Solutions: bench.DefaultOutput})
	defer w.Close()
	open := 0
	for i := 0; i < n && ctx.Err() == nil; i++ {
		in, err := generate.One(t.problem, generate.Name(t.problem, i), models.Defaults(t.problem.Generator.Params), 1, i)
		if err != nil {
			t.wrong("generate fails", " for %s: %v", generate.Name(t.problem, i), err)
			return nil
		}
		t.Instances++
		c := &compared{trial: t, instance: in, optima: map[string]claim{}}
		for k := range t.problem.Algorithms {
			a := &t.problem.Algorithms[k]
			for _, model := range append([]string{""}, a.Models[min(1, len(a.Models)):]...) { // the first is the default
				if a.Kind == models.Exact && open >= late || a.Name == bench.FromLibrary {
					continue
				}
				res, err := t.run(ctx, w, in, bench.Request{Algorithm: a.Name, Model: model, Seed: 1, Threads: 1, Relax: true})
				if err != nil {
					return err
				}
				c.enter(a, res)
			}
		}
		if c.late {
			open++
		}
		c.conclude()
	}
	if open > 0 {
		t.note("%d of %d optima were not proven within %v; a smaller default of the parameters would show more", open, t.Instances, trialTime)
	}
	return nil
}

// run runs an algorithm. A command that has solved one instance alone is kept from then on, if it reads many.
func (t *Trial) run(ctx context.Context, w *worker.Worker, in *bench.Instance, r bench.Request) (*bench.Result, error) {
	if err := t.problem.Resolve(&r); err != nil {
		return nil, err
	}
	u := &bench.Unit{Instance: in, Request: r, Limits: bench.Limits{Time: trialTime, Memory: mostMemory}}
	speaks, asked := t.speaks[r.Algorithm]
	if len(r.Command) == 0 || asked || t.planned < several {
		u.Request.Batch = speaks
		return w.Run(ctx, u)
	}
	speaks, alone, err := worker.SpeaksBatch(ctx, worker.Options{Solutions: bench.DefaultOutput}, *u)
	t.speaks[r.Algorithm] = speaks
	return alone, err
}

// A claim is a value with who says so.
type claim struct {
	by       string
	value    float64
	class    string
	solution json.RawMessage
}

// compared are the claims about one instance.
type compared struct {
	trial    *Trial
	instance *bench.Instance
	values   []claim          // of accepted solutions
	bounds   []claim          // of bounds and relaxations
	optima   map[string]claim // by class
	none     []claim          // of models without a solution
	late     bool
}

// accuracy is the instance's. A folder does not say by which amount values near 0 are measured, such as the lateness of a schedule
// without any: there, claims differ by no more than rounding leaves of terms as large as the largest value.
func (c *compared) accuracy() models.Accuracy {
	a := c.instance.Accuracy
	for _, v := range c.values {
		a.Least = max(a.Least, models.Relative*math.Abs(v.value))
	}
	return a
}

func (c *compared) enter(a *bench.Algorithm, res *bench.Result) {
	t, by, on := c.trial, a.Name, c.instance.Name
	if res.Model != "" {
		by += ", model " + res.Model
	}
	switch {
	case res.Status == bench.Skipped:
		return
	case res.Status == bench.Timeout && a.Kind == models.Exact:
		c.late = true
	case res.Status == bench.Infeasible:
		t.Infeasible++
		c.none = append(c.none, claim{by: by, class: a.Reference})
		return
	case res.Status.Broken() || res.Status == bench.Timeout:
		advice := "run it alone to see: schedgap solve --problem " + t.folder.path + " INSTANCE.json -a " + a.Name
		t.wrong(by+" ends as "+string(res.Status), " on %s: %s; %s", on, strings.ReplaceAll(res.Error, "\n", "; "), advice)
		return
	}
	if res.Feasible != nil && *res.Feasible && res.Objective != nil {
		if a.Kind == models.Exact && strings.Contains(res.Raw, exact.OtherValue) {
			t.wrong(by+" and the checker differ", " on %s: %s: the checker gives %v for it; mend the model, decode or the checker",
				on, res.Raw, *res.Objective)
		}
		c.values = append(c.values, claim{by, *res.Objective, a.Class, res.Solution})
		t.Solutions++
	}
	if a.Kind == models.Bound && res.Bound != nil {
		c.bounds = append(c.bounds, claim{by: by, value: *res.Bound, class: a.Reference})
	}
	if res.LPBound != nil {
		c.bounds = append(c.bounds, claim{by: "the relaxation of " + by, value: *res.LPBound, class: a.Reference})
	}
	if res.Status != bench.Optimal {
		return
	}
	if first, twice := c.optima[a.Reference]; twice && !c.accuracy().Near(first.value, *res.Objective) {
		t.wrong(first.by+" and "+by+" differ", " on the optimum of %s: %v and %v; one of the models is wrong", on, first.value, *res.Objective)
	}
	c.optima[a.Reference] = claim{by: by, value: *res.Objective, class: a.Reference}
}

// conclude holds the claims against each other, and the checker to refusing disturbed solutions.
func (c *compared) conclude() {
	t, p, on := c.trial, c.trial.problem, c.instance.Name
	if _, first := c.optima[p.References[0].Name]; first {
		t.Proven++
	}
	for _, v := range c.values {
		for _, o := range c.optima {
			if p.ReferenceWithin(v.class, o.class) && t.beyond(c.accuracy(), v.value, o.value) {
				t.wrong(v.by+" is better than "+o.by, ", on %s: %v and %v; the model forbids what the checker allows, or the checker allows too much",
					on, v.value, o.value)
			}
		}
		for _, n := range c.none {
			if p.ReferenceWithin(v.class, n.class) {
				t.wrong(v.by+" has a solution where "+n.by+" says that there is none", ", on %s; the model forbids what the checker allows, "+
					"or the checker allows too much", on)
			}
		}
		for _, b := range c.bounds {
			if p.ReferenceWithin(v.class, b.class) && t.beyond(c.accuracy(), v.value, b.value) {
				t.wrong(v.by+" is better than "+b.by, ", on %s: %v and %v; the bound is wrong, or the checker allows too much", on, v.value, b.value)
			}
		}
	}
	if len(c.values) > 0 && t.Instances <= late {
		v, optimum := c.values[0], (*float64)(nil)
		if o, proven := c.optima[v.class]; proven {
			optimum = &o.value
		}
		t.disturb(c.instance, "of "+v.by+" for "+on, v.solution, v.value, optimum)
	}
}

// New returns the files, by name, of a folder with a problem to begin with.
func New(name string) (map[string][]byte, error) {
	switch {
	case !nameForm.MatchString(name):
		return nil, fmt.Errorf("the name %q must be lower case letters, digits and hyphens, and begin with a letter", name)
	case slices.Contains(builtin, name):
		return nil, fmt.Errorf("the name %q is a problem of schedgap; choose another one", name)
	}
	const root = "template/problem"
	files := map[string][]byte{}
	err := fs.WalkDir(scripts.Template, root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := scripts.Template.ReadFile(path)
		files[strings.TrimPrefix(path, root+"/")] = bytes.ReplaceAll(text, []byte("NAME"), []byte(name))
		return err
	})
	return files, err
}
