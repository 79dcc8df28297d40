package experiment

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/vm"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"schedgap/models"
	"schedgap/models/nearest"
)

// A program is a compiled statistic.
type program struct {
	id   string // of the claim
	code *vm.Program
}

// Validate reports which of the statistics, texts by the claim's id, cannot be evaluated on the experiment.
func (e *Experiment) Validate(stats map[string]string) error {
	_, err := e.compile(stats)
	return err
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
	text := f.Y
	if e.Kind == Simulate && slices.Contains(e.Metrics, f.Y) {
		text = fmt.Sprintf("m(%q, policy, x)", f.Y)
	} else if e.Kind == Solve && slices.Contains(solveFigures, f.Y) {
		text = f.Y + "(policy, x)"
	}
	env := (&view{e: e}).functions()
	env["policy"], env["x"] = "", 0.
	return e.compileOne(text, env)
}

// solveFigures may be drawn of a solve by their names.
var solveFigures = []string{"ratio", "worst", "objective"}

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

// Visit looks at one call.
func (w *words) Visit(node *ast.Node) {
	call, ok := (*node).(*ast.CallNode)
	if !ok || w.err != nil {
		return
	}
	callee, ok := call.Callee.(*ast.IdentifierNode)
	if !ok {
		return
	}
	text := func(i int, what string, known []string) {
		if i >= len(call.Arguments) || w.err != nil {
			return
		}
		if s, ok := call.Arguments[i].(*ast.StringNode); ok && !slices.Contains(known, s.Value) {
			w.err = nearest.Unknown(what, s.Value, known)
		}
	}
	switch callee.Value {
	case "m", "job", "share", "q", "reps", "paired":
		text(0, "metric", w.e.Metrics)
		text(1, "policy", w.e.Policies)
		if callee.Value == "paired" {
			text(2, "policy", w.e.Policies)
		}
	case "ratio", "ratios", "worst", "value", "objective", "objectives", "solved":
		text(0, "algorithm", w.e.Policies)
	}
}

// A view is what a statistic sees: one block at a point of the design.
type view struct {
	e        *Experiment
	settings []setting // the point's
	all      samples
	block    int
	err      error // the first
}

// errNoCase says that a statistic asks for a case that is not there.
var errNoCase = errors.New("no such case")

// evaluate runs a program. The value is finite.
func (v *view) evaluate(code *vm.Program, more map[string]any) (float64, error) {
	env := v.functions()
	maps.Copy(env, more)
	v.err = nil
	result, err := expr.Run(code, env)
	if v.err != nil {
		return 0, v.err
	}
	if err != nil {
		return 0, firstLine(err)
	}
	if b, ok := result.(bool); ok {
		if b {
			return 1, nil
		}
		return 0, nil
	}
	x, err := toFloat(result)
	if err != nil {
		return 0, fmt.Errorf("it gives %v, neither a number nor a truth value", result)
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("it gives %v", x)
	}
	return x, nil
}

// functions are what statistics may call, by the kind of the experiment.
func (v *view) functions() map[string]any {
	f := map[string]any{
		"xs":   v.xs,
		"sqrt": math.Sqrt, "log": math.Log, "exp": math.Exp,
		"sd": v.sd, "rmse": v.rmse,
	}
	add := func(more map[string]any) { maps.Copy(f, more) }
	switch v.e.Kind {
	case Simulate:
		add(map[string]any{"m": v.mean, "reps": v.reps, "job": v.job, "share": v.share, "q": v.quantile, "paired": v.paired})
	case Solve:
		add(map[string]any{
			"ratio": v.ratio, "ratios": v.ratios, "worst": v.worst, "value": v.value, "objective": v.objective,
			"objectives": v.objectives, "proven": v.proven, "solved": v.solved,
		})
	case Check:
		add(map[string]any{"v": v.number})
	}
	return f
}

func (v *view) fail(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if v.err == nil {
		v.err = err
	}
	return err
}

func (v *view) xs() []float64 {
	xs := make([]float64, len(v.settings))
	for i, s := range v.settings {
		xs[i] = s.x
	}
	return xs
}

// samples returns the repetitions of a policy at the case x, which may be absent where there is one case.
func (v *view) samples(policy string, x []any) ([]*sample, error) {
	i := 0
	switch len(x) {
	case 0:
		if len(v.settings) != 1 {
			return nil, v.fail("x is missing, and there are %d cases", len(v.settings))
		}
	case 1:
		at, err := toFloat(x[0])
		if err != nil {
			return nil, v.fail("x: %w", err)
		}
		i = slices.IndexFunc(v.settings, func(s setting) bool { return math.Abs(s.x-at) <= 1e-9*max(1, math.Abs(at)) })
		if i < 0 {
			return nil, v.fail("%w: x = %v, but %v", errNoCase, at, v.xs())
		}
	default:
		return nil, v.fail("%v are more than one x", x)
	}
	s := &v.settings[i]
	list := v.all[place{s.name, v.block}][policy]
	if len(list) < s.reps {
		return nil, v.fail("%w", nearest.Unknown("policy", policy, v.e.Policies))
	}
	return list[:s.reps], nil
}

// reps is a metric of the run by repetition.
func (v *view) reps(metric, policy string, x ...any) ([]float64, error) {
	list, err := v.samples(policy, x)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(list))
	for i, s := range list {
		value, ok := s.run[metric]
		if !ok {
			return nil, v.fail("policy %s gives no %s of the run", policy, metric)
		}
		values[i] = value
	}
	return values, nil
}

// mean is the mean of a metric of the run over the repetitions; of a metric of jobs, over all jobs.
func (v *view) mean(metric, policy string, x ...any) (float64, error) {
	list, err := v.samples(policy, x)
	if err != nil {
		return 0, err
	}
	if _, ok := list[0].run[metric]; !ok && len(list[0].jobs[metric]) > 0 {
		values, err := v.job(metric, policy, x...)
		return stat.Mean(values, nil), err
	}
	values, err := v.reps(metric, policy, x...)
	if err != nil {
		return 0, err
	}
	return stat.Mean(values, nil), nil
}

// job is a metric of all jobs, by repetition and by the jobs' ids, so in one order for all policies.
func (v *view) job(metric, policy string, x ...any) ([]float64, error) {
	list, err := v.samples(policy, x)
	if err != nil {
		return nil, err
	}
	var values []float64
	for _, s := range list {
		for _, j := range s.jobs[metric] {
			values = append(values, j.value)
		}
	}
	if len(values) == 0 {
		return nil, v.fail("policy %s gives no %s of jobs", policy, metric)
	}
	return values, nil
}

// last takes the last of the numbers that follow a policy: an x may come before it.
func (v *view) last(what string, rest []any) (x []any, value float64, err error) {
	if len(rest) == 0 || len(rest) > 2 {
		return nil, 0, v.fail("%s must be the last argument, after x where there are several cases", what)
	}
	value, err = toFloat(rest[len(rest)-1])
	if err != nil {
		return nil, 0, v.fail("%s: %w", what, err)
	}
	return rest[:len(rest)-1], value, nil
}

// share is the share of the jobs whose metric is at most the limit.
func (v *view) share(metric, policy string, rest ...any) (float64, error) {
	x, limit, err := v.last("the limit", rest)
	if err != nil {
		return 0, err
	}
	values, err := v.job(metric, policy, x...)
	if err != nil {
		return 0, err
	}
	within := 0
	for _, value := range values {
		if value <= limit {
			within++
		}
	}
	return float64(within) / float64(len(values)), nil
}

// quantile is the p-quantile of the jobs' metric, by linear interpolation.
func (v *view) quantile(metric, policy string, rest ...any) (float64, error) {
	x, p, err := v.last("the probability", rest)
	if err != nil {
		return 0, err
	}
	if p < 0 || p > 1 {
		return 0, v.fail("the probability %v must be from 0 to 1", p)
	}
	values, err := v.job(metric, policy, x...)
	if err != nil {
		return 0, err
	}
	slices.Sort(values)
	return quantileOf(values, p), nil
}

// quantileOf interpolates between the values, which are sorted.
func quantileOf(sorted []float64, p float64) float64 {
	h := p * float64(len(sorted)-1)
	i := int(h)
	return sorted[i] + (h-float64(i))*(sorted[min(i+1, len(sorted)-1)]-sorted[i])
}

// paired is the jobs' metric over that of the same job under a base policy. Jobs that one of them has no metric of, such as those
// that were killed, are left out.
func (v *view) paired(metric, policy, base string, x ...any) ([]float64, error) {
	list, err := v.samples(policy, x)
	if err != nil {
		return nil, err
	}
	bases, err := v.samples(base, x)
	if err != nil {
		return nil, err
	}
	var ratios []float64
	for k, s := range list {
		others := bases[k].jobs[metric] // both are sorted
		for _, j := range s.jobs[metric] {
			for len(others) > 0 && others[0].job < j.job {
				others = others[1:]
			}
			if len(others) > 0 && others[0].job == j.job {
				ratios = append(ratios, j.value/others[0].value)
			}
		}
	}
	if len(ratios) == 0 {
		return nil, v.fail("no job has a %s under %s and %s", metric, policy, base)
	}
	return ratios, nil
}

// numbers reads a list, of numbers or of whatever an expression made.
func (v *view) numbers(what string, list any) ([]float64, error) {
	switch l := list.(type) {
	case []float64:
		return l, nil
	case []any:
		values := make([]float64, len(l))
		for i, item := range l {
			value, err := toFloat(item)
			if err != nil {
				return nil, v.fail("%s: %w", what, err)
			}
			values[i] = value
		}
		return values, nil
	}
	return nil, v.fail("%s: %v is not a list of numbers", what, list)
}

// sd is the standard deviation of a list of at least two numbers.
func (v *view) sd(list any) (float64, error) {
	values, err := v.numbers("sd", list)
	if err == nil && len(values) < 2 {
		err = v.fail("sd: a list of %d numbers", len(values))
	}
	return stat.StdDev(values, nil), err
}

// rmse is the root of the mean squared difference between two lists.
func (v *view) rmse(a, b any) (float64, error) {
	x, err := v.numbers("rmse", a)
	if err != nil {
		return 0, err
	}
	y, err := v.numbers("rmse", b)
	if err != nil {
		return 0, err
	}
	if len(x) != len(y) || len(x) == 0 {
		return 0, v.fail("rmse: lists of %d and %d numbers", len(x), len(y))
	}
	return floats.Distance(x, y, 2) / math.Sqrt(float64(len(x))), nil
}

// values are objectives of an algorithm by instance, and whether it proved them; NaN: it found no feasible solution.
func (v *view) solutions(algorithm string, x []any) (values []float64, proven []bool, err error) {
	list, err := v.samples(algorithm, x)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range list {
		value, ok := s.run[metricObjective]
		if !ok {
			value = math.NaN()
		}
		values, proven = append(values, value), append(proven, s.run[metricProven] == 1)
	}
	return values, proven, nil
}

// ratios are the algorithm's objectives over the reference's, of the instances whose optimum is proven.
func (v *view) ratios(algorithm string, x ...any) ([]float64, error) {
	values, _, err := v.solutions(algorithm, x)
	if err != nil {
		return nil, err
	}
	optima, proven, err := v.solutions(v.e.Reference, x)
	if err != nil {
		return nil, err
	}
	ratios := []float64{}
	for i, value := range values {
		if !proven[i] {
			continue
		}
		if math.IsNaN(value) {
			return nil, v.fail("%s found no feasible solution of instance %d of block %d", algorithm, i, v.block)
		}
		ratio := 1.
		if value != optima[i] {
			ratio = value / optima[i]
		}
		ratios = append(ratios, ratio)
	}
	if len(ratios) == 0 {
		return nil, v.fail("%s proved no optimum in block %d", v.e.Reference, v.block)
	}
	return ratios, nil
}

func (v *view) ratio(algorithm string, x ...any) (float64, error) {
	ratios, err := v.ratios(algorithm, x...)
	return stat.Mean(ratios, nil), err
}

// worst is the largest ratio, or the least where the objective is to be large.
func (v *view) worst(algorithm string, x ...any) (float64, error) {
	ratios, err := v.ratios(algorithm, x...)
	if err != nil {
		return 0, err
	}
	if v.e.problem.Sense == models.Maximize {
		return slices.Min(ratios), nil
	}
	return slices.Max(ratios), nil
}

// objectives are those of the instances for which the algorithm found a feasible solution, in their order.
func (v *view) objectives(algorithm string, x ...any) ([]float64, error) {
	values, _, err := v.solutions(algorithm, x)
	return slices.DeleteFunc(values, math.IsNaN), err
}

func (v *view) objective(algorithm string, x ...any) (float64, error) {
	values, err := v.objectives(algorithm, x...)
	if err == nil && len(values) == 0 {
		err = v.fail("%s found no feasible solution in block %d", algorithm, v.block)
	}
	return stat.Mean(values, nil), err
}

// value is the objective of instance i, from 0.
func (v *view) value(algorithm string, i int, x ...any) (float64, error) {
	values, _, err := v.solutions(algorithm, x)
	if err != nil {
		return 0, err
	}
	if i < 0 || i >= len(values) || math.IsNaN(values[i]) {
		return 0, v.fail("%s has no objective of instance %d of %d", algorithm, i, len(values))
	}
	return values[i], nil
}

// proven is the share of instances whose optimum the reference proved.
func (v *view) proven(x ...any) (float64, error) {
	_, proven, err := v.solutions(v.e.Reference, x)
	return shareOf(proven), err
}

// solved is the share of instances for which the algorithm found a feasible solution.
func (v *view) solved(algorithm string, x ...any) (float64, error) {
	values, _, err := v.solutions(algorithm, x)
	found := make([]bool, len(values))
	for i, value := range values {
		found[i] = !math.IsNaN(value)
	}
	return shareOf(found), err
}

func shareOf(list []bool) float64 {
	n := 0
	for _, b := range list {
		if b {
			n++
		}
	}
	return float64(n) / float64(len(list))
}

// number is a number of the check.
func (v *view) number(name string, x ...any) (float64, error) {
	list, err := v.samples(v.e.Check, x)
	if err != nil {
		return 0, err
	}
	value, ok := list[0].run[name]
	if !ok {
		return 0, v.fail("%w", nearest.Unknown("number", name, slices.Sorted(maps.Keys(list[0].run))))
	}
	return value, nil
}
