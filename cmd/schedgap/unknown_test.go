package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestUnknownNames: a mistyped name of whatever kind is answered by the one that may be meant, an algorithm of another problem by
// that problem.
func TestUnknownNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one := write(t, dir, "one.json", flexFile(`"slots":4`, `{"id":"a","work":8}`))
	cluster := write(t, dir, "cluster.json", `{"problem":"cloning","version":1,"name":"c","max_copies":1,"max_copies_per_server":1,
		"servers":[{"id":"s","cpu":1,"mem":1}],
		"jobs":[{"id":"j","arrival":0,"phases":[{"id":"p","parents":[],"tasks":1,"cpu":1,"mem":1,"mean":1,"sd":0}]}]}`)
	window := write(t, dir, "window.json", `{"problem":"speculation","version":1,"name":"w","energy_weight":1,
		"stragglers":[{"id":"s","finish":9,"power":1,"progress":0.5,"duration":9}],"slots":[],"copy_time":{}}`)
	suite := func(name, rest string) string {
		return write(t, dir, name, "name: s\nproblem: flex\ninstances: [{files: one.json}]\n"+rest+"\n")
	}
	out := filepath.Join(dir, "new")
	for _, c := range []struct{ args, says string }{
		{"rnu", `unknown command "rnu"; did you mean "run"?`},
		{"algoritm", `did you mean "algorithm"?`},
		{"algorithm chek", `did you mean "check"?`},
		{"list solver", `did you mean "solvers"?`},
		{"trace informaton", ""},
		{"trace drive", `did you mean "derive"?`},
		{"worke", ""}, // an internal command is nobody's business
		{"generate flux -o " + out, `unknown problem "flux"; did you mean "flex"?`},
		{"check-algorithm clonning -- true", `did you mean "cloning"?`},
		{"run quik", `unknown suite or file "quik"; did you mean "quick"?`},
		{"run flex/paper-flx", `did you mean "flex/paper-flex"?`},
		{"run " + suite("typo.yaml", "algorithms: [fiffo]"), `algorithms[0]: unknown algorithm "fiffo" of flex; did you mean "fifo"?`},
		{
			"run " + suite("solver.yaml", "algorithms: [opt]\nsolvers: [higs]"),
			`solvers[0]: unknown solver "higs"; did you mean "highs"?`,
		},
		{"run " + suite("other.yaml", "algorithms: [tetris]"), `tetris is an algorithm of cloning`},
		{"solve " + one + " -a flexx", `did you mean "flex"?`},
		{"solve " + one + " -a tetris", `unknown algorithm "tetris" of flex; tetris is an algorithm of cloning`},
		{"solve " + one + " -a laps:0.5", `is an algorithm of redundancy`},
		{"solve " + one + " -a opt --solver higs", `unknown solver "higs"; did you mean "highs"?`},
		{"solve " + one + " -a opt --model positon", `unknown model "positon"; did you mean "position"?`},
		{"export " + one + " --format lp --model grd", `did you mean "grid"?`},
		{"solve " + one + " -a flex-ls -p evaluation=3", `value 3: unknown parameter "evaluation"; did you mean "evaluations"?`},
		{"generate flex -p jbos=3 -o " + out, `did you mean "jobs"?`},
		{"simulate flex -a fiar --generate jobs=3 -o " + out, `unknown policy "fiar"; did you mean "fair"?`},
		{"paper felx-fig5a", `did you mean "flex-fig5a"?`},
		{"solve " + one + " --algoritm flex", `did you mean "--algorithm"?`},
		{"completion bsh", `did you mean "bash"?`},
		{"solve " + cluster + " -a lb-lp", "cloning has no algorithm lb-lp any more; lb-price took its place"},
		{"solve " + window + " -a front-window", "speculation has no algorithm front-window any more; window took its place"},
		{"solve " + window + " -a pareto", "speculation has no algorithm pareto any more; opt took its place"},
		{"solve " + one + " -a xyzzy", "see: schedgap list algorithms"},
	} {
		e := schedgap(t, strings.Fields(c.args)...)
		if e.code != exitUsage || e.stdout != "" || !strings.Contains(e.stderr, c.says) || strings.Count(e.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, stdout %q, stderr %q, want %q", c.args, e.code, e.stdout, e.stderr, c.says)
		}
		if c.says == "" && strings.Contains(e.stderr, "did you mean") {
			t.Errorf("%s: %q guesses", c.args, e.stderr)
		}
	}
}
