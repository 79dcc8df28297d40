package worker

import (
	"context"
	"os"

	"schedgap/bench/run/proc"
)

// Means lists a machine's protections against commands that misbehave.
type Means struct {
	// Namespaces: a command cannot reach any other process, and nothing of it can outlive it.
	Namespaces    bool
	WhyNamespaces string // why not
	// Supervised: all processes that a command leaves behind are found below its supervisor.
	Supervised    bool
	WhySupervised string
	// Cgroups: the kernel kills a command as a whole; CgroupMemory: and limits its memory, files in memory included.
	Cgroups, CgroupMemory bool
	WhyCgroups            string
	Missing               string // the means that the system lacks altogether; empty: none
}

// Probe finds out by trying.
func Probe(ctx context.Context, o Options) (Means, error) {
	m := Means{Missing: proc.Missing}
	w := New(o)
	defer w.Close()
	c, err := w.start(ctx, proc.Options{Supervisor: true, Namespace: true})
	if err == nil {
		m.Namespaces = true
		c.close()
	} else {
		m.WhyNamespaces = err.Error()
	}
	if ctx.Err() != nil {
		return m, ctx.Err()
	}
	c, err = w.start(ctx, proc.Options{Supervisor: true})
	if err == nil {
		m.Supervised = m.Missing == ""
		c.close()
	} else {
		m.WhySupervised = err.Error()
	}
	groups, err := proc.FindCgroups("/")
	if err != nil {
		m.WhyCgroups = err.Error()
	} else {
		m.Cgroups, m.CgroupMemory = true, groups.Memory
	}
	return m, ctx.Err()
}

// CPUs lists the CPUs that this process may use, where the system can assign them.
func CPUs() ([]int, error) { return proc.CPUs() }

// Share gives each of n workers the given number of processors (at least one), distinct ones as long as there are enough. Which
// process begins where depends on its number, so that several of them on one machine do not crowd on the first processors.
func Share(n, threads int) ([][]int, error) {
	free, err := proc.CPUs()
	if err != nil {
		return nil, err
	}
	threads = min(max(threads, 1), len(free))
	list, at := make([][]int, n), os.Getpid()
	for i := range list {
		for range threads {
			list[i] = append(list[i], free[at%len(free)])
			at++
		}
	}
	return list, nil
}
