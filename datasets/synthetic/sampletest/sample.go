// Package sampletest holds a small synthetic trace for tests, the folder with task_events, job_events and machine_events, as
// package synthetic writes it.
package sampletest

import (
	"embed"
	"io/fs"
	"os"
)

//go:embed sample
var files embed.FS

// Files is the trace.
func Files() (fs.FS, error) { return fs.Sub(files, "sample") }

// Extract writes the trace into dir, which is made if need be. Files that are there already are errors.
func Extract(dir string) error {
	sample, err := Files()
	if err != nil {
		return err
	}
	return os.CopyFS(dir, sample)
}
