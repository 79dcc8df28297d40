package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"schedgap/bench/score/evaluate"
	"schedgap/models/trials"
)

// TestCheatsThrice: three times under one seed a cheat gets what its honest part is worth, as root and as a user, with namespaces
// and by Landlock alone: nothing is left behind, not even outside of the folders that are looked at.
func TestCheatsThrice(t *testing.T) {
	if !alone(t) {
		return
	}
	const python = "/usr/bin/python3" // which another user reaches
	if _, err := os.Stat(python); err != nil {
		t.Skip(err)
	}
	instances, programs, built := scene(t)
	type way struct {
		cheat, namespaces string
		strict            float64
		user              int
	}
	var ways []way
	for _, c := range cheats {
		for _, namespaces := range []string{"", "off"} {
			if c.name == "disk" && namespaces == "off" {
				continue // each file has a limit there, all together have none (docs/evaluate.md)
			}
			ways = append(ways, way{c.name, namespaces, c.strict, os.Getuid()})
			if os.Getuid() == 0 {
				ways = append(ways, way{c.name, namespaces, c.strict, 65534})
			}
		}
	}
	trials.Rand(t, 5, 41).Shuffle(len(ways), func(i, j int) { ways[i], ways[j] = ways[j], ways[i] })
	n := len(ways)
	if count := trials.Count(n); count < n { // three processes each for a few
		n = max(4, count/16)
	}
	for _, w := range ways[:n] {
		t.Run(fmt.Sprintf("%s user %d namespaces %q", w.cheat, w.user, w.namespaces), func(t *testing.T) {
			home := t.TempDir()
			if err := errors.Join(os.Chmod(filepath.Dir(home), 0o755), os.Chmod(home, 0o777)); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				cmd := exec.Command(built, "-q", "evaluate", "flex", "--seed", "7", "--time-limit", limited(w.cheat), "--files",
					tried(instances, w.cheat), "--", python, candidate(programs, w.cheat))
				cmd.Env = append(os.Environ(), "HOME="+home, "TMPDIR="+home, "SCHEDGAP_CACHE="+home, "SCHEDGAP_NAMESPACES="+w.namespaces)
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(w.user), Gid: uint32(os.Getgid())}}
				if w.user == os.Getuid() {
					cmd.SysProcAttr = nil
				}
				var said strings.Builder
				cmd.Stderr = &said
				out, err := cmd.Output()
				var o evaluate.Outcome
				if err != nil || json.Unmarshal(out, &o) != nil || math.Abs(o.Score-w.strict) > 1e-9 {
					t.Errorf("%v, want %v: %v: %s%s", o.Score, w.strict, err, out, said.String())
				}
			}
		})
	}
}
