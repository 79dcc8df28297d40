package simrun

import (
	"fmt"
	"strconv"
	"strings"
)

// sweepPrefix begins the names of the workloads of experiments.
const sweepPrefix = "sweep:"

// A Sweep is what the name of a workload tells of the experiment that it is of.
type Sweep struct {
	Name string
	X    float64 // the case
	At   string  // what was set at a point of the design, in words NAME=VALUE; empty: the default
}

// Workload is the name of a workload, with a digest of all that decides what is measured.
func (s Sweep) Workload(digest string) string {
	if s.At != "" {
		s.At += " "
	}
	return fmt.Sprintf("%s%s x=%v %s~%s", sweepPrefix, s.Name, s.X, s.At, digest)
}

// ParseSweep reads the name of a workload; false: it is not that of an experiment.
func ParseSweep(workload string) (s Sweep, ok bool) {
	rest, ok := strings.CutPrefix(workload, sweepPrefix)
	if !ok {
		return s, false
	}
	words := strings.Fields(rest)
	if len(words) < 3 || !strings.HasPrefix(words[1], "x=") || !strings.HasPrefix(words[len(words)-1], "~") {
		return s, false
	}
	x, err := strconv.ParseFloat(words[1][2:], 64)
	if err != nil {
		return s, false
	}
	return Sweep{words[0], x, strings.Join(words[2:len(words)-1], " ")}, true
}
