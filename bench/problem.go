// Package bench runs algorithms on instances in isolation, checks every solution independently and stores what happened.
// It knows problems only with their types erased; the typed ones become such in Adapt, the one place where an instance's
// dynamic type is asserted.
package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"schedgap/models"
	"schedgap/models/nearest"
	"schedgap/models/proof"
)

// A Definition is everything a problem brings; all but Problem and Algorithms may be absent.
type Definition[I models.Instance, S any] struct {
	Problem    *models.Problem[I, S]
	Algorithms []*models.Algorithm[I, S]
	Exporter   *models.Exporter[I]
	// Verify checks a proof about in, whose file has the given hash. The error says why it does not prove its claims.
	Verify       func(p *proof.Proof, in I, sha256 string) (models.Verdict, error)
	Generator    *models.Generator[I]
	Moves        *models.Moves[I]
	Deriver      *models.Deriver[I]
	Simulator    *models.Simulator
	Suites       fs.FS                   // *.yaml in its root, the built-in suites
	Augmentation *models.Augmentation[I] // nil: there is none
	// Blind names the algorithms whose decisions depend on no work or duration of what has not ended: they are not clairvoyant.
	Blind []string
	// Restrictions narrow instances for exact algorithms, see Problem.Find.
	Restrictions []*models.Restriction[I, S]
	// Without names the class that is left of the first reference without something, such as opt-nonpreemptive of preemption.
	Without map[string]string
	// Successors name what took the place of algorithms and models that the problem had once.
	Successors map[string]string
}

// A Problem is a Definition with its types erased.
type Problem struct {
	Name, Title, Doc string
	ScaleDoc         string // what regret is measured in, see models.Problem
	Sense            models.Sense
	References       []models.Reference
	Constraints      []models.Constraint
	Algorithms       []Algorithm
	Models           []string // that can be exported
	Generator        *Source
	Moves            *Moves
	Deriver          *Source
	Simulator        *models.Simulator
	Suites           fs.FS
	Successors       map[string]string
	Restrictions     []Restriction
	Augmentation     *Augmentation     // nil: there is none
	Without          map[string]string // classes by what they are without, as in Definition
	Folder           *Folder           // nil: the problem is written in Go
	// InstanceSchema and SolutionSchema write the JSON Schemas of the problem's files.
	InstanceSchema, SolutionSchema func() ([]byte, error)
	// ParseInstance reads an instance file of this problem.
	ParseInstance func(file string, data []byte) (*Instance, error)
	// Generate makes one random instance; nil: there is no Generator.
	Generate func(name string, v models.Values, rng *rand.Rand) (*Instance, error)
	// Derive makes instances out of a trace; nil: there is no Deriver.
	Derive func(ctx context.Context, r models.DeriveRequest) iter.Seq2[*Instance, error]

	all      []*Problem // of the registry
	examples fs.FS
	restrict func(algorithm string, limits map[string]int) *Algorithm
}

// An Augmentation is a models.Augmentation with its types erased. Set is nil where Param has the factor.
type Augmentation struct {
	Param      string
	Set, Equal func(in *Instance, factor float64) (*Instance, error)
}

// A Restriction is a models.Restriction with its types erased.
type Restriction struct{ Name, Doc string }

// A Folder holds the problem.yaml and the commands of a problem of a user's own, see docs/own-problem.md.
type Folder struct {
	Path string // from the root
	// Generate is the problem's Generate by a seed, which the command is given.
	Generate func(name string, v models.Values, seed uint64) (*Instance, error)
	// Digest identifies the contents of the folder's files; it fails only when ctx ends.
	Digest func(ctx context.Context) (string, error)
}

// Moves say where a search among a problem's instances begins, see models.Moves.
type Moves struct {
	Start map[string]any
	Jobs  string
}

// A Draft is a copy of an instance that may be changed.
type Draft struct {
	Parts    func() models.Parts       // what may be changed; a change of a list makes them stale
	Mend     func()                    // brings it back towards validity where one number bounds another
	Instance func() (*Instance, error) // that it is, refused where it is not valid
}

// A Source describes the options of a generator or a derivation.
type Source struct {
	Doc    string
	Params []models.Param
	fixed  models.Fixed
	idle   models.Idle
}

// Stored completes the parameters of a lineage.
func (s *Source) Stored(params map[string]any) (models.Values, error) {
	return models.Resolve(s.Params, s.fixed.Drop(params))
}

// Recorded returns the values as lineages have them.
func (s *Source) Recorded(v models.Values) models.Values {
	return models.Recorded(s.Params, s.fixed.Join(v))
}

// Resolve completes the parameters that were given; idle is a sentence about one that decides nothing, or empty.
func (s *Source) Resolve(given map[string]any) (v models.Values, idle string, err error) {
	v, err = models.Resolve(s.Params, given)
	if err == nil && s.idle != nil {
		idle = s.idle(given, v)
	}
	return v, idle, err
}

// An Algorithm describes an algorithm to the harness.
type Algorithm struct {
	Name, Doc        string
	Kind             models.Kind
	Reference, Class string
	Waives           []string
	Params           []models.Param
	Arg              string
	Random, Proves   bool
	Search           bool     // see models.Algorithm
	Blind            bool     // see Definition
	Provers          []string // of Solvers
	Guarantee        *models.Guarantee
	Models, Solvers  []string
	Command          []string // that is run in the problem's Folder; empty: it is written in Go

	fixed   models.Fixed
	applies func(in *Instance, arg string) error
	run     func(ctx context.Context, in *Instance, arg string, v models.Values, r Request, obs Observer, res *Result) error
}

// resolve completes the parameters that were given, or stored.
func (a *Algorithm) resolve(given map[string]any) (models.Values, error) {
	v, err := models.Resolve(a.Params, a.fixed.Drop(given))
	if err != nil {
		return nil, err
	}
	return a.fixed.Join(v), nil
}

// An Instance is a validated instance of some problem in canonical form.
type Instance struct {
	Problem    *Problem
	Name       string
	SHA256     string // of JSON
	JSON       []byte // the canonical instance file
	Lineage    json.RawMessage
	Size       models.Size
	Comparison models.Comparison
	// Scales hold, by reference, the units for distances from the optimum, see Scale. Nil: values are never near 0.
	Scales map[string]float64
	// Accuracy is that of a value, with the rounding of the worst solution.
	Accuracy models.Accuracy
	// Objective is the name of the objective, such as "weighted tardiness". Empty: its problem does not name it.
	Objective string
	Features  map[string]any
	typedInstance
}

// typedInstance is an instance of its type, and what its problem can do with it.
type typedInstance interface {
	check(file string, data []byte) (rep models.Report, claimed *float64, err error)
	Read(file string, data []byte) error
	Export(w io.Writer, model, format string) error
	Chart(file string, data []byte) (models.Chart, error)
	Verify(pf *proof.Proof) (models.Verdict, error)
	Draft(name string) (*Draft, error)
}

// Scale is the unit of regret, the distance of a value from the optimum of a reference: positive, fixed by the instance and in
// the unit of the objective; 1 where the objective needs none, or where it is too large for a number.
func (in *Instance) Scale(reference string) float64 {
	if s := in.Scales[reference]; s > 0 && s <= math.MaxFloat64 {
		return s
	}
	return 1
}

// Check checks the contents of a solution file; nothing is waived.
func (in *Instance) Check(file string, data []byte) (models.Report, error) {
	rep, _, err := in.check(file, data)
	return rep, err
}

// Examples returns the problem's small instances, by name.
func (p *Problem) Examples() ([]*Instance, error) {
	if p.examples == nil {
		return nil, nil
	}
	files, err := fs.Glob(p.examples, "examples/*.json")
	instances := make([]*Instance, len(files))
	for i, f := range files {
		var data []byte
		data, err = fs.ReadFile(p.examples, f)
		if err == nil {
			instances[i], err = p.ParseInstance(f, data)
		}
		if err != nil {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("examples of %s: %w", p.Name, err)
	}
	return instances, nil
}

// Find returns the algorithm of a name that may carry an argument after a colon, with that argument. An exact algorithm's name may
// carry restrictions, such as opt@copies=1, and is then the optimum of the restricted class.
func (p *Problem) Find(name string) (*Algorithm, string, error) {
	if of, limits := models.ParseLimits(name); limits != nil && p.restricts(limits) == nil {
		return p.restricted(of, limits)
	}
	base, arg, has := strings.Cut(name, ":")
	i := slices.IndexFunc(p.Algorithms, func(a Algorithm) bool { return a.Name == base })
	if i < 0 {
		return nil, "", p.unknown(name, base)
	}
	a := &p.Algorithms[i]
	switch {
	case has && a.Arg == "":
		return nil, "", fmt.Errorf("algorithm %q: %s takes nothing after a colon", name, a.Name)
	case a.Arg != "" && arg == "":
		return nil, "", fmt.Errorf("algorithm %q needs its argument: %s:%s", name, a.Name, a.Arg)
	}
	return a, arg, nil
}

// unknown says that p has no such algorithm, and which problem has, or which of p's algorithms may be meant.
func (p *Problem) unknown(name, base string) error {
	own := make([]string, len(p.Algorithms))
	for i := range p.Algorithms {
		own[i] = p.Algorithms[i].Name
	}
	var others []string
	for _, q := range p.all {
		if slices.ContainsFunc(q.Algorithms, func(a Algorithm) bool { return a.Name == base }) {
			others = append(others, q.Name)
		}
	}
	if len(others) > 0 {
		return fmt.Errorf("unknown algorithm %q of %s; %s is an algorithm of %s", name, p.Name, base, strings.Join(others, " and "))
	}
	if next := p.Successors[base]; next != "" {
		return fmt.Errorf("%s has no algorithm %s any more; %s took its place", p.Name, base, next)
	}
	if near := nearest.Name(base, own); near != "" {
		return fmt.Errorf("unknown algorithm %q of %s; did you mean %q?", name, p.Name, near)
	}
	return fmt.Errorf("unknown algorithm %q of %s; see: schedgap list algorithms %s", name, p.Name, p.Name)
}

// Exact names the algorithm that proves optima of a reference, one called like it before others; empty: there is none.
func (p *Problem) Exact(reference string) (name string) {
	if of, limits := models.ParseLimits(reference); limits != nil && p.restricts(limits) == nil && p.Exact(of) != "" {
		return models.Limited(p.Exact(of), limits)
	}
	for i := range p.Algorithms {
		if a := &p.Algorithms[i]; a.Kind == models.Exact && a.Reference == reference && a.Arg == "" &&
			(name == "" || a.Name == reference) {
			name = a.Name
		}
	}
	return name
}

// restricted returns an exact algorithm on narrowed instances.
func (p *Problem) restricted(name string, limits map[string]int) (*Algorithm, string, error) {
	i := slices.IndexFunc(p.Algorithms, func(a Algorithm) bool { return a.Name == name })
	if i < 0 || p.Exact(p.Algorithms[i].Reference) != name {
		return nil, "", fmt.Errorf("algorithm %s: only the exact algorithm of a reference can be restricted, and %s is none",
			models.Limited(name, limits), name)
	}
	return p.restrict(name, limits), "", nil
}

// restricts says which of the limits the problem does not have.
func (p *Problem) restricts(limits map[string]int) error {
	names := make([]string, len(p.Restrictions))
	for i, r := range p.Restrictions {
		names[i] = r.Name
	}
	for _, name := range slices.Sorted(maps.Keys(limits)) {
		if !slices.Contains(names, name) {
			return nearest.Unknown("restriction of "+p.Name, name, slices.Concat(names, slices.Sorted(maps.Keys(p.Without))))
		}
	}
	return nil
}

// Restricted is the name of the exact algorithm of what is left of an algorithm's class with limits and without features. A feature
// is one of Problem.Without, or its limit is 1.
func (p *Problem) Restricted(algorithm string, without []string, limits map[string]int) (string, error) {
	limited := maps.Clone(limits)
	if limited == nil {
		limited = map[string]int{}
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(without))) {
		class, first := p.Without[name], p.Exact(p.References[0].Name)
		switch {
		case class == "":
			limited[name] = 1
		case algorithm != first:
			return "", fmt.Errorf("without %s: %s has an optimum of that kind for %s only, and not for %s", name, p.Name, first, algorithm)
		default:
			algorithm = p.Exact(class)
		}
	}
	if err := p.restricts(limited); err != nil {
		return "", err
	}
	return models.Limited(algorithm, limited), nil
}

// CanDeclare returns why a command cannot declare its solutions to be of a class; nil means that it can. The checker holds them to it.
func (p *Problem) CanDeclare(reference string) error {
	var names []string
	for i, r := range p.References {
		if r.Name == reference && (i == 0 || r.CheckerDecides) {
			return nil
		} else if r.Name == reference {
			return fmt.Errorf("reference: the checker of %s cannot tell whether a solution belongs to %s", p.Name, reference)
		}
		names = append(names, r.Name)
	}
	return fmt.Errorf("reference: %w", nearest.Unknown("reference", reference, names))
}

// ReferenceWithin reports whether the class inner lies inside the class outer, or is it.
func (p *Problem) ReferenceWithin(inner, outer string) bool {
	return models.Within(p.References, inner, outer)
}

// Related reports whether values of one class can be compared with an optimum over another at all: some class holds both.
func (p *Problem) Related(a, b string) bool {
	return slices.ContainsFunc(p.References, func(r models.Reference) bool {
		return p.ReferenceWithin(a, r.Name) && p.ReferenceWithin(b, r.Name)
	})
}

// A Registry is the list of all problems and MILP solvers; bench/catalog makes it.
type Registry struct {
	Problems []*Problem
	Solvers  []Solver
	Library  Library // nil: none is attached
	// Open reads a problem's folder and runs none of its commands; nil: there are none here.
	Open func(path string) (*Problem, error)
}

// NewRegistry returns the list of these problems and solvers. Each problem then knows the others.
func NewRegistry(problems []*Problem, solvers []Solver) *Registry {
	for _, p := range problems {
		p.all = problems
	}
	return &Registry{Problems: problems, Solvers: solvers}
}

// A Solver is a MILP solver as `schedgap list solvers` shows it.
type Solver struct {
	Name, Version string
	Available     bool
	Reason        string // why it is not available
}

// Adopt opens a folder, whose problem is then known by its name.
func (r *Registry) Adopt(path string) (*Problem, error) {
	if r.Open == nil {
		return nil, fmt.Errorf("%s: problems in folders are not known here", path)
	}
	p, err := r.Open(path)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(r.Problems, func(q *Problem) bool { return q.Name == p.Name })
	switch {
	case i >= 0 && r.Problems[i].Folder.Path != p.Folder.Path:
		return nil, fmt.Errorf("%s: the name %s is that of the problem in %s, too; one of them must have another", path, p.Name, r.Problems[i].Folder.Path)
	case i >= 0:
		return r.Problems[i], nil
	}
	r.Problems = append(slices.Clip(r.Problems), p)
	for _, q := range r.Problems {
		q.all = r.Problems
	}
	return p, nil
}

// IsPath reports whether a problem is named by its folder.
func IsPath(problem string) bool {
	return strings.ContainsAny(problem, `/\`) || strings.HasPrefix(problem, ".")
}

// Problem returns the problem of that name, or in that folder, see IsPath.
func (r *Registry) Problem(name string) (*Problem, error) {
	if IsPath(name) {
		return r.Adopt(name)
	}
	names := make([]string, len(r.Problems))
	for i, p := range r.Problems {
		if p.Name == name {
			return p, nil
		}
		names[i] = p.Name
	}
	return nil, nearest.Unknown("problem", name, names)
}

// ParseInstance reads an instance file of the problem that it names.
func (r *Registry) ParseInstance(file string, data []byte) (*Instance, error) {
	name, err := models.PeekProblem(file, data)
	if err != nil {
		return nil, err
	}
	p, err := r.Problem(name)
	if err != nil {
		return nil, fmt.Errorf("%s: problem: %w; a problem of one's own is named by its folder: --problem FOLDER", file, err)
	}
	return p.ParseInstance(file, data)
}
