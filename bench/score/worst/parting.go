package worst

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/models"
)

// A Divergence is the first moment, or without time the first thing, in which the algorithm's schedule differs from an optimal one.
// There may be other optimal schedules, which part later.
type Divergence struct {
	At        *float64 `json:"at"`        // on the schedules' axis; nil: decisions have no time
	Algorithm string   `json:"algorithm"` // its decisions then, in words
	Optimum   string   `json:"optimum"`
	Text      string   `json:"text"`
}

// Part says where a solution file of an algorithm and one of an optimum part; nil: they do not differ, or cannot be drawn. The
// reference is what to call the second, such as the optimum.
func Part(in *bench.Instance, solution, optimal []byte, algorithm, reference string) *Divergence {
	if solution == nil || optimal == nil {
		return nil
	}
	own, err := in.Chart(ActualFile, solution)
	if err != nil {
		return nil
	}
	best, err := in.Chart(OptimalFile, optimal)
	if err != nil {
		return nil
	}
	return part(own, best, algorithm, reference)
}

func part(own, best models.Chart, algorithm, reference string) *Divergence {
	timed := own.Axis != untimed
	var times []float64
	for _, b := range slices.Concat(own.Bars, best.Bars) {
		times = append(times, b.Start, b.End)
	}
	slices.Sort(times)
	if !timed && len(times) > 0 { // an axis that counts things: all of them at once
		times = []float64{times[0], times[len(times)-1]}
	}
	same := false
	for i := 0; i+1 < len(times); i++ {
		from, to := times[i], times[i+1]
		if to-from <= 1e-9*math.Abs(to) {
			continue
		}
		a, b := during(own, from, to), during(best, from, to)
		if maps.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-6*max(x, y) }) {
			same = true
			continue
		}
		p := &Divergence{Algorithm: list(a, b, timed), Optimum: list(b, a, timed)}
		switch {
		case !timed:
			p.Text = fmt.Sprintf("%s has %s; %s %s.", algorithm, p.Algorithm, reference, p.Optimum)
		case !same:
			p.Text = fmt.Sprintf("They part at the beginning: %s runs %s, %s %s.", algorithm, p.Algorithm, reference, p.Optimum)
		default:
			p.Text = fmt.Sprintf("Up to %.6g they are the same; then %s runs %s, %s %s.", from, algorithm, p.Algorithm, reference, p.Optimum)
		}
		if timed {
			p.At = &from
		}
		return p
	}
	return nil
}

// untimed is the axis of charts that count decisions; on all others bars begin and end in time.
const untimed = "extra copies"

// during returns the average amounts in a chart over a span, by owner and kind; in a chart without time, the totals. A bar with
// its own label on a server or a slot counts as one, wherever it lies and whatever it holds there.
func during(c models.Chart, from, to float64) map[string]float64 {
	amounts := map[string]float64{}
	whole := to - from
	if c.Axis == untimed {
		whole = 1
	}
	for _, b := range c.Bars {
		span := min(b.End, to) - max(b.Start, from)
		if span <= 0 {
			continue
		}
		if b.Job == "" {
			amounts[b.Lane+"\x00"+b.Label] += b.Amount * span / whole
		} else {
			amounts["\x00"+b.Label] += span / whole
		}
	}
	return amounts
}

// mostListed bounds a list.
const mostListed = 6

// list names the amounts of a that differ from those of b.
func list(a, b map[string]float64, timed bool) string {
	var words []string
	for _, key := range slices.Sorted(maps.Keys(a)) {
		if math.Abs(a[key]-b[key]) <= 1e-6*max(a[key], b[key]) {
			continue
		}
		name, label, _ := strings.Cut(key, "\x00")
		switch {
		case !timed:
			words = append(words, fmt.Sprintf("%.4g %s of %s of %s", a[key], untimed, label, name))
		case name != "":
			words = append(words, fmt.Sprintf("%s: %.4g %s", name, a[key], label))
		case math.Abs(a[key]-1) <= 1e-6:
			words = append(words, label)
		default:
			words = append(words, fmt.Sprintf("%.4g × %s", a[key], label))
		}
	}
	switch n := len(words); {
	case n == 0:
		return "none of that"
	case n > mostListed:
		words = append(words[:mostListed], fmt.Sprintf("%d more", n-mostListed))
	}
	return strings.Join(words, "; ")
}
