package pocd_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/models/fail"
	"schedgap/models/pocd"
	"schedgap/models/problemtest"
	"schedgap/models/trials/property"
)

// good is an instance that the bad ones differ from in one place each.
const good = `{"problem":"pocd","version":1,"name":"x","capacity":6,"alpha":0,"max_copies":5,
"jobs":[{"id":"a","deadline":300,"elapsed":60,"tasks":[{"id":"t","progress":0.3,"t_min":120,"beta":1.5,"straggler":true},
{"id":"u","progress":0.3,"t_min":120,"beta":1.5,"straggler":false}]},
{"id":"b","deadline":300,"elapsed":60,"tasks":[{"id":"t","progress":0.3,"t_min":120,"beta":1.5,"straggler":true}]}]}`

// Bad instances give one sentence with file, path and value.
func TestBadInstances(t *testing.T) {
	problemtest.BadInstances(t, pocd.Problem, good, [][3]string{
		{`"capacity":6`, `"capacity":4`, `f.json: capacity: 4 is less than the base load 5, one machine for each of 3 tasks and 2 jobs`},
		{`"capacity":6`, `"capacity":-1`, `f.json: capacity: -1 must be at least 0`},
		{`"capacity":6`, `"capacity":6.5`, `f.json: capacity: 6.5 must be an integer`},
		{`"capacity":6,`, ``, `f.json: capacity: required field is missing`},
		{`"alpha":0`, `"alpha":-0.5`, `f.json: alpha: -0.5 must be a number from 0 to 50 or "inf"`},
		{`"alpha":0`, `"alpha":50.5`, `f.json: alpha: 50.5 must be a number from 0 to 50 or "inf"`},
		{`"alpha":0`, `"alpha":"Inf"`, `f.json: alpha: "Inf" must be a number from 0 to 50 or "inf"`},
		{`"alpha":0`, `"alpha":null`, `f.json: alpha: null must be a number from 0 to 50 or "inf"`},
		{`"alpha":0`, `"alpha":1e400`, `f.json: alpha: 1e400 must be a number from 0 to 50 or "inf"`},
		{`"alpha":0,`, ``, `f.json: alpha: required field is missing`},
		{`"max_copies":5`, `"max_copies":-1`, `f.json: max_copies: -1 must be at least 0`},
		{`"max_copies":5,`, ``, `f.json: max_copies: required field is missing`},
		{`"max_copies":5`, `"max_copies":5,"Max_copies":5`, `f.json: Max_copies: unknown field (value 5)`},
		{`{"id":"b","deadline":300`, `{"id":"a","deadline":300`, `f.json: jobs[1].id: "a" is also the id of jobs[0]`},
		{`{"id":"u"`, `{"id":"t"`, `f.json: jobs[0].tasks[1].id: "t" is also the id of tasks[0] of this job`},
		{`{"id":"u"`, `{"id":"u:v"`, `f.json: jobs[0].tasks[1].id: "u:v" is not an identifier: ` +
			`it must be non-empty and free of commas, colons and white space`},
		{`"deadline":300`, `"deadline":-1`, `f.json: jobs[0].deadline: -1 must be at least 0`},
		{`"elapsed":60`, `"elapsed":-60`, `f.json: jobs[0].elapsed: -60 must be at least 0`},
		{`"elapsed":60,`, ``, `f.json: jobs[0].elapsed: required field is missing`},
		{`"elapsed":60`, `"elapsed":60,"elapsed":60`, `f.json: jobs[0]: duplicate key "elapsed"`},
		{`"progress":0.3`, `"progress":1`, `f.json: jobs[0].tasks[0].progress: 1 must be at least 0 and less than 1`},
		{`"progress":0.3`, `"progress":-0.1`, `f.json: jobs[0].tasks[0].progress: -0.1 must be at least 0 and less than 1`},
		{`"t_min":120`, `"t_min":0`, `f.json: jobs[0].tasks[0].t_min: 0 must be greater than 0`},
		{`"beta":1.5`, `"beta":0`, `f.json: jobs[0].tasks[0].beta: 0 must be greater than 0`},
		{`"beta":1.5`, `"beta":"1.5"`, `f.json: jobs[0].tasks[0].beta: must be a number, not "1.5"`},
		{`"straggler":true`, `"straggler":1`, `f.json: jobs[0].tasks[0].straggler: must be true or false, not 1`},
		{`,"straggler":true`, ``, `f.json: jobs[0].tasks[0].straggler: required field is missing`},
		{`"straggler":true`, `"straggler":true,"speed":2`, `f.json: jobs[0].tasks[0].speed: unknown field (value 2)`},
	})
	const head = `{"problem":"pocd","version":1,"name":"x","capacity":6,"alpha":0,"max_copies":5,`
	for jobs, want := range map[string]string{
		`"jobs":[]}`: `f.json: jobs: the list of jobs must not be empty`,
		`"jobs":[{"id":"a","deadline":1,"elapsed":0,"tasks":[]}]}`: `f.json: jobs[0].tasks: the list of tasks must not be empty`,
	} {
		text := head + jobs
		if _, err := pocd.Problem.ParseInstance("f.json", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Bad solutions give one sentence too.
func TestBadSolutions(t *testing.T) {
	in, err := pocd.Problem.ParseInstance("f.json", []byte(good))
	fail.On(t, err)
	for copies, want := range map[string]string{
		`{"a":{"t":1}}`:   "",
		`{"b":{"t":2.0}}`: "",
		`{"a":{"t":-1}}`:  "", // the checker's business
		`{}`:              "",
		`{"c":{"t":1}}`:   `s.json: copies.c: "c" is not the id of a job`,
		`{"a":{"v":1}}`:   `s.json: copies.a.v: "v" is not the id of a task of job a`,
		`{"a":{"t":0.5}}`: `s.json: copies.a.t: 0.5 must be an integer`,
		`{"a":1}`:         `s.json: copies.a: must be a JSON object, not 1`,
		`[]`:              `s.json: copies: must be a JSON object, not an array`,
	} {
		text := `{"problem":"pocd","instance":"x","algorithm":"mine","copies":` + copies + `}`
		_, err := pocd.Problem.ParseSolution("s.json", []byte(text), in)
		if err != nil && err.Error() != want || err == nil && want != "" {
			t.Errorf("%s: got %v, want %s", copies, err, want)
		}
	}
}

// Instances and solutions come back from their files as they were.
func TestRoundTrip(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in := drawInstance(t)
		s := drawCopies(t, in)
		if diff := cmp.Diff(s, problemtest.RoundTrip(t, pocd.Problem, in, s)); diff != "" {
			t.Error(diff)
		}
	})
}

// Whatever is accepted is canonical after one round, has a finite objective and can be checked.
func FuzzParse(f *testing.F) {
	problemtest.Fuzz(f, pocd.Problem, func(t *testing.T, in *pocd.Instance) {
		r := pocd.Problem.Check(in, pocd.NoCopies(in))
		if len(r.Violations) > 0 || *r.Objective-*r.Objective != 0 {
			t.Errorf("no copies: objective %v, violations %v", *r.Objective, r.Violations)
		}
	})
}
