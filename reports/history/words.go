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
	say := func(when bool, format string, args ...any) {
		if when {
			fmt.Fprintf(&b, format, args...)
		}
	}
	from, to := f.pair()
	mean := f.Change != 0
	what := map[Metric]string{
		Ratio: "ratio", Value: "values", Proofs: "share proven", Failures: "share failed", Time: "time",
	}[f.Metric]
	say(true, "%s %s: %s", f.Problem, f.Algorithm, what)
	say(!mean, " changed on %d of %d instances, not in the mean, %s", f.Changed, f.Instances, to)
	say(mean, " stepped from %s to %s, %s", from, to, f.amount(f.Change))
	say(f.Low.Known() && f.High.Known() && f.Low != f.High, " (95 %% interval %s to %s)", f.amount(f.Low), f.amount(f.High))
	say(true, ", at commit %s (%s)", f.Commit, f.Date)
	say(f.Unchanged, ", between two runs of it: not the program's doing")
	say(!f.Unchanged && f.Before != "", ", after %s", f.Before)
	say(f.Exact && mean, ", on %d of %d instances", f.Changed, f.Instances)
	say(f.Machine != "", ", on %s", f.Machine)
	say(mean && f.Worse, "; worse")
	say(mean && !f.Worse, "; better")
	say(mean && !f.Stands, ", and gone again since")
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
