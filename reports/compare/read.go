package compare

import (
	"context"
	"fmt"
	"os"

	"schedgap/bench"
	"schedgap/bench/run/store"
	"schedgap/models/input"
	"schedgap/reports/ratio"
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
	if info.IsDir() {
		err = side.readFolder(ctx, path)
	} else {
		side.Records, err = readFile(ctx, path)
	}
	if err == nil && len(side.Records) == 0 {
		err = fmt.Errorf("%s: holds no results", path)
	}
	return side, err
}

// readFolder reads the rows that the folder's plan asks for.
func (s *Side) readFolder(ctx context.Context, path string) error {
	dir := store.Open(path)
	plan, err := dir.Plan()
	if err != nil {
		return err
	}
	var bad []*store.FileError
	s.Records, bad, err = ratio.Read(ctx, dir)
	if err == nil && len(bad) > 0 {
		err = bad[0]
	}
	if plan != nil {
		s.Asked = plan.Has
	}
	s.LeftOut = dir.LeftOut()
	return err
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
