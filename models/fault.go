package models

// A Fault says that one of a problem's own commands failed, such as the checker of a problem in a folder. The problem is at fault,
// and not the algorithm that was run.
type Fault struct {
	Reason string // a sentence that names the problem and the command
	Err    error  // what the command did; nil: only the sentence is known
}

// Error implements error.
func (f *Fault) Error() string { return f.Reason }

// Unwrap returns what the command did.
func (f *Fault) Unwrap() error { return f.Err }
