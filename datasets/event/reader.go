package event

import "context"

// A Reader streams one trace.
type Reader interface {
	// Format is the name used on command lines, such as google2011.
	Format() string
	// Dir is the folder of the trace, which errors and places of records begin with.
	Dir() string
	// Files lists the files the trace is made of, relative to its folder, sorted.
	Files() []string
	// Sorted promises that every table is in order of time.
	Sorted() bool
	// Read hands every record to sink, the machines first, then jobs, then tasks, each table in the order of its files. Errors of
	// lines that are not as the format says name file, line, column and value.
	Read(ctx context.Context, sink Sink) error
}
