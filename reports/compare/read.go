package compare

import (
	"context"
	"fmt"
	"os"

	"schedgap/bench"
	"schedgap/bench/speedcheck"
	"schedgap/bench/store"
	"schedgap/models/input"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
)

// Read reads a side from a results folder, or from one Parquet file with the columns of DIR/runs/*.parquet, be it one of
// these or made of several by another program. A damaged file is an error: the rows that are lost with it might be the
// regression. Errors name the file.
func Read(ctx context.Context, path string) (Side, error) {
	side := Side{Name: path}
	info, err := os.Stat(path)
	if err != nil {
		return side, input.PathError(path, err)
	}
	if !info.IsDir() {
		side.Records, err = readFile(ctx, path)
	} else {
		side.Records, side.Speed, err = readFolder(ctx, path)
	}
	if err == nil && len(side.Records) == 0 {
		err = fmt.Errorf("%s: holds no results", path)
	}
	return side, err
}

// Speed is the median of timings of the reference unit; 0: there are too few to speak of a machine's speed, as one alone is as
// likely to have been interrupted.
func Speed(samples []speedcheck.Sample) float64 {
	if len(samples) < 3 {
		return 0
	}
	seconds := make([]float64, len(samples))
	for i, s := range samples {
		seconds[i] = s.Seconds
	}
	return stats.Median(seconds)
}

func readFolder(ctx context.Context, path string) ([]ratio.Record, float64, error) {
	records, bad, err := ratio.Read(ctx, store.Open(path))
	if err != nil {
		return nil, 0, err
	}
	if len(bad) > 0 {
		return nil, 0, bad[0]
	}
	samples, err := speedcheck.Read(path)
	return records, Speed(samples), err
}

// readFile reads the rows of a Parquet file with bench.Record's columns.
func readFile(ctx context.Context, path string) (records []ratio.Record, err error) {
	var pack ratio.Packer
	err = store.EachRow(path, func(rows []bench.Record) error {
		for i := range rows {
			records = append(records, pack.Record(&rows[i]))
		}
		return ctx.Err()
	})
	return records, err
}
