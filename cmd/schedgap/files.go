package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"schedgap/bench"
	"schedgap/bench/store"
)

// readInstance reads an instance file of whichever problem.
func (a *app) readInstance(file string) (*bench.Instance, error) {
	data, err := readFile(file)
	if err != nil {
		return nil, err
	}
	return a.registry.ParseInstance(file, data)
}

// readFile reads an input file; the error is one sentence that begins with its name.
func readFile(file string) ([]byte, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, pathError(file, err)
	}
	return data, nil
}

func pathError(file string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: %w", file, err)
}

// writableFile reports early, before any work is done, that file cannot be written.
func writableFile(file string) error {
	if file == "" {
		return nil
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("%s: is a directory, not a file to write", file)
	}
	return folder(filepath.Dir(file))
}

// folder reports that dir is not an existing folder.
func folder(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return pathError(dir, err)
	}
	if !info.IsDir() {
		return fmt.Errorf("%s: is not a directory", dir)
	}
	return nil
}

// writeFile writes a file whole or not at all.
func writeFile(file string, data []byte) error {
	abs, err := filepath.Abs(file)
	if err != nil {
		return pathError(file, err)
	}
	return store.WriteFile(abs, data)
}

// writeInstances writes one file an instance into dir, which is made if need be, and lists the paths on stdout. Files of the
// same names are replaced, others left alone.
func (a *app) writeInstances(dir string, instances []*bench.Instance) error {
	for _, in := range instances {
		if in.Name != filepath.Base(in.Name) || strings.HasPrefix(in.Name, ".") {
			return fmt.Errorf("the instance's name %q is not fit for a file", in.Name)
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return pathError(dir, err)
	}
	var paths bytes.Buffer
	for _, in := range instances {
		file := filepath.Join(dir, in.Name+".json")
		if err := writeFile(file, in.JSON); err != nil {
			return err
		}
		fmt.Fprintln(&paths, file)
	}
	_, err := a.stdout.Write(paths.Bytes())
	return err
}
