package worker

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/bench/run/sysinfo"
)

// scripted is a worker process by hand. It writes a line to its first argument, says that it is ready as the build of its second, skips
// as many units as its third says, and ends with the next one in its hands. With the third "mute" it is never ready, with "deaf" it reads
// nothing, and as the first process of a namespace it fails.
const scripted = `[ $$ = 1 ] && exit 1
echo >>"$1"
[ "$3" = mute ] && exit 1
[ "$3" = deaf ] && exec <&-
echo "{\"kind\":\"ready\",\"build\":\"$2\"}"
[ "$3" = deaf ] && exit
for n in $(seq "$3"); do
	read -r l; id=${l%%,*}; id=${id#*:}
	echo "{\"kind\":\"start\",\"id\":$id}"; echo "{\"kind\":\"result\",\"id\":$id,\"result\":{\"status\":\"skipped\"}}"
done
read -r l`

// A process that fails before it has begun with a unit is started three times at most. An algorithm that a new process cannot begin with
// is at fault at once.
func TestStarts(t *testing.T) {
	for name, c := range map[string]struct {
		serves  string
		command bool
		units   int
		starts  int
		status  bench.Status // of the last unit; empty: no process could be used
	}{
		"never ready":            {"mute", false, 1, 3, ""},
		"reads nothing":          {"deaf", false, 1, 3, ""},
		"first unit":             {"0", false, 1, 1, bench.Crash},
		"second unit":            {"1", false, 2, 2, bench.Skipped},
		"supervisor":             {"0", true, 1, 3, bench.Crash},
		"supervisor, no luck":    {"mute", true, 1, 3, ""},
		"supervisor, namespaces": {"1", true, 1, 1, bench.Skipped},
	} {
		t.Run(name, func(t *testing.T) {
			if c.serves != "deaf" { // a process that another test starts holds this one's pipe until it runs, so that writing succeeds
				t.Parallel()
			}
			log := filepath.Join(t.TempDir(), "starts")
			w := New(Options{Command: []string{"sh", "-c", scripted, "sh", log, sysinfo.BuildID(), c.serves}})
			defer w.Close()
			var res *bench.Result
			var err error
			for range c.units {
				res, err = w.Run(t.Context(), unitOf(t, c.command, bench.Limits{}))
			}
			if (err != nil) != (c.status == "") || err == nil && res.Status != c.status {
				t.Errorf("%+v, %v; want %q", res, err, c.status)
			}
			if text, err := os.ReadFile(log); err != nil || bytes.Count(text, []byte("\n")) != c.starts {
				t.Errorf("%d starts, want %d, %v", bytes.Count(text, []byte("\n")), c.starts, err)
			}
		})
	}
}

// What Probe finds is there or has a reason why not.
func TestProbe(t *testing.T) {
	o := Options{Command: []string{os.Args[0]}, Env: []string{"SCHEDGAP_TEST_WORKER=1"}}
	m, err := Probe(t.Context(), o)
	if err != nil || m.Namespaces != (m.WhyNamespaces == "") || m.Supervised != (m.Missing == "" && m.WhySupervised == "") ||
		m.WhySupervised != "" || m.Cgroups != (m.WhyCgroups == "") {
		t.Errorf("%+v, %v", m, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if m, err := Probe(ctx, o); !errors.Is(err, context.Canceled) || m.Namespaces || m.Supervised {
		t.Errorf("interrupted: %+v, %v", m, err)
	}
}

// Commands are confined where they can be, without namespaces if the user wants it so. Their supervisor has the name of this process.
func TestConfine(t *testing.T) {
	t.Setenv("SCHEDGAP_TEST_WORKER", "1")
	if _, why := tryConfined(); why != "" {
		t.Skip(why) // the system has neither namespaces nor Landlock
	}
	for _, namespaces := range []bool{true, false} {
		if !namespaces {
			t.Setenv(namespacesVariable, "off")
		} else if m, err := Probe(t.Context(), Options{}); err != nil {
			t.Fatal(err)
		} else if !m.Namespaces {
			continue
		}
		c, err := Confine(t.Context())
		if err != nil || c.how.Namespace != namespaces || c.Says == "" || strings.Contains(c.Says, "no namespaces") {
			t.Fatalf("namespaces %v: %+v, %v", namespaces, c, err)
		}
		w := New(Options{Confined: c, Solutions: 100})
		defer w.Close()
		u := unitOf(t, true, bench.Limits{})
		name := filepath.Join(t.TempDir(), "name")
		u.Request.Command = []string{"sh", "-c", "cat /proc/$PPID/cmdline >" + name + "; exit 77"}
		res, err := w.Run(t.Context(), u)
		text, bad := os.ReadFile(name)
		if err != nil || bad != nil || res.Status != bench.Skipped || !bytes.HasPrefix(text, []byte(os.Args[0])) {
			t.Errorf("%+v, %v; %q, %v", res, err, text, bad)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if c, err := Confine(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %+v, %v", c, err)
	}
}

// A command without namespaces that kills its supervisor or what is above it reaches the guard at most.
func TestGuard(t *testing.T) {
	w := New(Options{Command: []string{os.Args[0]}, Env: []string{"SCHEDGAP_TEST_WORKER=1"}, Plain: true}).Guarded()
	defer w.Close()
	for _, c := range []struct {
		script string
		status bench.Status
		says   string
	}{
		{"kill -9 $PPID; read x </dev/zero", bench.Crash, "died (exit status 1)"},
		{`read -r _ _ _ up _ </proc/$PPID/stat; kill -9 $up; read x </dev/zero`, bench.Crash, "died (signal: killed)"},
		{"exit 77", bench.Skipped, ""},
	} {
		u := unitOf(t, true, bench.Limits{})
		u.Request.Command = []string{"sh", "-c", c.script}
		if res, err := w.Run(t.Context(), u); err != nil || res.Status != c.status || !strings.Contains(res.Error, c.says) {
			t.Errorf("%s: %+v, %v", c.script, res, err)
		}
	}
}
