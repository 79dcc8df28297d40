package bench

import (
	"fmt"
	"strconv"
	"time"

	"schedgap/models"
)

// SchemaVersion changes whenever a column is removed or changes its meaning; it is part of the unit key. Adding a nullable column
// does not change it: readers take it as null in older rows, and ignore unknown columns.
const SchemaVersion = 1

// SchemaKey is the Parquet footer key that holds SchemaVersion.
const SchemaKey = "schedgap.schema_version"

// KnownSchema returns why rows of a version, as it stands under SchemaKey, cannot be read.
func KnownSchema(version string) error {
	if v, err := strconv.Atoi(version); err != nil || v < 1 || v > SchemaVersion {
		return fmt.Errorf("%s is %q, this program reads %d and older ones", SchemaKey, version, SchemaVersion)
	}
	return nil
}

// OrNull is a column's value, null where there is nothing to say.
func OrNull[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// A Record is one unit: one row of DIR/runs/*.parquet. Times are seconds, sizes bytes; a nil pointer is a null, never a
// stand-in value. The columns are a contract: docs/results.md has them as they are declared and explained here.
type Record struct {
	RunID string `parquet:"run_id,dict"` // identifies the process that ran the unit
	// identifies the unit: a hash of schema version, problem, instance, algorithm, params, command, solver, model, seed, threads
	// and limits, not of the program's version
	UnitID string `parquet:"unit_id"`
	Suite  string `parquet:"suite,dict"` // the suite's name

	Problem        string `parquet:"problem,dict"`         // such as `flex`
	Instance       string `parquet:"instance,dict"`        // the instance's name
	InstanceSHA256 string `parquet:"instance_sha256,dict"` // digest of its file `instances/<sha256>.json`
	Source         string `parquet:"source,dict"`          // `generate`, `trace:FORMAT` or `files`
	Seed           int64  `parquet:"seed"`                 // 0 if the algorithm is not random, or a MILP solver has its own

	NJobs     *int64 `parquet:"n_jobs,optional" unit:"jobs"`         // of the instance
	NTasks    *int64 `parquet:"n_tasks,optional" unit:"tasks"`       // null if the problem has none
	NMachines *int64 `parquet:"n_machines,optional" unit:"machines"` // null if the problem has none

	// JSON object of the algorithm's parameters, with defaults, keys sorted
	Params    string `parquet:"params,dict"`
	Algorithm string `parquet:"algorithm,dict"` // with its argument, such as `mps:a,b`
	Kind      string `parquet:"kind,dict"`      // `heuristic`, `exact`, `bound` or `external`
	Reference string `parquet:"reference,dict"` // the class of solutions whose optimum `bound` limits
	// constraints that the algorithm may break, comma separated
	Waived       string  `parquet:"waived,dict"`
	Augmentation float64 `parquet:"augmentation" unit:"factor"` // speed or capacity over the optimum's, normally 1

	Model         *string `parquet:"model,optional,dict"`  // the formulation of an exact algorithm
	Solver        *string `parquet:"solver,optional,dict"` // the solver or combinatorial method
	SolverVersion *string `parquet:"solver_version,optional,dict"`
	Status        string  `parquet:"status,dict"` // see the table of statuses
	// the solver's words; for `opt`, why a method ended early or was refused; NotStarted; Faulty
	RawStatus *string `parquet:"raw_status,optional,dict"`
	Sense     string  `parquet:"sense,dict"` // `min` or `max`

	models.Findings

	// of the run, measured outside the algorithm, without process start, reading, checking and writing
	WallSeconds *float64 `parquet:"wall_seconds,optional" unit:"s"`
	models.Work

	TimeLimitSeconds *float64 `parquet:"time_limit_seconds,optional" unit:"s"`     // null: no limit
	CPULimitSeconds  *float64 `parquet:"cpu_limit_seconds,optional" unit:"s"`      // of user and system time; null: no limit
	MemoryLimitBytes *int64   `parquet:"memory_limit_bytes,optional" unit:"bytes"` // null: no limit

	StartedAt     time.Time `parquet:"started_at,timestamp(microsecond)" unit:"µs, UTC"`
	Host          string    `parquet:"host,dict"` // name of the machine
	CPUModel      string    `parquet:"cpu_model,dict"`
	NCPUs         int64     `parquet:"n_cpus" unit:"cores"` // available to the process
	GoVersion     string    `parquet:"go_version,dict"`     // of the compiler
	BinaryVersion string    `parquet:"binary_version,dict"` // of schedgap
	// the reason of a failure in one sentence, and for a process that died the end of its stderr
	Error *string `parquet:"error,optional"`

	// digest of `proofs/<unit_id>.jsonl.gz`, which `schedgap verify` checks
	ProofSHA256 *string `parquet:"proof_sha256,optional"`
	// verdict of `schedgap verify` on the proof: `optimum`, `bound` or `refused`; null if no proof was asked for
	ProofVerified *string `parquet:"proof_verified,optional,dict"`
	// digest of the command's files, see "What counts as done"; null if they changed during the unit, or without a command
	CommandSHA256 *string `parquet:"command_sha256,optional,dict"`
	BuildSHA256   *string `parquet:"build_sha256,optional,dict"` // digest of the executable of schedgap
	// JSON object of the instance's factors and their values; null for an instance from a file
	Factors *string `parquet:"factors,optional,dict"`
	Label   *string `parquet:"label,optional,dict"` // the text of `--label`
	// of your repository: `--commit`, or the commit of the git repository with the suite
	Commit *string `parquet:"commit,optional,dict"`
}

// A SimRecord is one metric of one simulated repetition: one row of DIR/sim/*.parquet.
type SimRecord struct {
	RunID          string  `parquet:"run_id,dict"` // identifies the process
	Problem        string  `parquet:"problem,dict"`
	Workload       string  `parquet:"workload,dict"`        // its name
	WorkloadSHA256 string  `parquet:"workload_sha256,dict"` // digest; generated workloads differ by repetition
	Policy         string  `parquet:"policy,dict"`
	Params         string  `parquet:"params,dict"`       // JSON object of the simulation's parameters
	Seed           int64   `parquet:"seed"`              // `--seed`
	Repetition     int64   `parquet:"repetition"`        // from 0; seed and repetition determine the result
	Scope          string  `parquet:"scope,dict"`        // `run` or `job`
	Job            *string `parquet:"job,optional,dict"` // null if the scope is `run`
	Metric         string  `parquet:"metric,dict"`
	Unit           string  `parquet:"unit,dict"` // of `value`
	Value          float64 `parquet:"value" unit:"see unit"`
}

// A ProgressRecord is an incumbent or a bound that a unit knew before its end: one row of DIR/progress/*.parquet.
type ProgressRecord struct {
	RunID       string   `parquet:"run_id,dict"`                   // ignore the row if it differs in the unit's row
	UnitID      string   `parquet:"unit_id,dict"`                  // as in runs
	Seq         int64    `parquet:"seq"`                           // from 0, in the order of time
	Kind        string   `parquet:"kind,dict"`                     // `incumbent` or `bound`
	WallSeconds float64  `parquet:"wall_seconds" unit:"s"`         // since the start
	CPUSeconds  *float64 `parquet:"cpu_seconds,optional" unit:"s"` // until then; null for a command
	// of an incumbent, by the independent checker; better than the ones before
	Objective *float64 `parquet:"objective,optional" unit:"the problem's"`
	// proven for the row's `reference`, according to the algorithm; better than the ones before
	Bound *float64 `parquet:"bound,optional" unit:"the problem's"`
}

// The kinds of a ProgressRecord.
const (
	KindIncumbent = "incumbent"
	KindBound     = "bound"
)

// Faulty reports whether the row is an error of its problem, and not of its algorithm.
func (r *Record) Faulty() bool {
	return Status(r.Status) == Error && r.RawStatus != nil && *r.RawStatus == Faulty
}
