// Package summary condenses compared results into the tables of a report: how every unit ended, ratios an algorithm
// and instance class, paired comparisons, solver times, the cases to look at, and simulation metrics. A Report is plain
// data; its JSON form is summary.json.
package summary

import (
	"encoding/json"
	"hash/fnv"
	"math"

	"schedgap/reports/stats"
)

// A Number is a float64 whose NaN means that there is none; in JSON that is null, and so are infinities.
type Number float64

// MarshalJSON writes null for a number that is not finite.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Known() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// Known reports whether there is a finite number.
func (n Number) Known() bool { return stats.IsFinite(float64(n)) }

// Missing is the Number that there is not.
var Missing = Number(math.NaN())

// Bootstrap is the interval of every mean in reports.
var Bootstrap = stats.Bootstrap{Draws: 1000, Level: 0.95}

// A dice hands out independent generators by key, so that no table's numbers depend on which others are made. The page makes
// the same ones out of the same keys.
type dice uint64

func (d dice) rng(keys ...string) *stats.Resampler {
	h := fnv.New32a()
	for _, k := range keys {
		h.Write([]byte(k)) // never fails
		h.Write([]byte{0})
	}
	return stats.NewResampler(uint32(d>>32), uint32(d), h.Sum32())
}
