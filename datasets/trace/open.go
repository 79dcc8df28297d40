package trace

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"schedgap/datasets/formats"
	"schedgap/datasets/formats/alibaba"
	"schedgap/datasets/formats/google2011"
	"schedgap/datasets/formats/google2019"
	"schedgap/datasets/formats/joblist"
	"schedgap/datasets/formats/swim"
	"schedgap/datasets/table"
)

// loaders read the published trace formats and the users' own (joblist), which comes before alibaba, as alibaba takes any CSV
// file
// that is named.
var loaders = [...]*formats.Loader{google2011.Loader, google2019.Loader, joblist.Loader, alibaba.Loader, swim.Loader}

// Formats lists the names of the formats.
func Formats() []string {
	names := make([]string, len(loaders))
	for i, l := range loaders {
		names[i] = l.Name
	}
	return names
}

// Open opens the trace at path: a folder, or one file of the formats whose files are traces by themselves (csv, alibaba, swim).
// An empty format is found out from the names of the files and, for csv, its first line. Nothing else is read before Source.Read.
func Open(path, format string) (*Source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	if info.IsDir() {
		return open(table.Dir{FS: os.DirFS(path), Name: path}, format)
	}
	dir := filepath.Dir(path)
	return open(table.Dir{FS: os.DirFS(dir), Name: dir, Only: filepath.Base(path)}, format)
}

// OpenFS is Open for a folder that is not on disk; messages call it name.
func OpenFS(fsys fs.FS, name, format string) (*Source, error) {
	return open(table.Dir{FS: fsys, Name: name}, format)
}

func open(dir table.Dir, name string) (*Source, error) {
	i := slices.IndexFunc(loaders[:], func(l *formats.Loader) bool { return l.Name == name || name == "" && l.Detect(dir) })
	switch {
	case i < 0 && name == "":
		return nil, fmt.Errorf("%s: looks like no trace of a known format (%s)", dir.Path(dir.Only), strings.Join(Formats(), ", "))
	case i < 0:
		return nil, fmt.Errorf("trace format %q is not one of %s", name, strings.Join(Formats(), ", "))
	}
	r, err := loaders[i].Open(dir)
	if err != nil {
		return nil, err
	}
	return &Source{Reader: r, dir: dir}, nil
}
