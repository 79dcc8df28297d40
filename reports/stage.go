package reports

import (
	"io/fs"
	"os"
	"path/filepath"

	"schedgap/models/output"
)

// move moves the files of a finished report into dir, on the same disk, the page last; others in dir stay.
func move(stage, dir string) error {
	const page = "index.html"
	err := filepath.WalkDir(stage, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == filepath.Join(stage, page) {
			return err
		}
		name, err := filepath.Rel(stage, path)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			return err
		}
		return output.Move(path, filepath.Join(dir, name))
	})
	if err != nil {
		return err
	}
	return output.Move(filepath.Join(stage, page), filepath.Join(dir, page))
}

// remove removes the folder in which a report was made. What still writes there no longer finds it.
func remove(stage string) {
	if gone := stage + "-gone"; os.Rename(stage, gone) == nil {
		stage = gone
	}
	_ = os.RemoveAll(stage) // the rest hides behind its dot
}
