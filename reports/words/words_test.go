package words_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"schedgap/reports/words"
)

var nan, inf = math.NaN(), math.Inf(1)

// Each writer over the ends of its ranges, and of what is not known.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		name  string
		write func(float64) string
		want  map[float64]string
	}{
		{"Number", words.Number[float64], map[float64]string{
			nan: "–", inf: "∞", -inf: "–", 0: "0", 1.00061: "1.0006", -9.5: "-9.5000",
			10: "10.00", 1234.56: "1234.6", 1e5: "1.00e+05", 2e-5: "2.00e-05",
		}},
		{"Significant", words.Significant, map[float64]string{
			nan: "–", inf: "∞", -inf: "−∞", 0: "0", 1: "1", -20: "−20", 72_000: "72000", 0.98123: "0.9812", 1.0004: "1", 1.5443: "1.544",
			-0.05126: "−0.0513", 1234.5: "1234", 19.96: "20", 99.97: "100", 1.2345e-7: "1.23e−07", 2e6: "2e+06",
		}},
		{"Times", words.Times[float64], map[float64]string{2.861: "2.86 times", 2.865: "2.87 times", nan: "–"}},
		{"Seconds", words.Seconds[float64], map[float64]string{
			nan: "–", inf: "–", 0: "0 s", 2.5e-5: "25 µs", 0.0123: "12.3 ms", 0.9996: "1 s", 59.96: "60 s",
			12.34: "12.3 s", 12345: "12345 s",
		}},
		{"P", words.P[float64], map[float64]string{nan: "–", 0: "< 0.001", 0.001: "0.001", 0.0312: "0.031"}},
	} {
		for x, want := range c.want {
			if got := c.write(x); got != want {
				t.Errorf("%s of %g is %q, want %q", c.name, x, got, want)
			}
		}
	}
}

// Nearly all is not all, one is no plural, and a range whose ends are written alike is one number.
func TestText(t *testing.T) {
	for got, want := range map[string]string{
		words.Share(2, 30): "2/30 (7 %)", words.Share(0, 0): "–", words.Percent(999, 1000): "99.90", words.Percent(1, 1000): "0.10",
		words.Count(1, "policy"): "1 policy", words.Count(0, "policy"): "0 policies", words.Count(2, "unit"): "2 units",
		words.Range("1", " … ", "1"): "1", words.Range("1", " … ", "2"): "1 … 2", words.Or(""): "–",
		words.Interval(1, 2, words.Number[float64]): "[1.0000, 2.0000]", words.Interval(nan, 2, words.Number[float64]): "–",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A multiple of the optimum and the distance above it are one number, rounded to the nearest in both.
func TestRounding(t *testing.T) {
	for x := 2.0; x < 30; x += 0.0137 {
		times, above := words.Times(x), words.Percentage(x-1, x-1)
		a, err := strconv.ParseFloat(strings.TrimSuffix(times, " times"), 64)
		b, errAbove := strconv.ParseFloat(strings.TrimSuffix(above, " %"), 64)
		if err != nil || errAbove != nil || math.Round(100*a-100) != b {
			t.Errorf("%v is %s and %s above", x, times, above)
		}
	}
}

// Distances are percentages: one decimal, two digits below 1 %, none from 100 %, one number where both ends are written alike.
func TestPercentage(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0.087, 0.087, "8.7 %"},
		{0.0514, 0.2731, "5.1–27.3 %"},
		{0.00042, 0.00042, "0.042 %"},
		{1.931, 1.931, "193 %"},
		{0, 0, "0 %"},
		{1e-12, 1e-12, "0 %"},
		{1e-7, 1e-7, "< 0.001 %"},
		{-0.032, -0.032, "−3.2 %"},
		{0.1, inf, "10.0–∞"},
		{nan, nan, "–"},
		{1e5, 1e5, "1.00e+07 %"},
	} {
		if got := words.Percentage(c.lo, c.hi); got != c.want {
			t.Errorf("%g to %g is %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
	if got := words.Middle("cloning-trace-2011-s3-0017", 18); got != "cloni…2011-s3-0017" {
		t.Error(got)
	}
	if got := words.Middle("kurz", 18); got != "kurz" {
		t.Error(got)
	}
}

// Numbers in texts are compared as numbers, with a point or without, and what is no number as it is.
func TestNatural(t *testing.T) {
	want := []string{"", "flex", "flex-ls", "flex-ls (k=0.5)", "flex-ls (k=0.25)", "flex-ls (k=2)", "flex-ls (k=10)", "flex-ls (k=10.5)", "fläche"}
	want[3], want[4] = want[4], want[3] // a quarter is less than a half
	got := slices.SortedFunc(slices.Values([]string{want[8], want[6], want[2], want[7], want[0], want[4], want[5], want[3], want[1]}), words.Natural)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if words.Natural("a1.2.10", "a1.2.9") <= 0 || words.Natural("k=05", "k=5") == 0 || words.Natural("x", "x") != 0 {
		t.Error("versions, equal numbers or equal texts are not in order")
	}
}
