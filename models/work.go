package models

// Work is what a run took; nil means not applicable or not known. An algorithm counts it, except CPUSeconds and PeakRSSBytes,
// which the harness measures. The fields are columns of the results: what stands here is all that is said of one, and it is
// carried from here to the rows, the documentation and the tables of reports.
type Work struct {
	SolverSeconds *float64 `parquet:"solver_seconds,optional" unit:"s"` // according to the solver
	// user and system time of the run; of a killed process, as seen up to 25 ms before
	CPUSeconds   *float64 `parquet:"cpu_seconds,optional" unit:"s"`
	PeakRSSBytes *int64   `parquet:"peak_rss_bytes,optional" unit:"bytes"` // largest resident memory of the process
	BuildSeconds *float64 `parquet:"build_seconds,optional" unit:"s"`      // time to build the model
	Columns      *int64   `parquet:"n_columns,optional" unit:"columns"`    // of the model
	Rows         *int64   `parquet:"n_rows,optional" unit:"rows"`          // of the model
	Nonzeros     *int64   `parquet:"n_nonzeros,optional" unit:"entries"`   // of the model
	Nodes        *int64   `parquet:"n_nodes,optional" unit:"nodes"`        // of the search
}
