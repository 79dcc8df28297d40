package sim

import (
	"fmt"
	"math"

	"schedgap/models"
)

// A Policy is an order of the active jobs with a rule that divides the machines among them.
type Policy struct {
	models.Policy

	// Latest puts the latest arrival first, of two that arrive together the later in the file; else the job with the least
	// remaining work is first, of two the earlier in the file.
	Latest bool
	// Rule reads values of Params and returns how the machines are divided.
	Rule func(v models.Values) Rule
}

// A Rule divides machines ≥ 1 among n ≥ 1 active jobs.
type Rule func(n, machines int) Allotment

// An Allotment divides the machines among the active jobs in a policy's order. The jobs after the first Served wait.
type Allotment struct {
	Served int     `json:"served"`            // jobs that run
	First  int     `json:"first"`             // copies of the first of them
	Others int     `json:"others"`            // copies of each of the others
	Share  float64 `json:"share" is:">0,<=1"` // of a machine that each copy gets, 1 over a whole number
}

// perMachine is the number of copies that share a machine.
func (a Allotment) perMachine() int { return int(math.Round(1 / a.Share)) }

// check reports an error of an allotment of machines among n jobs.
func (a Allotment) check(n, machines int) error {
	copies := a.First + (a.Served-1)*a.Others
	switch {
	case a.Served < 1 || a.Served > n:
		return fmt.Errorf("served: %d must be between 1 and %d", a.Served, n)
	case a.First < 1 || a.First > machines:
		return fmt.Errorf("first: %d must be between 1 and %d", a.First, machines)
	case a.Others < 1 || a.Others > machines:
		return fmt.Errorf("others: %d must be between 1 and %d", a.Others, machines)
	case !(a.Share > 0 && a.Share <= 1) || math.Abs(a.Share*float64(a.perMachine())-1) > 1e-9:
		return fmt.Errorf("a share of %v, not 1 over a whole number", a.Share)
	case copies > machines*a.perMachine():
		return fmt.Errorf("%d copies for %d machines with %d on each", copies, machines, a.perMachine())
	case a.perMachine() > 1 && a.Others > 1:
		return fmt.Errorf("%d copies of every job on shared machines", a.Others)
	}
	return nil
}
