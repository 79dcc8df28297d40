package flex

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/models/trials/property"
)

// Small splits worked by hand.
func TestApportion(t *testing.T) {
	for _, c := range []struct {
		name      string
		shares    []float64
		total, lo int
		hi        []int
		want      []int
	}{
		// 1.75, 1.75, 3.5: the two left over go to the remainders of 0.75.
		{"largest remainders", []float64{1, 1, 2}, 7, 0, []int{9, 9, 9}, []int{2, 2, 3}},
		// The third is held at 5; 2.5 each for the others, the tie goes in file order.
		{"a cap", []float64{1, 1, 8}, 10, 0, []int{9, 9, 5}, []int{3, 2, 5}},
		// The first two are lifted to 1; 4 are left.
		{"a floor", []float64{1, 1, 98}, 6, 1, []int{9, 9, 9}, []int{1, 1, 4}},
		{"less than the floors", []float64{1, 2}, 0, 1, []int{9, 9}, []int{1, 1}},
		{"more than the caps", []float64{1, 2}, 100, 0, []int{3, 4}, []int{3, 4}},
		{"nothing", []float64{1, 2}, 0, 0, []int{3, 4}, []int{0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, apportion(c.shares, c.total, c.lo, c.hi)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Any split adds up, respects its limits, and gives the larger share at least as much where the caps allow it.
func TestApportionProperties(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		shares := rapid.SliceOfN(rapid.Float64Range(1e-3, 1e3), n, n).Draw(t, "shares")
		hi := rapid.SliceOfN(rapid.IntRange(1, 1000), n, n).Draw(t, "hi")
		lo := rapid.IntRange(0, 1).Draw(t, "lo")
		total := rapid.IntRange(0, 30000).Draw(t, "total")
		parts := apportion(shares, total, lo, hi)
		sum, most := 0, 0
		for j, p := range parts {
			if p < lo || p > hi[j] {
				t.Fatalf("part %d is %d, outside [%d, %d]", j, p, lo, hi[j])
			}
			for k := range parts {
				if shares[j] > shares[k] && p < parts[k] && p < hi[j] {
					t.Fatalf("share %v got %d, share %v got %d", shares[j], p, shares[k], parts[k])
				}
			}
			sum, most = sum+p, most+hi[j]
		}
		if want := max(lo*n, min(total, most)); sum != want {
			t.Fatalf("sum %d, want %d", sum, want)
		}
	})
}
