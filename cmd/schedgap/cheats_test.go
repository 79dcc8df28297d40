package main

import (
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"schedgap/bench/run/worker"
	"schedgap/models/trials"
)

// What scores are written as, beside 0 and 1.
const (
	unsafe   = -1 // it is not run without a sandbox
	more     = 2  // than in the sandbox: not every instance comes after another
	honestly = 0.75
)

// cheats are the programs of bench/score/evaluate/cheats with the scores that they get: in the sandbox what their honest part is worth,
// 0 or 0.75, and without it, where they may run so, what they steal.
var cheats = []struct {
	name         string
	strict, open float64
}{
	{"nan", 0, 0},
	{"infinite", 0, 0},
	{"huge", 0, 0},
	{"claims", 0, 0},
	{"another", 0, 0},
	{"slots", 0, 0},
	{"twice", 0, 0},
	{"score", 0, 0},
	{"stderr", honestly, honestly},
	{"ids", 0, 0},
	{"name", honestly, honestly},
	{"hash", honestly, honestly},
	{"size", honestly, honestly},
	{"path", honestly, 1},
	{"absolute", honestly, 1},
	{"copy", honestly, 1},
	{"proc", honestly, 1},
	{"library", honestly, 1},
	{"cache", honestly, 1},
	{"results", honestly, 1},
	{"linked", honestly, honestly},
	{"environment", honestly, 1},
	{"descriptor", honestly, 1},
	{"itself", honestly, more},
	{"left", honestly, more},
	{"shared", honestly, more},
	{"daemon", honestly, unsafe},
	{"network", honestly, 1},
	{"signals", honestly, honestly},
	{"ptrace", honestly, unsafe},
	{"limits", honestly, 1},
	{"namespaces", honestly, unsafe},
	{"architecture", 0, unsafe},
	{"preload", honestly, honestly},
	{"flood", 0, 0},
	{"disk", honestly, unsafe},
	{"memory", 0, 0},
	{"bomb", 0, unsafe},
	{"late", 0, 0},
	{"crash", 0, 0},
	{"attribute", honestly, more},
	{"dated", honestly, more},
	{"hardlink", honestly, 1},
	{"orphan", honestly, honestly},
	{"stopped", 0, 0},
	{"owner", honestly, unsafe},
	{"sibling", honestly, unsafe},
	{"nested", 0, 0},
	{"digits", honestly, honestly},
	{"skip", 0, 0},
	{"locks", honestly, honestly},
	{"device", honestly, more},
	{"pages", honestly, unsafe},
	{"priority", honestly, unsafe},
	{"filter", honestly, 1},
	{"grown", honestly, honestly},
	{"closed", honestly, honestly},
}

// several are those that look for what another instance left behind, or leave something for it. The others are as bad on one.
var several = []string{
	"another", "twice", "ids", "itself", "left", "shared", "daemon", "signals", "ptrace", "disk", "attribute", "dated", "hardlink",
	"orphan", "stopped",
	"owner", "sibling", "skip", "locks", "device", "pages", "grown", "closed",
}

// scene has in place all that the cheats look for, and returns the folders of instances and of cheats, and a build of this program.
func scene(t *testing.T) (instances, programs, program string) {
	t.Helper()
	if _, err := worker.Confine(t.Context()); err != nil {
		t.Skipf("CHEATS ARE NOT TRIED: %v", err)
	}
	set := cached(t)
	for name, value := range set { // for what the cheats start
		t.Setenv(name, value)
	}
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // other users reach it
		t.Fatal(err)
	}
	folder := func(name string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	instances, programs = folder("instances"), folder("programs")
	library, results, source := folder("library"), folder("results"), folder("bin")
	var hashes, sizes []string
	example, err := os.ReadFile(shared + "rotate.json")
	must(err)
	for _, w := range []int{2, 4, 6} {
		name := fmt.Sprintf("rotate-%d", w)
		text := strings.ReplaceAll(strings.ReplaceAll(string(example), `"rotate"`, `"`+name+`"`), `"work":2`,
			fmt.Sprintf(`"work":%d`, w))
		write(t, instances, name+".json", text)
		write(t, library, name+".json", text)
		write(t, results, name, fmt.Sprint(`"`+name+`"`, 1.5*float64(w)))
		hashes, sizes = append(hashes, fmt.Sprintf("%x", sha256.Sum256([]byte(text)))), append(sizes, strconv.Itoa(len(text)))
	}
	common, err := built()
	must(err)
	solver := filepath.Join(folder("elsewhere"), "solver")
	must(errors.Join(os.Link(common, filepath.Join(source, "schedgap")), os.Link(common, solver)))
	server, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	t.Cleanup(func() { server.Close() })
	t.Setenv("PATH", os.Getenv("PATH")+":"+source)
	t.Setenv("SCHEDGAP_SECRET", "x")
	open, err := unix.Open(results, unix.O_RDONLY, 0) // without O_CLOEXEC, as by a careless caller
	must(err)
	t.Cleanup(func() { unix.Close(open) })
	left := filepath.Base(dir) + strconv.Itoa(os.Getpid())
	key := strconv.Itoa(1<<28 + os.Getpid())
	paths, err := filepath.Glob("../../bench/score/evaluate/cheats/*.py")
	must(err)
	honest := read(t, "../../bench/score/evaluate/cheats/honest.py") // which all read
	for _, path := range paths {
		text, err := os.ReadFile(path)
		must(err)
		text = []byte(strings.NewReplacer(
			"@HASHES@", strings.Join(hashes, " "), "@SIZES@", strings.Join(sizes, " "), "@SCHEDGAP@", filepath.Join(source, "schedgap"),
			"@COPY@", solver, "@LIBRARY@", library, "@RESULTS@", results, "@CACHE@", set["SCHEDGAP_CACHE"],
			"@PORT@", server.Addr().(*net.TCPAddr).String()[len("127.0.0.1:"):], "@LEFT@", left, "@KEY@", key).Replace(string(text)))
		name := strings.TrimSuffix(filepath.Base(path), ".py")
		if name == "honest" {
			continue
		}
		own := filepath.Dir(candidate(programs, name))
		must(os.Mkdir(own, 0o755))
		write(t, own, "honest.py", honest)
		write(t, own, name+".py", string(text))
	}
	must(pack(filepath.Join(source, "schedgap"), filepath.Join(programs, "filter", "packed.bin.gz")))
	must(os.Symlink(results, filepath.Join(programs, "linked", "answers")))
	t.Cleanup(func() {
		for _, folder := range []string{"/tmp/", "/var/tmp/", "/dev/shm/", os.Getenv("HOME") + "/", os.TempDir() + "/"} {
			os.Remove(folder + left)
		}
		exec.Command("ipcrm", "-M", key).Run()
	})
	if len(cheats) != len(paths)-1 || len(cheats) < 25 {
		t.Errorf("%d cheats, %d files", len(cheats), len(paths))
	}
	return instances, programs, filepath.Join(source, "schedgap")
}

// pack writes a file as one of gzip. It leaves the bytes as they are, which takes a tenth of the time.
func pack(file, packed string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(packed)
	if err != nil {
		return err
	}
	w, err := gzip.NewWriterLevel(out, gzip.NoCompression)
	if err == nil {
		_, err = io.Copy(w, in)
		err = errors.Join(err, w.Close())
	}
	return errors.Join(err, out.Close())
}

// candidate is the file of a cheat. It is in a folder of its own, since each evaluation copies that.
func candidate(programs, cheat string) string { return filepath.Join(programs, cheat, cheat+".py") }

// limited is the time limit of a cheat: those that wait for it get little.
func limited(cheat string) string {
	if limit := map[string]string{"late": "1s", "stopped": "1s", "bomb": "300ms"}[cheat]; limit != "" {
		return limit
	}
	return "10s"
}

// tried is the pattern of the instances on which a cheat is tried: of two, one comes after another.
func tried(instances, cheat string) string {
	switch {
	case slices.Contains(several, cheat) && trials.Whole():
		return instances + "/*.json"
	case slices.Contains(several, cheat):
		return instances + "/rotate-[24].json"
	}
	return instances + "/rotate-4.json"
}

// TestCheats: in the sandbox every cheat gets what its honest part is worth, and those that steal succeed without it, so that it
// is the sandbox that stops them. docs/evaluate.md has them all.
func TestCheats(t *testing.T) {
	if !alone(t) {
		return
	}
	instances, programs, _ := scene(t)
	docs := repository(t).read(t, "docs/evaluate.md")
	score := func(t *testing.T, sandbox, cheat string, strict float64) float64 {
		t.Helper()
		o, _ := judged(t, "flex", "--sandbox", sandbox, "--time-limit", limited(cheat), "--files", tried(instances, cheat), "--", "python3",
			candidate(programs, cheat))
		if o.Score != strict {
			t.Logf("%s: %v: %s", sandbox, o.Score, o.Artifacts["feedback"])
		}
		return o.Score
	}
	t.Run("strict", func(t *testing.T) {
		for _, c := range cheats {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				if c.name == "architecture" && runtime.GOARCH != "amd64" {
					t.Skip("it is for amd64")
				}
				says, _, _ := strings.Cut(strings.TrimPrefix(read(t, candidate(programs, c.name)), "# "), "\n")
				shown := map[float64]string{0: "0", honestly: "0.75", 1: "1", more: "more", unsafe: "not run"}
				if row := fmt.Sprintf("| `%s` %s | %s | %s |", c.name, says, shown[c.strict], shown[c.open]); !strings.Contains(docs, row) {
					t.Errorf("docs/evaluate.md lacks\n%s", row)
				}
				if got := score(t, "strict", c.name, c.strict); math.Abs(got-c.strict) > 1e-9 {
					t.Errorf("in the sandbox %v, want %v", got, c.strict)
				}
			})
		}
	})
	// Without a sandbox, one after another: there they would find each other. By day a third of those that steal, and the first.
	for i, c := range cheats {
		if c.open == unsafe || !trials.Whole() && (i%3 > 0 || i > 0 && c.open <= c.strict) {
			continue
		}
		t.Run("off/"+c.name, func(t *testing.T) {
			if c.open == more && c.name != "device" { // which finds an instance beside it; the others find one that was before
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			}
			if got := score(t, "off", c.name, c.strict); c.open == more && got <= c.strict || c.open != more && math.Abs(got-c.open) > 1e-9 {
				t.Errorf("without a sandbox %v, want %v: the cheat is none", got, c.open)
			}
		})
	}
}
