// Package swim reads the workloads of SWIM, the Statistical Workload Injector for MapReduce (Chen, Ganapathi, Griffith, Katz:
// The Case for Evaluating MapReduce Performance Using Workload Suites, MASCOTS 2011; data under the New BSD licence): samples
// of Facebook's jobs of 2009 and 2010, tab-separated, gzip or plain. A row has a job, its submission and the gap to the job
// before it in seconds, and the bytes that its map phase reads, shuffles, and writes. Tasks and run times are not recorded.
//
// Every file is a workload with a clock of its own. A folder of several is read as one trace; to use one of them, name the
// file. Job ids are the file, a slash and the trace's own id.
package swim

import (
	"context"
	"fmt"
	"math"
	"path"
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
	Name: Format, Tables: [][]string{{".", "*.tsv"}}, Read: read,
	Lacks: formats.Without("no *.tsv.gz in it, so it is not a swim trace"),
}

func read(ctx context.Context, dir table.Dir, tables [][]string, sink event.Sink) error {
	if sink.Volume == nil {
		return nil
	}
	for _, name := range tables[0] {
		file := dir.Path(name)
		stem, _, _ := strings.Cut(path.Base(name), ".")
		last := int64(0)
		err := dir.Lines(ctx, name, func(n int, text []byte) error {
			row, err := table.Split(file, n, string(text), "\t", columns)
			if err != nil {
				return err
			}
			const mostSeconds = math.MaxInt64 / int64(event.Second) / 2
			submit := row.Integer(1, 0, mostSeconds)
			bytes := func(col int) int64 { return row.Integer(col, 0, math.MaxInt64) }
			v := event.Volume{
				Job: stem + "/" + row.Text(0), Submit: event.Time(submit) * event.Second,
				Input: bytes(3), Shuffle: bytes(4), Output: bytes(5),
			}
			row.Integer(2, 0, mostSeconds)
			if submit < last {
				row.Fail(1, fmt.Sprintf("is before %d, the time of the row above; the table must be in order of time", last))
			}
			if err := row.Err(); err != nil {
				return err
			}
			last = submit
			return sink.Volume(&v)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
