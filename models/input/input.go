// Package input is the door through which every file comes that a user or a results folder names: regular files only, and no
// more of them than fits.
package input

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/sys/unix"
)

// Limits of a file's size in bytes.
const (
	MaxData   = 1 << 30 // instances, solutions, workloads, results
	MaxConfig = 1 << 20 // suites, solver lists: what people write by hand
)

// Read returns the contents of a regular file of at most most bytes, unpacked if its name says so. The error is one sentence that
// begins with the file's name, and wraps that of the operating system if there is one.
func Read(file string, most int64) ([]byte, error) {
	data, err := ReadStored(file, most)
	if err != nil {
		return nil, err
	}
	return Unpack(file, data, most)
}

// ReadStored is Read of a file that is taken as it is, whatever its name: a proof, which is compressed by its format.
func ReadStored(file string, most int64) ([]byte, error) {
	f, size, err := Open(file, most)
	if err != nil {
		return nil, err
	}
	return read(f, file, size, most)
}

// Packed ends the names of instances and solutions that are compressed by gzip.
const Packed = ".json.gz"

// Unpack returns the contents of a file as they were before it was compressed, at most most bytes, if its name ends in Packed.
func Unpack(file string, data []byte, most int64) ([]byte, error) {
	if !strings.HasSuffix(file, Packed) {
		return data, nil
	}
	room := unpackedRoom + unpackedRatio*int64(len(data))
	var text bytes.Buffer
	for _, to := range []io.Writer{io.Discard, &text} { // the first pass finds the size, so that the second takes no more memory
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("%s: is not compressed by gzip, as its name says: %w", file, err)
		}
		n, err := io.Copy(to, io.LimitReader(z, min(most, room)+1))
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: is damaged or not whole: %w", file, err)
		case n > most:
			return nil, tooLarge(file, most)
		case n > room:
			return nil, fmt.Errorf("%s: unpacks to more than %d MiB, the most for a file of its size", file, room>>20)
		case to == io.Discard:
			text.Grow(int(n) + bytes.MinRead)
		}
	}
	return text.Bytes(), nil
}

// Beyond the room, which solutions of few digits need, packed files take a tenth of what they hold or more. What holds far more than its
// size was made to fill the memory.
const (
	unpackedRoom  = 128 << 20
	unpackedRatio = 8
)

// ReadIn is Read for a file of a folder whose name comes from data: neither the name nor a symbolic link leads out of the
// folder.
func ReadIn(folder, name string, most int64) ([]byte, error) {
	file := filepath.Join(folder, name)
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return nil, PathError(folder, unix.ENOTDIR) // opening a pipe would wait for ever
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, PathError(file, err)
	}
	defer root.Close()
	f, size, err := open(file, name, most, root.OpenFile)
	if err != nil {
		return nil, err
	}
	return read(f, file, size, most)
}

func read(f *os.File, file string, size, most int64) ([]byte, error) {
	defer f.Close()
	var data bytes.Buffer
	data.Grow(int(size) + bytes.MinRead)               // the bytes more find the end of the file
	_, err := data.ReadFrom(io.LimitReader(f, most+1)) // it may grow, or be one of the kernel's, which have no size
	switch {
	case err != nil:
		return nil, PathError(file, err)
	case int64(data.Len()) > most:
		return nil, tooLarge(file, most)
	}
	return data.Bytes(), nil
}

// Glob lists the files of a folder that match a pattern of path.Match, sorted. Unlike filepath.Glob it takes the folder as it is
// called, whatever characters are in its name; a folder that is not there has no files.
func Glob(folder, pattern string) ([]string, error) {
	names, err := fs.Glob(os.DirFS(folder), pattern)
	for i, name := range names {
		names[i] = filepath.Join(folder, name)
	}
	return names, err
}

// Literal is the pattern of path.Match, or a beginning of one, that stands for nothing but the path.
func Literal(path string) string { return literal.Replace(path) }

var literal = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`)

// Open opens a regular file of at most most bytes for reading and returns its size. Errors are as Read's.
func Open(file string, most int64) (f *os.File, size int64, err error) {
	return open(file, file, most, os.OpenFile)
}

func open(
	file, name string, most int64, openFile func(string, int, fs.FileMode) (*os.File, error),
) (f *os.File, size int64, err error) {
	// Without O_NONBLOCK a named pipe that nobody writes to would hold the program for ever.
	f, err = openFile(name, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, 0, PathError(file, err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = PathError(file, err)
	case info.IsDir():
		err = PathError(file, unix.EISDIR)
	case !info.Mode().IsRegular():
		err = fmt.Errorf("%s: is a %s; only regular files are read", file, kind(info.Mode()))
	case info.Size() > most:
		err = tooLarge(file, most)
	default:
		return f, info.Size(), nil
	}
	f.Close()
	return nil, 0, err
}

// Regular reports that a file of a file system is something else than a regular file, which opening might wait for.
func Regular(fsys fs.FS, file string) error {
	real, ok := fsys.(fs.StatFS) // those of memory have no pipes
	if !ok {
		return nil
	}
	info, err := real.Stat(file)
	if err != nil {
		return err
	}
	if m := info.Mode(); !m.IsRegular() && !m.IsDir() {
		return fmt.Errorf("is a %s; only regular files are read", kind(m))
	}
	return nil
}

// PathError is the sentence about a file or folder that an error of the operating system makes: its name and the cause.
func PathError(file string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	if file == "" {
		file = `""`
	}
	return fmt.Errorf("%s: %w", file, err)
}

func tooLarge(file string, most int64) error {
	return fmt.Errorf("%s: has more than %d MiB, which is as much as is read of such a file", file, most>>20)
}

func kind(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	case m&fs.ModeDevice != 0:
		return "device"
	}
	return "special file"
}
