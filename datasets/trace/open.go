package trace

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"schedgap/datasets/formats"
	"schedgap/datasets/formats/alibaba"
	"schedgap/datasets/formats/google2011"
	"schedgap/datasets/formats/google2019"
	"schedgap/datasets/formats/joblist"
	"schedgap/datasets/formats/swf"
	"schedgap/datasets/formats/swim"
	"schedgap/datasets/table"
)

// loaders read the published trace formats and the users' own (joblist).
var loaders = []*formats.Loader{google2011.Loader, google2019.Loader, alibaba.Loader, swim.Loader, swf.Loader, joblist.Loader}

// Formats lists the names of the formats.
func Formats() []string {
	names := make([]string, len(loaders))
	for i, l := range loaders {
		names[i] = l.Name
	}
	return names
}

// Open opens the trace at path: a folder, or one file of the formats whose files are traces by themselves (all but Google's). An
// empty format is found out from the files' first lines. Nothing else is read before Source.Read.
func Open(path, format string) (*Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	if info.IsDir() {
		return OpenFS(os.DirFS(path), path, format)
	}
	dir := filepath.Dir(path)
	return open(table.Dir{FS: os.DirFS(dir), Name: dir, Only: filepath.Base(path)}, format)
}

// OpenFS is Open for a folder that may be elsewhere than on disk; messages call it name.
func OpenFS(fsys fs.FS, name, format string) (*Source, error) {
	return open(table.Dir{FS: fsys, Name: name}, format)
}

func open(dir table.Dir, name string) (*Source, error) {
	r, err := formats.Open(dir, loaders, name)
	if err != nil {
		return nil, err
	}
	return &Source{Reader: r, dir: dir}, nil
}
