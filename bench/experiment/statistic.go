package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
	"gonum.org/v1/gonum/stat"

	"schedgap/models/nearest"
)

// A program is a compiled statistic.
type program struct {
	id   string // of the claim
	code *vm.Program
}

// compile compiles statistics, sorted by id.
func (e *Experiment) compile(stats map[string]string) ([]program, error) {
	var list []program
	for _, id := range slices.Sorted(maps.Keys(stats)) {
		code, err := e.compileOne(stats[id], (&view{e: e}).functions())
		if err != nil {
			return nil, fmt.Errorf("%s: the statistic of %s: %w", e.Name, id, err)
		}
		list = append(list, program{id, code})
	}
	return list, nil
}

// compileFigure compiles what a figure draws: a metric's name, or an expression of policy and x.
func (e *Experiment) compileFigure(f Figure) (*vm.Program, error) {
	env := (&view{e: e}).functions()
	env["policy"], env["x"] = "", 0.
	return e.compileOne(cmp.Or(e.short[f.Y], f.Y), env)
}

func (e *Experiment) compileOne(text string, env map[string]any) (*vm.Program, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("it is empty")
	}
	code, err := expr.Compile(text, expr.Env(env))
	if err != nil {
		return nil, firstLine(err)
	}
	w := &words{e: e}
	node := code.Node()
	ast.Walk(&node, w)
	return code, w.err
}

// firstLine leaves out the excerpt that errors of expressions come with.
func firstLine(err error) error {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return errors.New(line)
}

// words finds metrics and policies, named in a statistic, that the experiment does not have.
type words struct {
	e   *Experiment
	err error
}

// arguments are what the first arguments of functions name.
var arguments = map[string][]string{
	"m": {"metric", "policy"}, "job": {"metric", "policy"}, "share": {"metric", "policy"}, "paired": {"metric", "policy", "policy"},
	"ratio": {"algorithm"}, "ratios": {"algorithm"}, "worst": {"algorithm"}, "value": {"algorithm"}, "objective": {"algorithm"},
	"objectives": {"algorithm"},
}

// Visit looks at one call.
func (w *words) Visit(node *ast.Node) {
	call, ok := (*node).(*ast.CallNode)
	if !ok {
		return
	}
	for i, what := range arguments[call.Callee.String()] {
		known := w.e.Policies
		if what == "metric" {
			known = w.e.Metrics
		}
		if i >= len(call.Arguments) || w.err != nil {
			return
		}
		if s, ok := call.Arguments[i].(*ast.StringNode); ok && !slices.Contains(known, s.Value) {
			w.err = nearest.Unknown(what, s.Value, known)
		}
	}
}

// A view is what a statistic sees: one block at a point of the design.
type view struct {
	e        *Experiment
	settings []setting // the point's
	all      samples
	block    int
}

// errNoCase says that a statistic asks for a case that is not there.
var errNoCase = errors.New("no such case")

// evaluate runs a program. The value is finite.
func (v *view) evaluate(code *vm.Program, more map[string]any) (float64, error) {
	env := v.functions()
	maps.Copy(env, more)
	result, err := expr.Run(code, env)
	if err != nil {
		var at *file.Error
		if errors.As(err, &at) && at.Prev != nil { // what a function said
			return 0, at.Prev
		}
		return 0, firstLine(err)
	}
	switch result {
	case true:
		return 1, nil
	case false:
		return 0, nil
	}
	x, err := toFloat(result)
	switch {
	case err != nil:
		return 0, fmt.Errorf("it gives %v, neither a number nor a truth value", result)
	case !finite(x):
		return 0, fmt.Errorf("it gives %v", x)
	}
	return x, nil
}

// functions are what statistics may call.
func (v *view) functions() map[string]any {
	f := v.e.source.functions(v)
	f["xs"], f["sd"] = v.xs, sd
	return f
}

func (v *view) xs() []float64 {
	xs := make([]float64, len(v.settings))
	for i, s := range v.settings {
		xs[i] = s.x
	}
	return xs
}

// samples returns the repetitions of a policy at the case x, which may be absent where there is one case.
func (v *view) samples(policy string, x []any) ([]sample, error) {
	i := 0
	switch len(x) {
	case 0:
		if len(v.settings) != 1 {
			return nil, fmt.Errorf("x is missing, and there are %d cases", len(v.settings))
		}
	case 1:
		at, err := toFloat(x[0])
		if err != nil {
			return nil, fmt.Errorf("x: %w", err)
		}
		i = slices.IndexFunc(v.settings, func(s setting) bool { return math.Abs(s.x-at) <= 1e-9*max(1, math.Abs(at)) })
		if i < 0 {
			return nil, fmt.Errorf("%w: x = %v, but %v", errNoCase, at, v.xs())
		}
	default:
		return nil, fmt.Errorf("%v are more than one x", x)
	}
	list := v.all.of(place{v.settings[i].name, v.block, policy}, v.settings[i].reps)
	if list == nil {
		return nil, fmt.Errorf("%w", nearest.Unknown("policy", policy, v.e.Policies))
	}
	return list, nil
}

// quantileOf interpolates between the values, which are sorted.
func quantileOf(sorted []float64, p float64) float64 {
	h := p * float64(len(sorted)-1)
	i := int(h)
	return sorted[i] + (h-float64(i))*(sorted[min(i+1, len(sorted)-1)]-sorted[i])
}

// sd is the standard deviation of a list of at least two numbers, ours or one that an expression made.
func sd(list any) (float64, error) {
	values, _ := list.([]float64)
	made, _ := list.([]any)
	for _, item := range made {
		x, err := toFloat(item)
		if err != nil {
			return 0, fmt.Errorf("sd: %w", err)
		}
		values = append(values, x)
	}
	if len(values) < 2 {
		return 0, fmt.Errorf("sd: %v is no list of two numbers or more", list)
	}
	return stat.StdDev(values, nil), nil
}
