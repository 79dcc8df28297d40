package models_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"schedgap/models"
)

// rules are those of numbers worth what they are, of which those below 0 are no solutions.
func rules(sense models.Sense) models.Rules[float64] {
	return models.Rules[float64]{
		Sense: sense, Value: func(s float64) (float64, models.Accuracy, bool) { return s, models.Accuracy{}, s >= 0 },
	}
}

// TestLedger: what is entered in any order leaves the best solution, the best bound that nothing contradicts, and the evidence.
func TestLedger(t *testing.T) {
	offer := func(v float64) func(*models.Ledger[float64]) { return func(l *models.Ledger[float64]) { l.Offer(v) } }
	bound := func(v float64) func(*models.Ledger[float64]) { return func(l *models.Ledger[float64]) { l.Bound(v) } }
	claim := func(v, tolerance float64) func(*models.Ledger[float64]) {
		return func(l *models.Ledger[float64]) { l.Claim(v, v-tolerance) }
	}
	impossible := (*models.Ledger[float64]).Impossible
	type entries []func(*models.Ledger[float64])
	inf, nan := math.Inf(1), math.NaN()
	for name, c := range map[string]struct {
		sense        models.Sense
		entries      entries
		value, bound float64 // NaN: none
		closed       bool
		refused      int
		told         []float64 // solutions, then bounds
	}{
		"nothing":                  {1, nil, nan, nan, false, 0, nil},
		"a worse one":              {1, entries{offer(5), offer(6)}, 5, nan, false, 0, []float64{5}},
		"a better one":             {1, entries{offer(6), offer(5)}, 5, nan, false, 0, []float64{6, 5}},
		"no solution":              {1, entries{offer(-1), offer(-2)}, nan, nan, false, 1, nil},
		"maximised":                {-1, entries{offer(5), offer(6), bound(8), bound(7)}, 6, 7, false, 0, []float64{5, 6, 8, 7}},
		"they meet":                {1, entries{bound(3), offer(5), bound(5)}, 5, 5, true, 0, []float64{5, 3, 5}},
		"they meet up to rounding": {1, entries{bound(5 - 4e-9), offer(5)}, 5, 5 - 4e-9, true, 0, []float64{5, 5 - 4e-9}},
		"nearly":                   {1, entries{bound(5 - 6e-9), offer(5)}, 5, 5 - 6e-9, false, 0, []float64{5, 5 - 6e-9}},
		"beyond by rounding":       {1, entries{offer(5), bound(5 + 4e-9)}, 5, 5, true, 0, []float64{5, 5 + 4e-9}},
		"beyond":                   {1, entries{bound(3), offer(5), bound(5.1)}, 5, 3, false, 1, []float64{5, 3}},
		"beyond, afterwards": {
			1, entries{bound(3), bound(5.1), bound(5.2), offer(5), bound(4)}, 5, 4, false, 1, []float64{5, 3, 5.1, 5.2, 4},
		},
		"nothing is there":              {1, entries{impossible}, nan, inf, true, 0, nil},
		"nothing is there, it is said":  {1, entries{offer(5), impossible}, 5, nan, false, 1, []float64{5}},
		"an exhausted search":           {1, entries{bound(inf)}, nan, nan, false, 0, nil},
		"no bound":                      {1, entries{bound(-inf), bound(nan)}, nan, nan, false, 0, nil},
		"no bound, maximised":           {-1, entries{bound(inf)}, nan, nan, false, 0, nil},
		"nothing is there, maximised":   {-1, entries{impossible}, nan, -inf, true, 0, nil},
		"zero is met by nothing but it": {1, entries{offer(0), bound(-1e-12)}, 0, -1e-12, false, 0, []float64{0, -1e-12}},
		"a solver's claim":              {1, entries{offer(5), claim(5, 1e-6)}, 5, 5 - 1e-6, true, 0, []float64{5, 5 - 1e-6}},
		"maximised, a solver's claim":   {-1, entries{offer(5), claim(5, -1e-6)}, 5, 5 + 1e-6, true, 0, []float64{5, 5 + 1e-6}},
		"not so near":                   {1, entries{offer(5), claim(5-1e-7, 1e-6)}, 5, 5 - 1e-7 - 1e-6, false, 0, []float64{5, 5 - 1e-7 - 1e-6}},
		"a tolerance as large as that": {
			1, entries{offer(0x1p-18), claim(0x1p-18, 0x1p-22)}, 0x1p-18, 0x1p-18 - 0x1p-22, false, 0, []float64{0x1p-18, 0x1p-18 - 0x1p-22},
		},
		"a claim refuted":              {1, entries{offer(5), claim(5.1, 1e-6)}, 5, nan, false, 1, []float64{5}},
		"a claim that holds within it": {1, entries{offer(5), claim(5+0x1p-21, 0x1p-20)}, 5, 5 - 0x1p-21, true, 0, []float64{5, 5 - 0x1p-21}},
		"a claim, and a bound better than it": {
			1, entries{offer(5), claim(5, 0x1p-20), bound(5 - 9e-7)}, 5, 5 - 9e-7, true, 0, []float64{5, 5 - 0x1p-20, 5 - 9e-7},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var solutions, bounds []float64
			l := models.NewLedger(rules(c.sense), func(s float64) { solutions = append(solutions, s) },
				func(b float64) { bounds = append(bounds, b) })
			for _, enter := range c.entries {
				enter(l)
			}
			value, proven := nan, nan
			if _, v, ok := l.Best(); ok {
				value = v
			}
			if b, ok := l.Proven(); ok {
				proven = b
			}
			same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
			if !same(value, c.value) || !same(proven, c.bound) || l.Closed() != c.closed || len(l.Refused()) != c.refused {
				t.Errorf("value %v, bound %v, closed %v, refused %v", value, proven, l.Closed(), l.Refused())
			}
			if told := append(solutions, bounds...); !slices.Equal(told, c.told) {
				t.Errorf("observers hear %v, want %v", told, c.told)
			}
		})
	}
}

// TestLedgerAnnounces: what was announced is not told again when it is offered, nor what is no better.
func TestLedgerAnnounces(t *testing.T) {
	var told []float64
	l := models.NewLedger(rules(models.Minimize), func(s float64) { told = append(told, s) }, nil)
	l.Announce(5, 5)
	if _, _, ok := l.Best(); ok {
		t.Error("an announcement counts as a solution")
	}
	l.Offer(5)
	l.Announce(6, 6)
	l.Announce(4, 4)
	if _, v, _ := l.Best(); v != 5 || !slices.Equal(told, []float64{5, 4}) {
		t.Errorf("%v is known, %v was told", v, told)
	}
}

// TestLedgerRounds: a bound counts at the nearest value that a solution can have.
func TestLedgerRounds(t *testing.T) {
	r := rules(models.Minimize)
	r.Round = math.Ceil
	l := models.NewLedger(r, nil, nil)
	l.Bound(3.2)
	if b, _ := l.Proven(); b != 4 {
		t.Errorf("3.2 counts as %v among whole values", b)
	}
}

// TestUnchecked: without a checker the last solution counts, and nothing is optimal.
func TestUnchecked(t *testing.T) {
	l := models.NewLedger(models.Rules[float64]{Sense: models.Minimize}, nil, nil)
	l.Offer(5)
	l.Offer(6)
	l.Bound(6)
	if s, _, ok := l.Best(); !ok || s != 6 || l.Closed() {
		t.Errorf("%v, %v, closed %v", s, ok, l.Closed())
	}
}

// TestStatus: the table of endings.
func TestStatus(t *testing.T) {
	running, cancel := context.WithCancel(t.Context())
	ended, stop := context.WithCancel(t.Context())
	defer cancel()
	stop()
	const refusal = "m: the bound 6 is refused, as a solution of value 5 is known, by m"
	ledgers := map[string]func(l *models.Ledger[float64]){
		"optimal":    func(l *models.Ledger[float64]) { l.Offer(5); l.Bound(5) },
		"infeasible": func(l *models.Ledger[float64]) { l.Impossible() },
		"apart":      func(l *models.Ledger[float64]) { l.Offer(5); l.Bound(4) },
		"nothing":    func(*models.Ledger[float64]) {},
		"refuted":    func(l *models.Ledger[float64]) { l.Bound(6); l.Offer(5) },
	}
	for _, c := range []struct {
		known  string
		kind   models.Kind
		ctx    context.Context
		why    string
		status models.Status
		reason string
	}{
		{"optimal", models.Exact, running, "", models.Optimal, ""},
		{"optimal", models.Exact, running, "too large", models.Optimal, ""},
		{"optimal", models.Exact, ended, "", models.Optimal, ""},
		{"infeasible", models.Exact, running, "", models.Infeasible, ""},
		{"apart", models.Exact, running, "", models.Feasible, "rounding keeps value and bound apart where all is decided"},
		{"apart", models.Exact, running, "too large", models.Feasible, "too large"},
		{"apart", models.Exact, ended, "too large", models.Timeout, ""},
		{"apart", models.Heuristic, running, "", models.Feasible, ""},
		{"apart", models.Bound, running, "", models.Feasible, ""},
		{"apart", models.Bound, ended, "", models.Timeout, ""},
		{"nothing", models.Exact, ended, "", models.Timeout, ""},
		{"nothing", models.Exact, running, "too large", models.Feasible, "too large"},
		{"refuted", models.Exact, running, "", models.Feasible, refusal},
		{"refuted", models.Exact, running, "too large", models.Feasible, refusal + "; too large"},
		{"refuted", models.Exact, ended, "", models.Timeout, refusal},
	} {
		l := models.NewLedger(rules(models.Minimize), nil, nil)
		l.Speak("m")
		ledgers[c.known](l)
		status, reason := l.Status(c.kind, models.Ended(c.ctx, c.why, models.Stats{}))
		if status != c.status || reason != c.reason {
			t.Errorf("%s, %s, %q: %s, %q; want %s, %q", c.known, c.kind, c.why, status, reason, c.status, c.reason)
		}
	}
}
