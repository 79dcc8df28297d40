// Package sysinfo says where and with what program results were made.
package sysinfo

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// An Info describes this machine and this program.
type Info struct {
	Host          string // host name; empty if the system does not say
	CPUModel      string // such as "Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz"; the architecture if the system does not say
	CPUs          int    // that this process may use
	GoVersion     string
	BinaryVersion string // a released version, else the commit, with +dirty for changed sources, else "devel"
}

// Read finds out about this machine and this program.
func Read() Info {
	host, _ := os.Hostname()
	cpuinfo, _ := os.ReadFile("/proc/cpuinfo")
	info := Info{
		Host: host, CPUModel: cpuModel(cpuinfo), CPUs: runtime.NumCPU(), GoVersion: runtime.Version(),
		BinaryVersion: "devel",
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

// version is a release's, else the commit's first twelve digits.
func version(build *debug.BuildInfo) string {
	if v := build.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	settings := map[string]string{}
	for _, s := range build.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	if commit == "" {
		return "devel"
	}
	commit = commit[:min(12, len(commit))]
	if settings["vcs.modified"] == "true" {
		commit += "+dirty"
	}
	return commit
}
