// Package optimatest has a corpus of tiny instances with the optima that the oracles found, so that tests look them up instead of
// proving them again: 1,000 of each problem, in testdata. A sample is proven again in every run.
package optimatest

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"schedgap/models"
	"schedgap/models/trials"
)

//go:embed testdata/*.gz
var files embed.FS

// A Tiny is an instance with its optima by reference.
type Tiny[I models.Instance] struct {
	In     I
	Optima map[string]float64
}

// line is how the corpus has it.
type line struct {
	Optima   map[string]float64 `json:"optima"`
	Instance json.RawMessage    `json:"instance"`
}

func file(problem string) string { return "testdata/" + problem + ".jsonl.gz" }

// lines are the lines of a problem's part of the corpus.
func lines(tb testing.TB, problem string) [][]byte {
	tb.Helper()
	f, err := files.Open(file(problem))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := text.ReadFrom(z); err != nil {
		tb.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(text.Bytes()), []byte("\n"))
}

// Some draws n instances of a problem: the same in every run, others at night.
func Some[I models.Instance, S any](tb testing.TB, p *models.Problem[I, S], n int) []Tiny[I] {
	tb.Helper()
	all := lines(tb, p.Name)
	some := make([]Tiny[I], min(n, len(all)))
	for i, k := range trials.Rand(tb, 1000, uint64(len(p.Name))).Perm(len(all))[:len(some)] {
		some[i] = read(tb, p, all[k])
	}
	return some
}

// One draws an instance of a problem.
func One[I models.Instance, S any](tb testing.TB, rng *rand.Rand, p *models.Problem[I, S]) Tiny[I] {
	tb.Helper()
	all := lines(tb, p.Name)
	return read(tb, p, all[rng.IntN(len(all))])
}

func read[I models.Instance, S any](tb testing.TB, p *models.Problem[I, S], text []byte) Tiny[I] {
	tb.Helper()
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		tb.Fatal(err)
	}
	in, err := p.ParseInstance(p.Name, l.Instance)
	if err != nil {
		tb.Fatal(err)
	}
	return Tiny[I]{in, l.Optima}
}
