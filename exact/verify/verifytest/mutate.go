// Package verifytest has claims for the tests of verifiers and provers, and changes numbers and lines of their proofs at random: each
// changed proof must be refused or state something true.
package verifytest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"testing"
)

// Mutate returns a copy of a proof's lines with something changed in a number of places: numbers, and parts of lists that are
// left out or repeated.
func Mutate(t testing.TB, rng *rand.Rand, lines []any, places int) []any {
	t.Helper()
	text, err := json.Marshal(lines)
	if err != nil {
		t.Fatal(err)
	}
	var changed any
	if err := json.Unmarshal(text, &changed); err != nil {
		t.Fatal(err)
	}
	for range places {
		changed = mutate(rng, changed)
	}
	return changed.([]any)
}

// mutate changes something somewhere in a JSON value. Lists stay lists.
func mutate(rng *rand.Rand, v any) any {
	switch v := v.(type) {
	case float64:
		switch rng.IntN(8) {
		case 0:
			return v + 1
		case 5, 6: // by as little as rounding, tolerances and allowances come to
			return v * (1 + math.Pow(10, -17*rng.Float64())*float64(1-2*rng.IntN(2)))
		case 1:
			return v - 1
		case 2:
			return float64(rng.IntN(8))
		case 3:
			return -v
		case 4:
			return v * 2
		}
		return 0.
	case []any:
		if len(v) == 0 {
			return v
		}
		i := rng.IntN(len(v))
		switch rng.IntN(6) {
		case 0:
			return append(v[:i:i], v[i+1:]...)
		case 1:
			return append(v, v[i])
		}
		v[i] = mutate(rng, v[i])
	case map[string]any:
		for key := range v { // any one
			v[key] = mutate(rng, v[key])
			break
		}
	}
	return v
}

// Altered is a proof with another header; without a value it has no solution.
func Altered(t testing.TB, file []byte, edit func(header map[string]any)) []byte {
	t.Helper()
	first, rest, _ := bytes.Cut(Unpacked(t, file), []byte("\n"))
	if edit != nil {
		var header map[string]any
		if err := json.Unmarshal(first, &header); err != nil {
			t.Fatal(err)
		}
		edit(header)
		if header["value"] == nil && bytes.HasPrefix(rest, []byte(`{"solution":`)) {
			_, rest, _ = bytes.Cut(rest, []byte("\n"))
		}
		var err error
		first, err = json.Marshal(header)
		if err != nil {
			t.Fatal(err)
		}
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := fmt.Fprintf(w, "%s\n%s", first, rest); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// Unpacked is the text of a proof.
func Unpacked(t testing.TB, file []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
