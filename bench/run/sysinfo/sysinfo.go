// Package sysinfo describes the machine and the program that make results: its main type is Info. The worker stores it in every
// row, and the commands --version, doctor and report print it.
package sysinfo

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// Release is the version of this source. CHANGELOG.md and CITATION.cff name the same one.
const Release = "1.0.0"

// An Info describes this machine and this program.
type Info struct {
	Host          string // host name; empty if the system does not say
	CPUModel      string // such as "Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz"; the architecture if the system does not say
	CPUs          int    // that this process may use
	GoVersion     string
	BinaryVersion string // Release, and unless this is exactly the release the commit, such as 1.0.0+0123456789ab.dirty
}

// Read finds out about this machine and this program.
func Read() Info {
	host, _ := os.Hostname()
	cpuinfo, _ := os.ReadFile("/proc/cpuinfo")
	info := Info{
		Host: host, CPUModel: cpuModel(cpuinfo), CPUs: runtime.NumCPU(), GoVersion: runtime.Version(),
		BinaryVersion: Release + "+devel",
	}
	if build, ok := debug.ReadBuildInfo(); ok {
		info.BinaryVersion = version(build)
	}
	return info
}

// cpuModel returns the first processor's model out of /proc/cpuinfo.
func cpuModel(cpuinfo []byte) string {
	for line := range bytes.Lines(cpuinfo) {
		key, value, found := strings.Cut(string(line), ":")
		if found && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// version is Release and, in a build of other sources than those of the release, the commit if it is known.
func version(build *debug.BuildInfo) string {
	if build.Main.Version == "v"+Release {
		return Release
	}
	settings := map[string]string{}
	for _, s := range build.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	if commit == "" {
		return Release + "+devel"
	}
	commit = commit[:min(12, len(commit))]
	if settings["vcs.modified"] == "true" {
		commit += ".dirty"
	}
	return Release + "+" + commit
}
