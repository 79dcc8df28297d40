package synthetic

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
)

//go:embed sample
var files embed.FS

// SampleSeed and SampleParams are what the committed sample was generated from: Write("sample", SampleParams(),
// rand.New(rand.NewPCG(SampleSeed, 0))), which `go test ./datasets/synthetic -run TestSample -update` does.
const SampleSeed = 1

// SampleParams keep the sample small: jobs that would have more than 30 tasks have 30.
func SampleParams() Params { return Params{Hours: 1, MaxTasks: 30} }

// Sample is a small synthetic trace, the folder with task_events, job_events and machine_events.
func Sample() fs.FS {
	sub, err := fs.Sub(files, "sample")
	if err != nil { // only an invalid name can be the cause, and the compiler has seen the folder
		return files
	}
	return sub
}

// Extract writes the sample into dir, which is made if need be. Files that are there already are errors.
func Extract(dir string) error {
	if err := os.CopyFS(dir, Sample()); err != nil {
		return fmt.Errorf("sample trace: %w", err)
	}
	return nil
}
