package main

import (
	"fmt"
	"strings"
	"testing"

	"schedgap/bench/run/store"
)

// TestReferenceOfCommands: a command's rows are of the class that its solutions state, else of the one that it declares, to which
// the checker holds them.
func TestReferenceOfCommands(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "i.json", `{"problem":"cloning","version":1,"name":"i","max_copies":1,"max_copies_per_server":1,
		"servers":[{"id":"s","cpu":1,"mem":1}],"jobs":[{"id":"j","arrival":0,
		"phases":[{"id":"p","parents":[],"tasks":1,"cpu":1,"mem":1,"mean":2,"sd":0}]}]}`)
	command := func(name, regime, copies, more string) string {
		solution := fmt.Sprintf(`{"problem":"cloning","instance":"i","algorithm":"a",%s"copies":[%s]}`, regime, copies)
		return fmt.Sprintf("  - {name: %s, command: [echo, %q]%s}\n", name, solution, more)
	}
	const whole = `{"task":["j","p",0],"server":"s","start":0,"end":2}`
	const halves = `{"task":["j","p",0],"server":"s","start":0,"end":1},{"task":["j","p",0],"server":"s","start":2,"end":3}`
	const declared = ", reference: opt-nonpreemptive"
	suite := write(t, dir, "s.yaml", "name: s\nproblem: cloning\ninstances: [{files: i.json}]\nalgorithms:\n"+
		command("silent", "", whole, "")+command("states", `"regime":"nonpreemptive",`, whole, "")+
		command("declares", "", whole, declared)+command("lies", "", halves, declared)+
		command("wide", "", halves, ", reference: opt"))
	results := dir + "/results"
	succeed(t, "-q", "run", suite, "-o", results)
	rows, _, err := store.Open(results).Records(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, r := range rows {
		got[r.Algorithm] = r.Reference + " " + r.Status
	}
	for name, want := range map[string]string{
		"silent": "opt-preemptive feasible", "states": "opt-nonpreemptive feasible", "declares": "opt-nonpreemptive feasible",
		"lies": "opt-nonpreemptive invalid", "wide": "opt-preemptive feasible",
	} {
		if strings.Replace(got[name], "opt ", "opt-preemptive ", 1) != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	for reference, want := range map[string]string{
		"opt-nonpreemptiv": `unknown reference "opt-nonpreemptiv"; did you mean "opt-nonpreemptive"?`,
		"opt-mps":          "opt-mps",
	} {
		bad := write(t, dir, "bad.yaml", "name: s\nproblem: cloning\ninstances: [{files: i.json}]\nalgorithms:\n"+
			command("mine", "", whole, ", reference: "+reference))
		refused(t, want, "run", bad, "-o", dir+"/none")
	}
	refused(t, "cannot tell whether a solution belongs to opt-mps", "bench", "flex", "--reference", "opt-mps", "-o", dir+"/none",
		"--", "true")
}
