package bench

// A Status is how a unit ended; the stored ones are never merged into coarser ones.
type Status string

// The statuses of a unit.
const (
	Optimal    Status = "optimal"    // a checked solution with a proof
	Feasible   Status = "feasible"   // a checked solution without a proof, or a bound computed to its end
	Infeasible Status = "infeasible" // proven to have no solution
	Timeout    Status = "timeout"    // time limit; there may be a checked incumbent
	OOM        Status = "oom"        // memory limit
	Crash      Status = "crash"      // the process died
	Invalid    Status = "invalid"    // the checker refused the solution, or the model the solver's point
	Refuted    Status = "refuted"    // a solution or a bound contradicts what the solver claims
	Error      Status = "error"      // the algorithm or the solver failed
	Skipped    Status = "skipped"    // the algorithm is not defined for the instance
	// Interrupted: the run died while the unit was running, which says nothing of the algorithm. The unit counts as not run, and
	// the row never takes the place of another one.
	Interrupted Status = "interrupted"
)

// Broken reports a failure of the algorithm, the solver or the process, a false claim among them, in contrast to a limit that was reached.
func (s Status) Broken() bool {
	return s == Crash || s == Error || s == OOM || s == Invalid || s == Refuted
}
