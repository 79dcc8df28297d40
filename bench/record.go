package bench

import (
	"time"

	"schedgap/models"
)

// SchemaVersion changes whenever a column of Record changes its meaning; it is part of the unit key.
const SchemaVersion = 1

// SchemaKey is the Parquet footer key that holds SchemaVersion.
const SchemaKey = "schedgap.schema_version"

// A Record is one unit: one row of DIR/runs/*.parquet. Times are seconds, sizes bytes; a nil pointer is a null, never a
// stand-in value. The columns are a contract, see docs/results.md.
type Record struct {
	RunID  string `parquet:"run_id,dict"` // of the process that ran the unit
	UnitID string `parquet:"unit_id"`     // hash of what was to be run, see Unit.ID
	Suite  string `parquet:"suite,dict"`  // the suite's name

	Problem        string `parquet:"problem,dict"`
	Instance       string `parquet:"instance,dict"`
	InstanceSHA256 string `parquet:"instance_sha256,dict"` // of the file in DIR/instances
	Source         string `parquet:"source,dict"`          // generate, trace:FORMAT or files
	Seed           int64  `parquet:"seed"`
	NJobs          *int64 `parquet:"n_jobs,optional"`
	NTasks         *int64 `parquet:"n_tasks,optional"`
	NMachines      *int64 `parquet:"n_machines,optional"`

	Params       string  `parquet:"params,dict"` // JSON object, keys sorted
	Algorithm    string  `parquet:"algorithm,dict"`
	Kind         string  `parquet:"kind,dict"`
	Reference    string  `parquet:"reference,dict"`
	Waived       string  `parquet:"waived,dict"`  // constraint names, comma separated
	Augmentation float64 `parquet:"augmentation"` // speed or capacity factor, 1: none

	Model         *string `parquet:"model,optional,dict"`
	Solver        *string `parquet:"solver,optional,dict"`
	SolverVersion *string `parquet:"solver_version,optional,dict"`
	Status        string  `parquet:"status,dict"`
	RawStatus     *string `parquet:"raw_status,optional,dict"`
	Sense         string  `parquet:"sense,dict"`

	Objective        *float64 `parquet:"objective,optional"`         // the checker's
	ObjectiveClaimed *float64 `parquet:"objective_claimed,optional"` // the algorithm's
	Bound            *float64 `parquet:"bound,optional"`             // proven, on reference
	Gap              *float64 `parquet:"gap,optional"`
	Feasible         *bool    `parquet:"feasible,optional"` // but for the waived constraints
	MaxViolation     *float64 `parquet:"max_violation,optional"`
	WorstConstraint  *string  `parquet:"worst_constraint,optional,dict"`

	WallSeconds   *float64 `parquet:"wall_seconds,optional"`
	SolverSeconds *float64 `parquet:"solver_seconds,optional"`
	CPUSeconds    *float64 `parquet:"cpu_seconds,optional"`
	PeakRSSBytes  *int64   `parquet:"peak_rss_bytes,optional"`
	BuildSeconds  *float64 `parquet:"build_seconds,optional"`
	NColumns      *int64   `parquet:"n_columns,optional"`
	NRows         *int64   `parquet:"n_rows,optional"`
	NNonzeros     *int64   `parquet:"n_nonzeros,optional"`
	NNodes        *int64   `parquet:"n_nodes,optional"`

	TimeLimitSeconds *float64 `parquet:"time_limit_seconds,optional"`
	MemoryLimitBytes *int64   `parquet:"memory_limit_bytes,optional"`

	StartedAt     time.Time `parquet:"started_at,timestamp(microsecond)"` // UTC
	Host          string    `parquet:"host,dict"`
	CPUModel      string    `parquet:"cpu_model,dict"`
	NCPUs         int64     `parquet:"n_cpus"`
	GoVersion     string    `parquet:"go_version,dict"`
	BinaryVersion string    `parquet:"binary_version,dict"`
	Error         *string   `parquet:"error,optional"` // one sentence and, for crashes, the tail of stderr

	ProofSHA256 *string `parquet:"proof_sha256,optional"` // of DIR/proofs/<unit_id>.jsonl.gz
}

// A SimRecord is one metric of one simulated repetition: one row of DIR/sim/*.parquet.
type SimRecord struct {
	RunID          string  `parquet:"run_id,dict"`
	Problem        string  `parquet:"problem,dict"`
	Workload       string  `parquet:"workload,dict"`
	WorkloadSHA256 string  `parquet:"workload_sha256,dict"`
	Policy         string  `parquet:"policy,dict"`
	Params         string  `parquet:"params,dict"`
	Seed           int64   `parquet:"seed"`
	Repetition     int64   `parquet:"repetition"`
	Scope          string  `parquet:"scope,dict"`        // run or job
	Job            *string `parquet:"job,optional,dict"` // null when scope is run
	Metric         string  `parquet:"metric,dict"`
	Unit           string  `parquet:"unit,dict"`
	Value          float64 `parquet:"value"`
}

// Tidy has nothing in the texts that does not print, whoever wrote the row: they are shown on terminals and in pages. Only the
// error keeps its line breaks.
func (r *Record) Tidy() {
	for _, s := range [...]*string{
		&r.RunID, &r.UnitID, &r.Suite, &r.Problem, &r.Instance, &r.InstanceSHA256, &r.Source, &r.Params, &r.Algorithm, &r.Kind,
		&r.Reference, &r.Waived, r.Model, r.Solver, r.SolverVersion, &r.Status, r.RawStatus, &r.Sense, r.WorstConstraint,
		&r.Host, &r.CPUModel, &r.GoVersion, &r.BinaryVersion,
	} {
		if s != nil {
			*s = models.Printable(*s, false)
		}
	}
	if r.Error != nil {
		*r.Error = models.Printable(*r.Error, true)
	}
}

// Tidy is Record's.
func (r *SimRecord) Tidy() {
	for _, s := range [...]*string{
		&r.RunID, &r.Problem, &r.Workload, &r.WorkloadSHA256, &r.Policy, &r.Params, &r.Scope, r.Job, &r.Metric, &r.Unit,
	} {
		if s != nil {
			*s = models.Printable(*s, false)
		}
	}
}
