package table

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/klauspost/compress/gzip"

	"schedgap/models/input"
)

// maxLine bounds a line, and with it the memory that a broken file can ask for.
const maxLine = 1 << 20

// blockSize is read at a time: large enough that calls do not matter, small enough for the cache.
const blockSize = 128 << 10

// Open opens a file, unless that is a pipe or a device, which might never end.
func (d Dir) Open(file string) (fs.File, error) {
	if err := input.Regular(d.FS, file); err != nil {
		return nil, err
	}
	return d.FS.Open(file)
}

// Lines hands every line of file to line, without its newline, counted from 1. The slice is valid during the call. Files
// whose names end in .gz are decompressed, all members of them. The context is looked at once a block.
func (d Dir) Lines(ctx context.Context, file string, line func(n int, text []byte) error) error {
	f, err := d.Open(file)
	if err != nil {
		return fmt.Errorf("%s: %w", d.Path(file), cause(err))
	}
	defer f.Close() // nothing was written
	var r io.Reader = f
	if strings.HasSuffix(file, ".gz") {
		z, err := gzip.NewReader(bufio.NewReaderSize(f, blockSize))
		if err != nil {
			return &Error{File: d.Path(file), Reason: fmt.Sprintf("not a gzip file: %v", early(err))}
		}
		defer z.Close()
		r = z
	}
	return d.split(ctx, file, r, line)
}

func (d Dir) split(ctx context.Context, file string, r io.Reader, line func(n int, text []byte) error) error {
	buf := make([]byte, 0, 2*blockSize)
	for n := 1; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if cap(buf)-len(buf) < blockSize {
			if len(buf) > maxLine {
				return &Error{File: d.Path(file), Line: n, Reason: fmt.Sprintf("longer than %d bytes", maxLine)}
			}
			buf = append(make([]byte, 0, 2*cap(buf)), buf...)
		}
		got, err := r.Read(buf[len(buf) : len(buf)+blockSize])
		buf = buf[:len(buf)+got]
		rest := buf
		for {
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				break
			}
			if err := line(n, rest[:end]); err != nil {
				return err
			}
			rest, n = rest[end+1:], n+1
		}
		buf = buf[:copy(buf, rest)]
		switch {
		case errors.Is(err, io.EOF):
			if len(buf) > 0 { // a last line without a newline
				return line(n, buf)
			}
			return nil
		case err != nil:
			return &Error{File: d.Path(file), Line: n, Reason: fmt.Sprintf("cannot be read: %v", early(err))}
		}
	}
}

func early(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends too early")
	}
	return err
}
