package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"schedgap/models/fail"
	"schedgap/models/trials"
)

// lacking is the mode in which the test binary becomes another program, as a user, on a kernel that refuses some things.
const lacking = "lacking"

func TestMain(m *testing.M) {
	if len(os.Args) > 4 && os.Args[1] == lacking {
		fmt.Fprintln(os.Stderr, become(os.Args[2], os.Args[3], os.Args[4:]))
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(shelf)
	os.Exit(code)
}

// shelf is a folder for the program, which is built once for all tests.
var shelf string

func built(t *testing.T) string {
	t.Helper()
	if shelf == "" {
		dir, err := os.MkdirTemp("", "schedgap-built-")
		fail.On(t, err)
		shelf = dir
		must(t, "go", "build", "-ldflags", "-s -w", "-o", filepath.Join(shelf, "schedgap"), "../../../cmd/schedgap")
	}
	return filepath.Join(shelf, "schedgap")
}

func become(user, what string, command []string) error {
	runtime.LockOSThread()
	var r rules
	if strings.Contains(what, "users") { // as containers and some distributions have it
		for _, call := range []uint32{unix.SYS_CLONE, unix.SYS_UNSHARE} {
			r.deny(call, unix.EPERM, load(argumentAt), jump(unix.BPF_JSET, unix.CLONE_NEWUSER, 0, 1))
		}
	}
	if strings.Contains(what, "landlock") {
		r.deny(unix.SYS_LANDLOCK_CREATE_RULESET, unix.ENOSYS)
	}
	if os.Getuid() != 0 {
		_ = unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	}
	if err := filter(r); err != nil {
		return err
	}
	if id, _ := strconv.Atoi(user); id != os.Getuid() {
		for _, call := range [][4]uintptr{
			{unix.SYS_SETGROUPS},
			{unix.SYS_SETRESGID, uintptr(id), uintptr(id), uintptr(id)},
			{unix.SYS_SETRESUID, uintptr(id), uintptr(id), uintptr(id)},
		} {
			if _, _, err := unix.RawSyscall(call[0], call[1], call[2], call[3]); err != 0 {
				return err
			}
		}
	}
	return unix.Exec(command[0], command, os.Environ())
}

// probe is an honest command that first tries whatever it should not be able to do, and what it should.
const probe = `import json, os, socket, subprocess, sys
def refused(f, *args):
    try: f(*args)
    except OSError: return
    sys.exit("%s%s was possible" % (f.__name__, args))
i = json.load(open("/dev/stdin")); n = [j["id"] for j in i["jobs"]]
for path in "@DIR/cache", "@DIR/bin/schedgap", "@DIR/bin", "/etc/shadow", "/root", "/proc/%d/environ" % os.getppid(), "/proc/1/environ", "/sys/kernel":
    refused(os.listdir, path); refused(open, path)
for path in "here", "/tmp/here", "/var/tmp/here", "/dev/shm/../here", "/proc/sys/kernel/core_pattern", "@DIR/here", __file__:
    refused(open, path, "w")
for path in __file__, sys.executable:
    for change in (os.chmod, 0o755), (os.chown, -1, -1), (os.utime, (1, 1)), (os.setxattr, "user.x", b"x"), (os.removexattr, "user.x"):
        refused(change[0], path, *change[1:])
for kind in socket.AF_INET, socket.AF_UNIX, socket.AF_NETLINK: refused(socket.socket, kind)
for signal in 0, 9, 19: # without Landlock and with the same user they arrive, and do nothing
    (refused if sys.argv[1] else os.kill)(*[os.kill] * bool(sys.argv[1]), os.getppid(), signal)
for kind in socket.SOCK_DGRAM, socket.SOCK_RAW: refused(socket.socketpair, socket.AF_UNIX, kind)
socket.socketpair(); socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET); open("/dev/null", "w").write("x"); os.urandom(1)
with open(os.environ["TMPDIR"] + "/own", "w") as f: f.write("1")
os.rename(os.environ["TMPDIR"] + "/own", os.environ["HOME"] + "/other")
assert subprocess.run([sys.executable, "-c", "print(1)"], stdout=subprocess.PIPE).stdout == b"1\n"
assert subprocess.run("exit 3", shell=True).returncode == 3
assert set(os.environ) - {"LC_CTYPE"} == {"HOME", "TMPDIR", "PATH", "PYTHONHASHSEED", "LANG", "SCHEDGAP_SEED", "SCHEDGAP_THREADS", "SCHEDGAP_TIME_LIMIT_SECONDS"}, os.environ
print(json.dumps({"problem":"flex","instance":i["name"],"algorithm":"x","intervals":[{"start":0,"end":2,"slots":{n[0]:1,n[1]:1}},{"start":2,"end":4,"slots":{n[2]:1}}]}))
`

type finding struct {
	Name, Says string
	OK         bool
}

// must ends the test where a command fails.
func must(t *testing.T, command ...string) {
	t.Helper()
	if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// levels makes a folder that other users reach, with an example, and returns a function that runs the program there as a user on a
// system that lacks something.
func levels(t *testing.T) (dir string, run func(user, lack, namespaces string, args ...string) (stdout, stderr string, code int)) {
	dir, err := os.MkdirTemp("", "schedgap-levels-")
	fail.On(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	program, self := filepath.Join(dir, "bin", "schedgap"), filepath.Join(dir, "test")
	own, err := os.Executable()
	fail.On(t, err)
	must(t, "mkdir", filepath.Dir(program))
	must(t, "cp", built(t), program)
	must(t, "cp", own, self)
	must(t, "cp", "../../../models/flex/examples/rotate.json", dir)
	must(t, "mkdir", "-m", "777", filepath.Join(dir, "cache"), filepath.Join(dir, "tmp"))
	must(t, "chmod", "755", dir, self)
	return dir, func(user, lack, namespaces string, args ...string) (stdout, stderr string, code int) {
		cmd := exec.Command(self, append([]string{lacking, user, lack, program}, args...)...)
		cmd.Dir = dir
		cmd.Env = []string{
			"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=" + dir, "TMPDIR=" + filepath.Join(dir, "tmp"),
			"SCHEDGAP_CACHE=" + filepath.Join(dir, "cache"),
			"SCHEDGAP_NAMESPACES=" + namespaces, "SECRET=x",
		}
		var said strings.Builder
		cmd.Stderr = &said
		out, _ := cmd.Output()
		return string(out), said.String(), cmd.ProcessState.ExitCode()
	}
}

// users are this one and, where that is root, one without rights.
func users() []string {
	list := []string{strconv.Itoa(os.Getuid())}
	if os.Getuid() == 0 {
		list = append(list, "65534")
	}
	return list
}

// TestLanguages: programs of Node, Java, Go and C with OpenMP, which use several threads, run in the sandbox, with namespaces and
// by Landlock alone; every night each of them in all ways, else in one, together in all.
func TestLanguages(t *testing.T) {
	dir, run := levels(t)
	for k, c := range []struct {
		needs string
		build []string
		run   []string
	}{
		{"/usr/bin/node", nil, []string{"/usr/bin/node", "mine.js"}},
		{"/usr/bin/javac", []string{
			"sh", "-c", `javac -d "$0/classes" testdata/Mine.java && jar --create --file "$0/mine.jar" --main-class Mine -C "$0/classes" .`, dir,
		}, []string{"/usr/bin/java", "-XX:TieredStopAtLevel=1", "-jar", "mine.jar"}},
		{"go", []string{"go", "build", "-o", filepath.Join(dir, "mine-go"), "testdata/mine.go"}, []string{"./mine-go"}},
		{"gcc", []string{"gcc", "-fopenmp", "-o", filepath.Join(dir, "mine-c"), "testdata/mine.c"}, []string{"./mine-c"}},
	} {
		t.Run(filepath.Base(c.needs), func(t *testing.T) {
			if _, err := exec.LookPath(c.needs); err != nil {
				t.Skip(err)
			}
			must(t, "cp", "testdata/mine.js", dir)
			if c.build != nil {
				must(t, c.build...)
			}
			for i, user := range users() {
				for j, namespaces := range []string{"", "off"} {
					if !trials.Whole() && k%(2*len(users())) != 2*i+j {
						continue
					}
					out, said, code := run(user, "", namespaces, append([]string{
						"-q", "evaluate", "flex", "--time-limit", "60s", "--files", "rotate.json", "--",
					}, c.run...)...)
					if code != 0 || !strings.Contains(out, `"combined_score":0.75`) {
						t.Errorf("user %s, namespaces %q: exit %d: %s%s", user, namespaces, code, out, said)
					}
				}
			}
		})
	}
}

// TestLevels: as root, as a user, without user namespaces and without Landlock a command is confined in the same way, by what
// there is, and where that does not suffice it is refused in one sentence.
func TestLevels(t *testing.T) {
	const python = "/usr/bin/python3"
	if _, err := os.Stat(python); err != nil {
		t.Skip(err)
	}
	dir, run := levels(t)
	file, example := filepath.Join(dir, "probe.py"), filepath.Join(dir, "rotate.json")
	fail.On(t, os.WriteFile(file, []byte(strings.ReplaceAll(probe, "@DIR", dir)), 0o644))
	for _, user := range users() {
		for _, c := range []struct {
			lack, namespaces string
			want             []string
		}{
			{"", "", []string{"Landlock", "namespaces"}},
			{"landlock", "", []string{"namespaces"}},
			{"users", "", []string{"Landlock"}},
			{"", "off", []string{"Landlock"}},
			{"users,landlock", "off", nil},
		} {
			if user == "0" && c.lack == "users" {
				c.want = append(c.want, "namespaces") // root needs none for users
			}
			t.Run(fmt.Sprintf("user %s without %s%s", user, c.lack, c.namespaces), func(t *testing.T) {
				out, _, _ := run(user, c.lack, c.namespaces, "doctor", "--json")
				var list []finding
				if err := json.Unmarshal([]byte(out), &list); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				i := slices.IndexFunc(list, func(f finding) bool { return f.Name == "sandbox" })
				says, _, _ := strings.Cut(list[i].Says, ", but no namespaces (")
				t.Log(list[i].Says)
				for _, means := range []string{"Landlock", "namespaces"} {
					if want := slices.Contains(c.want, means); list[i].OK != (c.want != nil) || c.want != nil &&
						strings.Contains(says, means) != want {
						t.Errorf("%s: want %t of %+v", means, want, list[i])
					}
				}
				out, said, code := run(user, c.lack, c.namespaces, "-q", "evaluate", "flex", "--files", example, "--", python, file,
					map[bool]string{true: "refused"}[user == "0" || c.lack != "landlock"])
				switch {
				case c.want != nil && (code != 0 || !strings.Contains(out, `"combined_score":0.75`) || strings.Contains(out, `"sandbox"`)):
					t.Errorf("exit %d: %s%s", code, out, said)
				case c.want == nil && (code != 2 || out != "" || strings.Count(said, "\n") != 1 ||
					!strings.Contains(said, "this machine cannot confine a command")):
					t.Errorf("exit %d: %q %q", code, out, said)
				}
			})
		}
	}
}
