package flex_test

import (
	"strings"
	"testing"

	"schedgap/datasets/datasettest"
	"schedgap/models"
)

// A trace of four jobs: 11 with two tasks of 10 and 30 s, 12 with one of 5 s; 13 is killed, 14 does not end.
const fourJobs = `700000000,,11,0,,0,u,1,1,0.1,0.1,0,0
700000000,,11,1,,0,u,1,1,0.1,0.1,0,0
701000000,,11,0,5,1,u,1,1,0.1,0.1,0,0
701000000,,11,1,5,1,u,1,1,0.1,0.1,0,0
702000000,,13,0,,0,u,1,1,0.1,0.1,0,0
703000000,,13,0,5,1,u,1,1,0.1,0.1,0,0
704000000,,13,0,5,5,u,1,1,0.1,0.1,0,0
711000000,,11,0,5,4,u,1,1,0.1,0.1,0,0
720000000,,12,0,,0,u,1,1,0.1,0.1,0,0
721000000,,12,0,5,1,u,1,1,0.1,0.1,0,0
726000000,,12,0,5,4,u,1,1,0.1,0.1,0,0
730000000,,14,0,,0,u,1,1,0.1,0.1,0,0
731000000,,11,1,5,4,u,1,1,0.1,0.1,0,0
`

func TestWorkloadFromTrace(t *testing.T) {
	dir := datasettest.Folder(t, map[string]string{datasettest.TaskEvents: fourJobs})
	const (
		// Durations 10 and 30 s: mean 20, standard deviation 10.
		first  = `{"job":"11","arrival":0,"map":{"tasks":2,"mean":20,"cv":0.5}}` + "\n"
		second = `{"job":"12","arrival":20,"map":{"tasks":1,"mean":5,"cv":0}}` + "\n"
	)
	for _, c := range []struct {
		name string
		r    models.DeriveRequest
		want string
	}{
		{"all finished jobs", models.DeriveRequest{}, first + second},
		{"the first one", models.DeriveRequest{N: 1}, first},
		{"submitted before 710 s", models.DeriveRequest{To: 710}, first},
		// Job 11 is active then, but was submitted earlier.
		{"submitted at 710 s or later", models.DeriveRequest{From: 710}, strings.Replace(second, "20", "0", 1)},
	} {
		c.r.Dir, c.r.Format = dir, "google2011"
		t.Run(c.name, func(t *testing.T) { kit.FromTrace(t, c.r, c.want) })
	}
	kit.FromTrace(t, models.DeriveRequest{Dir: dir, Format: "google2011", From: 1000},
		dir+", from 1000s on: no job was submitted there and finished inside the trace")
}
