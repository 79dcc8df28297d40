package sysinfo

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// The model is the first processor's; without one, the architecture stands in.
func TestCPUModel(t *testing.T) {
	for _, c := range []struct{ cpuinfo, want string }{
		{"processor\t: 0\nmodel\t\t: 7\nmodel name\t: A: B  2.8GHz\nprocessor\t: 1\nmodel name\t: C\n", "A: B  2.8GHz"},
		{"processor\t: 0\nBogoMIPS\t: 50\n", runtime.GOARCH},
		{"", runtime.GOARCH},
	} {
		if got := cpuModel([]byte(c.cpuinfo)); got != c.want {
			t.Errorf("%q gives %q, want %q", c.cpuinfo, got, c.want)
		}
	}
}

// A build has the version of its source, and the commit if it is not the release.
func TestVersion(t *testing.T) {
	commit := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef"}
	for _, c := range []struct {
		main     string
		settings []debug.BuildSetting
		want     string
	}{
		{"v" + Release, []debug.BuildSetting{commit}, Release},
		{"v0.0.0-20261126120000-0123456789ab", []debug.BuildSetting{commit}, Release + "+0123456789ab"},
		{"(devel)", []debug.BuildSetting{commit}, Release + "+0123456789ab"},
		{"(devel)", []debug.BuildSetting{commit, {Key: "vcs.modified", Value: "true"}}, Release + "+0123456789ab.dirty"},
		{"", nil, Release + "+devel"},
	} {
		build := &debug.BuildInfo{Main: debug.Module{Version: c.main}, Settings: c.settings}
		if got := version(build); got != c.want {
			t.Errorf("%+v is %q, want %q", c, got, c.want)
		}
	}
}

// What is read here is complete.
func TestRead(t *testing.T) {
	if i := Read(); i.CPUModel == "" || i.CPUs < 1 || i.GoVersion == "" || i.BinaryVersion == "" {
		t.Errorf("%+v", i)
	}
}
