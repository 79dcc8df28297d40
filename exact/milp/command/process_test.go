package command

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"schedgap/exact/milp"
	"schedgap/models/fail"
	"schedgap/models/trials/await"
)

// shell is a Solver whose executable is a shell script that sees the arguments model and solution.
func shell(t *testing.T, script string) *Solver {
	t.Helper()
	s, err := shellIn(t.TempDir(), script)
	fail.On(t, err)
	return s
}

func shellIn(dir, script string) (*Solver, error) {
	path := filepath.Join(dir, "solver")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		return nil, err
	}
	return New(Config{Name: "script", Path: path, Args: []string{"{model}", "{solution}"}, Format: FormatSol})
}

// one is max x with x <= 2.
func one() *milp.Model {
	m := &milp.Model{Name: "one", Maximize: true, Cols: []milp.Col{{Name: "x", Hi: 5, Cost: 1, Integer: true}}}
	m.AddRow("r", -milp.Inf, 2, milp.Term{Coef: 1})
	return m
}

func TestScript(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   milp.Status
		err    string
	}{
		"optimal":        {`echo "Optimal solution found"; echo "x 2" >"$2"`, milp.Optimal, ""},
		"unknown answer": {`echo "Optimal-ish solution"; echo "x 2" >"$2"`, 0, "script: unexpected answer: Optimal-ish solution"},
		"no answer":      {`:`, 0, "unexpected answer"},
		"no solution":    {`echo "Optimal solution found"`, 0, "but no solution file"},
		"failure":        {`echo "licence expired" >&2; exit 3`, 0, "exit status 3: licence expired"},
		"wrong point":    {`echo "Optimal solution found"; echo "x 3" >"$2"`, 0, "it misses row r by"},
		"limit":          {`echo "Time limit reached"; echo "x 1" >"$2"`, milp.Limit, ""},
		"infeasible":     {`echo "Model is infeasible"`, milp.Infeasible, ""},
		"other folder":   {`pwd >"$2"; echo "Model is infeasible"; test -s "$1" || exit 1`, milp.Infeasible, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := shell(t, c.script).Solve(context.Background(), one(), milp.Options{})
			switch {
			case c.err != "":
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("error %v, want %q", err, c.err)
				}
			case err != nil:
				t.Error(err)
			case r.Status != c.want:
				t.Errorf("got %s, want %s", r.Status, c.want)
			}
		})
	}
}

// A group whose members ignore every polite signal, the first of them or not, is dead when Solve returns, and its folder is gone.
func TestKillsTheGroup(t *testing.T) {
	for name, first := range map[string]string{"ignores": `trap "" TERM INT`, "obeys": `trap "exit 3" TERM`} {
		t.Run(name, func(t *testing.T) { killsTheGroup(t, first) })
	}
}

func killsTheGroup(t *testing.T, first string) {
	pids := filepath.Join(t.TempDir(), "pids")
	s := shell(t, first+`
		sh -c 'trap "" TERM INT; while :; do sleep 1; done' &
		echo $$ $! "$2" >'`+pids+`'.new; mv '`+pids+`'.new '`+pids+`'
		while :; do sleep 1; done`)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var cancelled time.Time
	go func() {
		await.File(t, pids)
		cancelled = time.Now()
		cancel()
	}()
	r, err := s.Solve(ctx, one(), milp.Options{TimeLimit: time.Minute})
	if err != nil || r.Status != milp.Limit || r.X != nil {
		t.Fatalf("got %+v, %v, want limit without a point", r, err)
	}
	if late := time.Since(cancelled); late > 30*time.Second { // half the time limit
		t.Errorf("returned %s after the context was cancelled", late)
	}
	text, err := os.ReadFile(pids)
	fail.On(t, err)
	f := strings.Fields(string(text))
	for _, word := range f[:2] {
		pid, err := strconv.Atoi(word)
		fail.On(t, err)
		await.Gone(t, pid) // the system reaps the orphan, perhaps a little later
	}
	if exists(filepath.Dir(f[2])) {
		t.Errorf("%s was left behind", filepath.Dir(f[2]))
	}
}

// An executable that overruns the time limit is stopped, and what it writes at the signal counts. So does what a program writes that it
// started.
func TestInterrupted(t *testing.T) {
	const answer = `trap 'echo "Time limit reached"; echo "x 1" >"$0"; exit 0' TERM
		while :; do sleep .05; done`
	for name, script := range map[string]string{
		"itself":    strings.ReplaceAll(answer, "$0", "$2"),
		"a program": "cat >program <<'END'\n" + answer + "\nEND\nsh -c \"$(cat program)\" \"$2\" &\ntrap : TERM\nwait; wait",
	} {
		r, err := shell(t, script).Solve(context.Background(), one(), milp.Options{TimeLimit: 10 * time.Millisecond})
		if err != nil || r.Status != milp.Limit || r.X == nil || r.Objective != 1 {
			t.Errorf("%s: got %+v, %v, want the incumbent 1", name, r, err)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// The executable dies with the process that runs it, however that is killed.
func TestDiesWithItsParent(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), parentEnv+"="+pids, "TMPDIR="+t.TempDir())
	fail.On(t, cmd.Start())
	await.File(t, pids)
	fail.On(t, cmd.Process.Kill())
	_ = cmd.Wait() // killed, as it says
	text, err := os.ReadFile(pids)
	fail.On(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	fail.On(t, err)
	await.Gone(t, pid)
}

// parentEnv makes this test binary the parent of a script that writes its process id to the file of that name.
const parentEnv = "SCHEDGAP_TEST_PARENT"

func parent(pids string) error {
	s, err := shellIn(filepath.Dir(pids), "echo $$ >"+pids+".new; mv "+pids+".new "+pids+"; exec sleep 1000")
	if err != nil {
		return err
	}
	_, err = s.Solve(context.Background(), one(), milp.Options{})
	return err
}
