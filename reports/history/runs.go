package history

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"schedgap/bench/store"
	"schedgap/reports/summary"
)

// A Run is the units that one version of the program ran on one machine for one results folder.
type Run struct {
	ID      string    `json:"run"`
	Version string    `json:"binary_version"`
	Commit  string    `json:"commit"`  // the first twelve digits, or the version where there are none
	At      time.Time `json:"at"`      // of the commit, or of the run where the version does not say
	Started time.Time `json:"started"` // its first unit
	Machine string    `json:"machine"`
	Suites  []string  `json:"suites"`
	// MachineSeconds is the median time of the reference unit, which tells how fast the machine was.
	MachineSeconds summary.Number `json:"machine_seconds"`
	Units          int            `json:"units"`
	Failed         int            `json:"failed"` // crash, error, oom, invalid, or a timeout with nothing in hand
	// Missing are units of these suites that the run before with units of them had.
	Missing int `json:"missing"`

	units map[string]*Row // by unit
}

// date is the day of the commit, or of the run.
func (r *Run) date() string { return r.At.UTC().Format(time.DateOnly) }

// same reports whether two runs are certainly of the same program.
func (r *Run) same(other *Run) bool {
	return r.Version == other.Version && r.Version != "devel" && !strings.HasSuffix(r.Version, "+dirty")
}

// pseudo is a version that Go makes of a commit, such as v0.0.0-20261103120000-abcdef012345+dirty.
var pseudo = regexp.MustCompile(`-(?:0\.)?(\d{14})-([0-9a-f]{12})(\+dirty)?$`)

// commit is the commit of a version with its time; zero: the version does not say.
func commit(version string) (string, time.Time) {
	m := pseudo.FindStringSubmatch(version)
	if m == nil {
		return version, time.Time{}
	}
	at, err := time.Parse("20060102150405", m[1])
	if err != nil {
		return version, time.Time{}
	}
	return m[2] + m[3], at
}

// runs groups rows and puts the runs in the order of their commits, or of the times at which they were started unless all
// versions tell when they were committed. Of two rows of a unit in one run the later counts.
func runs(rows []Row) []*Run {
	byID := map[string]*Run{}
	var list []*Run
	dated := true
	for i := range rows {
		r := &rows[i]
		run := byID[r.Run]
		if run == nil {
			run = &Run{
				ID: r.Run, Version: r.BinaryVersion, Started: r.StartedAt, Machine: machineOf(r.CPUModel, r.NCPUs),
				MachineSeconds: summary.Missing, units: map[string]*Row{},
			}
			run.Commit, run.At = commit(r.BinaryVersion)
			dated = dated && !run.At.IsZero()
			byID[r.Run] = run
			list = append(list, run)
		}
		if r.StartedAt.Before(run.Started) {
			run.Started = r.StartedAt
		}
		if r.MachineSeconds != nil {
			run.MachineSeconds = summary.Number(*r.MachineSeconds)
		}
		if !slices.Contains(run.Suites, r.Suite) {
			run.Suites = append(run.Suites, r.Suite)
		}
		if old := run.units[r.UnitID]; old == nil || r.StartedAt.After(old.StartedAt) {
			run.units[r.UnitID] = r
		}
	}
	for _, run := range list {
		slices.Sort(run.Suites)
		if !dated {
			run.At = run.Started
		}
	}
	slices.SortFunc(list, func(a, b *Run) int {
		return cmp.Or(a.At.Compare(b.At), a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID))
	})
	last := map[string]*Run{} // that had units of a suite
	for _, run := range list {
		suites := map[string]bool{}
		for _, r := range run.units {
			run.Units++
			if failed(r.Status, r.Objective, r.Bound) {
				run.Failed++
			}
			suites[r.Suite] = true
		}
		for suite := range suites {
			if before := last[suite]; before != nil {
				for id, r := range before.units {
					if now := run.units[id]; r.Suite == suite && (now == nil || now.Suite != suite) {
						run.Missing++
					}
				}
			}
			last[suite] = run
		}
	}
	return list
}

func failed(status string, objective, bound *float64) bool {
	return store.Done{Status: status, Objective: objective, Bound: bound}.Failed()
}
