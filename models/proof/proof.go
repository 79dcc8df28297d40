// Package proof is the format of proofs: gzip of one JSON value a line; the first one is the header.
package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"schedgap/models/strict"
)

// Format and Version begin every proof file.
const (
	Format  = "schedgap-proof"
	Version = 1
)

// Prices is the kind of proof that bounds an optimum by prices, see docs/bounds-and-proofs.md.
const Prices = "prices"

// A Header is the first line of a proof: the claim and its instance.
type Header struct {
	Format    string   `json:"format"`
	Version   int      `json:"version"`
	Problem   string   `json:"problem"`
	Instance  string   `json:"instance"`        // its name
	SHA256    string   `json:"instance_sha256"` // of its canonical file
	Reference string   `json:"reference"`
	Kind      string   `json:"kind"`  // of the other lines
	Value     *float64 `json:"value"` // of a solution that is claimed to be optimal; null: only a bound is claimed
	Bound     *float64 `json:"bound"`
}

// A Claim is an algorithm's proof of its bound or optimum: the statement, and the lines of the proof except the header.
type Claim struct {
	Kind  string
	Lines []any
	// Value of a solution that the lines hold, which no solution of the reference betters: only where Bound proves that, by the
	// wording of docs/bounds-and-proofs.md. Nil: a bound is proven and no more.
	Value *float64
	// Bound that the lines prove of the reference's optimum. Nil: the bound that the algorithm hands over itself.
	Bound *float64
	// Reference whose optimum the bound speaks of; empty: the algorithm's.
	Reference string
}

// A Proof is a proof file that was read.
type Proof struct {
	Header Header
	Lines  []json.RawMessage // after the header
}

// Limits of a proof: more than any has that is written, less than what fills a memory.
const (
	maxText   = 1 << 28 // bytes, decompressed
	maxLines  = 1 << 24
	maxHeader = 1 << 12 // bytes
)

// Write writes a proof file: gzip of one JSON value a line.
func Write(w io.Writer, h Header, lines []any) error {
	z := gzip.NewWriter(w)
	e := json.NewEncoder(z)
	h.Format, h.Version = Format, Version
	if err := e.Encode(h); err != nil {
		return fmt.Errorf("writing a proof: %w", err)
	}
	for _, l := range lines {
		if err := e.Encode(l); err != nil {
			return fmt.Errorf("writing a proof: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("writing a proof: %w", err)
	}
	return nil
}

// Read reads a proof file. The error says what makes it none. It takes little more memory than the text, which gzip may have made
// a thousand times shorter: how much there is, is found out first.
func Read(data []byte) (*Proof, error) {
	size, lines, err := measure(data)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err // not after measure
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(z, text); err != nil {
		return nil, fmt.Errorf("is no proof, or a damaged one: %w", err)
	}
	header, text, _ := bytes.Cut(text, []byte("\n"))
	if len(header) > maxHeader {
		return nil, fmt.Errorf("line 1: is longer than %d bytes, no header of a proof", maxHeader)
	}
	p := &Proof{Lines: make([]json.RawMessage, 0, lines)}
	if err := Decode(header, &p.Header); err != nil {
		return nil, fmt.Errorf("line 1: is no header of a proof: %w", err)
	}
	if h := p.Header; h.Format != Format || h.Version != Version {
		return nil, fmt.Errorf("line 1: format %.60q, version %d is not known; it must be %s, version %d", h.Format, h.Version, Format,
			Version)
	}
	for len(text) > 0 {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte("\n"))
		if !json.Valid(line) {
			return nil, fmt.Errorf("line %d: is not JSON", len(p.Lines)+2)
		}
		p.Lines = append(p.Lines, line)
	}
	return p, nil
}

// measure returns the size of a proof's text and the number of its lines.
func measure(data []byte) (size, lines int, err error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return 0, 0, errors.New("is no proof: it is not compressed by gzip")
	}
	part := make([]byte, 1<<16)
	for {
		n, err := z.Read(part)
		size += n
		lines += bytes.Count(part[:n], []byte("\n"))
		switch {
		case size > maxText:
			return 0, 0, fmt.Errorf("is larger than %d bytes when it is decompressed", maxText)
		case lines > maxLines:
			return 0, 0, fmt.Errorf("has more than %d lines", maxLines)
		case errors.Is(err, io.EOF):
			return size, lines, nil
		case err != nil:
			return 0, 0, fmt.Errorf("is no proof, or a damaged one: %w", err)
		}
	}
}

// Decode reads one line. It is strict: a field that is not known, or comes twice, may have been meant to matter.
func Decode(line []byte, to any) error { return strict.Decode(line, to) }
