package reports

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// rows is the file of the ratios as text, until it goes where it was wanted.
const rows = ".csv"

// move moves the files of a finished report into dir, on the same disk, the page last; others in dir stay.
func move(stage, dir string) error {
	const page = "index.html"
	err := filepath.WalkDir(stage, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == rows || path == filepath.Join(stage, page) {
			return err
		}
		name, err := filepath.Rel(stage, path)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			return err
		}
		return os.Rename(path, filepath.Join(dir, name))
	})
	if err != nil {
		return err
	}
	return os.Rename(filepath.Join(stage, page), filepath.Join(dir, page))
}

// remove removes the folder in which a report was made. What still writes there no longer finds it.
func remove(stage string) {
	if gone := stage + "-gone"; os.Rename(stage, gone) == nil {
		stage = gone
	}
	_ = os.RemoveAll(stage) // what is left hides behind its dot
}

// replace replaces a file by a copy of another in one step, so that a reader never sees half of it.
func replace(ctx context.Context, path, by string) error {
	from, err := os.Open(by)
	if err != nil {
		return err
	}
	defer from.Close()
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // after the renaming there is nothing to remove
	defer tmp.Close()
	if _, err = io.Copy(tmp, readerUntil{ctx, from}); err != nil {
		return err
	}
	if err = tmp.Chmod(0o644); err != nil {
		return err
	}
	if err = tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// readerUntil reads until ctx ends.
type readerUntil struct {
	ctx  context.Context
	from io.Reader
}

func (r readerUntil) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, context.Cause(r.ctx)
	}
	return r.from.Read(p)
}
