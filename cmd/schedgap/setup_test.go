package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// scripts is where setup, env and tell are.
const scripts = "../../scripts/"

// highsAt makes a folder for PKG_CONFIG_PATH in which HiGHS has that version.
func highsAt(t *testing.T, version string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "highs.pc", "Name: HiGHS\nDescription: x\nVersion: "+version+"\nLibs: -lhighs\n")
	return dir
}

func script(t *testing.T, env []string, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(scripts+name, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func needsPkgConfig(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("pkg-config"); err != nil {
		t.Skip("needs pkg-config")
	}
}

// TestSetupVersions: setup --check takes HiGHS 1.7 to 1.11 and names any other version in its one sentence.
func TestSetupVersions(t *testing.T) {
	t.Parallel()
	needsPkgConfig(t)
	for version, fits := range map[string]bool{
		"1.6.0": false, "1.7.0": true, "1.10.0": true, "1.11.9": true, "1.12.0": false,
		"1.14.0": false,
	} {
		out, err := script(t, []string{"SCHEDGAP_CACHE=" + t.TempDir(), "PKG_CONFIG_PATH=" + highsAt(t, version)}, "setup", "--check")
		if refused := strings.Contains(out, "HiGHS (1.7 to 1.11; "+version+", which is installed"); refused == fits ||
			(fits && err != nil && strings.Contains(out, "HiGHS")) {
			t.Errorf("HiGHS %s: %v, %q", version, err, out)
		}
		if strings.Count(out, "\n") > 1 {
			t.Errorf("more than a sentence: %q", out)
		}
	}
}

// TestEnvNamesHighs: the flags of cgo differ with HiGHS's version, and setting them twice changes nothing.
func TestEnvNamesHighs(t *testing.T) {
	t.Parallel()
	needsPkgConfig(t)
	flags := func(version string) string {
		t.Helper()
		env := []string{"SCHEDGAP_CACHE=" + t.TempDir(), "PKG_CONFIG_PATH=" + highsAt(t, version), "CGO_LDFLAGS="}
		once, err := script(t, env, "env", "bash", "-c", `echo "$CGO_LDFLAGS"`)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := script(t, env, "env", scripts+"env", "bash", "-c", `echo "$CGO_LDFLAGS"`)
		if err != nil || twice != once {
			t.Errorf("once %q, twice %q, %v", once, twice, err)
		}
		return once
	}
	if old, young := flags("1.10.0"), flags("1.11.0"); old == young {
		t.Errorf("the same flags for two versions: %q", old)
	}
}

// TestSetupBuilds: where the system has HiGHS 1.14 and the archive offers 1.14 first, setup says so in one sentence, builds the
// 1.10 of another release, has Go compile meanwhile, and says what it does. The compiler, the package tools and Go are fakes.
func TestSetupBuilds(t *testing.T) {
	t.Parallel()
	needsPkgConfig(t)
	dir := t.TempDir()
	var source bytes.Buffer
	zip := gzip.NewWriter(&source)
	pack := tar.NewWriter(zip)
	for name, text := range map[string]string{
		"highs/Version.txt": "HIGHS_MAJOR=1\nHIGHS_MINOR=10\nHIGHS_PATCH=0\n",
	} {
		if err := pack.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := pack.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := pack.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "source", source.String())
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	fake := func(name, text string) {
		t.Helper()
		if err := os.Chmod(write(t, bin, name, "#!/usr/bin/env bash\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// The first release asked for has 1.14, all others 1.10.
	fake("apt-get", fmt.Sprintf(`case "$*" in
*indextargets*) echo http://mirror.invalid ;;
*print-uris*)
  echo asked >>%[1]s/asked
  if [ "$(wc -l <%[1]s/asked)" = 1 ]; then v=1.14.0; else v=1.10.0+ds; fi
  echo "'http://mirror.invalid/h' highs_$v.orig.tar.gz 9 SHA256:%[2]x" ;;
*install*) echo "$*" >>%[1]s/installed ;;
esac`, dir, sha256.Sum256(source.Bytes())))
	fake("apt-cache", `echo "  Candidate: 1.14.0-1"`)
	fake("curl", fmt.Sprintf(`cp %s/source "$3"`, dir))
	fake("go", "echo go $SCHEDGAP_HIGHS $* >>"+dir+"/go; [ $1 != list ] || echo fmt errors")
	fake("cmake", fmt.Sprintf(`case "$1" in
-S) for a; do case "$a" in -DCMAKE_INSTALL_PREFIX=*) echo "${a#*=}" >%[1]s/prefix; esac; done ;;
--build) # two units, the first of which is compiled
  u=$2/src/units o=$2/src/CMakeFiles/highs.dir/units
  mkdir -p "$u" "$o"
  head -c 40 /dev/zero >"$o/a.cc"
  head -c 60 /dev/zero >"$o/b.cc"
  for unit in a b; do echo "#include \"$o/$unit.cc\"" >"$u/$unit.cpp"; done
  echo compiled >"$o/a.cpp.o"
  sleep 3 ;;
--install) p=$(cat %[1]s/prefix)/lib/pkgconfig; mkdir -p $p; printf 'Name: x\nDescription: x\nVersion: 1.10.0\nprefix=%%s\n' "$(cat %[1]s/prefix)" >$p/highs.pc ;;
esac`, dir))
	cache := filepath.Join(dir, "cache")
	out, err := script(t, []string{
		"SCHEDGAP_CACHE=" + cache, "PKG_CONFIG_PATH=" + highsAt(t, "1.14.0"), "PATH=" + bin + ":" + os.Getenv("PATH"),
		"SCHEDGAP_TELL=1", "HIGHS_SOURCE=",
	}, "setup")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, says := range []string{
		"setup: HiGHS is needed in another version (1.7 to 1.11; 1.14.0, which is installed, is none of these): building 1.10 from " +
			"source\n",
		"building HiGHS 1.10.0 into " + cache + "/highs, once … ", " s, 33%\n", "ready: HiGHS 1.10.0",
	} {
		if !strings.Contains(out, says) {
			t.Errorf("it does not say %q:\n%s", says, out)
		}
	}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(data)
	}
	if strings.Contains(read("installed"), "libhighs-dev") {
		t.Errorf("it installs the package of 1.14: %q", read("installed"))
	}
	if built := read("go"); !strings.Contains(built, "go 1.10.0 build fmt") {
		t.Errorf("Go does not build meanwhile: %q", built)
	}
	// A tarball of the user's own that does not fit is refused before anything is built.
	if err := os.Remove(filepath.Join(cache, "highs/lib/pkgconfig/highs.pc")); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "Version.txt", "HIGHS_MAJOR=1\nHIGHS_MINOR=14\nHIGHS_PATCH=0\n")
	if out, err := exec.Command("tar", "-C", dir, "-czf", filepath.Join(dir, "own.tar.gz"), "--transform", "s,^,highs/,",
		"Version.txt").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err = script(t, []string{
		"SCHEDGAP_CACHE=" + cache, "PKG_CONFIG_PATH=" + highsAt(t, "1.14.0"), "PATH=" + bin + ":" + os.Getenv("PATH"),
		"HIGHS_SOURCE=" + filepath.Join(dir, "own.tar.gz"),
	}, "setup")
	if err == nil || !strings.Contains(out, "is HiGHS 1.14.0; it must be 1.7 to 1.11\n") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestTell: a command that takes long is spoken of while it runs; its output and its exit code come through, and nothing outlives
// it.
func TestTell(t *testing.T) {
	t.Parallel()
	out, err := script(t, []string{"SCHEDGAP_TELL=1"}, "tell", "doing this", "sh", "-c", "echo mine; sleep 4; exit 3")
	if e, ok := err.(*exec.ExitError); !ok || e.ExitCode() != 3 || !strings.HasPrefix(out, "doing this …\n") ||
		!strings.Contains(out, "mine\n") || !regexp.MustCompile(`doing this … \d s\n`).MatchString(out) {
		t.Errorf("%v, %q", err, out)
	}
	begin := time.Now()
	out, err = script(t, []string{"SCHEDGAP_TELL=300"}, "tell", "that", "true")
	if err != nil || out != "that …\n" || time.Since(begin) > 200*time.Second {
		t.Errorf("%v, %q after %v", err, out, time.Since(begin))
	}
}

// TestSetupWithoutRoot: who cannot install packages learns of the build that needs none.
func TestSetupWithoutRoot(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	for _, name := range []string{"bash", "dirname"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"id": "echo 1000", "go": "exit 0", "apt-get": "exit 0"} {
		if err := os.Chmod(write(t, bin, name, "#!"+filepath.Join(bin, "bash")+"\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	out, err := script(t, []string{"PATH=" + bin, "SCHEDGAP_CACHE=" + t.TempDir()}, "setup")
	if err == nil || !strings.Contains(out, "need root") || !strings.Contains(out, "go install ./cmd/schedgap") {
		t.Errorf("%v, %q", err, out)
	}
}
