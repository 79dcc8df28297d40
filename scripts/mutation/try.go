package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// What becomes of a change.
const (
	killed    = "killed" // a test fails
	late      = "late"   // the tests take several times as long
	lived     = "lived"
	unreached = "not reached" // by any test
)

//go:embed operators.txt
var operators string

// A test is one of the package's, which passes without a change.
type test struct {
	name      string
	cpu, wall time.Duration
	reaches   map[int]bool
}

// A bench is where the changed package is tested.
type bench struct {
	dir, program string // temporary folder, and the test program in it
	home         string // the package's folder
	flags        []string
}

// try tests all changes and calls end with what becomes of each.
func try(f *finder, p packageOf, end func(mutant, string)) error {
	dir, err := os.MkdirTemp("", "schedgap-mutation-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{dir: dir, program: filepath.Join(dir, "mutants.test"), home: p.Dir}
	if err := b.build(f, p); err != nil {
		return err
	}
	help, _ := b.command(0, "", "-h").CombinedOutput() // which ends with 2
	if bytes.Contains(help, []byte("-rapid.nofailfile")) {
		b.flags = []string{"-rapid.nofailfile"} // else cases that one change fails would be tried on the next
	}
	tests, err := b.tests()
	if err != nil {
		return err
	}
	slices.SortFunc(tests, func(a, b test) int { return cmp.Compare(a.cpu, b.cpu) })
	for i, m := range f.mutants {
		status, err := b.one(i+1, tests)
		if err != nil {
			return err
		}
		end(m, status)
	}
	return nil
}

// build compiles the tests with all changes in.
func (b *bench) build(f *finder, p packageOf) error {
	replace := map[string]string{}
	put := func(name string, text []byte) error {
		file := filepath.Join(b.dir, filepath.Base(name))
		replace[filepath.Join(p.Dir, filepath.Base(name))] = file
		return os.WriteFile(file, text, 0o666)
	}
	for name, edits := range f.edits {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		err = put(name, changed(text, edits))
		if err != nil {
			return err
		}
	}
	err := put("mutants.go", []byte(strings.Replace(operators, "PACKAGE", p.Name, 1)))
	if err != nil {
		return err
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	overlay := filepath.Join(b.dir, "overlay.json")
	err = os.WriteFile(overlay, list, 0o666)
	if err != nil {
		return err
	}
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", b.program, p.Dir).CombinedOutput()
	if err != nil {
		return fmt.Errorf("the changed package does not compile: %w\n%s", err, out)
	}
	return nil
}

// tests runs every test alone without a change.
func (b *bench) tests() ([]test, error) {
	_, err := os.Stat(b.program)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil // the package has none
	}
	out, err := b.command(-1, "", "-test.list=.").Output()
	if err != nil {
		return nil, fmt.Errorf("listing tests: %w", err)
	}
	var all []test
	for name := range strings.Lines(string(out)) {
		t := test{name: strings.TrimSpace(name), reaches: map[int]bool{}}
		if !regexp.MustCompile("^(Test|Example|Fuzz)").MatchString(t.name) {
			continue
		}
		seen := filepath.Join(b.dir, "reached")
		err := os.WriteFile(seen, nil, 0o666)
		if err != nil {
			return nil, err
		}
		cmd := b.command(-1, seen, "-test.run=^"+t.name+"$")
		start := time.Now()
		out, err := cmd.CombinedOutput()
		t.wall = time.Since(start)
		if err != nil {
			return nil, fmt.Errorf("%s fails without a change: %w\n%s", t.name, err, out)
		}
		t.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		list, err := os.ReadFile(seen)
		if err != nil {
			return nil, err
		}
		for _, number := range bytes.Fields(list) {
			i, err := strconv.Atoi(string(number))
			if err != nil {
				return nil, fmt.Errorf("what %s reaches: %w", t.name, err)
			}
			t.reaches[i] = true
		}
		all = append(all, t)
	}
	return all, nil
}

const (
	// quick is the longest time of the tests that are tried first.
	quick = 200 * time.Millisecond
	// times and more are how much longer tests may take with a change than without, in processor time.
	times = 5
	more  = time.Second
	// patience is as many times as long as tests took by the clock, and a minute: tests that wait for ever use no processor.
	patience = 10
	// memory is the address space in KiB that a test may have.
	memory = 16 << 20
)

// one runs the tests that reach a change, quick ones first.
func (b *bench) one(i int, tests []test) (string, error) {
	status := unreached
	var phases [2]struct {
		names     []string
		cpu, wall time.Duration
	}
	for _, t := range tests {
		if t.reaches[i] {
			phase := &phases[0]
			if t.cpu > quick {
				phase = &phases[1]
			}
			phase.names, phase.cpu, phase.wall = append(phase.names, t.name), phase.cpu+t.cpu, phase.wall+t.wall
		}
	}
	for _, phase := range phases {
		if len(phase.names) == 0 {
			continue
		}
		limit, clock := times*phase.cpu+more, patience*phase.wall+time.Minute
		cmd := b.command(i, "", "-test.failfast", "-test.timeout="+clock.String(), "-test.run=^("+strings.Join(phase.names, "|")+")$")
		cmd.Args = append([]string{
			"sh", "-c", fmt.Sprintf(`ulimit -t %d && ulimit -v %d && exec "$@"`, int(limit.Seconds())+1, memory), "sh",
		}, cmd.Args...)
		shell, err := exec.LookPath("sh")
		if err != nil {
			return "", err
		}
		cmd.Path = shell
		out, err := cmd.CombinedOutput()
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what a broken test leaves running
		if exit := new(exec.ExitError); errors.As(err, &exit) {
			if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() || bytes.Contains(out, []byte("panic: test timed out")) {
				return late, nil
			}
			return killed, nil
		} else if err != nil {
			return "", err
		}
		status = lived
	}
	return status, nil
}

// command is the test program with a change on.
func (b *bench) command(i int, seen string, args ...string) *exec.Cmd {
	cmd := exec.Command(b.program, append(args, b.flags...)...)
	cmd.Dir, cmd.Env = b.home, append(os.Environ(), "SCHEDGAP_MUTANT="+strconv.Itoa(i), "SCHEDGAP_MUTANTS="+seen)
	cmd.SysProcAttr, cmd.WaitDelay = &syscall.SysProcAttr{Setpgid: true}, time.Second
	return cmd
}
