package words_test

import (
	"math"
	"strconv"
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
		{"Digits", func(x float64) string { return words.Digits(x, false) }, map[float64]string{
			0: "0", -0.123: "−0.12", 1.26: "1.3", 12.6: "13", 1234: "1234",
		}},
		{
			"Digits, up", func(x float64) string { return words.Digits(x, true) },
			map[float64]string{1.21: "1.3", 12.1: "13", 1.2: "1.2"},
		},
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

// A limit is never below what it limits, and two digits are within a tenth of the number.
func TestDigits(t *testing.T) {
	for _, x := range []float64{1e-3, 0.16, 0.1600000001, 0.165, 9.96, 27.4, 99.5, 100.4, 12345.6} {
		var up float64
		for _, limit := range []bool{false, true} {
			s := words.Digits(x, limit)
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				t.Fatal(err)
			}
			if limit {
				up = v
			}
			if math.Abs(v-x) > 0.1*x {
				t.Errorf("%g is written %s", x, s)
			}
		}
		if up < x*(1-1e-6) {
			t.Errorf("%g is limited by %g", x, up)
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
