package folder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/bench/run/external"
	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models"
	"schedgap/models/strict"
)

// heads are the keys that schedgap adds to instances.
var heads = []string{"problem", "version", "name", "lineage"}

// envelope are the keys that solution files have beside a solution.
var envelope = []string{"problem", "instance", "algorithm", "objective"}

// An Instance is one of a folder's problem: an object of any form, with a list that counts its size.
type Instance struct {
	models.Header
	of     *folder
	fields fields
	made   lineage // how it was made, as far as that is known
}

// fields are those beyond the head, in the order of the file.
type fields = strict.Map[value]

// A value is any JSON.
type value json.RawMessage

// ReadValue implements strict.Reader.
func (v *value) ReadValue(from *strict.Value) error {
	*v = slices.Clone(from.Raw())
	return nil
}

// MarshalJSON implements json.Marshaler.
func (v value) MarshalJSON() ([]byte, error) { return v, nil }

// form is what files have beyond their heads.
type form struct {
	Fields fields `json:"-" is:"rest"`
}

// A lineage says how the generator makes an instance.
type lineage struct {
	Generator string        `json:"generator"`
	Params    models.Values `json:"params"`
	Seed      uint64        `json:"seed"`
}

// Head implements models.Instance.
func (in *Instance) Head() models.Header { return in.Header }

// list is the main list.
func (in *Instance) list() (list []json.RawMessage, at int) {
	at = slices.IndexFunc(in.fields, func(e strict.Entry[value]) bool { return e.Key == in.of.spec.Size })
	if at < 0 || json.Unmarshal(in.fields[at].Value, &list) != nil || in.fields[at].Value[0] != '[' {
		return nil, -1
	}
	return list, at
}

// setList puts a main list in the place of the one that is there, which other instances may share.
func (in *Instance) setList(list []json.RawMessage) {
	if _, at := in.list(); at >= 0 {
		text, _ := json.Marshal(list) // parts of what was read
		in.fields = slices.Clone(in.fields)
		in.fields[at].Value = text
	}
}

// A Solution is an object of any form.
type Solution struct{ fields fields }

// A folder is an open one.
type folder struct {
	spec    *spec
	path    string
	ctx     context.Context // the end of which kills all commands
	problem *models.Problem[*Instance, Solution]
	files   external.Files

	generate, check, decode *command
}

// Opener returns what opens folders as problems whose models the solvers solve. When ctx ends, their commands are killed.
func Opener(ctx context.Context, solvers []milp.Solver) func(path string) (*bench.Problem, error) {
	return func(path string) (*bench.Problem, error) { return open(ctx, path, solvers) }
}

func open(ctx context.Context, path string, solvers []milp.Solver) (*bench.Problem, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("the problem's folder: %w", err)
	}
	if filepath.Base(path) == SpecFile {
		path = filepath.Dir(path)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	s, err := readSpec(path)
	if err != nil {
		return nil, err
	}
	f := &folder{spec: s, path: path, ctx: ctx}
	f.generate = f.command("generate", s.Commands.Generate)
	f.check = f.command("check", s.Commands.Check)
	f.decode = f.command("decode", s.Commands.Decode)
	f.generate.defined, f.check.defined, f.decode.defined = true, true, true
	f.problem = f.model()
	p := bench.Adapt(f.definition(solvers))
	p.Folder = &bench.Folder{
		Path:   path,
		Digest: func(ctx context.Context) (string, error) { return f.files.Tree(ctx, path) },
		Generate: func(name string, v models.Values, seed uint64) (*bench.Instance, error) {
			in, err := f.made(name, v, seed)
			if err != nil {
				return nil, err
			}
			in.Lineage = nil // the caller's to state
			file, err := f.problem.MarshalInstance(in)
			if err != nil {
				return nil, err
			}
			return p.ParseInstance(name, file)
		},
	}
	return p, nil
}

func (f *folder) command(what string, words program) *command {
	return &command{problem: f.spec.Name, what: what, words: words, dir: f.path, time: answerTime}
}

// model is the problem with its types.
func (f *folder) model() *models.Problem[*Instance, Solution] {
	s := f.spec
	sense := models.Minimize
	if s.Sense == "max" {
		sense = models.Maximize
	}
	return &models.Problem[*Instance, Solution]{
		Name: s.Name, Title: s.Objective, Doc: s.Objective + "\n\n" + f.path, Sense: sense, References: s.references(), Bare: true,
		InstanceForm: form{}, SolutionForm: form{}, Examples: examples{os.DirFS(f.path)},
		DecodeInstance: f.decodeInstance,
		EncodeInstance: func(in *Instance) any { return in.fields },
		DecodeSolution: func(file *strict.File, _ *Instance) (s Solution) {
			var all form
			file.Read(&all)
			return Solution{all.Fields}
		},
		EncodeSolution: func(_ *Instance, s Solution) any { return s.fields },
		Check:          f.judge,
		Size: func(in *Instance) models.Size {
			list, _ := in.list()
			return models.Size{Jobs: len(list)}
		},
		Compare:   func(*Instance) models.Comparison { return models.Quotient },
		Objective: func(*Instance) string { return s.Objective },
		Features:  numbers,
	}
}

// numbers are the instance's features: its numbers beside lists and objects.
func numbers(in *Instance) map[string]any {
	found := map[string]any{}
	for _, e := range in.fields {
		var x float64
		if c := e.Value[0]; (c == '-' || c >= '0' && c <= '9') && json.Unmarshal(e.Value, &x) == nil {
			found[e.Key] = x
		}
	}
	return found
}

// examples show of a folder the instances among its examples, not the solutions.
type examples struct{ fs.FS }

// Glob implements fs.GlobFS.
func (e examples) Glob(pattern string) ([]string, error) {
	all, err := fs.Glob(e.FS, pattern)
	return slices.DeleteFunc(all, func(name string) bool { return !strings.HasPrefix(filepath.Base(name), "instance") }), err
}

func (f *folder) decodeInstance(file *strict.File, h models.Header) *Instance {
	var all form
	file.Read(&all)
	in := &Instance{Header: h, of: f, fields: all.Fields}
	if file.Err() != nil {
		return in
	}
	if _, at := in.list(); at < 0 {
		file.Fail(f.spec.Size, "must be a list: it is the size that %s names", SpecFile)
	}
	var l lineage
	if json.Unmarshal(h.Lineage, &l) != nil || l.Generator != f.spec.Name {
		return in
	}
	if v, err := models.Resolve(f.spec.params(), l.Params); err == nil {
		in.made = lineage{l.Generator, v, l.Seed}
	}
	return in
}

// made runs the generator.
func (f *folder) made(name string, v models.Values, seed uint64) (*Instance, error) {
	question, err := json.Marshal(map[string]any{"seed": seed, "params": v})
	if err != nil {
		return nil, fmt.Errorf("parameters of %s: %w", f.spec.Name, err)
	}
	answer, err := f.generate.ask(f.ctx, question, settings{seed: seed})
	if err != nil {
		return nil, err
	}
	all, err := f.object(f.generate, answer, heads)
	if err != nil {
		return nil, err
	}
	in := &Instance{Header: models.Header{Name: name}, of: f, fields: all, made: lineage{f.spec.Name, v, seed}}
	if _, at := in.list(); at < 0 {
		return nil, f.generate.errorf("printed an instance without the list %s, which is the size that %s names", f.spec.Size, SpecFile)
	}
	return in, in.state()
}

// state writes into the instance how it was made.
func (in *Instance) state() (err error) {
	in.Lineage, err = json.Marshal(in.made)
	return err
}

// object reads an object without some keys.
func (f *folder) object(c *command, answer []byte, without []string) (fields, error) {
	var all form
	if _, err := strict.Read("", answer, &all); err != nil {
		return nil, c.errorf("printed no valid object: %w", err)
	}
	return slices.DeleteFunc(all.Fields, func(e strict.Entry[value]) bool { return slices.Contains(without, e.Key) }), nil
}

// moves are the changes that a search among instances makes: the parameters within their ranges, the seed, and the order and number
// of the main list's elements. A change of parameter or seed makes the instance again.
func (f *folder) moves() *models.Moves[*Instance] {
	again := func(in *Instance, v models.Values, seed uint64) {
		if next, err := f.made(in.Name, v, seed); err == nil {
			*in = *next
		}
	}
	jobs := ""
	for _, p := range f.spec.Parameters {
		if p.Key == f.spec.Size {
			jobs = p.Key
		}
	}
	return &models.Moves[*Instance]{Jobs: jobs, Parts: func(in *Instance) models.Parts {
		edit := func(do func(list []json.RawMessage) []json.RawMessage) {
			list, _ := in.list()
			in.setList(do(list))
		}
		parts := models.Parts{Lists: []models.List{{
			Path: f.spec.Size, Kind: f.spec.Size,
			Len: func() int {
				list, _ := in.list()
				return len(list)
			},
			Drop: func(i int) {
				edit(func(list []json.RawMessage) []json.RawMessage { return slices.Delete(list, i, i+1) })
			},
			Swap: func(i, j int) {
				edit(func(list []json.RawMessage) []json.RawMessage {
					list[i], list[j] = list[j], list[i]
					return list
				})
			},
		}}}
		if in.made.Params == nil || in.state() != nil { // a copy has lost its lineage
			return parts
		}
		parts.Changes = []models.Change{{Name: "seed", Do: func(rng *rand.Rand) { again(in, in.made.Params, seedOf(rng)) }}}
		for _, p := range f.spec.Parameters {
			parts.Numbers = append(parts.Numbers, models.Number{
				Path: "parameters." + p.Key, Kind: p.Key, Least: float64(p.Value.From), Most: float64(p.Value.To), Integer: p.Value.Integer,
				Get: func() float64 {
					if n, whole := in.made.Params[p.Key].(int); whole {
						return float64(n)
					}
					return in.made.Params[p.Key].(float64)
				},
				Set: func(x float64) {
					given := models.Values{}
					for name, v := range in.made.Params {
						given[name] = v
					}
					given[p.Key] = x
					if v, err := models.Resolve(f.spec.params(), given); err == nil {
						again(in, v, in.made.Seed)
					}
				},
			})
		}
		return parts
	}}
}

// seedOf draws a seed that every language's numbers hold.
func seedOf(rng *rand.Rand) uint64 { return rng.Uint64() >> 11 }

// definition joins everything.
func (f *folder) definition(solvers []milp.Solver) bench.Definition[*Instance, Solution] {
	s := f.spec
	d := bench.Definition[*Instance, Solution]{
		Problem: f.problem, Moves: f.moves(),
		Generator: &models.Generator[*Instance]{
			Doc: s.Name + "\n\n" + strings.Join(s.Commands.Generate, " "), Params: s.params(),
			Generate: func(name string, v models.Values, rng *rand.Rand) (*Instance, error) {
				return f.made(name, v, seedOf(rng))
			},
		},
	}
	var all []*exact.Formulation[*Instance, Solution]
	for _, r := range s.references() {
		var own []*exact.Formulation[*Instance, Solution]
		for _, m := range s.Commands.Model {
			if s.classOf(m.Value.Class) == r.Name {
				own = append(own, f.formulation(m.Key, m.Value))
			}
		}
		all = append(all, own...)
		if len(own) == 0 {
			continue
		}
		target := &exact.Target[*Instance, Solution]{
			Name: r.Name, Problem: f.problem, Reference: r.Name, Formulations: own, Insoluble: true,
			Doc:    "the optimum of " + r.Name + "\n\nBy the model that " + SpecFile + " names first.",
			Choose: func(*Instance) (method, formulation string) { return "", own[0].Name },
		}
		d.Algorithms = append(d.Algorithms, target.Algorithm(exact.Deps[*Instance, Solution]{Solvers: solvers}))
	}
	if len(all) > 0 {
		d.Exporter = exact.Exporter(all...)
	}
	for _, b := range s.Bounds {
		bound := f.command("bounds."+b.Key, b.Value.Command)
		d.Algorithms = append(d.Algorithms, exact.Bound[*Instance, Solution](b.Key, doc(b.Value), s.classOf(b.Value.Class),
			func(ctx context.Context, in *Instance) (float64, error) { return f.bound(ctx, bound, in) }))
	}
	for _, a := range s.Algorithms {
		d.Algorithms = append(d.Algorithms, &models.Algorithm[*Instance, Solution]{
			Name: a.Key, Doc: doc(a.Value), Kind: models.Heuristic, Reference: s.classOf(a.Value.Class), Random: true, Command: a.Value.Command,
			Run: func(context.Context, *models.Pass[*Instance, Solution]) (o models.Outcome[Solution], err error) {
				return o, errors.New("it is a command")
			},
		})
	}
	return d
}

func doc(s step) string {
	if s.Doc != "" {
		return s.Doc
	}
	return strings.Join(s.Command, " ")
}

// bound asks for a bound.
func (f *folder) bound(ctx context.Context, c *command, in *Instance) (float64, error) {
	question, err := f.problem.MarshalInstance(in)
	if err != nil {
		return 0, err
	}
	answer, err := c.ask(ctx, question, settings{seed: 1})
	if err != nil {
		return 0, err
	}
	var said struct {
		Bound *float64 `json:"bound"`
	}
	if err := json.Unmarshal(answer, &said); err != nil || said.Bound == nil || math.IsInf(*said.Bound, 0) {
		return 0, c.errorf(`must answer {"bound": number}, not %.100s`, answer)
	}
	return *said.Bound, nil
}

// formulation is a model command as a formulation.
func (f *folder) formulation(name string, m formulation) *exact.Formulation[*Instance, Solution] {
	what := "model"
	if len(f.spec.Commands.Model) > 1 {
		what += "." + name
	}
	c := f.command(what, m.Command)
	c.time = modelTime
	read := map[string]func(string, []byte) (*milp.Model, error){"lp": milp.ReadLP, "mps": milp.ReadMPS}[m.Format]
	build := func(in *Instance, as exact.BuildOptions) (*exact.BuiltModel[Solution], error) {
		ctx := as.Context
		if ctx == nil {
			ctx = f.ctx
		}
		question, err := f.problem.MarshalInstance(in)
		if err != nil {
			return nil, err
		}
		text, err := c.text(ctx, question, "model")
		if err != nil {
			return nil, err
		}
		built, err := read(name, text)
		switch {
		case err != nil:
			return nil, c.errorf("printed no model in the format %s: %w", m.Format, err)
		case built.Maximize != (f.problem.Sense == models.Maximize):
			return nil, c.errorf("printed a model of another sense than %s, which says %s", SpecFile, f.spec.Sense)
		}
		// What the solver found until its time was over is still decoded.
		late := context.WithoutCancel(ctx)
		return &exact.BuiltModel[Solution]{
			Model:  built,
			Decode: func(x []float64) (Solution, error) { return f.decoded(late, in, built, x) },
			Encode: func(Solution) ([]float64, error) { return nil, errors.New("solutions have no way into the model") },
		}, nil
	}
	return &exact.Formulation[*Instance, Solution]{Name: name, Doc: strings.Join(m.Command, " "), Build: build}
}

// modelTime is how long a model may take to be written. The unit's limit is mostly shorter.
const modelTime = answerTime * 20

// negligible is the absolute value up to which a column of a point counts as 0: what solvers leave of a zero is less, and no decision
// hangs on more of it.
const negligible = 1e-9

// decoded asks for the solution of a point.
func (f *folder) decoded(ctx context.Context, in *Instance, m *milp.Model, x []float64) (s Solution, err error) {
	values := map[string]float64{}
	for j, v := range m.Rounded(x) {
		if math.Abs(v) > negligible {
			values[m.Cols[j].Name] = v
		}
	}
	file, err := f.problem.MarshalInstance(in)
	if err != nil {
		return s, err
	}
	question, err := json.Marshal(map[string]any{"instance": json.RawMessage(file), "values": values})
	if err != nil {
		return s, err
	}
	answer, err := f.decode.ask(ctx, question, settings{seed: 1})
	if err != nil {
		return s, err
	}
	s.fields, err = f.object(f.decode, answer, envelope)
	return s, err
}

// A verdict is the answer of the checker.
type verdict struct {
	Feasible   *bool    `json:"feasible"`
	Objective  *float64 `json:"objective"`
	Class      string   `json:"class"`
	Violations []struct {
		Constraint string   `json:"constraint"`
		At         string   `json:"at"`
		Excess     *float64 `json:"excess"`
	} `json:"violations"`
}

// judge has the checker judge a solution. Whatever else it answers than a verdict is an error.
func (f *folder) judge(in *Instance, s Solution) (rep models.Report) {
	rep, rep.Err = f.verdict(in, s)
	rep.Augmentation = augmentation(s)
	return rep
}

// augmentation is the factor that a solution states as the formats of the problems written in Go do.
func augmentation(s Solution) float64 {
	factor := 1.0
	for _, e := range s.fields {
		var stated float64
		if e.Key != "speed" && e.Key != "capacity_factor" {
			continue
		}
		if err := json.Unmarshal(e.Value, &stated); err != nil {
			return 1 // another type under these names is another thing
		}
		factor *= stated
	}
	return factor
}

func (f *folder) verdict(in *Instance, s Solution) (rep models.Report, err error) {
	instance, err := f.problem.MarshalInstance(in)
	if err != nil {
		return rep, err
	}
	solution, err := json.Marshal(s.fields)
	if err != nil {
		return rep, err
	}
	question := slices.Concat([]byte(`{"instance":`), instance, []byte(`,"solution":`), solution, []byte(`}`))
	answer, err := f.check.ask(f.ctx, question, settings{seed: 1})
	if err != nil {
		return rep, err
	}
	var v verdict
	if err := json.Unmarshal(answer, &v); err != nil {
		return rep, f.check.errorf("answered something else than a verdict (%w): %.200s", err, answer)
	}
	switch {
	case v.Feasible == nil:
		return rep, f.check.errorf(`answered without "feasible": %.200s`, answer)
	case *v.Feasible && v.Objective == nil:
		return rep, f.check.errorf(`answered "feasible" without an "objective": %.200s`, answer)
	case *v.Feasible && len(v.Violations) > 0:
		return rep, f.check.errorf("answered both that the solution is feasible and that it violates %s", v.Violations[0].Constraint)
	}
	rep.Objective = v.Objective
	for _, b := range v.Violations {
		amount := 1.
		if b.Excess != nil {
			amount = *b.Excess
		}
		rep.Violate(b.Constraint, b.At, amount)
	}
	if !*v.Feasible && len(v.Violations) == 0 {
		rep.Violate("feasible", "the checker names no constraint", 1)
	}
	refs := f.problem.References
	for v.Class != "" {
		i := slices.IndexFunc(refs, func(r models.Reference) bool { return r.Name == v.Class })
		if i < 0 {
			return rep, f.check.errorf("answered the class %q, which %s does not have", v.Class, SpecFile)
		}
		rep.Fits, v.Class = append(rep.Fits, v.Class), refs[i].Within
	}
	return rep, nil
}
