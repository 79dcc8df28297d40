package table

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"schedgap/models/input"
)

// maxLine bounds a line, and with it the memory that a broken file can ask for.
const maxLine = 1 << 20

// maxWindow bounds the memory that a file packed by zstd can ask for.
const maxWindow = 128 << 20

// byteOrderMark may begin a text file, as spreadsheets and some editors write it. It is no part of the first line.
const byteOrderMark = "\ufeff"

// blockSize is read at a time: large enough that calls do not matter, small enough for the cache.
const blockSize = 128 << 10

// Open opens a file, unless that is a pipe or a device, which might never end.
func (d Dir) Open(file string) (fs.File, error) {
	if err := input.Regular(d.FS, file); err != nil {
		return nil, err
	}
	return d.FS.Open(file)
}

// A Line takes line n of a file, counted from 1, without its newline and without a byte order mark. The slice is valid during the call.
type Line func(n int, text []byte) error

// Lines hands every line of file to what of makes for it from its path and its first lines, see heads; nil passes it over. What
// the file begins with says whether it is packed, by gzip, zstd, bzip2 or, inside of that, tar: of is called for each file in an
// archive. The context is looked at once a block.
func (d Dir) Lines(ctx context.Context, file string, of func(path string, head []string) Line) error {
	f, err := d.Open(file)
	if err != nil {
		return fmt.Errorf("%s: %w", d.Path(file), cause(err))
	}
	defer f.Close() // nothing was written
	broken := func(err error) error {
		return &Error{File: d.Path(file), Reason: fmt.Sprintf("cannot be unpacked: %v", early(err)), Whole: true}
	}
	plain, finish, err := unpack(file, f)
	if err != nil {
		return broken(err)
	}
	defer finish()
	r := bufio.NewReaderSize(plain, blockSize)
	if head, _ := r.Peek(512); len(head) < 512 || string(head[257:262]) != "ustar" {
		return split(ctx, d.Path(file), r, of)
	}
	for archive := tar.NewReader(r); ; {
		entry, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return broken(err)
		}
		name := path.Join(d.Path(file), entry.Name)
		if entry.Typeflag != tar.TypeReg || strings.HasPrefix(path.Base(name), ".") { // one system adds ._NAME to NAME
			continue
		}
		if err := split(ctx, name, bufio.NewReaderSize(archive, blockSize), of); err != nil {
			return err
		}
	}
}

// heads are the first lines of a file that are not empty, without white space around them: several, as each of them may be
// wrong.
func heads(r *bufio.Reader) (list []string) {
	const most, size = 16, 4096
	text, _ := r.Peek(size) // a failure comes again with the first line
	for line := range bytes.Lines(text) {
		whole := len(text) < size || bytes.HasSuffix(line, []byte{'\n'}) || len(list) == 0
		line = bytes.TrimSpace(line)
		if len(line) > 0 && len(list) < most && whole {
			list = append(list, string(line))
		}
	}
	return list
}

// unpack finds out what f, a file of that name, is packed by; finish ends the unpacking.
func unpack(name string, f io.Reader) (r io.Reader, finish func(), err error) {
	packed, finish := bufio.NewReaderSize(f, blockSize), func() {}
	head, _ := packed.Peek(6) // a failure comes again with the first line
	begins := func(magic string) bool { return strings.HasPrefix(string(head), magic) }
	switch {
	case begins("\x1f\x8b"):
		r, err = gzip.NewReader(packed)
	case begins("\x28\xb5\x2f\xfd"):
		var z *zstd.Decoder
		z, err = zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err == nil {
			r, finish = z, z.Close
		}
	case begins("BZh"):
		r = bzip2.NewReader(packed)
	case begins("\xfd7zXZ"), begins("PK\x03\x04"):
		err = errors.New("xz and zip are not read; gzip, zstd, bzip2 and tar are")
	default:
		r = packed
		if len(head) == 0 && Bare(name) != name {
			err = io.ErrUnexpectedEOF
		}
	}
	return r, finish, err
}

func split(ctx context.Context, path string, r *bufio.Reader, of func(path string, head []string) Line) error {
	if mark, _ := r.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		r.Discard(len(byteOrderMark)) // it was peeked at
	}
	line := of(path, heads(r))
	if line == nil {
		return nil
	}
	buf := make([]byte, 0, 2*blockSize)
	for n := 1; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if cap(buf)-len(buf) < blockSize {
			if len(buf) > maxLine {
				return &Error{File: path, Line: n, Reason: fmt.Sprintf("longer than %d bytes", maxLine)}
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
			return &Error{File: path, Line: n, Reason: fmt.Sprintf("cannot be read: %v", early(err)), Whole: n == 1}
		}
	}
}

func early(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends too early")
	}
	return err
}
