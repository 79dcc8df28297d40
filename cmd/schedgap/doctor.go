package main

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/run/sysinfo"
	"schedgap/bench/run/worker"
)

// A finding is one thing that this machine offers or lacks.
type finding struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Says string `json:"says"`
}

func (a *app) doctorCommand() *cobra.Command {
	var asJSON bool
	cmd := a.command("doctor", func(cmd *cobra.Command, _ []string) error {
		m, errProbe := worker.Probe(cmd.Context(), worker.Options{})
		solvers, err := catalog.Solvers() // with their versions
		if err := cmp.Or(errProbe, err); err != nil {
			return err
		}
		list := findings(m, solvers, a.getenv(tracesVariable))
		if confined, err := worker.Confine(cmd.Context()); err == nil {
			list = append(list, finding{"sandbox", true, "evaluate confines commands: " + confined.Says})
		} else {
			list = append(list, finding{"sandbox", false, err.Error()})
		}
		var text strings.Builder
		for _, f := range list {
			fmt.Fprintf(&text, "%-3s  %-18s  %s\n", map[bool]string{true: "yes", false: "no"}[f.OK], f.Name, f.Says)
		}
		if asJSON {
			err = a.printJSON(list)
		} else {
			err = a.print([]byte(text.String()))
		}
		if err != nil {
			return err
		}
		if m.WhySupervised != "" {
			return &exit{exitFailed, "no process can be started: " + firstLine(m.WhySupervised)}
		}
		return nil
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func findings(m worker.Means, solvers []bench.Solver, traces string) []finding {
	why := func(ok bool, yes, no, reason string) string {
		if ok {
			return yes
		}
		if reason != "" {
			no += " (" + firstLine(reason) + ")"
		}
		return no
	}
	info := sysinfo.Read()
	list := []finding{
		{"schedgap", true, fmt.Sprintf("%s, %s, %s/%s", info.BinaryVersion, info.GoVersion, runtime.GOOS, runtime.GOARCH)},
		{"namespaces", m.Namespaces, why(m.Namespaces,
			"commands cannot reach other processes, and the kernel ends all that they started with them",
			"a command can signal other processes of its user; the processes it leaves are searched for and killed", m.WhyNamespaces)},
		{"supervisor", m.Supervised, why(m.Supervised,
			"all processes that a command starts are found, counted and killed",
			"only a command's process group is killed", m.WhySupervised+m.Missing)},
		{"memory limit", m.Supervised, why(m.Supervised,
			why(m.CgroupMemory, "the kernel keeps it, files in memory included",
				"looked at 40 times a second, and at each process's peak when it has ended", ""),
			"not kept", "")},
		{"CPU limit", m.Supervised, why(m.Supervised, "of all processes together", "not kept", "")},
		{"control groups", m.Cgroups, why(m.Cgroups,
			why(m.CgroupMemory, "version 2, with memory", "version 2, only to kill", ""), "none to use", m.WhyCgroups)},
	}
	cpus, err := worker.CPUs()
	list = append(list, finding{"pinning", err == nil, why(err == nil, fmt.Sprintf("pin_cpus can use %d CPUs", len(cpus)),
		"pin_cpus is not possible", "")})
	for _, s := range solvers {
		list = append(list, finding{"solver " + s.Name, s.Available, why(s.Available, s.Version, "not available", s.Reason)})
	}
	there := traces != "" && folder(traces) == nil
	return append(list, finding{"traces", there, why(there, tracesVariable+" is "+traces,
		tracesVariable+" names no folder: sources that need it are skipped", "")})
}

func (a *app) versionCommand() *cobra.Command {
	return a.command("version", func(*cobra.Command, []string) error {
		solvers, err := catalog.Solvers()
		if err != nil {
			return err
		}
		info := sysinfo.Read()
		text := fmt.Sprintf("schedgap %s\n%s %s/%s\n", info.BinaryVersion, info.GoVersion, runtime.GOOS, runtime.GOARCH)
		for _, s := range solvers {
			if s.Available {
				text += fmt.Sprintf("%s %s\n", s.Name, s.Version)
			}
		}
		return a.print([]byte(text))
	})
}
