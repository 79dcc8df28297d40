// Package sandbox runs a command that nobody has read: it sees its own files, its interpreter and the system's libraries, writes
// into its folder for temporary files, and reaches no network, no other process and nothing that it was not given. A launcher,
// which is this program in another mode, restricts its own thread and becomes the command. The supervisor that starts it has
// namespaces of its own where the system allows (see worker.Options.Confined); elsewhere Landlock alone must do.
package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Mode is the first argument that makes this program the launcher: main then calls Launch with the rest.
const Mode = "confine"

// A Spec lists the absolute paths that a command may read beside the system's programs and libraries.
type Spec struct {
	Read []string `json:"read"` // files and folders
	Hide []string `json:"hide"` // files and folders below Read that it may not read
}

// Wrap is the command that confines a command, whose first word is a path.
func (s Spec) Wrap(command []string) ([]string, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("describing the sandbox: %w", err)
	}
	return append([]string{"/proc/self/exe", Mode, string(text)}, command...), nil
}

// A view is a path that a command reads, and where it leads.
type view struct{ path, real string }

// views returns what exists of the patterns and of the paths, which are no patterns; what lies below another one is left out.
func views(patterns, paths []string) (list []view) {
	for _, pattern := range patterns {
		found, _ := filepath.Glob(pattern) // those of this package are patterns
		paths = append(slices.Clip(paths), found...)
	}
	for _, path := range paths {
		if real, err := filepath.EvalSymlinks(path); err == nil && path != "" {
			list = append(list, view{path, real})
		}
	}
	slices.SortFunc(list, func(a, b view) int { return strings.Compare(a.path, b.path) })
	kept := list[:0]
	for _, v := range list {
		if !slices.ContainsFunc(kept, func(o view) bool { return below(o.path, v.path) || o.path == v.path }) {
			kept = append(kept, v)
		}
	}
	return kept
}

// below reports whether a clean path leads to something inside of a folder.
func below(folder, path string) bool {
	return strings.HasPrefix(path, strings.TrimSuffix(folder, "/")+"/") && path != folder
}

// hidden are the paths below views that are to be hidden, by the names that they have there. What the command needs is not: of a
// folder around that, such as a home folder around an interpreter, the rest is hidden.
func hidden(list []view, hide, needs []string) (found []string) {
	needed := make([]string, 0, len(needs))
	for _, path := range needs {
		if real, err := filepath.EvalSymlinks(path); err == nil && path != "" {
			needed = append(needed, real)
		}
	}
	var add func(v view, path string)
	add = func(v view, path string) {
		switch {
		case slices.Contains(needed, path):
		case slices.ContainsFunc(needed, func(need string) bool { return below(path, need) }):
			entries, _ := os.ReadDir(path) // of what cannot be listed nothing is known to hide
			for _, e := range entries {
				add(v, filepath.Join(path, e.Name()))
			}
		default:
			found = append(found, v.path+strings.TrimPrefix(path, v.real))
		}
	}
	for _, path := range hide {
		real, err := filepath.EvalSymlinks(path)
		if err != nil || path == "" {
			continue
		}
		for _, v := range list {
			if below(v.real, real) {
				add(v, real)
			}
		}
	}
	return found
}
