package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"schedgap/bench/run/store"
	"schedgap/exact/verify/referee"
	"schedgap/models"
	"schedgap/models/proof"
)

// A bound's proof is written by solve, verified for its instance, refused for another one and when it claims more; what is no
// proof is bad input.
func TestVerify(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "proof.jsonl.gz")
	s := solve(t, 0, shared+"one-slot.json", "-a", "lb-price", "--proof", file)
	verdict := func(code int, instance, file string) (v referee.Verdict) {
		t.Helper()
		e := schedgap(t, "verify", instance, file)
		if e.code != code {
			t.Fatalf("exit %d, want %d: %s%s", e.code, code, e.stdout, e.stderr)
		}
		if err := json.Unmarshal([]byte(e.stdout), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	v := verdict(0, shared+"one-slot.json", file)
	if !v.Verified || v.Reason != nil || v.Problem != "flex" || v.Reference != "opt" || v.Value != nil || v.Optimal ||
		v.Gap != nil || *v.Bound != *s.Bound {
		t.Errorf("%+v for the bound %v", v, *s.Bound)
	}
	if v := verdict(1, shared+"ties.json", file); v.Verified || !strings.Contains(*v.Reason, "another instance") {
		t.Errorf("%+v", v)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := proof.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	more := *p.Header.Bound * 1.001
	p.Header.Bound = &more
	var lines []any
	for _, l := range p.Lines {
		lines = append(lines, l)
	}
	var changed bytes.Buffer
	if err := proof.Write(&changed, p.Header, lines); err != nil {
		t.Fatal(err)
	}
	if v := verdict(1, shared+"one-slot.json", write(t, dir, "more.gz", changed.String())); v.Verified ||
		!strings.Contains(*v.Reason, "prove") {
		t.Errorf("%+v", v)
	}
	for name, text := range map[string]string{"text": "no proof", "cut": string(data[:len(data)/2]), "empty": ""} {
		if e := schedgap(t, "verify", shared+"one-slot.json", write(t, dir, name, text)); e.code != 2 || e.stdout != "" ||
			!strings.Contains(e.stderr, name) {
			t.Errorf("%s: exit %d, %q, %q", name, e.code, e.stdout, e.stderr)
		}
	}
	if e := schedgap(t, "solve", shared+"one-slot.json", "-a", "opt", "--proof", "/dev/full"); e.code != exitFailed ||
		!strings.Contains(e.stdout, `"optimal"`) || !strings.Contains(e.stderr, "/dev/full") {
		t.Errorf("--proof /dev/full loses the answer: exit %d, %q, %q", e.code, e.stdout, e.stderr)
	}
	large := strings.TrimSpace(succeed(t, "generate", "flex", "-p", "jobs=60", "-o", dir))
	for _, limit := range []string{"1ms", "1s"} {
		file := filepath.Join(dir, "within-"+limit)
		e := schedgap(t, "solve", large, "-q", "-a", "opt", "--time-limit", limit, "--proof", file)
		if _, err := os.Stat(file); (err == nil) != (e.code == 0) || !strings.Contains(e.stdout, `"flex-000"`) || err != nil &&
			!strings.Contains(e.stderr, file) {
			t.Errorf("in %s: exit %d with a proof's file %v: %s", limit, e.code, err, e.stderr)
		}
	}
	if e := schedgap(t, "solve", shared+"one-slot.json", "-q", "-a", "lb", "-o", file+".none"); e.code != exitFailed ||
		!strings.Contains(e.stdout, `"bound"`) || !strings.Contains(e.stderr, "no solution") {
		t.Errorf("a bound's solution: exit %d, %q, %q", e.code, e.stdout, e.stderr)
	}
	if e := schedgap(t, "solve", shared+"one-slot.json", "-a", "spt", "--proof", filepath.Join(dir, "none")); e.code != 2 ||
		!strings.Contains(e.stderr, "no proofs") {
		t.Errorf("spt --proof: exit %d, %q", e.code, e.stderr)
	}
}

// schedcheck is a build of that program, which all tests have in common.
var schedcheck = sync.OnceValues(func() (file string, err error) {
	file = filepath.Join(shelf, "schedcheck")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", file, "../schedcheck")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return file, nil
})

// TestSchedcheck: schedcheck prints what check and verify print, and ends with their exit codes.
func TestSchedcheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program, err := schedcheck()
	if err != nil {
		t.Fatal(err)
	}
	instance, other := shared+"one-slot.json", shared+"ties.json"
	proven, solution := filepath.Join(dir, "proof.gz"), filepath.Join(dir, "solution.json")
	s := solve(t, 0, instance, "-a", "opt", "--proof", proven, "-o", solution)
	wrong := strings.Replace(string(s.Solution), `"objective":`, `"objective":1`, 1)
	for name, c := range map[string]struct {
		code int
		args []string
	}{
		"feasible":         {0, []string{"check", instance, solution}},
		"a wrong claim":    {1, []string{"check", instance, write(t, dir, "wrong.json", wrong)}},
		"another solution": {2, []string{"check", other, solution}},
		"proven":           {0, []string{"verify", instance, proven}},
		"another proof":    {1, []string{"verify", other, proven}},
		"no proof":         {2, []string{"verify", instance, solution}},
		"no file":          {2, []string{"verify", instance, filepath.Join(dir, "none")}},
		"nothing":          {2, []string{"check"}},
	} {
		want := schedgap(t, c.args...)
		var stdout, stderr bytes.Buffer
		check := exec.CommandContext(t.Context(), program, c.args...)
		check.Stdout, check.Stderr = &stdout, &stderr
		if err := check.Run(); err != nil && check.ProcessState == nil {
			t.Fatal(err)
		}
		if code := check.ProcessState.ExitCode(); want.code != c.code || code != c.code || stdout.String() != want.stdout ||
			(stderr.Len() == 0) != (want.stderr == "") {
			t.Errorf("%s: exit %d, %q, %q; schedgap: exit %d, %q, %q", name, code, stdout.String(), stderr.String(), want.code,
				want.stdout, want.stderr)
		}
	}
}

// The verifier in Python prints names in UTF-8 wherever it runs, on standard output and in sentences about bad input.
func TestCheckproofWithoutUTF8(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	dir := t.TempDir()
	instance := write(t, dir, "ä.json", strings.Replace(read(t, shared+"one-slot.json"), `"one-slot"`, `"ä≤ö"`, 1))
	file := filepath.Join(dir, "proof ü.gz")
	succeed(t, "solve", instance, "-a", "opt", "--proof", file)
	for _, c := range []struct {
		code int
		args []string
		says string
	}{{0, []string{instance, file}, `"verified"`}, {2, []string{instance, filepath.Join(dir, "no file ß")}, "no file"}} {
		for _, env := range [][]string{{"PYTHONIOENCODING=ascii"}, {"LC_ALL=C", "PYTHONUTF8=0", "PYTHONCOERCECLOCALE=0"}} {
			cmd := exec.Command("python3", append([]string{scripts + "checkproof.py"}, c.args...)...)
			cmd.Env = append(os.Environ(), env...)
			out, err := cmd.CombinedOutput()
			code := cmd.ProcessState.ExitCode()
			if code != c.code || !strings.Contains(string(out), c.says) || strings.Contains(string(out), "Traceback") {
				t.Errorf("%q of %q: exit %d, %v: %s", env, c.args, code, err, out)
			}
		}
	}
}

// A run keeps the proofs of its bounds, with their hashes in the rows, and verify accepts them.
func TestRunKeepsProofs(t *testing.T) {
	t.Parallel()
	for problem, text := range map[string]string{
		"redundancy": "{n: 2, seed: 1, params: {jobs: 5}}\nalgorithms: [lb-price, srpt+r]\n",
		"cloning":    "{n: 2, seed: 1, params: {jobs: 8}}\nalgorithms: [lb-price, srpt]\n",
		"flex":       "{n: 2, seed: 1, params: {jobs: 5, aggregate: max}}\nalgorithms: [lb-price, fifo]\n",
	} {
		t.Run(problem, func(t *testing.T) {
			dir := t.TempDir()
			suite := write(t, dir, "s.yaml", "name: s\nproblem: "+problem+"\ninstances:\n  - generate: "+text)
			results := filepath.Join(dir, "results")
			succeed(t, "run", suite, "-o", results)
			d := store.Open(results)
			rows, bad, err := d.Records(t.Context())
			if err != nil || len(bad) > 0 || len(rows) != 4 {
				t.Fatalf("%d rows, %v, %v", len(rows), bad, err)
			}
			for _, r := range rows {
				if r.Algorithm != "lb-price" {
					if r.ProofSHA256 != nil {
						t.Errorf("%s has a proof", r.Algorithm)
					}
					continue
				}
				data, err := d.Proof(r.UnitID)
				if err != nil || r.ProofSHA256 == nil || models.Digest(data) != *r.ProofSHA256 {
					t.Fatalf("the proof's hash is not the row's: %v", err)
				}
				succeed(t, "verify", d.InstancePath(r.InstanceSHA256), d.ProofPath(r.UnitID))
			}
		})
	}
}

// With --proofs a run has proofs of optima, too, made and checked beside the rows; the report counts them. The other commands
// that write proofs refuse what has none in one sentence.
func TestProofsOfOptima(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for problem, source := range map[string]string{
		"pocd": "{n: 2, seed: 1, params: {jobs: 4}}", "speculation": "{n: 2, seed: 1, params: {stragglers: 4, slots: 4}}",
	} {
		suite := write(t, dir, problem+".yaml", "name: "+problem+"\nproblem: "+problem+"\ninstances:\n  - generate: "+source+"\nalgorithms: [opt, none]\n")
		results := filepath.Join(dir, problem)
		succeed(t, "run", suite, "-o", results, "--proofs")
		unproven := filepath.Join(dir, problem+"-unproven")
		succeed(t, "run", suite, "-o", unproven)
		for folder, want := range map[string]bool{results: false, unproven: true} {
			if e := schedgap(t, "run", suite, "-o", folder, "--proofs"); e.code != 0 ||
				strings.Contains(e.stderr, "not run again for a proof: 2 of the units") != want {
				t.Errorf("%s again: exit %d, %q", folder, e.code, e.stderr)
			}
		}
		d := store.Open(results)
		rows, bad, err := d.Records(t.Context())
		if err != nil || len(bad) > 0 || len(rows) != 4 {
			t.Fatalf("%d rows, %v, %v", len(rows), bad, err)
		}
		for _, r := range rows {
			if r.Algorithm != "opt" {
				if r.ProofSHA256 != nil || r.ProofVerified != nil {
					t.Errorf("%s has a proof", r.Algorithm)
				}
				continue
			}
			if r.ProofVerified == nil || *r.ProofVerified != "optimum" {
				t.Fatalf("%s of %s: the proof is %v", r.Algorithm, r.Instance, r.ProofVerified)
			}
			e := schedgap(t, "verify", d.InstancePath(r.InstanceSHA256), d.ProofPath(r.UnitID))
			var v referee.Verdict
			if err := json.Unmarshal([]byte(e.stdout), &v); err != nil || !v.Verified || !v.Optimal || v.Value == nil ||
				*v.Gap != *v.Value-*v.Bound {
				t.Errorf("%v, %s", err, e.stdout)
			}
		}
		page := filepath.Join(dir, problem+"-report")
		succeed(t, "report", results, "-o", page)
		text, err := os.ReadFile(filepath.Join(page, "index.html"))
		if err != nil || !strings.Contains(string(text), "Proven and verified") {
			t.Errorf("the report of %s does not say what is verified: %v", problem, err)
		}
	}
	file := filepath.Join(dir, "none")
	for reason, args := range map[string][]string{
		"gives no proofs":  {"-a", "opt", "--solver", "cbc"},
		"not by the model": {"-a", "opt", "--model", "position"},
		"see: schedgap":    {"-a", "fifo"},
	} {
		e := schedgap(t, append([]string{"solve", shared + "one-slot.json", "--proof", file}, args...)...)
		if e.code != 2 || strings.Count(e.stderr, "\n") != 1 || !strings.Contains(e.stderr, reason) {
			t.Errorf("%v: exit %d, %q", args, e.code, e.stderr)
		}
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a proof was written")
	}
}

// TestVerifyOwnMetrics: a proof is of an instance of one metric; of one whose jobs name their own nothing is written, and nothing
// is proven.
func TestVerifyOwnMetrics(t *testing.T) {
	dir := t.TempDir()
	jobs := `{"id":"a","work":8,"deadline":1},{"id":"b","work":1,"deadline":1`
	one := write(t, dir, "one.json", flexFile(`"slots":4`, jobs+"}", "tardiness", "sum"))
	own := write(t, dir, "own.json", flexFile(`"slots":4`, jobs+`,"metric":"tardiness"}`, "tardiness", "sum"))
	proof := filepath.Join(dir, "x.proof")
	succeed(t, "solve", one, "-a", "opt", "--proof", proof)
	succeed(t, "verify", one, proof)
	if e := schedgap(t, "verify", own, proof); e.code != 1 || !strings.Contains(e.stdout, `"verified":false`) ||
		!strings.Contains(e.stdout, "metric of its own") {
		t.Errorf("exit %d, %s%s", e.code, e.stdout, e.stderr)
	}
	none := filepath.Join(dir, "none.proof")
	if e := schedgap(t, "solve", own, "-a", "opt", "--proof", none); e.code != 1 ||
		!strings.Contains(e.stderr, "has no proof of its result") {
		t.Errorf("exit %d, %s", e.code, e.stderr)
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("a proof is written")
	}
}
