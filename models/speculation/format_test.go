package speculation_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"schedgap/models/fail"
	"schedgap/models/problemtest"
	"schedgap/models/speculation"
	"schedgap/models/trials/property"
)

// good is an instance that the bad ones differ from in one place each.
const good = `{"problem":"speculation","version":1,"name":"x","energy_weight":0.5,
"stragglers":[{"id":"a","finish":30,"power":20,"progress":0.4,"duration":6},
{"id":"b","finish":30,"power":20,"progress":0.4,"duration":6}],
"slots":[{"id":"u","start":2,"power":15},{"id":"v","start":2,"power":15}],
"copy_time":{"a":{"u":11,"v":12},"b":{"v":9}}}`

// Bad instances give one sentence with file, path and value.
func TestBadInstances(t *testing.T) {
	problemtest.BadInstances(t, speculation.Problem, good, [][3]string{
		{`"energy_weight":0.5`, `"energy_weight":-1`, `f.json: energy_weight: -1 must be at least 0`},
		{`"energy_weight":0.5,`, ``, `f.json: energy_weight: required field is missing`},
		{`"energy_weight":0.5`, `"energy_weight":0.5,"window":3`, `f.json: window: unknown field (value 3)`},
		{`"finish":30`, `"finish":-1`, `f.json: stragglers[0].finish: -1 must be at least 0`},
		{`"finish":30,`, ``, `f.json: stragglers[0].finish: required field is missing`},
		{`"power":20`, `"power":-2`, `f.json: stragglers[0].power: -2 must be at least 0`},
		{`"progress":0.4`, `"progress":0`, `f.json: stragglers[0].progress: 0 must be greater than 0 and less than 1`},
		{`"progress":0.4`, `"progress":1`, `f.json: stragglers[0].progress: 1 must be greater than 0 and less than 1`},
		{`"duration":6`, `"duration":0`, `f.json: stragglers[0].duration: 0 must be greater than 0`},
		{`"duration":6`, `"duration":1e999`, `f.json: stragglers[0].duration: 1e999 is not a finite number`},
		{`"id":"b"`, `"id":"a"`, `f.json: stragglers[1].id: "a" is also the id of stragglers[0]`},
		{`"id":"b"`, `"id":"b c"`, `f.json: stragglers[1].id: "b c" is not an identifier: ` +
			`it must be non-empty and free of commas, colons and white space`},
		{`"id":"v"`, `"id":"u"`, `f.json: slots[1].id: "u" is also the id of slots[0]`},
		{`"start":2`, `"start":-2`, `f.json: slots[0].start: -2 must be at least 0`},
		{`"power":15`, `"power":"15"`, `f.json: slots[0].power: must be a number, not "15"`},
		{`"power":15`, `"power":15,"cores":1`, `f.json: slots[0].cores: unknown field (value 1)`},
		{`"u":11`, `"u":0`, `f.json: copy_time.a.u: 0 must be greater than 0`},
		{`"u":11`, `"u":null`, `f.json: copy_time.a.u: must be a number, not null`},
		{`"u":11`, `"w":11`, `f.json: copy_time.a.w: "w" is not the id of a slot`},
		{`"u":11`, `"v":11`, `f.json: copy_time.a: duplicate key "v"`},
		{`"b":{"v":9}`, `"c":{"v":9}`, `f.json: copy_time.c: "c" is not the id of a straggler`},
		{
			`"finish":30,"power":20`, `"finish":1e200,"power":1e200`,
			`f.json: copy_time.a: its savings, up to 1e+200 of time and +Inf of energy, make objectives too large for a number`,
		},
	})
	// 1e150 of time times 1e158 of energy is a number, 2e150 times 1.1e158 is not.
	problemtest.BadInstances(t, speculation.Problem, strings.ReplaceAll(good, `"finish":30,"power":20`, `"finish":1e150,"power":1e7`),
		[][3]string{{
			`"power":1e7`, `"power":1e8`,
			`f.json: copy_time.b: its savings, up to 1e+150 of time and 1e+157 of energy, make objectives too large for a number`,
		}})
	const head = `{"problem":"speculation","version":1,"name":"x","energy_weight":0,`
	for rest, want := range map[string]string{
		`"stragglers":[],"slots":[],"copy_time":{}}`:                                                            `f.json: stragglers: the list of stragglers must not be empty`,
		`"stragglers":[{"id":"a","finish":1,"power":1,"progress":0.5,"duration":1}],"slots":[],"copy_time":{}}`: "",
		`"stragglers":[{"id":"a","finish":1,"power":1,"progress":0.5,"duration":1}],"slots":[]}`: `f.json: copy_time: ` +
			`required field is missing`,
	} {
		_, err := speculation.Problem.ParseInstance("f.json", []byte(head+rest))
		if err != nil && err.Error() != want || err == nil && want != "" {
			t.Errorf("%s: got %v, want %q", rest, err, want)
		}
	}
}

// Bad solutions give one sentence too.
func TestBadSolutions(t *testing.T) {
	in, err := speculation.Problem.ParseInstance("f.json", []byte(good))
	fail.On(t, err)
	for fields, want := range map[string]string{
		`"assign":{"a":"u"}`:        "",
		`"assign":{}`:               "",
		`"assign":{"b":"u"}`:        "", // a pair that is not allowed is the checker's business
		`"assign":{"c":"u"}`:        `s.json: assign.c: "c" is not the id of a straggler`,
		`"assign":{"a":"w"}`:        `s.json: assign.a: "w" is not the id of a slot`,
		`"assign":{"a":null}`:       `s.json: assign.a: must be a string, not null`,
		`"assign":[]`:               `s.json: assign: must be a JSON object, not an array`,
		`"assign":{},"matching":{}`: `s.json: matching: unknown field (value an object)`,
		`"assign":{},"front":[]`:    `s.json: front: unknown field (value an array)`,
		`"front":[]`:                `s.json: assign: required field is missing`,
		``:                          `s.json: assign: required field is missing`,
	} {
		text := `{"problem":"speculation","instance":"x","algorithm":"mine"` + strings.TrimSuffix(","+fields, ",") + `}`
		_, err := speculation.Problem.ParseSolution("s.json", []byte(text), in)
		if err != nil && err.Error() != want || err == nil && want != "" {
			t.Errorf("%s: got %v, want %s", fields, err, want)
		}
	}
}

// Instances and solutions come back from their files as they were.
func TestRoundTrip(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		in, err := speculation.Problem.ParseInstance("f.json", []byte(good))
		fail.On(t, err)
		number := rapid.Float64Range(0.001, 1e6)
		in.EnergyWeight = number.Draw(t, "weight")
		for i := range in.Stragglers {
			s := &in.Stragglers[i]
			s.ID = fmt.Sprintf("s%d-%s", i, rapid.StringMatching(`[a-zé"\\<]{0,4}`).Draw(t, "id"))
			s.Finish, s.Power, s.Duration = number.Draw(t, "finish"), number.Draw(t, "power"), number.Draw(t, "duration")
			s.Progress = rapid.Float64Range(0.001, 0.999).Draw(t, "progress")
			for j := range in.CopyTime[i] {
				in.CopyTime[i][j] = number.Draw(t, "copy")
				if rapid.Bool().Draw(t, "missing") {
					in.CopyTime[i][j] = math.NaN()
				}
			}
		}
		matching := speculation.Matching{
			rapid.IntRange(speculation.None, 1).Draw(t, "slot"), rapid.IntRange(speculation.None, 1).Draw(t, "slot"),
		}
		s := speculation.Solution{Assign: matching}
		if diff := cmp.Diff(s, problemtest.RoundTrip(t, speculation.Problem, in, s, cmpopts.EquateNaNs())); diff != "" {
			t.Errorf("(-written +read)\n%s", diff)
		}
	})
}

// Whatever the bytes, reading an instance ends in an error or in an instance that is written and read back alike.
func FuzzInstance(f *testing.F) {
	problemtest.Fuzz(f, speculation.Problem, func(*testing.T, *speculation.Instance) {})
}
