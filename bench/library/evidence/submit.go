package evidence

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/klauspost/compress/gzip"

	"schedgap/bench"
	"schedgap/datasets/library"
	"schedgap/models"
	"schedgap/models/output"
)

// A Submission is a solution or a proof that somebody hands in.
type Submission struct {
	ID       string
	File     string // that it comes from
	Solution []byte // one of the two
	Proof    []byte
	By, Ref  string // whom it is credited to, and where it was published
	Release  string // that it will be part of
	Seconds  float64
	Recipe   string // the command that makes the proof again, for one that is too large to be stored
}

// An Unacceptable says why a submission is refused: it is not better, not valid, or contradicts a proof.
type Unacceptable struct{ Err error }

func (u *Unacceptable) Error() string { return u.Err.Error() }
func (u *Unacceptable) Unwrap() error { return u.Err }

// Submit takes a solution or a proof into the library in a folder. Nothing is written unless it is accepted; a kill leaves
// the library as it was except for a file that the next submission replaces.
func (c *Collection) Submit(ctx context.Context, dir string, s Submission) (*library.Event, error) {
	v, err := c.take(ctx, dir, s)
	if err != nil {
		return nil, err
	}
	return v, c.save(dir)
}

// take is Submit before history and index are written.
func (c *Collection) take(ctx context.Context, dir string, s Submission) (*library.Event, error) {
	e, err := c.Find(s.ID)
	if err != nil {
		return nil, err
	}
	in, err := c.Instance(ctx, e)
	if err != nil {
		return nil, err
	}
	v, file, data, err := s.judge(e, in)
	if err != nil {
		return nil, &Unacceptable{err}
	}
	trial := *e
	if err := trial.Add(v); err != nil {
		return nil, &Unacceptable{fmt.Errorf("%s: %w", s.File, err)}
	}
	if file != "" {
		if err := put(dir, file, data); err != nil {
			return nil, err
		}
	}
	*e = trial
	c.Events = append(c.Events, v)
	return &v, nil
}

// judge returns the event that a submission would add to history, and the file to store. A large proof is not stored.
func (s *Submission) judge(e *library.Entry, in *bench.Instance) (v library.Event, file string, data []byte, err error) {
	v = library.Event{ID: s.ID, Release: s.Release, By: s.By, Ref: s.Ref, Seconds: s.Seconds}
	if s.Solution != nil {
		value, err := judged(e, in, s.File, s.Solution)
		if err != nil {
			return v, "", nil, err
		}
		var text bytes.Buffer // without spaces
		if err := json.Compact(&text, s.Solution); err != nil {
			return v, "", nil, fmt.Errorf("%s: %w", s.File, err)
		}
		text.WriteByte('\n')
		v.Event, v.Value, v.SHA256 = library.Solution, &value, models.Digest(text.Bytes())
		data, err = pack(text.Bytes())
		return v, e.SolutionFile(), data, err
	}
	h, err := proven(e, in, s.File, s.Proof)
	switch n := len(s.Proof); {
	case err != nil:
		return v, "", nil, err
	case n <= library.MostProof:
		file = e.ProofFile()
	case s.Recipe == "":
		return v, "", nil, fmt.Errorf("%s: has %d bytes, more than the %d that are stored; it needs the command that makes it again",
			s.File, n, library.MostProof)
	default:
		v.Recipe = s.Recipe
	}
	v.Event, v.Bound, v.SHA256, v.Kind, v.Program = library.Proof, h.Bound, models.Digest(s.Proof), h.Kind, "schedgap"
	return v, file, s.Proof, nil
}

// save writes history, then the index: after a kill between them the next opening says so.
func (c *Collection) save(dir string) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for i := range c.Events {
		if err := enc.Encode(&c.Events[i]); err != nil {
			return fmt.Errorf("history: %w", err)
		}
	}
	if err := put(dir, library.HistoryFile, b.Bytes()); err != nil {
		return err
	}
	return put(dir, library.IndexFile, c.Index())
}

// put writes a file of a library in a folder.
func put(dir, file string, data []byte) error {
	return output.Write(filepath.Join(dir, filepath.FromSlash(file)), data, true)
}

// pack compresses a text, the same at any time.
func pack(text []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = z.Write(text)
	err = errors.Join(err, z.Close())
	return b.Bytes(), err
}
