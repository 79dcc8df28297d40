package bench

import (
	"fmt"
	"strconv"
	"time"

	"schedgap/models"
)

// SchemaVersion changes whenever a column goes or changes its meaning; it is part of the unit key. A nullable column may be added
// without: readers take it as null in older rows, and leave out what they do not know.
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
	RunID string `parquet:"run_id,dict"` // the process that ran the unit
	// 32 hexadecimal digits: hash of schema version, problem, instance, algorithm, params, command, solver, model, seed, threads,
	// limits. The binary's version is not part of it
	UnitID string `parquet:"unit_id"`
	Suite  string `parquet:"suite,dict"` // the suite's name

	Problem        string `parquet:"problem,dict"`         // such as `flex`
	Instance       string `parquet:"instance,dict"`        // the instance's name
	InstanceSHA256 string `parquet:"instance_sha256,dict"` // of its canonical file, `instances/<sha256>.json`
	Source         string `parquet:"source,dict"`          // `generate`, `trace:FORMAT` or `files`
	Seed           int64  `parquet:"seed"`                 // of the algorithm's randomness; 0 when it has none

	// size of the instance; null where the problem has no such parts
	NJobs     *int64 `parquet:"n_jobs,optional" unit:"jobs"`
	NTasks    *int64 `parquet:"n_tasks,optional" unit:"tasks"`       // likewise
	NMachines *int64 `parquet:"n_machines,optional" unit:"machines"` // likewise

	// JSON object of the algorithm's parameters, defaults written out, keys sorted
	Params    string `parquet:"params,dict"`
	Algorithm string `parquet:"algorithm,dict"` // with its argument, such as `mps:a,b`
	Kind      string `parquet:"kind,dict"`      // `heuristic`, `exact`, `bound` or `external`
	Reference string `parquet:"reference,dict"` // the class of solutions whose optimum `bound` speaks of
	// constraints that the algorithm may break, comma separated; empty: none
	Waived       string  `parquet:"waived,dict"`
	Augmentation float64 `parquet:"augmentation" unit:"factor"` // speed or capacity over the optimum's; 1: none

	Model         *string `parquet:"model,optional,dict"`  // the formulation of an exact algorithm
	Solver        *string `parquet:"solver,optional,dict"` // what solved it
	SolverVersion *string `parquet:"solver_version,optional,dict"`
	Status        string  `parquet:"status,dict"`              // see below
	RawStatus     *string `parquet:"raw_status,optional,dict"` // the solver's own words
	Sense         string  `parquet:"sense,dict"`               // `min` or `max`

	Objective        *float64 `parquet:"objective,optional" unit:"the problem's"`         // the independent checker's
	ObjectiveClaimed *float64 `parquet:"objective_claimed,optional" unit:"the problem's"` // the algorithm's own; only stored
	// proven, lower for `min`, upper for `max`, on `reference`
	Bound *float64 `parquet:"bound,optional" unit:"the problem's"`
	// |objective − bound| / max(1e-9, |objective|), 0 when optimal: of exact methods; files of older versions call it gap
	Gap *float64 `parquet:"mip_gap,optional" unit:"fraction"`
	// except for the waived constraints; null without a solution
	Feasible     *bool    `parquet:"feasible,optional"`
	MaxViolation *float64 `parquet:"max_violation,optional" unit:"the constraint's"` // the largest violation that is not waived
	// the constraint of that violation, by its name in `list constraints`
	WorstConstraint *string `parquet:"worst_constraint,optional,dict"`

	// the algorithm's run, measured outside it; process start, reading, and checking and writing the solution are not charged
	WallSeconds *float64 `parquet:"wall_seconds,optional" unit:"s"`
	models.Work

	TimeLimitSeconds *float64 `parquet:"time_limit_seconds,optional" unit:"s"`     // null: no limit
	MemoryLimitBytes *int64   `parquet:"memory_limit_bytes,optional" unit:"bytes"` // null: no limit

	StartedAt     time.Time `parquet:"started_at,timestamp(microsecond)" unit:"µs, UTC"`
	Host          string    `parquet:"host,dict"` // where
	CPUModel      string    `parquet:"cpu_model,dict"`
	NCPUs         int64     `parquet:"n_cpus" unit:"cores"` // that the process may use
	GoVersion     string    `parquet:"go_version,dict"`     // with what
	BinaryVersion string    `parquet:"binary_version,dict"` // of schedgap
	// one sentence and, for a process that died or was killed, the end of its stderr
	Error *string `parquet:"error,optional"`

	// of `proofs/<unit_id>.jsonl.gz`, the proof of the optimum or of `bound`, which `schedgap verify` checks
	ProofSHA256 *string `parquet:"proof_sha256,optional"`
	// what that proof proves by the code of `schedgap verify`, run on its file by the process that made it: `optimum`, `bound`,
	// or nothing, `refused`; null: not asked
	ProofVerified *string `parquet:"proof_verified,optional,dict"`
	// of the files of a command when the unit ran, see "What counts as done"; null: they changed meanwhile, or there is no
	// command
	CommandSHA256 *string `parquet:"command_sha256,optional,dict"`
	BuildSHA256   *string `parquet:"build_sha256,optional,dict"` // of the executable of schedgap
	// JSON object of the parameters of generators and traces that some entry of the suite sets, with their values for this
	// instance; null: it is from a file
	Factors *string `parquet:"factors,optional,dict"`
	Label   *string `parquet:"label,optional,dict"` // what `--label` says of the run
	// of the user's repository: what `--commit` says, or that of the git repository in which the suite lies
	Commit *string `parquet:"commit,optional,dict"`
}

// A SimRecord is one metric of one simulated repetition: one row of DIR/sim/*.parquet.
type SimRecord struct {
	RunID          string  `parquet:"run_id,dict"` // the process
	Problem        string  `parquet:"problem,dict"`
	Workload       string  `parquet:"workload,dict"`        // name of what was simulated
	WorkloadSHA256 string  `parquet:"workload_sha256,dict"` // its hash; generated workloads differ by repetition
	Policy         string  `parquet:"policy,dict"`
	Params         string  `parquet:"params,dict"`       // JSON object of the simulation's parameters
	Seed           int64   `parquet:"seed"`              // `--seed`
	Repetition     int64   `parquet:"repetition"`        // from 0; with the seed it determines the outcome
	Scope          string  `parquet:"scope,dict"`        // `run` or `job`
	Job            *string `parquet:"job,optional,dict"` // null when scope is `run`
	Metric         string  `parquet:"metric,dict"`
	Unit           string  `parquet:"unit,dict"` // of `value`
	Value          float64 `parquet:"value" unit:"see unit"`
}

// A ProgressRecord is an incumbent or a bound that a unit knew before its end: one row of DIR/progress/*.parquet.
type ProgressRecord struct {
	// as in the unit's row: progress of another run is of an older row
	RunID       string   `parquet:"run_id,dict"`
	UnitID      string   `parquet:"unit_id,dict"`                  // as in runs
	Seq         int64    `parquet:"seq"`                           // from 0, in the order of time
	Kind        string   `parquet:"kind,dict"`                     // `incumbent` or `bound`
	WallSeconds float64  `parquet:"wall_seconds" unit:"s"`         // since the algorithm's start, or the command's
	CPUSeconds  *float64 `parquet:"cpu_seconds,optional" unit:"s"` // user and system, until then; null: a command
	// of an incumbent, the independent checker's; each is better than those before
	Objective *float64 `parquet:"objective,optional" unit:"the problem's"`
	// proven, by the algorithm's account, on the row's `reference`; each is better than those before
	Bound *float64 `parquet:"bound,optional" unit:"the problem's"`
}

// The kinds of a ProgressRecord.
const (
	KindIncumbent = "incumbent"
	KindBound     = "bound"
)
