package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedgap/bench/run/store"
	"schedgap/models/fail"
)

// A unit's solution is what the run in its row found, in whichever segment it is, or else what was kept before there were
// segments; a damaged segment is an error for what it may hold and for nothing else.
func TestSolution(t *testing.T) {
	home := t.TempDir()
	unit := func(i int) string { return fmt.Sprintf("%032x", i) }
	for run, most := range []int{30, 20} { // the first wrote 30 units, the second 20 of these again
		w, err := store.Open(home).NewSolutions("0000")
		fail.On(t, err)
		w.Rows = 8
		for i := range most {
			s := store.Solution{
				UnitID: unit(most - i), RunID: fmt.Sprint("run", run),
				Text: fmt.Appendf(nil, `{"x": [%d,  %d]}`, run, most-i),
			}
			fail.On(t, w.Append(s))
		}
		fail.On(t, w.Close())
	}
	old := filepath.Join(home, "solutions", unit(99)+".json")
	fail.On(t, os.WriteFile(old, []byte("old"), 0o644))
	want := func(run, unit, want string, bad bool) {
		t.Helper()
		if got, err := store.Open(home).Solution(run, unit); string(got) != want || (err != nil) != bad {
			t.Errorf("%s of %s: %q, %v; want %q", unit, run, got, err, want)
		}
	}
	for i := 1; i <= 30; i++ {
		want("run0", unit(i), fmt.Sprintf(`{"x":[0,%d]}`, i), false)
		second := ""
		if i <= 20 {
			second = fmt.Sprintf(`{"x":[1,%d]}`, i)
		}
		want("run1", unit(i), second, false)
	}
	want("run0", unit(99), "old", false)
	fail.On(t, errors.Join(store.Open(home).DropSolution(unit(99)), store.Open(home).DropSolution(unit(98))))
	want("run0", unit(99), "", false)
	files, err := filepath.Glob(filepath.Join(home, "solutions", "*"))
	if err != nil || len(files) != 4+3 {
		t.Fatalf("%q, %v", files, err)
	}
	last := files[len(files)-1] // has units 1 to 4 of the second run
	data, err := os.ReadFile(last)
	fail.On(t, err)
	flipped := slices.Clone(data)
	flipped[len(flipped)-6] ^= 1 // of the checksum of unit 4
	for broken, torn := range map[int][]byte{1: data[:len(data)-1], 2: data[:20], 3: {}, 4: flipped} {
		fail.On(t, os.WriteFile(last, torn, 0o644))
		want("run1", unit(broken), "", true)
		want("run1", unit(5), `{"x":[1,5]}`, false)
	}
}

// A solution of more than a mebibyte is read as it was written.
func TestLargeSolution(t *testing.T) {
	home, text := t.TempDir(), `{"x":"`+strings.Repeat("0123456789abcdef", 3<<16)+`"}`
	w, err := store.Open(home).NewSolutions("0000")
	fail.On(t, err)
	fail.On(t, errors.Join(w.Append(store.Solution{UnitID: "unit", RunID: "run", Text: []byte(text)}), w.Close()))
	if got, err := store.Open(home).Solution("run", "unit"); err != nil || string(got) != text {
		t.Errorf("%d of %d bytes, %v", len(got), len(text), err)
	}
}
