package models

// Work is the effort of a run; nil means not applicable or not known. An algorithm counts it, except CPUSeconds and PeakRSSBytes,
// which the harness measures. The fields are columns of the results: what stands here is all that is said of one, and it is
// carried from here to the rows, the documentation and the tables of reports.
type Work struct {
	SolverSeconds *float64 `parquet:"solver_seconds,optional" unit:"s"` // according to the solver
	// user and system time of the run; for a killed process, last read up to 25 ms before its end
	CPUSeconds   *float64 `parquet:"cpu_seconds,optional" unit:"s"`
	PeakRSSBytes *int64   `parquet:"peak_rss_bytes,optional" unit:"bytes"` // largest resident memory of the process
	BuildSeconds *float64 `parquet:"build_seconds,optional" unit:"s"`      // time to build the model
	Columns      *int64   `parquet:"n_columns,optional" unit:"columns"`    // of the model
	Rows         *int64   `parquet:"n_rows,optional" unit:"rows"`          // of the model
	Nonzeros     *int64   `parquet:"n_nonzeros,optional" unit:"entries"`   // of the model
	Nodes        *int64   `parquet:"n_nodes,optional" unit:"nodes"`        // of the search
	// the optimum of the model's relaxation without integrality, as the formulation states it, before cuts; of a model that is solved
	// by way of relaxations, of the first of these. Solved after the run, outside its time; null: not within a minute
	LPBound *float64 `parquet:"lp_bound,optional" unit:"the problem's"`
	// the solver's bound when the root node is done, with its cuts; null: it does not tell, or did not come so far
	RootBound *float64 `parquet:"root_bound,optional" unit:"the problem's"`
}

// Findings are the facts about the value of a run: the checker's numbers and proven bounds. Nil means not applicable. The fields
// are columns of the results, as those of Work: the checker's report, the result, its row and the tables of reports carry them.
type Findings struct {
	Objective *float64 `json:"objective" parquet:"objective,optional" unit:"the problem's"`       // by the independent checker
	Claimed   *float64 `json:"claimed" parquet:"objective_claimed,optional" unit:"the problem's"` // by the algorithm; only stored
	// of a refuted claim, which is `objective_claimed`: the value of the solution, or the bound, that contradicts it
	RefutedBy *float64 `json:"refuted_by,omitempty" parquet:"refuted_by,optional" unit:"the problem's"`
	// proven for `reference`: lower for `min`, upper for `max`
	Bound *float64 `json:"bound" parquet:"bound,optional" unit:"the problem's"`
	// of exact methods: |objective − bound| / |objective|, 0 if optimal; near 0 see docs/bounds-and-proofs.md; in older files `gap`
	Gap *float64 `json:"-" parquet:"mip_gap,optional" unit:"fraction"`
	// apart from waived constraints; null without a solution
	Feasible *bool `json:"feasible" parquet:"feasible,optional"`
	// the largest violation that is not waived
	MaxViolation *float64 `json:"max_violation" parquet:"max_violation,optional" unit:"the constraint's"`
	// the constraint with that violation
	WorstConstraint *string `json:"worst_constraint,omitempty" parquet:"worst_constraint,optional,dict"`
}
