// Package swim reads the workloads of SWIM, the Statistical Workload Injector for MapReduce (Chen, Ganapathi, Griffith, Katz:
// The Case for Evaluating MapReduce Performance Using Workload Suites, MASCOTS 2011; data under the New BSD licence): samples
// of Facebook's jobs of 2009 and 2010, tab-separated, gzip or plain. A row has a job, its submission and the gap to the job
// before it in seconds, and the bytes that its map phase reads, shuffles, and writes. Tasks and run times are not recorded.
//
// Every file is a workload with a clock of its own. A folder of several is read as one trace; to use one of them, name the
// file. Job ids are the file, a slash and the trace's own id.
package swim

import (
	"math"
	"path"
	"slices"
	"strings"

	"schedgap/datasets/event"
	"schedgap/datasets/formats"
	"schedgap/datasets/table"
)

// Format is the name of the format.
const Format = "swim"

var columns = []string{"job", "submit seconds", "gap seconds", "map input bytes", "shuffle bytes", "reduce output bytes"}

// Loader reads traces of the format. Files overlap in time.
var Loader = &formats.Loader{
	Name: Format, Looks: "*.tsv, 6 columns between tabs: job0\t12\t12\t8589934592\t0\t1048576",
	Tables: []formats.Table{{
		Folder: ".", Patterns: []string{"*.tsv", "*.txt"}, Rows: rows, Jobs: true,
		Suits: func(head []string) bool {
			return slices.ContainsFunc(head, func(line string) bool {
				cells := strings.Split(line, "\t")
				return len(cells) == len(columns) && !slices.ContainsFunc(cells[1:], func(cell string) bool {
					return strings.Trim(cell, "0123456789") != ""
				})
			})
		},
	}},
}

func rows(sink event.Sink) formats.Take {
	if sink.Volume == nil {
		return nil
	}
	const most = math.MaxInt64 / int64(event.Second) / 2 // seconds
	last := int64(0)
	r := table.Row{Columns: columns, Sep: '\t'}
	return func(file string, n int, text []byte) error {
		r.File = file
		if n == 1 {
			last = 0
		}
		r.Reset(n, text)
		stem, _, _ := strings.Cut(path.Base(file), ".")
		v := event.Volume{Job: stem + "/" + string(r.Name())}
		submit := r.Need(most)
		if submit < last {
			r.Fail("is before the time of the row above; the table must be in order of time")
		}
		last = submit
		r.Need(most)
		v.Submit, v.Input = event.Time(submit)*event.Second, r.Need(math.MaxInt64)
		v.Shuffle, v.Output = r.Need(math.MaxInt64), r.Need(math.MaxInt64)
		if bad := r.Done(); bad != nil {
			return bad
		}
		return sink.Volume(&v)
	}
}
