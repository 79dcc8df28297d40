package cloning_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/models/cloning"
	"schedgap/models/fail"
	"schedgap/models/problemtest"
	"schedgap/models/trials/property"
)

// good is an instance that the bad ones differ from in one place each.
const good = `{"problem":"cloning","version":1,"name":"x","resources":["cpu","gpu"],"max_copies":3,"max_copies_per_server":1,
"servers":[{"id":"s1","cpu":1,"gpu":0},{"id":"s2","cpu":0.5,"gpu":2}],
"jobs":[{"id":"a","arrival":0,"phases":[{"id":"p","parents":[],"tasks":2,"cpu":0.25,"gpu":0,"mean":2.5,"sd":1,"speedup":[1,1.5,1.75]},
{"id":"q","parents":["p"],"tasks":1,"cpu":0,"gpu":1,"mean":3,"sd":0}]},
{"id":"b","arrival":4,"phases":[{"id":"p","parents":[],"tasks":1,"cpu":1,"gpu":0,"mean":1,"sd":0}]}]}`

// Bad instances give one sentence with file, path and value.
func TestBadInstances(t *testing.T) {
	problemtest.BadInstances(t, cloning.Problem, good, [][3]string{
		{`"resources":["cpu","gpu"]`, `"resources":[]`, `f.json: resources: the list of resources must not be empty`},
		{`"resources":["cpu","gpu"]`, `"resources":["cpu","cpu"]`, `f.json: resources[1]: "cpu" is also the name of resources[0]`},
		{
			`"resources":["cpu","gpu"]`, `"resources":["cpu","mean"]`,
			`f.json: resources[1]: "mean" is the name of another field of servers or phases`,
		},
		{`"resources":["cpu","gpu"]`, `"resources":["cpu","mem"]`, `f.json: servers[0].mem: required field is missing`},
		{`"resources":["cpu","gpu"],`, ``, `f.json: servers[0].mem: required field is missing`},
		{`"resources":["cpu","gpu"]`, `"resources":["cpu"]`, `f.json: servers[0].gpu: unknown field (value 0)`},
		{`"max_copies":3`, `"max_copies":0`, `f.json: max_copies: 0 must be at least 1`},
		{`"max_copies":3`, `"max_copies":1e9`, `f.json: max_copies: 1000000000 must be at most 10000`},
		{`"max_copies":3,`, ``, `f.json: max_copies: required field is missing`},
		{`"max_copies_per_server":1`, `"max_copies_per_server":0`, `f.json: max_copies_per_server: 0 must be at least 1`},
		{`{"id":"s2"`, `{"id":"s1"`, `f.json: servers[1].id: "s1" is also the id of servers[0]`},
		{`"cpu":1,"gpu":0},`, `"cpu":-1,"gpu":0},`, `f.json: servers[0].cpu: -1 must be at least 0`},
		{`"cpu":1,"gpu":0},`, `"cpu":1e101,"gpu":0},`, `f.json: servers[0].cpu: 1e+101 must be at most 1e+100`},
		{`"cpu":1,"gpu":0},`, `"cpu":1,"gpu":null},`, `f.json: servers[0].gpu: must be a number, not null`},
		{`{"id":"b"`, `{"id":"a"`, `f.json: jobs[1].id: "a" is also the id of jobs[0]`},
		{`"arrival":4`, `"arrival":-1`, `f.json: jobs[1].arrival: -1 must be at least 0`},
		{`"arrival":4`, `"arrival":4.5`, `f.json: jobs[1].arrival: 4.5 must be an integer`},
		{`{"id":"q"`, `{"id":"p"`, `f.json: jobs[0].phases[1].id: "p" is also the id of phases[0] of this job`},
		{`"parents":["p"]`, `"parents":["r"]`, `f.json: jobs[0].phases[1].parents[0]: "r" is not the id of a phase of job a`},
		{`"parents":["p"]`, `"parents":["p","p"]`, `f.json: jobs[0].phases[1].parents[1]: "p" is named twice`},
		{`"parents":["p"]`, `"parents":["q"]`, `f.json: jobs[0].phases[1].parents[0]: ` +
			`"q" is also a descendant of phase "q": the phases of job a form a cycle`},
		{`"id":"p","parents":[]`, `"id":"p","parents":["q"]`, `f.json: jobs[0].phases[1].parents[0]: ` +
			`"p" is also a descendant of phase "q": the phases of job a form a cycle`},
		{`"parents":["p"],`, ``, `f.json: jobs[0].phases[1].parents: required field is missing`},
		{`"tasks":2`, `"tasks":0`, `f.json: jobs[0].phases[0].tasks: 0 must be at least 1`},
		{`"tasks":2`, `"tasks":9e15`, `f.json: jobs[0].phases[0].tasks: 9000000000000000 makes more than 10000000 tasks in all`},
		{`"mean":2.5`, `"mean":0`, `f.json: jobs[0].phases[0].mean: 0 must be greater than 0`},
		{
			`"mean":2.5`, `"mean":1e300`,
			`f.json: jobs[0].phases[0].mean: 1e+300 makes the tasks, one after the other, end later than slot 2^53`,
		},
		{
			`"arrival":4`, `"arrival":9007199254740992`,
			`f.json: jobs[1].arrival: 9007199254740992 makes the tasks, one after the other, end later than slot 2^53`,
		},
		{ // 9 slots of work before it and 1 of its own
			`"arrival":4`, `"arrival":9007199254740984`,
			`f.json: jobs[1].phases[0].mean: 1 makes the tasks, one after the other, end later than slot 2^53`,
		},
		{`"tasks":2`, `"tasks":9999999`, `f.json: jobs[1].phases[0].tasks: 1 makes more than 10000000 tasks in all`},
		{`"sd":1`, `"sd":-1`, `f.json: jobs[0].phases[0].sd: -1 must be at least 0`},
		{`"sd":1,`, ``, `f.json: jobs[0].phases[0].sd: required field is missing`},
		{`[1,1.5,1.75]`, `[1,1.5]`, `f.json: jobs[0].phases[0].speedup: 2 values must be max_copies = 3`},
		{`[1,1.5,1.75]`, `[0.9,1.5,1.75]`, `f.json: jobs[0].phases[0].speedup[0]: h(1) = 0.9 must be 1`},
		{`[1,1.5,1.75]`, `[1,1.5,1.4]`, `f.json: jobs[0].phases[0].speedup[2]: h(3) = 1.4 must be at least h(2) = 1.5`},
		{
			`[1,1.5,1.75]`, `[1,1.5,2.25]`,
			`f.json: jobs[0].phases[0].speedup[2]: h(3) = 2.25 must be at most 2: h is concave, with h(0) = 0`,
		},
		{
			`[1,1.5,1.75]`, `[1,2.5,2.5]`,
			`f.json: jobs[0].phases[0].speedup[1]: h(2) = 2.5 must be at most 2: h is concave, with h(0) = 0`,
		},
		{
			`"cpu":0,"gpu":1,`, `"cpu":1,"gpu":1,`,
			`f.json: jobs[0].phases[1]: a task of phase "q" demands cpu 1, gpu 1, which no server has`,
		},
		{`"cpu":0,"gpu":1,`, `"cpu":0,"gpu":1,"disk":1,`, `f.json: jobs[0].phases[1].disk: unknown field (value 1)`},
		{`"name":"x"`, `"name":"x","slots":4`, `f.json: slots: unknown field (value 4)`},
	})
	for _, list := range []string{"servers", "jobs", "phases"} {
		start := strings.Index(good, `"`+list+`":[`) + len(list) + 3
		end := start + strings.LastIndex(good[start:], map[string]string{"servers": "],\n\"jobs", "jobs": "]}", "phases": "]}]}"}[list])
		text := good[:start] + "[" + good[end:]
		_, err := cloning.Problem.ParseInstance("f.json", []byte(text))
		if want := "the list of " + list + " must not be empty"; err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// The last slot and the last task that files may have, and a zero with a sign, which is none.
func TestLimits(t *testing.T) {
	for _, c := range [][2]string{
		{`"arrival":4`, `"arrival":9007199254740982`}, {`"tasks":2`, `"tasks":9999998`}, {`"gpu":0,"mean":2.5,"sd":1`, `"gpu":-0,"mean":2.5,"sd":-0.0`},
	} {
		in, err := cloning.Problem.ParseInstance("f.json", []byte(strings.Replace(good, c[0], c[1], 1)))
		if err != nil {
			t.Errorf("%s: %v", c[1], err)
		} else if p := in.Jobs[0].Phases[0]; math.Signbit(p.SD) || math.Signbit(p.Demand[1]) {
			t.Errorf("%s: %+v", c[1], p)
		}
	}
}

// Bad solutions give one sentence too.
func TestBadSolutions(t *testing.T) {
	in, err := cloning.Problem.ParseInstance("f.json", []byte(good))
	fail.On(t, err)
	const one = `{"task":["a","p",1],"server":"s1","start":0,"end":6}`
	for _, c := range []struct{ old, new, want string }{
		{one, ``, ``},
		{`"end":6`, `"end":6.0`, ``},
		{`"start":0`, `"start":-2`, ``}, // before the arrival: the checker's business
		{`"a"`, `"c"`, `s.json: copies[0].task[0]: "c" is not the id of a job`},
		{`"p"`, `"r"`, `s.json: copies[0].task[1]: "r" is not the id of a phase of job a`},
		{`"p",1`, `"p",2`, `s.json: copies[0].task[2]: 2 must be from 0 to 1, the last task of phase p of job a`},
		{`"p",1`, `"p",-1`, `s.json: copies[0].task[2]: -1 must be from 0 to 1, the last task of phase p of job a`},
		{`"p",1`, `"p","1"`, `s.json: copies[0].task[2]: must be a number, not "1"`},
		{`,1]`, `]`, `s.json: copies[0].task: a task must have 3 parts, job, phase and index, not 2`},
		{`"s1"`, `"s3"`, `s.json: copies[0].server: "s3" is not the id of a server`},
		{`"end":6`, `"end":0`, `s.json: copies[0].end: 0 must be greater than the start 0`},
		{`"end":6`, `"end":6.5`, `s.json: copies[0].end: 6.5 must be an integer`},
		{`"end":6`, `"end":6,"copy":1`, `s.json: copies[0].copy: unknown field (value 1)`},
		{`"copies":`, `"regime":"lazy","copies":`, `s.json: regime: "lazy" must be preemptive or nonpreemptive`},
		{`"copies":`, `"regime":"preemptive","copies":`, ``},
		{`"copies":`, `"capacity_factor":0.5,"copies":`, `s.json: capacity_factor: 0.5 must be at least 1`},
		{`"copies":`, `"capacity_factor":2.5,"copies":`, ``},
		{`"copies":`, `"copy":`, `s.json: copies: required field is missing`},
	} {
		text := `{"problem":"cloning","instance":"x","algorithm":"mine","copies":[` + one + `]}`
		text = strings.Replace(text, c.old, c.new, 1)
		_, err := cloning.Problem.ParseSolution("s.json", []byte(text), in)
		if err != nil && err.Error() != c.want || err == nil && c.want != "" {
			t.Errorf("%s: got %v, want %s", c.new, err, c.want)
		}
	}
}

// A file without resources has cpu and mem, and one without a speedup has the Pareto fit, which is written out.
func TestDefaults(t *testing.T) {
	in := shared(t, "pareto-fit")
	if diff := cmp.Diff([]string{"cpu", "mem"}, in.Resources); diff != "" {
		t.Error(diff)
	}
	p := in.Jobs[0].Phases[0]
	if diff := cmp.Diff(cloning.ParetoSpeedup(p.Mean, p.SD, 3), p.Speedup); diff != "" {
		t.Error(diff)
	}
	data, err := cloning.Problem.MarshalInstance(in)
	fail.On(t, err)
	if strings.Contains(string(data), "resources") || !strings.Contains(string(data), `"speedup":[1,1,1]`) {
		t.Errorf("%s", data)
	}
}

// Instances and solutions come back from their files as they were.
func TestRoundTrip(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := drawInstance(t)
		s := drawSolution(t, in)
		if diff := cmp.Diff(s, problemtest.RoundTrip(t, cloning.Problem, in, s)); diff != "" {
			t.Error(diff)
		}
	})
}

// Whatever is accepted is canonical after one round, and tasks one after the other on a server that holds them keep all
// constraints.
func FuzzParse(f *testing.F) {
	problemtest.Fuzz(f, cloning.Problem, func(t *testing.T, in *cloning.Instance) {
		if s, ok := oneByOne(in); ok {
			if r := cloning.Problem.Check(in, s); len(r.Violations) > 0 || r.Objective == nil {
				t.Errorf("one by one: %+v", r)
			}
		}
	}, good)
}

// oneByOne runs all tasks one after the other; false when there are very many.
func oneByOne(in *cloning.Instance) (s cloning.Solution, ok bool) {
	if cloning.Problem.Size(in).Tasks > 1000 {
		return s, false
	}
	at := 0
	for j := range in.Jobs {
		at = max(at, in.Jobs[j].Arrival)
		for _, k := range in.Jobs[j].Order() {
			p := &in.Jobs[j].Phases[k]
			c := cloning.Copy{Task: cloning.Task{Job: j, Phase: k}}
			for !cloning.Fits(p.Demand, in.Servers[c.Server].Capacity) {
				c.Server++
			}
			for range p.Tasks {
				c.Start, c.End = at, at+p.Slots(cloning.Progress{}, 1)
				at = c.End
				s.Copies = append(s.Copies, c)
				c.Task.Index++
			}
		}
	}
	s.Regime = cloning.Nonpreemptive
	return s, true
}

// A cycle is found however it lies, and a job without one has an order in which parents come first.
func TestCycles(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "phases")
		parents := make([][]bool, n)
		var phases []string
		for k := range parents {
			parents[k] = make([]bool, n)
			var ids []string
			for p := range parents[k] {
				if rapid.IntRange(0, 3).Draw(t, "edge") == 0 {
					parents[k][p] = true
					ids = append(ids, fmt.Sprintf(`"p%d"`, p))
				}
			}
			phases = append(phases, fmt.Sprintf(`{"id":"p%d","parents":[%s],"tasks":1,"cpu":1,"mem":1,"mean":1,"sd":0}`,
				k, strings.Join(ids, ",")))
		}
		// Floyd and Warshall's closure: a phase that reaches itself is on a cycle.
		reach := make([][]bool, n)
		for k := range reach {
			reach[k] = append([]bool(nil), parents[k]...)
		}
		for via := range n {
			for a := range n {
				for b := range n {
					reach[a][b] = reach[a][b] || reach[a][via] && reach[via][b]
				}
			}
		}
		cyclic := false
		for k := range n {
			cyclic = cyclic || reach[k][k]
		}
		in, err := cloning.Problem.ParseInstance("f.json", []byte(`{"problem":"cloning","version":1,"name":"x","max_copies":1,`+
			`"max_copies_per_server":1,"servers":[{"id":"s","cpu":1,"mem":1}],"jobs":[{"id":"j","arrival":0,"phases":[`+
			strings.Join(phases, ",")+`]}]}`))
		if (err != nil) != cyclic {
			t.Fatalf("cyclic: %v, error: %v", cyclic, err)
		}
		if err != nil {
			return
		}
		place := make([]int, n)
		order := in.Jobs[0].Order()
		for i, k := range order {
			place[k] = i
		}
		for k := range n {
			for p := range n {
				if parents[k][p] && place[p] >= place[k] {
					t.Errorf("p%d comes before its parent p%d in %v", k, p, order)
				}
			}
		}
	})
}
