package trace

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"sync"

	"schedgap/datasets/formats/joblist"
	"schedgap/datasets/table"
)

// A Source is an opened trace: its reader, and what its files are.
type Source struct {
	Reader
	dir table.Dir

	mu     sync.Mutex
	hashed []File
}

// A File is one file of a trace.
type File struct {
	Name   string `json:"name"` // relative to the trace's folder
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Hashes returns the trace's files with their sums. They are computed when first asked for, once; the result is shared and
// must not be changed.
func (s *Source) Hashes(ctx context.Context) ([]File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hashed != nil {
		return s.hashed, nil
	}
	names := s.Files()
	files := make([]File, len(names))
	for i, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		size, sum, err := s.hash(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.dir.Path(name), err)
		}
		files[i] = File{name, size, sum}
	}
	s.hashed = files
	return files, nil
}

func (s *Source) hash(name string) (size int64, sum string, err error) {
	f, err := s.dir.Open(name)
	if err != nil {
		return 0, "", err
	}
	defer f.Close() // nothing was written
	h := sha256.New()
	size, err = io.Copy(h, f)
	if err != nil {
		return 0, "", err
	}
	return size, hex.EncodeToString(h.Sum(nil)), nil
}

// A Lineage says where derived instances come from: everything that is needed to derive them again.
type Lineage struct {
	Format string         `json:"format"`
	Files  []File         `json:"files"`
	From   float64        `json:"from"` // seconds of the trace's clock
	To     float64        `json:"to"`   // 0: the end of the trace
	Seed   uint64         `json:"seed"`
	Params map[string]any `json:"params"`
	Note   string         `json:"note"`
	// LeftOut are the records that could not be used.
	LeftOut []LeftOut `json:"left_out,omitempty"`
}

// note names facts that the traces of a format do not show. It is empty for lists of jobs, whose owners choose the columns.
func note(format string) string {
	if format == joblist.Format {
		return ""
	}
	return Censoring
}

// Lineage returns the lineage of instances derived from s with the given window, parameters and seed.
func (s *Source) Lineage(ctx context.Context, opt Options, seed uint64, params map[string]any) (Lineage, error) {
	files, err := s.Hashes(ctx)
	if err != nil {
		return Lineage{}, err
	}
	if params == nil {
		params = map[string]any{} // an object in JSON, not null
	}
	return Lineage{
		Format: s.Format(), Files: files, From: opt.From, To: opt.To, Seed: seed, Params: params, Note: note(s.Format()),
	}, nil
}
