package history

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// words say a finding in one line.
func (f *Finding) words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: ", f.Problem, f.Algorithm)
	from, to := f.pair()
	what := map[Metric]string{
		Ratio: "ratio", Value: "values", Proofs: "share proven", Failures: "share failed",
		Time: "time",
	}[f.Metric]
	switch {
	case f.Change == 0:
		fmt.Fprintf(&b, "%s changed on %d of %d instances, not in the mean, %s", what, f.Changed, f.Instances, to)
	default:
		fmt.Fprintf(&b, "%s stepped from %s to %s, %s", what, from, to, f.amount(f.Change))
	}
	if f.Low.Known() && f.High.Known() && f.Low != f.High {
		fmt.Fprintf(&b, " (95 %% interval %s to %s)", f.amount(f.Low), f.amount(f.High))
	}
	fmt.Fprintf(&b, ", at commit %s (%s)", f.Commit, f.Date)
	switch {
	case f.Unchanged:
		b.WriteString(", between two runs of it: not the program's doing")
	case f.Before != "":
		fmt.Fprintf(&b, ", after %s", f.Before)
	}
	if f.Exact && f.Change != 0 {
		fmt.Fprintf(&b, ", on %d of %d instances", f.Changed, f.Instances)
	}
	if f.Machine != "" {
		fmt.Fprintf(&b, ", on %s", f.Machine)
	}
	switch {
	case f.Change == 0:
	case f.Worse:
		b.WriteString("; worse")
	default:
		b.WriteString("; better")
	}
	if !f.Stands && f.Change != 0 {
		b.WriteString(", and gone again since")
	}
	return b.String()
}

// amount is a change: of ratios and times in percent of what was, of values in percent of the largest, of shares in points.
func (f *Finding) amount(x summary.Number) string {
	text := words.Change(x)
	if f.Metric == Proofs || f.Metric == Failures {
		return strings.TrimSuffix(text, "%") + "points"
	}
	return text
}

// pair is what was and what is, with enough digits to tell them apart.
func (f *Finding) pair() (from, to string) {
	a, b, suffix := float64(f.From), float64(f.To), ""
	switch f.Metric {
	case Time:
		suffix = " s"
	case Proofs, Failures, Value:
		a, b, suffix = 100*a, 100*b, " %"
	}
	for digits := 3; digits < 15; digits++ {
		from, to = number(a, digits), number(b, digits)
		if x, err := strconv.ParseFloat(from, 64); err == nil {
			y, _ := strconv.ParseFloat(to, 64) // it is written likewise
			if math.Abs(y-x) >= math.Abs(b-a)/2 && x != y || a == b {
				break
			}
		}
	}
	return from + suffix, to + suffix
}

// number has so many digits or more, as people write it.
func number(x float64, digits int) string {
	if size := math.Abs(x); size >= 1e-4 && size < 1e7 {
		decimals := max(0, digits-1-int(math.Floor(math.Log10(size))))
		return strconv.FormatFloat(math.Round(x*math.Pow10(decimals))/math.Pow10(decimals), 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', digits, 64)
}
