package stats

import "fmt"

// A Warning is a doubt about a number, as data.
type Warning struct {
	Code string `json:"code"`
	Have int    `json:"have"`
	Of   int    `json:"of"` // the number needed, or the total
}

// The codes of warnings.
const (
	FewValues = "few-values" // fewer values than an interval takes
	FewPairs  = "few-pairs"  // fewer differing pairs than a test takes
	Partial   = "partial"    // the statistic leaves items out
)

func (w Warning) String() string {
	switch w.Code {
	case FewValues:
		return fmt.Sprintf("%d values are too few for an interval; it takes %d", w.Have, w.Of)
	case FewPairs:
		return fmt.Sprintf("%d differing pairs are too few for a test; it takes %d", w.Have, w.Of)
	case Partial:
		if w.Have == 0 {
			return fmt.Sprintf("none of %d can be compared", w.Of)
		}
		return fmt.Sprintf("over %d of %d", w.Have, w.Of)
	}
	return fmt.Sprintf("%s: %d of %d", w.Code, w.Have, w.Of)
}

// SampleWarnings judges a mean over have of the total items: partial, or too few for an interval. No values at all are
// plain to see and not warned of.
func SampleWarnings(have, total int) []Warning {
	var ws []Warning
	if 0 < have && have < MinSample {
		ws = append(ws, Warning{FewValues, have, MinSample})
	}
	if have < total {
		ws = append(ws, Warning{Partial, have, total})
	}
	return ws
}

// Warnings judges the tests of a comparison.
func (p Paired) Warnings() []Warning {
	if n := p.Win + p.Loss; 0 < n && n < MinSample {
		return []Warning{{FewPairs, n, MinSample}}
	}
	return nil
}
