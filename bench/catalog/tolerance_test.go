package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/generate"
	flexoracle "schedgap/exact/flex/oracle"
	"schedgap/exact/optimatest"
	redundancyoracle "schedgap/exact/redundancy/oracle"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/flex"
	"schedgap/models/pocd"
	"schedgap/models/redundancy"
	"schedgap/models/speculation"
	"schedgap/models/trials"
	"schedgap/reports/ratio"
)

// The tests of what a value within the tolerance means (docs/design/runner-and-results.md#values-within-the-tolerance): optimal solutions
// are printed with few digits, or made to use up every tolerance, and no value that the checker accepts may be better than the
// optimum.

// A subject is an instance with the optimum of a reference.
type subject struct {
	in        *bench.Instance
	algorithm string  // that finds the optimum
	optimum   float64 // the oracle's; NaN: of the algorithm alone
}

// file turns a model's instance into the harness's.
func file[I models.Instance, S any](t *testing.T, p *models.Problem[I, S], in I) *bench.Instance {
	t.Helper()
	data, err := p.MarshalInstance(in)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := registry(t).ParseInstance("random", data)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

// ugly is a factor of the unit of time that takes many digits to print. Products with it are exact.
func ugly(rng *rand.Rand) float64 { return float64(1+rng.IntN(1<<16)) / (1 << 12) }

// flexInstance is a small instance of an objective, in an ugly unit of time.
func flexInstance(rng *rand.Rand, o flex.Objective) *flex.Instance {
	in := flexoracle.RandomInstanceOf(rng, 1+rng.IntN(3), o)
	f := ugly(rng)
	for j := range in.Jobs {
		job := &in.Jobs[j]
		job.Work *= f
		if job.Deadline != nil {
			d := *job.Deadline * f
			job.Deadline = &d
		}
		job.Steps = append([]flex.Step(nil), job.Steps...)
		for k := range job.Steps {
			job.Steps[k].At *= f
		}
	}
	return in
}

// flexObjectives are all of them.
func flexObjectives() (list []flex.Objective) {
	for _, m := range flex.Metrics {
		for _, a := range []flex.Aggregate{flex.Sum, flex.Max} {
			for _, w := range []bool{false, true} {
				if (m == flex.Tardy || m == flex.SLA) && a == flex.Max || m == flex.Stretch && w {
					continue
				}
				list = append(list, flex.Objective{Metric: m, Aggregate: a, Weighted: w})
			}
		}
	}
	return list
}

// redundancyInstance is a small instance in an ugly unit of time.
func redundancyInstance(rng *rand.Rand, multitasking bool) *redundancy.Instance {
	in := redundancyoracle.RandomInstance(rng, multitasking)
	f := ugly(rng)
	for j := range in.Jobs {
		in.Jobs[j].Arrival *= f
		in.Jobs[j].Work *= f
	}
	return in
}

// subjects are at least 200 instances of a problem with known optima: the oracle's, and those of generated and shared
// instances.
func subjects(t *testing.T, p *bench.Problem) (list []subject) {
	rng := trials.Rand(t, 70, uint64(len(p.Name)))
	add := func(in *bench.Instance, algorithm string, optimum float64) {
		list = append(list, subject{in, algorithm, optimum})
	}
	switch p.Name {
	case "flex":
		for _, o := range flexObjectives() {
			for range trials.Count(12) {
				in := flexInstance(rng, o)
				add(file(t, flex.Problem, in), "opt", flexoracle.Opt(in))
			}
		}
	case "redundancy":
		for i := range trials.Count(200) {
			in := redundancyInstance(rng, i%2 == 0)
			add(file(t, redundancy.Problem, in), "opt", redundancyoracle.Opt(in))
		}
	case "pocd":
		addTiny(t, pocd.Problem, add)
	case "cloning":
		addTiny(t, cloning.Problem, add)
	case "speculation":
		addTiny(t, speculation.Problem, add)
	default:
		t.Fatalf("problem %s has no subjects", p.Name)
	}
	for _, in := range sharedInstances(t, p) {
		add(in, "opt", math.NaN())
	}
	for i := range 12 { // by the generators, whose numbers have all digits
		params := map[string]any{}
		switch p.Name {
		case "flex":
			params["metric"], params["jobs"] = string(flex.Metrics[i%len(flex.Metrics)]), 6
		case "cloning":
			params["jobs"] = 2
		}
		v, err := models.Resolve(p.Generator.Params, params)
		if err != nil {
			t.Fatal(err)
		}
		in, err := generate.One(p, generate.Name(p, i), v, 70, i)
		if err != nil {
			t.Fatal(err)
		}
		add(in, "opt", math.NaN())
	}
	return list
}

// addTiny adds instances of the corpus.
func addTiny[I models.Instance, S any](t *testing.T, p *models.Problem[I, S], add func(*bench.Instance, string, float64)) {
	t.Helper()
	for _, tiny := range optimatest.Some(t, p, trials.Count(200)) {
		add(file(t, p, tiny.In), "opt", tiny.Optima["opt"])
	}
}

// prints are ways in which commands print numbers.
var prints = map[string]func(x float64) string{
	"%.6g":    func(x float64) string { return fmt.Sprintf("%.6g", x) },
	"%.7g":    func(x float64) string { return fmt.Sprintf("%.7g", x) },
	"%.8g":    func(x float64) string { return fmt.Sprintf("%.8g", x) },
	"%.9g":    func(x float64) string { return fmt.Sprintf("%.9g", x) },
	"%f":      func(x float64) string { return fmt.Sprintf("%f", x) },
	"float32": func(x float64) string { return strconv.FormatFloat(float64(float32(x)), 'g', -1, 32) },
}

// reprint is a solution file without its claim and with its fractions printed in another way.
func reprint(t *testing.T, data []byte, format func(float64) string) []byte {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var root map[string]any
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	delete(root, "objective")
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for k := range v {
				v[k] = walk(v[k])
			}
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
		case json.Number:
			if x, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".eE") {
				return json.Number(format(x))
			}
		}
		return v
	}
	out, err := json.Marshal(walk(root))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// beats is by how much, relatively, a value is better than the optimum; at most 0: it is not.
func beats(in *bench.Instance, value, optimum float64) float64 {
	better := float64(in.Problem.Sense) * (optimum - value)
	return (better - in.Accuracy.Rounding) / max(1e-9, math.Abs(value), math.Abs(optimum))
}

// judge is the row of a command that printed a solution.
func judge(t *testing.T, in *bench.Instance, data []byte) *bench.Result {
	t.Helper()
	r := in.Problem.Blank(bench.Request{Command: []string{"mine"}})
	r.Status = bench.Feasible
	if err := in.Problem.Judge(r, in, "solution", data); err != nil {
		t.Fatal(err)
	}
	return r
}

func record(in *bench.Instance, algorithm string, r *bench.Result) bench.Record {
	return bench.Record{
		UnitID: in.SHA256 + algorithm, Suite: "test", Problem: in.Problem.Name, Instance: in.Name, InstanceSHA256: in.SHA256,
		Source: "files", Params: "{}", Algorithm: algorithm, Kind: r.Kind, Reference: r.Reference, Augmentation: r.Augmentation,
		Waived: strings.Join(r.Waived, ","), Status: string(r.Status), Sense: in.Problem.Sense.String(), Findings: r.Findings,
		StartedAt: time.Unix(0, 0),
	}
}

// Optimal solutions of all problems as commands print them: whatever the checker accepts is never better than the optimum, and
// in a report no row contradicts another, no ratio is below 1, and the rows change nothing for the others.
func TestRoundedSolutions(t *testing.T) {
	r := registry(t)
	for _, p := range r.Problems {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			var own, all []bench.Record
			instances := map[string]*bench.Instance{}
			solutions, accepted, printed, worst := 0, 0, 0, math.Inf(-1)
			for _, s := range subjects(t, p) {
				if instances[s.in.SHA256] != nil {
					continue
				}
				res := solve(p, s.in, bench.Request{Algorithm: s.algorithm, Seed: 1, Threads: 1})
				if res.Status != bench.Optimal {
					t.Fatalf("%s: %s: %s\n%s", s.algorithm, res.Status, res.Error, s.in.JSON)
				}
				if math.IsNaN(s.optimum) {
					s.optimum = *res.Objective
				}
				if d := math.Abs(beats(s.in, *res.Objective, s.optimum)); d > 1e-9 {
					t.Errorf("%s: %v, the oracle %v\n%s", s.algorithm, *res.Objective, s.optimum, s.in.JSON)
				}
				solutions++
				instances[s.in.SHA256] = s.in
				own = append(own, record(s.in, s.algorithm, res))
				for i := range p.Algorithms {
					if a := &p.Algorithms[i]; a.Kind == models.Heuristic && a.Arg == "" && len(own)%5 == 0 {
						if h := solve(p, s.in, request(a, a.Name)); h.Status == bench.Feasible {
							own = append(own, record(s.in, a.Name, h))
						}
					}
				}
				for name, format := range prints {
					data := reprint(t, res.Solution, format)
					row := judge(t, s.in, data)
					printed++
					if *row.Feasible {
						accepted++
						b := beats(s.in, *row.Objective, s.optimum)
						worst = max(worst, b)
						if b > 1e-9 {
							t.Errorf("%s: %v is better than the optimum %v by %g\n%s\n%s", name, *row.Objective, s.optimum, b, s.in.JSON, data)
						}
					}
					all = append(all, record(s.in, "mine "+name, row))
				}
			}
			all = append(all, own...)
			compare := func(records []bench.Record) *ratio.Set {
				set, err := ratio.New(ratio.Input{
					Records: ratio.Pack(records), Problems: []*bench.Problem{p},
					Instance: func(sha string) (*bench.Instance, error) { return instances[sha], nil },
				})
				if err != nil {
					t.Fatal(err)
				}
				return set
			}
			set := compare(all)
			before := map[string]ratio.Row{}
			for row := range compare(own).Problems[0].Rows() {
				row.Unit = nil
				before[row.UnitID+row.Reference] = row
			}
			below, ratios, least := 0, 0, math.Inf(1)
			for row := range set.Problems[0].Rows() {
				if row.Kind != string(models.External) {
					row.Unit = nil
					if was := before[row.UnitID+row.Reference]; !reflect.DeepEqual(was, row) {
						t.Errorf("%s on %s changed: %+v, before %+v", row.Algorithm, row.Instance, row, was)
					}
					continue
				}
				if row.RatioLo != nil {
					ratios++
					least = min(least, *row.RatioLo, *row.RatioHi)
					if *row.RatioLo < 1 || *row.RatioHi < 1 {
						below++
					}
				}
				if row.DifferenceLo != nil && *row.DifferenceLo < 0 && row.Comparison == "difference" {
					below++
				}
			}
			t.Logf("%d solutions, %d printed, %d accepted (%.1f %%), best %.2g beyond the optimum; %d ratios, %d below 1, least %v; %d "+
				"contradictions",
				solutions, printed, accepted, 100*float64(accepted)/float64(printed), worst, ratios, below, least, len(set.Contradictions))
			if solutions < trials.Count(200) || accepted < printed/2 {
				t.Error("too few solutions")
			}
			if below > 0 || len(set.Contradictions) > 0 {
				t.Errorf("%d ratios below 1, %d contradictions such as %v", below, len(set.Contradictions),
					set.Contradictions[:min(1, len(set.Contradictions))])
			}
		})
	}
}
