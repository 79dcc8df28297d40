// Package proof is the format of proofs: gzip of one JSON value a line, of which the first is the header.
package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// Format and Version begin every proof file.
const (
	Format  = "schedgap-proof"
	Version = 1
)

// Prices is the kind of proof that bounds an optimum by prices, see docs/bounds.md.
const Prices = "prices"

// A Header is the first line of a proof: what is claimed, and of what.
type Header struct {
	Format    string   `json:"format"`
	Version   int      `json:"version"`
	Problem   string   `json:"problem"`
	Instance  string   `json:"instance"`        // its name
	SHA256    string   `json:"instance_sha256"` // of its canonical file
	Reference string   `json:"reference"`
	Kind      string   `json:"kind"`  // what the other lines are
	Value     *float64 `json:"value"` // of a solution that is claimed to be optimal; null: only a bound is claimed
	Bound     *float64 `json:"bound"`
}

// A Claim is what an algorithm hands over as the proof of its bound or optimum: what is proven, and the lines of a proof but the
// header.
type Claim struct {
	Kind  string
	Lines []any
	// Value of a solution that the lines hold, which no solution of the reference betters: only where Bound proves that, by the
	// wording of docs/proofs.md. Nil: a bound is proven and no more.
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

// maxText is the largest size of a proof in bytes, decompressed: more than any that is written, less than what fills a memory.
const maxText = 1 << 28

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

// Read reads a proof file. The error says what makes it none.
func Read(data []byte) (*Proof, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, errors.New("is no proof: it is not compressed by gzip")
	}
	text, err := io.ReadAll(io.LimitReader(z, maxText+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("is no proof, or a damaged one: %w", err)
	case len(text) > maxText:
		return nil, fmt.Errorf("is larger than %d bytes when it is decompressed", maxText)
	}
	p := &Proof{}
	for i, line := range bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n")) {
		if i == 0 {
			if err := Decode(line, &p.Header); err != nil {
				return nil, fmt.Errorf("line 1: is no header of a proof: %w", err)
			}
			continue
		}
		if !json.Valid(line) {
			return nil, fmt.Errorf("line %d: is not JSON", i+1)
		}
		p.Lines = append(p.Lines, line)
	}
	if h := p.Header; h.Format != Format || h.Version != Version {
		return nil, fmt.Errorf("line 1: format %q, version %d is not known; it must be %s, version %d", h.Format, h.Version, Format, Version)
	}
	return p, nil
}

// Decode reads one line. It is strict: a field that is not known may have been meant to matter.
func Decode(line []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the value")
	}
	return nil
}
