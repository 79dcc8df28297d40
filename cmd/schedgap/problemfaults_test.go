package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/models/trials"
)

// ones is a problem whose programs answer without reading: the only solution is x = 1, and its value is 1.
var ones = map[string]string{
	"problem.yaml": `name: ones
sense: min
objective: x
size: jobs
parameters: {jobs: {default: 2, from: 1, to: 2, integer: true}}
classes: {opt: all}
commands:
  generate: [sh, generate.sh]
  check: [sh, check.sh]
  model: {command: [sh, model.sh], format: lp}
  decode: [sh, decode.sh]
bounds: {least: {command: [sh, bound.sh]}}
algorithms: {one: {command: [sh, one.sh]}}
`,
	"generate.sh": `echo '{"jobs":[1,2]}'`,
	"check.sh":    `echo '{"feasible":true,"objective":1}'`,
	"model.sh":    `printf 'Minimize\n obj: x\nSubject To\n c: x >= 1\nBounds\n x <= 5\nGeneral\n x\nEnd\n'`,
	"decode.sh":   `echo '{"x":1}'`,
	"bound.sh":    `echo '{"bound":1}'`,
	"one.sh":      `echo '{"x":1}'`,
}

// onesWith writes the problem with a program in place of one of its own, an instance and a solution.
func onesWith(t *testing.T, program, script string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range ones {
		if name == program {
			text = script
		}
		write(t, folder, name, text+"\n")
	}
	if err := os.Mkdir(filepath.Join(folder, "examples"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, folder, "examples/instance.json", `{"jobs":[1,2]}`)
	write(t, folder, "examples/solution.json", `{"x":1}`)
	return folder
}

// TestProblemFaults: where a command of the problem's own breaks, every command of the program that needs it ends with 1 and says that it
// is the problem's, and nothing counts as feasible. A program of the user's own is the algorithm's fault.
func TestProblemFaults(t *testing.T) {
	t.Parallel()
	commands := map[string][]string{
		"check":     {"check", "@/examples/instance.json", "@/examples/solution.json"},
		"opt":       {"solve", "@/examples/instance.json", "-a", "opt"},
		"one":       {"solve", "@/examples/instance.json", "-a", "one"},
		"least":     {"solve", "@/examples/instance.json", "-a", "least"},
		"generate":  {"generate", "-n", "1", "-o", "+/instances"},
		"export":    {"export", "@/examples/instance.json", "--model", "model", "--format", "lp"},
		"run":       {"run", "+/suite.yaml", "-o", "+/run"},
		"bench":     {"bench", "--name", "mine", "--suite", "+/suite.yaml", "-o", "+/bench", "--", "sh", "@/one.sh"},
		"evaluate":  {"evaluate", "--stage", "1", "--sandbox", "off", "--files", "@", "--", "sh", "@/one.sh"},
		"worst":     {"worst", "-a", "one", "--jobs", "2", "--evaluations", "1", "-o", "+/worst"},
		"its check": {"problem", "check", "@", "-n", "1"},
	}
	const exits, types, dies = "exit 3", `echo '{"feasible":"yes","objective":[]}'`, "kill -SEGV $$"
	all := []string{"check", "opt", "one", "run", "bench", "evaluate", "worst"}
	for _, c := range []struct {
		program, script string
		commands        []string
		says            string
	}{
		{"check.sh", exits, all, "its command check failed (exit status 3)"},
		{"check.sh", types, all, "its command check answered something else than a verdict"},
		{"check.sh", dies, all, "its command check failed (signal: segmentation fault"},
		{"check.sh", "sleep 1000", []string{"opt"}, "its command check gave no answer within 30s"},
		{"decode.sh", exits, []string{"opt", "run", "evaluate", "worst"}, "its command decode failed (exit status 3)"},
		{"decode.sh", "echo 1", []string{"opt"}, "its command decode printed no JSON object"},
		{"decode.sh", "exit 77", []string{"opt"}, "its command decode must answer every question"},
		{"model.sh", exits, []string{"opt", "export", "run", "evaluate", "worst"}, "its command model failed (exit status 3)"},
		{"model.sh", "echo Minimise it", []string{"opt"}, "its command model printed no model in the format lp"},
		{"generate.sh", exits, []string{"generate", "run", "bench", "worst", "its check"}, "failed (exit status 3)"},
		{"generate.sh", "echo '{}'", []string{"generate", "worst"}, "its command generate printed an instance without the list jobs"},
		{"bound.sh", types, []string{"least"}, `its command bounds.least must answer {"bound": number}`},
		{"one.sh", exits, []string{"one"}, "schedgap: the command failed (exit status 3)"},
	} {
		if strings.HasPrefix(c.script, "sleep") && !trials.Whole() {
			continue // it takes half a minute; TestHangs of bench/catalog/folder hangs for less
		}
		for _, name := range c.commands {
			t.Run(c.program+" "+c.script+" "+name, func(t *testing.T) {
				t.Parallel()
				folder, out := onesWith(t, c.program, c.script), t.TempDir()
				write(t, out, "suite.yaml", "name: some\nproblem: "+folder+"\ninstances: [{generate: {n: 1}}]\nalgorithms: [opt, one]\n")
				args := make([]string, len(commands[name]))
				for i, arg := range commands[name] {
					args[i] = strings.NewReplacer("@", folder, "+", out).Replace(arg)
				}
				if name != "its check" {
					args = append([]string{args[0], "--problem", folder}, args[1:]...)
				}
				e := schedgap(t, args...)
				if said := e.stdout + e.stderr; e.code != 1 || !strings.Contains(said, c.says) {
					t.Errorf("exit %d, and not a sentence with %q: %s%s", e.code, c.says, e.stdout, e.stderr)
				}
				if strings.Contains(e.stdout, `"feasible":true`) || strings.Contains(e.stdout, `"status":"timeout"`) {
					t.Errorf("it is no error: %s", e.stdout)
				}
				if strings.Contains(name, "run") && c.program == "check.sh" {
					if e := schedgap(t, "report", out+"/run"); !strings.Contains(e.stderr, "errors of the problem ones") {
						t.Errorf("the report does not say so: %d %s", e.code, e.stderr)
					}
				}
			})
		}
	}
}

// TestEvaluateFolder: with a problem in a folder, the first stage proves optima by the model and scores a command.
func TestEvaluateFolder(t *testing.T) {
	t.Parallel()
	folder := onesWith(t, "", "")
	e := schedgap(t, "evaluate", "--problem", folder, "--stage", "1", "--sandbox", "off", "--", "sh", folder+"/one.sh")
	if e.code != 0 || !strings.Contains(e.stdout, `"status":"success","combined_score":1,`) || !strings.Contains(e.stdout, `"instances":5,`) {
		t.Errorf("%d: %s%s", e.code, e.stdout, e.stderr)
	}
}
