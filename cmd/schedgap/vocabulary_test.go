package main

import (
	"encoding/json"
	"strings"
	"testing"

	"schedgap/bench/catalog"
	"schedgap/exact/verify/referee"
)

// TestViolationsAreExplained: what check prints of a violation leads to the equation, in the words of list constraints.
func TestViolationsAreExplained(t *testing.T) {
	dir := t.TempDir()
	instance := write(t, dir, "two.json", `{"problem":"flex","version":1,"name":"two","slots":2,
		"objective":{"metric":"response","aggregate":"sum","weighted":false},"jobs":[{"id":"a","work":2}]}`)
	solution := write(t, dir, "solution.json", `{"problem":"flex","instance":"two","algorithm":"by hand","objective":2,
		"intervals":[{"start":0,"end":0.5,"slots":{"a":4}}]}`)
	var stated []constraintItem
	if err := json.Unmarshal([]byte(succeed(t, "list", "constraints", "flex", "--json")), &stated); err != nil {
		t.Fatal(err)
	}
	e := schedgap(t, "check", instance, solution)
	var v referee.Judgement
	if err := json.Unmarshal([]byte(e.stdout), &v); err != nil || e.code != 1 {
		t.Fatalf("exit %d, %v: %s%s", e.code, err, e.stdout, e.stderr)
	}
	seen := map[string]bool{}
	for _, broken := range v.Violations {
		seen[broken.Constraint] = true
		for _, c := range stated {
			if c.Name == broken.Constraint && (c.Statement != broken.Statement || c.Source != broken.Source || c.Source == "") {
				t.Errorf("check explains %+v, list constraints has %+v", broken, c)
			}
		}
	}
	if !seen["slots"] || !seen["maximum"] || !seen["objective"] {
		t.Errorf("violations are %+v, want slots, maximum and objective", v.Violations)
	}
}

// TestListOfOneProblem: every list takes a problem and then speaks of no other; an unknown one is bad usage.
func TestListOfOneProblem(t *testing.T) {
	t.Parallel()
	for _, list := range []string{"problems", "algorithms", "models", "suites", "generators", "policies", "constraints"} {
		var all, some []struct{ Problem, Name string }
		for args, into := range map[string]*[]struct{ Problem, Name string }{"": &all, "pocd": &some} {
			if err := json.Unmarshal([]byte(succeed(t, append(strings.Fields("list "+list+" "+args), "--json")...)), into); err != nil {
				t.Fatalf("list %s %s: %v", list, args, err)
			}
		}
		if len(some) == 0 || len(some) >= len(all) {
			t.Errorf("list %s: %d items in all, %d of pocd", list, len(all), len(some))
		}
		for _, item := range some {
			if item.Problem != "pocd" && list != "problems" {
				t.Errorf("list %s pocd has %+v", list, item)
			}
		}
		if e := schedgap(t, "list", list, "nosuch"); e.code != 2 || e.stdout != "" || !strings.Contains(e.stderr, "nosuch") {
			t.Errorf("list %s nosuch: %+v", list, e)
		}
	}
}

// TestHelpOfOneProblem: generate, simulate and trace derive show the parameters of the problem that the help is about and of no
// other, with an example; without a problem they name all of them and no parameter.
func TestHelpOfOneProblem(t *testing.T) {
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	const longest = 120 // lines; all five problems together had over 200
	for _, command := range []string{"generate", "simulate", "trace derive"} {
		general := succeed(t, append(strings.Fields(command), "--help")...)
		for _, p := range registry.Problems {
			if !strings.Contains(general, p.Title) {
				t.Errorf("%s --help does not name %s", command, p.Name)
			}
			help := succeed(t, append(strings.Fields(command), p.Name, "--help")...)
			if n := strings.Count(help, "\n"); n > longest {
				t.Errorf("%s %s --help has %d lines", command, p.Name, n)
			}
			if !strings.Contains(help, "schedgap "+command+" "+p.Name+" ") {
				t.Errorf("%s %s --help has no example:\n%s", command, p.Name, help)
			}
			params := p.Generator.Params
			switch command {
			case "simulate":
				params = append(p.Simulator.Params[:len(p.Simulator.Params):len(p.Simulator.Params)], p.Simulator.Specs...)
			case "trace derive":
				params = p.Deriver.Params
			}
			for _, q := range params {
				if !strings.Contains(help, "  "+q.Name+"=") {
					t.Errorf("%s %s --help does not show %s", command, p.Name, q.Name)
				}
			}
			lists := 0 // a simulation and its workload may both have a parameter of that name
			for _, q := range params {
				if q.Name == params[0].Name {
					lists++
				}
			}
			if got := strings.Count(help, "\n  "+params[0].Name+"="); got != lists {
				t.Errorf("%s %s --help shows %s %d times, not %d", command, p.Name, params[0].Name, got, lists)
			}
			if strings.Contains(general, "  "+params[len(params)-1].Name+"=") {
				t.Errorf("%s --help shows parameters", command)
			}
		}
	}
}

// TestHelpExamples: the examples that the help of generate shows run as they stand.
func TestHelpExamples(t *testing.T) {
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range registry.Problems {
		help := succeed(t, "generate", p.Name, "--help")
		_, example, _ := strings.Cut(help, "Examples:\n  schedgap ")
		example, _, _ = strings.Cut(example, "\n")
		t.Run(p.Name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			succeed(t, strings.Fields(example)...)
		})
	}
}
