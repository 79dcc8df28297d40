// Package simrun simulates policies on workloads over time, repetition by repetition, and stores their metrics. `schedgap simulate`
// calls it.
//
// Repetition k of seed s draws from PCG(s, k): first the seed of the simulation, then the workload if it is generated. So a
// repetition does not depend on how many there are, and all policies meet the same workload and the same luck.
package simrun

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	mathrand "math/rand/v2"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"schedgap/bench"
	"schedgap/bench/run/external"
	"schedgap/bench/run/store"
	"schedgap/models"
	"schedgap/models/nearest"
	"schedgap/models/simulation"
)

// A Plan says what to simulate. Every policy runs on every repetition.
type Plan struct {
	Problem     *bench.Problem // with a simulator
	Policies    []string
	Params      models.Values // of the simulation, resolved
	Seed        uint64
	Repetitions int // at least 1
	Workers     int // repetitions at a time, at least 1; it does not change the results

	// Commands are the user's policies among Policies, by name. Each repetition starts the command again and asks it for every
	// decision. Rows have the command among the policy's parameters.
	Commands map[string][]string
	Dir      string // where commands run

	Workload string // its name in the results
	// Keep says which metrics become rows; nil: all.
	Keep func(m models.Metric) bool
	// Fixed is the workload of all repetitions. If it is nil, each has one of its own, generated from Spec.
	Fixed any
	Spec  models.Values
}

// Policies reads a list of policies separated by commas, those of commands among them.
func Policies(s *models.Simulator, commands map[string][]string, list string) ([]string, error) {
	names := strings.Split(list, ",")
	for i, name := range names {
		builtin, _, err := parse(s, name, nil)
		if err != nil {
			return nil, err
		}
		if builtin != nil && commands[name] != nil {
			return nil, fmt.Errorf("policy %q is built in; a policy of one's own needs another name", name)
		}
		if builtin == nil && commands[name] == nil {
			known := slices.Sorted(maps.Keys(commands))
			for _, p := range s.Policies {
				known = append(known, p.Name)
			}
			return nil, nearest.Unknown("policy", name, known)
		}
		if slices.Contains(names[:i], name) {
			return nil, fmt.Errorf("policy %q is named twice", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("policy %q has a command but is not among the policies to simulate", name)
		}
	}
	return names, nil
}

// parse finds a built-in policy, nil if there is none, by its name or by NAME:VALUE, and its values: those given, except VALUE.
func parse(s *models.Simulator, name string, given models.Values) (*models.Policy, models.Values, error) {
	base, arg, ok := strings.Cut(name, ":")
	i := slices.IndexFunc(s.Policies, func(p models.Policy) bool { return p.Name == base && (!ok || p.Arg != "") })
	if i < 0 {
		return nil, given, nil
	}
	p := &s.Policies[i]
	if !ok {
		return p, given, nil
	}
	k := slices.IndexFunc(s.Params, func(q models.Param) bool { return q.Name == p.Arg })
	if k < 0 {
		return nil, nil, fmt.Errorf("policy %q: the simulation has no parameter %s", name, p.Arg)
	}
	own, err := models.Resolve(s.Params[k:k+1], map[string]any{p.Arg: arg})
	if err != nil {
		return nil, nil, fmt.Errorf("policy %q: %w", name, err)
	}
	values := maps.Clone(given)
	if values == nil {
		values = models.Values{}
	}
	maps.Copy(values, own)
	return p, values, nil
}

// Run simulates a plan. The rows come by policy in the plan's order, then by repetition, whatever the number of workers.
func Run(ctx context.Context, p Plan) ([]bench.SimRecord, error) {
	var id [8]byte
	rand.Read(id[:]) // never fails
	template := bench.SimRecord{
		RunID: hex.EncodeToString(id[:]), Problem: p.Problem.Name, Workload: p.Workload, Seed: int64(p.Seed),
	}
	rows := make([][]bench.SimRecord, len(p.Policies)*p.Repetitions)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, p.Workers))
	for k := range p.Repetitions {
		group.Go(func() error {
			rng := mathrand.New(mathrand.NewPCG(p.Seed, uint64(k)))
			seed := rng.Uint64()
			workload, hash, err := p.workload(rng)
			if err != nil {
				return err
			}
			for i, policy := range p.Policies {
				row := template
				row.WorkloadSHA256, row.Policy, row.Repetition = hash, policy, int64(k)
				request := models.SimRequest{Workload: workload, Policy: policy, Params: p.Params, Seed: seed, Keep: p.Keep}
				if builtin, values, err := parse(p.Problem.Simulator, policy, p.Params); err != nil {
					return err
				} else if builtin != nil {
					request.Policy, request.Params = builtin.Name, values
				}
				row.Params, err = p.params(ctx, policy, request.Params)
				if err != nil {
					return err
				}
				err := p.run(ctx, request, func(m models.Metric) {
					row := row
					row.Scope, row.Metric, row.Unit, row.Value = m.Scope, m.Name, m.Unit, m.Value
					if m.Scope == "job" {
						row.Job = &m.Job
					}
					rows[i*p.Repetitions+k] = append(rows[i*p.Repetitions+k], row)
				})
				if fault := (*simulation.Fault)(nil); errors.As(err, &fault) {
					if fault.Job != "" {
						return fmt.Errorf("workload %s: %w", p.Workload, fault)
					}
					return fault
				}
				if err != nil {
					return fmt.Errorf("policy %s, repetition %d: %w", policy, k, err)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(rows...), nil
}

// params are the parameters of a policy's rows.
func (p *Plan) params(ctx context.Context, policy string, values models.Values) (string, error) {
	values = maps.Clone(values)
	if command := p.Commands[policy]; command != nil {
		if values == nil {
			values = models.Values{}
		}
		text := strings.Join(command, " ")
		digest, err := new(external.Files).Digest(ctx, p.Dir, strings.Fields(text), nil) // it may be a line for the shell
		if err != nil {
			return "", err
		}
		values["command"], values["command_sha256"] = text, digest // an edited policy is another one
	}
	text, err := json.Marshal(values)
	if err != nil {
		return "", fmt.Errorf("simulation parameters: %w", err)
	}
	return string(text), nil
}

// run simulates one repetition of one policy, which may be a command.
func (p *Plan) run(ctx context.Context, r models.SimRequest, emit func(models.Metric)) error {
	command := p.Commands[r.Policy]
	if command == nil {
		return p.Problem.Simulator.Run(ctx, r, emit)
	}
	s, err := external.StartStream(command, p.Dir, r.Seed, external.DefaultAnswerTime)
	if err != nil {
		return err
	}
	defer s.Close() // it has answered, or the error says why not
	defer s.Watch(ctx)()
	r.Ask = s.Ask
	if err := p.Problem.Simulator.Run(ctx, r, emit); ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		return err
	}
	return nil
}

// workload returns the workload of the repetition with that source of randomness, and its hash.
func (p *Plan) workload(rng *mathrand.Rand) (workload any, hash string, err error) {
	workload = p.Fixed
	if workload == nil {
		workload, err = p.Problem.Simulator.Generate(p.Spec, rng)
		if err != nil {
			return nil, "", err
		}
	}
	var file bytes.Buffer
	if err := p.Problem.Simulator.Encode(&file, workload); err != nil {
		return nil, "", err
	}
	return workload, models.Digest(file.Bytes()), nil
}

// Store adds rows to a dataset. Repetitions that it holds already are not stored again, or they would count twice; the
// result is the number of rows that were new.
func Store(ctx context.Context, d *store.Dir, rows []bench.SimRecord) (added int, err error) {
	old, err := store.All(d.Sim(ctx))
	if err != nil {
		return 0, err
	}
	type unit struct {
		problem, workload, policy, params string
		seed, repetition                  int64
	}
	of := func(r *bench.SimRecord) unit {
		return unit{r.Problem, r.WorkloadSHA256, r.Policy, r.Params, r.Seed, r.Repetition}
	}
	held := map[unit]bool{}
	for i := range old {
		held[of(&old[i])] = true
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(r bench.SimRecord) bool { return held[of(&r)] })
	if len(rows) == 0 {
		return 0, nil
	}
	w, err := d.NewSim(rows[0].RunID)
	if err != nil {
		return 0, err
	}
	w.Rows = len(rows)
	return len(rows), cmp.Or(w.Append(rows...), w.Close())
}

// A Mean is a run metric of one policy over its repetitions.
type Mean struct {
	Policy   string  `json:"policy"`
	Metric   string  `json:"metric"`
	Unit     string  `json:"unit"`
	Mean     float64 `json:"mean"`
	Workload string  `json:"-"` // where means are of several
}

// Means averages the metrics of scope run, in the order of the rows.
func Means(rows []bench.SimRecord) []Mean {
	means, counts := []Mean{}, []int{}
	for i := range rows {
		r := &rows[i]
		if r.Scope != "run" {
			continue
		}
		k := slices.IndexFunc(means, func(m Mean) bool { return m.Policy == r.Policy && m.Metric == r.Metric })
		if k < 0 {
			k = len(means)
			means, counts = append(means, Mean{Policy: r.Policy, Metric: r.Metric, Unit: r.Unit}), append(counts, 0)
		}
		counts[k]++
		means[k].Mean += (r.Value - means[k].Mean) / float64(counts[k])
	}
	return means
}

// Unreached says in a sentence which load was asked for where the realised one differs by more than 2 %: with whole servers it may;
// empty: it does not, or none was asked for.
func Unreached(means []Mean, params models.Values) string {
	asked, _ := params["load"].(float64)
	for _, m := range means {
		if m.Metric == "load" && asked > 0 && math.Abs(m.Mean-asked) > 0.02*asked {
			return fmt.Sprintf("the load is %.3g on average, not %.3g as asked: the nearest that a whole number of servers gives", m.Mean, asked)
		}
	}
	return ""
}

// Doubts returns sentences on doubtful means: a policy that came near no steady state, or a workload that does not load the
// cluster although its load is high. The latter is judged over all policies, since no job waits under a policy that gives
// something to every job. It is reported if no job waits under any policy and no policy holds more than 80 % of the cluster
// (docs/results.md#simulated-steady-state).
func Doubts(means []Mean) []string {
	list, policies := []string{}, []string{}
	values := map[[2]string]float64{} // by policy and metric
	for _, m := range means {
		if !slices.Contains(policies, m.Policy) {
			policies = append(policies, m.Policy)
		}
		values[[2]string{m.Policy, m.Metric}] = m.Mean
	}
	var growing, workloads []string
	type loaded struct{ load, held, waiting float64 }
	most := map[string]*loaded{}
	for _, m := range means {
		w := most[m.Workload]
		if w == nil {
			w = &loaded{}
			most[m.Workload], workloads = w, append(workloads, m.Workload)
		}
		switch m.Metric {
		case "load":
			w.load = max(w.load, m.Mean)
		case "utilisation":
			w.held = max(w.held, m.Mean)
		case "waiting_share":
			w.waiting = max(w.waiting, m.Mean)
		}
	}
	idle := slices.DeleteFunc(slices.Clone(workloads), func(name string) bool {
		w := most[name]
		return w.load <= 0.8 || w.held > 0.8 || w.waiting >= 0.05
	})
	for _, p := range policies {
		if steady, ok := values[[2]string{p, "steady_state"}]; ok && steady < 1 {
			growing = append(growing, p)
		}
	}
	for _, d := range []struct {
		what   string
		of     []string
		all    int
		suffix string
	}{
		{"queue still growing: no steady state, means hang on the number of jobs", growing, len(policies), ""},
		{
			"the load is above 0.8, yet under no policy is more than 80 % of the cluster held or 5 % of the flowtime waiting: no result " +
				"about a loaded cluster", idle, len(workloads), " workloads",
		},
	} {
		if len(d.of) > 0 {
			text := fmt.Sprintf("%s: %d of %d%s", d.what, len(d.of), d.all, d.suffix)
			if d.of[0] != "" {
				text += fmt.Sprintf(", %s first", d.of[0])
			}
			list = append(list, text)
		}
	}
	return list
}
