package redundancy_test

import (
	"testing"

	"schedgap/datasets/datasettest"
	"schedgap/models"
)

// A trace of three jobs: 11 with two tasks of 10 and 30 s, 13 with one of 8 s; 14 is killed.
const threeJobs = `700000000,,11,0,,0,u,1,1,0.1,0.1,0,0
700000000,,11,1,,0,u,1,1,0.1,0.1,0,0
701000000,,11,0,5,1,u,1,1,0.1,0.1,0,0
701000000,,11,1,5,1,u,1,1,0.1,0.1,0,0
711000000,,11,0,5,4,u,1,1,0.1,0.1,0,0
720000000,,13,0,,0,u,1,1,0.1,0.1,0,0
721000000,,13,0,5,1,u,1,1,0.1,0.1,0,0
722000000,,14,0,,0,u,1,1,0.1,0.1,0,0
723000000,,14,0,5,1,u,1,1,0.1,0.1,0,0
724000000,,14,0,5,5,u,1,1,0.1,0.1,0,0
729000000,,13,0,5,4,u,1,1,0.1,0.1,0,0
731000000,,11,1,5,4,u,1,1,0.1,0.1,0,0
`

// The finished jobs with the sums of their tasks' durations, from the first that is taken on.
func TestWorkloadFromTrace(t *testing.T) {
	dir := datasettest.Folder(t, map[string]string{datasettest.TaskEvents: threeJobs})
	for _, c := range []struct {
		r    models.DeriveRequest
		want string
	}{
		{models.DeriveRequest{}, `{"job":"11","arrival":0,"work":40}` + "\n" + `{"job":"13","arrival":20,"work":8}` + "\n"},
		{models.DeriveRequest{N: 1}, `{"job":"11","arrival":0,"work":40}` + "\n"},
		{models.DeriveRequest{From: 710}, `{"job":"13","arrival":0,"work":8}` + "\n"},
	} {
		c.r.Dir, c.r.Format = dir, "google2011"
		kit.FromTrace(t, c.r, c.want)
	}
	kit.FromTrace(t, models.DeriveRequest{Dir: dir, Format: "google2011", From: 1000},
		dir+", from 1000s on: no job was submitted there and finished inside the trace")
}
