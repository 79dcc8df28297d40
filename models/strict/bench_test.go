package strict_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"schedgap/models/strict"
)

// intervals is a document of n intervals, as solutions of flex are.
func intervals(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"intervals":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"start":%d.25,"end":%d.25,"slots":{"job-%d":2,"job-%d":3.5}}`, i, i+1, i%7, 7+i%5)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

// walk reads a document of intervals as a decoder does, calls each after each, and returns the sum of all numbers.
func walk(tb testing.TB, data []byte, each func(i int)) (sum float64) {
	tb.Helper()
	type interval struct {
		Start float64             `json:"start"`
		End   float64             `json:"end"`
		Slots strict.Map[float64] `json:"slots"`
	}
	var d struct {
		Intervals strict.List[interval] `json:"intervals"`
	}
	d.Intervals.Each = func(i int, iv *interval) {
		sum += iv.Start + iv.End
		for _, e := range iv.Slots {
			sum += e.Value
		}
		each(i)
	}
	if _, err := strict.Read("f", data, &d); err != nil {
		tb.Fatal(err)
	}
	return sum
}

// What a document occupies beyond its text does not grow with it, though every value of it is read.
func TestMemory(t *testing.T) {
	const n = 100_000
	data := intervals(n)
	heap := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	before, most := heap(), 0
	sum := walk(t, data, func(i int) {
		if i%(n/4) == n/4-1 {
			most = max(most, heap()-before)
		}
	})
	if want := n*n + 6*n; int(sum) != want {
		t.Errorf("the numbers add up to %v, not %d", sum, want)
	}
	if most > len(data)/10 {
		t.Errorf("%d bytes of memory for %d of text", most, len(data))
	}
}

func BenchmarkIntervals(b *testing.B) {
	data := intervals(100_000)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		walk(b, data, func(int) {})
	}
}

// Numbers without structure are the densest text: two bytes a value.
func BenchmarkZeros(b *testing.B) {
	data := []byte(`{"jobs":[0` + strings.Repeat(",0", 5_000_000) + `]}`)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := strict.Open("f", data); err != nil {
			b.Fatal(err)
		}
	}
}
