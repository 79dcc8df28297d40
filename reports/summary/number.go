// Package summary condenses compared results into the tables of a report: how every unit ended, ratios an algorithm and instance
// class, paired comparisons, solver times, the cases to look at, and simulation metrics. A Report is plain data; its JSON form
// is summary.json. New makes it from a ratio.Set; packages tables and plots show it. Every "k of n" of sentences, tables and
// files is computed here, by one function each.
package summary

import (
	"encoding/json"
	"math"
	"strconv"

	"schedgap/reports/stats"
)

// A Number is a float64 whose NaN means that there is none, which is null in JSON. JSON has no infinity: the number 1e999 stands
// for it, which most readers turn into infinity themselves.
type Number float64

const infinity = "1e999"

// MarshalJSON writes null for NaN and 1e999 for infinity.
func (n Number) MarshalJSON() ([]byte, error) {
	switch f := float64(n); {
	case math.IsNaN(f):
		return []byte("null"), nil
	case math.IsInf(f, 1):
		return []byte(infinity), nil
	case math.IsInf(f, -1):
		return []byte("-" + infinity), nil
	default:
		return json.Marshal(f)
	}
}

// UnmarshalJSON reads what MarshalJSON writes.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = Missing
		return nil
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil && !math.IsInf(f, 0) {
		return err
	}
	*n = Number(f)
	return nil
}

// Known reports whether there is a finite number.
func (n Number) Known() bool { return stats.IsFinite(float64(n)) }

// Missing is the Number that there is not.
var Missing = Number(math.NaN())

// Bootstrap is the interval of every mean in reports.
func Bootstrap(seed uint64) stats.Bootstrap {
	return stats.Bootstrap{Draws: 1000, Level: 0.95, Seed: seed}
}
