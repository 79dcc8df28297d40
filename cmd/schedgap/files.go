package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"

	"schedgap/bench"
	"schedgap/bench/run/store"
	"schedgap/models"
	"schedgap/models/input"
	"schedgap/models/output"
)

// readInstance reads an instance file of any problem.
func (a *app) readInstance(file string) (*bench.Instance, error) {
	data, err := readFile(file)
	if err != nil {
		return nil, err
	}
	if a.own != nil {
		if name, err := models.PeekProblem(file, data); err != nil || name == a.own.Name {
			return a.own.ParseInstance(file, data) // it may say nothing of its problem
		}
	}
	if dir := filepath.Dir(file); filepath.Base(dir) == store.InstancesFolder { // that of results says which folder its problem is
		if err := a.adoptFrom(filepath.Dir(dir)); err != nil {
			return nil, err
		}
	}
	return a.registry.ParseInstance(file, data)
}

// readInstanceOf reads an instance file of a problem.
func (a *app) readInstanceOf(p *bench.Problem, file string) (*bench.Instance, error) {
	in, err := a.readInstance(file)
	if err == nil && in.Problem != p {
		err = fmt.Errorf("%s: is an instance of %s, not of %s", file, in.Problem.Name, p.Name)
	}
	return in, err
}

// storedInstance reads the instance of that hash out of a results folder, and warns of one that is there and cannot be read.
func (a *app) storedInstance(dir *store.Dir, sha256 string) (*bench.Instance, error) {
	data, err := dir.Instance(sha256)
	var in *bench.Instance
	if err == nil {
		in, err = a.registry.ParseInstance(dir.InstancePath(sha256), data)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		a.log.Warn("an instance is left out", "error", err.Error())
	}
	return in, err
}

// readFile reads an input file; the error is one sentence that begins with its name.
func readFile(file string) ([]byte, error) { return input.Read(file, input.MaxData) }

// writableFile reports early, before any work is done, that file cannot be written, or is the file that the work reads.
func writableFile(file, from string) error {
	switch file {
	case "":
		return nil
	case stdoutName:
		return errDash
	}
	if info, err := os.Stat(file); err == nil {
		source, err := os.Stat(from)
		switch {
		case err == nil && os.SameFile(info, source):
			return fmt.Errorf("%s: is the instance, which the output would replace", file)
		case info.IsDir():
			return fmt.Errorf("%s: is a directory, not a file to write", file)
		case !info.Mode().IsRegular():
			return writable(file)
		}
	}
	to, err := output.Target(file)
	if err != nil {
		return input.PathError(file, err)
	}
	dir := filepath.Dir(to)
	if err := folder(dir); err != nil {
		return err
	}
	return writable(dir)
}

// followed returns a path without any ".." behind a symbolic link. The system goes up from the folder to which the link leads,
// package filepath from the one that holds the link: the same path would mean two files.
func followed(path string) string {
	const up = "/.."
	i := strings.LastIndex(path+"/", up+"/")
	if i <= 0 {
		return path
	}
	head := path[:i+len(up)]
	there, err := os.Stat(head)
	if err != nil {
		return path
	}
	if spelled, err := os.Stat(filepath.Clean(head)); err == nil && os.SameFile(there, spelled) {
		return path
	}
	real, err := filepath.EvalSymlinks(head)
	if err != nil {
		return path
	}
	return real + path[i+len(up):]
}

// checkPaths refuses empty paths among a command's arguments and flags, as a shell makes of unset variables, and replaces the
// others by what they mean. It does not touch the words of an external command.
func checkPaths(cmd *cobra.Command, args []string) (err error) {
	if strings.HasPrefix(cmd.Name(), cobra.ShellCompRequestCmd) { // the word to complete may be empty
		return nil
	}
	own := args
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		own = args[:at]
	}
	for i, arg := range own {
		if arg == "" {
			return fmt.Errorf("argument %d is empty; see: %s --help", i+1, cmd.CommandPath())
		}
		own[i] = followed(arg)
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		kind, _ := pflag.UnquoteUsage(f)
		if !slices.Contains([]string{"DIR", "FILE", "GLOB"}, kind) || err != nil {
			return
		}
		given, several := f.Value.(pflag.SliceValue)
		values := []string{f.Value.String()}
		if several {
			values = given.GetSlice()
		}
		for i, path := range values {
			if path == "" {
				err = fmt.Errorf("--%s: the path is empty", f.Name)
				return
			}
			values[i] = followed(path)
		}
		if several {
			err = given.Replace(values)
		} else if values[0] != f.Value.String() {
			err = f.Value.Set(values[0])
		}
	})
	return err
}

// same reports whether writes to both paths would reach one file.
func same(a, b string) bool {
	var paths [2]string
	for i, path := range []string{a, b} {
		to, err := output.Target(path)
		if err == nil {
			to, err = filepath.Abs(to)
		}
		if err != nil {
			return false // the error of writing there gives the reason
		}
		paths[i] = to
	}
	return paths[0] == paths[1]
}

// writableFolder reports early, before any work is done, that dir or its folders of the given names cannot be written to or
// made. It changes nothing.
func writableFolder(dir string, names ...string) error {
	switch dir {
	case "":
		return errors.New("the folder to write to has an empty name")
	case stdoutName:
		return errDash
	}
	for _, name := range append([]string{""}, names...) {
		if err := canMake(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// writableInstances is writableFolder for writeInstances.
func writableInstances(dir string) error {
	if dir == stdoutName {
		return nil
	}
	return writableFolder(dir)
}

// stdoutName is the output that stands for stdout, but only to commands that make lines.
const stdoutName = "-"

var errDash = errors.New("the output - does not mean stdout here; write ./- for a file or folder of that name")

// canMake goes up from dir to the first folder that exists, where the others would be made.
func canMake(dir string) error {
	for ; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err == nil {
			if !info.IsDir() {
				return fmt.Errorf("%s: is not a directory", dir)
			}
			return writable(dir)
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.ENOTDIR) {
			return input.PathError(dir, err)
		}
		if _, err := os.Lstat(dir); err == nil {
			return fmt.Errorf("%s: is a symbolic link to nothing", dir)
		}
		if dir == filepath.Dir(dir) {
			return input.PathError(dir, err)
		}
	}
}

// writable reports that the user may not write to an existing file or folder.
func writable(path string) error {
	if err := unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS); err != nil {
		return fmt.Errorf("%s: cannot be written to: %w", path, err)
	}
	return nil
}

// folder reports that dir is not an existing folder.
func folder(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return input.PathError(dir, err)
	}
	if !info.IsDir() {
		return fmt.Errorf("%s: is not a directory", dir)
	}
	return nil
}

// writeFile is output.Write of a file that was asked for.
func writeFile(file string, data []byte) error { return output.Write(file, data, true) }

// writeFiles writes files by name into a folder, which is made if need be.
func writeFiles(dir string, files map[string][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return input.PathError(dir, err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := writeFile(filepath.Join(dir, name), files[name]); err != nil {
			return err
		}
	}
	return nil
}

// unused reports that a file is there, which what writes it does not replace.
func unused(file string) error {
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s: exists, and is not replaced", file)
	}
	return nil
}

// writeInstances writes one file an instance into dir, which is made if need be, and lists the paths on stdout. Files of the
// same names are replaced, others left alone; those of different problems have different names. To the folder - it prints the
// instances themselves, one a line.
func (a *app) writeInstances(dir string, instances []*bench.Instance) error {
	if dir == stdoutName {
		var lines bytes.Buffer
		for _, in := range instances {
			if err := json.Compact(&lines, in.JSON); err != nil {
				return fmt.Errorf("instance %s: %w", in.Name, err)
			}
			lines.WriteByte('\n')
		}
		return a.print(lines.Bytes())
	}
	var paths bytes.Buffer
	files := map[string][]byte{}
	for _, in := range instances {
		// It begins with the problem: a trace gives instances of the same names to all of them.
		name := in.Problem.Name + "-" + strings.TrimPrefix(in.Name, in.Problem.Name+"-") + ".json"
		file := filepath.Join(dir, name)
		info, err := os.Stat(file)
		switch {
		case in.Name != filepath.Base(in.Name) || strings.HasPrefix(in.Name, "."):
			return fmt.Errorf("the instance's name %q is not fit for a file", in.Name)
		case err == nil && info.IsDir():
			return fmt.Errorf("%s: is a directory, not a file to write", file)
		}
		files[name] = in.JSON
		fmt.Fprintln(&paths, file)
	}
	if err := writeFiles(dir, files); err != nil {
		return err
	}
	return a.print(paths.Bytes())
}
