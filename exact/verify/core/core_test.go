package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/proof"
	"schedgap/models/trials"
)

// TestIntervals: every operation on intervals holds what it is of any numbers in them, and is no wider than a few steps; what begins at 0
// or above stays there, and sums with 0, or that are 0, are exact.
func TestIntervals(t *testing.T) {
	rng := trials.Rand(t, 57, 2)
	number := func() float64 {
		switch rng.IntN(4) {
		case 0:
			return 0
		case 1:
			return float64(rng.IntN(5) - 2)
		}
		return (rng.Float64() - 0.5) * math.Ldexp(1, rng.IntN(40)-20)
	}
	for range trials.Count(6000) {
		a, b := Interval{number(), 0}, Interval{number(), 0}
		a.Hi, b.Hi = a.Lo+math.Abs(number()), b.Lo+math.Abs(number())
		for _, c := range []struct {
			name string
			got  Interval
			of   func(x, y *big.Rat) *big.Rat
		}{
			{"plus", a.Plus(b), new(big.Rat).Add},
			{"minus", a.Minus(b), new(big.Rat).Sub},
			{"times", a.Times(b), new(big.Rat).Mul},
			{"over", a.Over(Interval{1 + math.Abs(b.Lo), 1 + max(math.Abs(b.Lo), math.Abs(b.Hi))}), func(x, y *big.Rat) *big.Rat {
				if y.Sign() < 0 {
					y.Neg(y)
				}
				return new(big.Rat).Quo(x, y)
			}},
		} {
			var ends []float64
			for _, x := range []float64{a.Lo, a.Hi} {
				others := []float64{b.Lo, b.Hi}
				if c.name == "over" {
					others = []float64{1 + math.Abs(b.Lo), 1 + max(math.Abs(b.Lo), math.Abs(b.Hi))}
				}
				for _, y := range others {
					v := c.of(Exactly(x), Exactly(y))
					if Exactly(c.got.Lo).Cmp(v) > 0 || Exactly(c.got.Hi).Cmp(v) < 0 {
						t.Fatalf("%s of %v and %v: %v does not hold %v", c.name, a, b, c.got, v)
					}
					f, _ := v.Float64()
					ends = append(ends, f)
				}
			}
			lo, hi := slices.Min(ends), slices.Max(ends)
			if c.got.Lo < Down(Down(lo)) || c.got.Hi > Up(Up(hi)) {
				t.Fatalf("%s of %v and %v: %v is wider than [%v, %v]", c.name, a, b, c.got, lo, hi)
			}
			if positive := a.Lo >= 0 && b.Lo >= 0; (c.name == "times" && positive || c.name == "over" && a.Lo >= 0) && c.got.Lo < 0 {
				t.Fatalf("%s of %v and %v begins at %v", c.name, a, b, c.got.Lo)
			}
		}
	}
	for _, c := range []struct{ a, b, below, above float64 }{
		{0.1, 0, 0.1, 0.1},
		{0, 0.1, 0.1, 0.1},
		{0.1, -0.1, 0, 0},
		{0.5, 0.25, Down(0.75), Up(0.75)},
	} {
		if Below(c.a, c.b) != c.below || Above(c.a, c.b) != c.above {
			t.Errorf("%v and %v: [%v, %v]", c.a, c.b, Below(c.a, c.b), Above(c.a, c.b))
		}
	}
	for n, exact := range map[int]bool{7: true, 1 << 53: true, -1 << 53: true, 1<<53 + 1: false, -1<<53 - 1: false} {
		v := Integer(n)
		if (v.Lo == v.Hi) != exact || Exactly(v.Lo).Cmp(Natural(n)) > 0 || Exactly(v.Hi).Cmp(Natural(n)) < 0 {
			t.Errorf("%d is in %v", n, v)
		}
	}
	if v := (Interval{-1, 2}).Positive(); v != (Interval{0, 2}) {
		t.Errorf("%v", v)
	}
	if v := (Interval{0, 0}).Times(Interval{-1, 2}); v != Point(0) {
		t.Errorf("%v", v)
	}
	a, b := Interval{1, 4}, Interval{2, 3}
	if Most(a, b) != (Interval{2, 4}) || Least(a, b) != (Interval{1, 3}) {
		t.Errorf("%v, %v", Most(a, b), Least(a, b))
	}
}

// TestLogarithm: the logarithm of a fraction that no float64 holds.
func TestLogarithm(t *testing.T) {
	for _, e := range []int{-1, -990, -1100, -5000} {
		r := new(big.Rat).SetFrac(big.NewInt(3), new(big.Int).Lsh(big.NewInt(1), uint(-e)))
		v, want := Logarithm(r), math.Log(3)+float64(e)*math.Ln2
		if !(v.Lo <= want+1e-15*math.Abs(want) && v.Hi >= want-1e-15*math.Abs(want)) || v.Hi-v.Lo > 1e-14*math.Abs(want) {
			t.Errorf("ln 3·2^%d is in %v, want %v", e, v, want)
		}
	}
}

// TestRounding: fractions are rounded to the side asked for, by no more than a step, and bounds rise to the next multiple of a grid.
func TestRounding(t *testing.T) {
	third, huge := big.NewRat(1, 3), new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 2000))
	least := new(big.Rat).Inv(huge)
	for _, c := range []struct {
		v        *big.Rat
		down, up float64
	}{
		{third, 1.0 / 3, Up(1.0 / 3)},
		{new(big.Rat).Neg(third), -Up(1.0 / 3), -1.0 / 3},
		{big.NewRat(3, 4), 0.75, 0.75},
		{new(big.Rat), 0, 0},
		{huge, math.MaxFloat64, math.Inf(1)},
		{new(big.Rat).Neg(huge), math.Inf(-1), -math.MaxFloat64},
		{least, 0, math.SmallestNonzeroFloat64},
		{new(big.Rat).Neg(least), -math.SmallestNonzeroFloat64, 0},
	} {
		if down, up := RoundDown(c.v), RoundUp(c.v); down != c.down || up != c.up || math.Signbit(down) != (c.down < 0) {
			t.Errorf("%v is between %v and %v", c.v, down, up)
		}
	}
	for _, c := range []struct {
		bound float64
		grid  *big.Rat
		want  float64
	}{
		{4.2, nil, 4.2},
		{4.2, big.NewRat(3, 1), 6},
		{6, big.NewRat(3, 1), 6},
		{math.Nextafter(6, 7), big.NewRat(3, 1), 9},
		{-4.2, big.NewRat(3, 1), -3},
		{-6, big.NewRat(3, 1), -6},
		{0, big.NewRat(3, 1), 0},
		{5e-324, big.NewRat(3, 1), 3},
		{0.5, third, 2. / 3},
		{0.3, third, 1.0 / 3},
		{0.1, third, 1. / 3},
		{math.Inf(1), third, math.Inf(1)},
		{math.Inf(-1), third, math.Inf(-1)},
		{-math.MaxFloat64, big.NewRat(1, 2), -math.MaxFloat64},
		{math.MaxFloat64, new(big.Rat).Mul(third, Exactly(math.MaxFloat64/2)), math.MaxFloat64},
	} {
		if got := OnGrid(c.bound, c.grid); got != c.want {
			t.Errorf("%v on the grid of %v is %v, want %v", c.bound, c.grid, got, c.want)
		}
	}
	if got := OnGrid(math.NaN(), third); !math.IsNaN(got) {
		t.Errorf("%v", got)
	}
}

// TestEffort: a verification may take so many steps, and ends with its context.
func TestEffort(t *testing.T) {
	e := &Effort{}
	e.Spend(mostSteps - 5)
	e.Spend(2)
	if left := e.Left(); left != 3 || e.Spent() != nil {
		t.Errorf("%d steps are left, %v", left, e.Spent())
	}
	e.Spend(3)
	if e.Left() != 0 || e.Spent() != nil {
		t.Errorf("%d steps are left, %v", e.Left(), e.Spent())
	}
	e.Spend(1)
	if e.Left() != 0 || e.Spent() == nil || e.Context().Err() != nil {
		t.Errorf("%d steps are left, %v", e.Left(), e.Spent())
	}
	ctx, cancel := context.WithCancel(t.Context())
	e = &Effort{Ctx: ctx}
	before := e.Spent()
	cancel()
	if before != nil || !errors.Is(e.Spent(), context.Canceled) || e.Context() != ctx {
		t.Errorf("%v, then %v", before, e.Spent())
	}
}

// TestWalk: nodes are visited in pre-order, children from the first on, until there is none left or a visit fails.
func TestWalk(t *testing.T) {
	children := map[string][]string{"a": {"b", "c"}, "b": {"d", "e"}, "c": {"f"}}
	for _, fails := range []string{"", "e"} {
		seen := ""
		err := Walk("a", func(n string) ([]string, error) {
			seen += n
			if n == fails {
				return nil, errors.New(n)
			}
			return slices.Clone(children[n]), nil
		})
		if want := map[string]string{"": "abdecf", "e": "abde"}[fails]; seen != want || (err != nil) != (fails != "") {
			t.Errorf("visited %s, %v", seen, err)
		}
	}
	for n, there := range [][]bool{{}, {true, false}, {true, true}} {
		if Single(there...) != (n == 1) {
			t.Errorf("one of %v is there: %v", there, Single(there...))
		}
	}
}

// A text is an instance.
type text struct{ name string }

func (i text) Head() models.Header { return models.Header{Name: i.name} }

// TestFollow: a proof is refused for the first thing that is wrong with it, by the line, and proves no more than its header claims.
func TestFollow(t *testing.T) {
	five, four, nan, inf := 5.0, 4.0, math.NaN(), math.Inf(1)
	type worth struct {
		Worth float64 `json:"worth"`
	}
	type proven struct {
		Proven float64 `json:"proven"`
	}
	wide := Interval{5 - 1e-10, 5 + 1e-10}
	rules := map[string]Rule[text]{
		"both": {
			References: []string{"opt"},
			Solution: Solution(false, func(_ text, s *worth, reference string) (Interval, models.Accuracy, error) {
				if s.Worth < 0 {
					return Interval{}, models.Accuracy{}, fmt.Errorf("no solution of %s", reference)
				}
				return Interval{s.Worth + wide.Lo - 5, s.Worth + wide.Hi - 5}, models.Accuracy{}, nil
			}),
			Check: func(r *Reader, _ text) error {
				var p proven
				if err := r.Read(&p); err != nil {
					return err
				}
				return Conclude(*r.Header.Bound, p.Proven, "lines")
			},
		},
		"bound": {
			References: []string{"opt", "other"},
			Suits: func(in text) error {
				if in.name != "in" {
					return errors.New("of no use")
				}
				return nil
			},
			Check: func(*Reader, text) error { return nil },
		},
	}
	always := rules["both"]
	always.Solution = Solution(true, func(text, *worth, string) (Interval, models.Accuracy, error) { return wide, models.Accuracy{}, nil })
	rules["always"] = always
	for name, c := range map[string]struct {
		change func(h *proof.Header)
		in     string // the instance's name; "": in
		lines  []any
		reason string
		gap    float64 // where it is accepted; NaN: none
	}{
		"an optimum":              {nil, "", []any{worth{5}, proven{5}}, "", 0},
		"a bound alone":           {func(h *proof.Header) { h.Value = nil }, "", []any{proven{5}}, "", nan},
		"more than it claims":     {func(h *proof.Header) { h.Value = nil }, "", []any{proven{6}}, "", nan},
		"a bound nearby":          {func(h *proof.Header) { *h.Bound -= 1e-9 }, "", []any{worth{5}, proven{5}}, "", five - (five - 1e-9)},
		"the low end":             {func(h *proof.Header) { *h.Value, *h.Bound = wide.Lo, wide.Lo }, "", []any{worth{5}, proven{5}}, "", 0},
		"the high end":            {func(h *proof.Header) { *h.Value = wide.Hi }, "", []any{worth{5}, proven{5}}, "", wide.Hi - 5},
		"below the low end":       {func(h *proof.Header) { *h.Value = 5 - 2e-10 }, "", []any{worth{5}, proven{5}}, "line 2: the solution is worth", nan},
		"above the high end":      {func(h *proof.Header) { *h.Value = 5 + 2e-10 }, "", []any{worth{5}, proven{5}}, "line 2: the solution is worth", nan},
		"far apart":               {func(h *proof.Header) { h.Bound = &four }, "", []any{worth{5}, proven{5}}, "line 2: the value 5 and the bound 4 are too far", nan},
		"no solution":             {nil, "", []any{worth{-1}, proven{5}}, "line 2: no solution of opt", nan},
		"less than it claims":     {nil, "", []any{worth{5}, proven{4.9}}, "line 3: the lines prove 4.9, not 5", nan},
		"a line less":             {nil, "", []any{worth{5}}, "line 2: the proof is not complete", nan},
		"no line":                 {nil, "", nil, "the proof is not complete", nan},
		"a line more":             {nil, "", []any{worth{5}, proven{5}, proven{5}}, "line 4: the proof has ended before", nan},
		"a line of another form":  {nil, "", []any{proven{5}, proven{5}}, "line 2: ", nan},
		"another problem":         {func(h *proof.Header) { h.Problem = "q" }, "", nil, `the proof is of the problem "q", the instance of p`, nan},
		"another hash":            {func(h *proof.Header) { h.SHA256 = "y" }, "", nil, `its hash is "y", the instance's x`, nan},
		"another instance":        {func(h *proof.Header) { h.Instance = "out" }, "", nil, `the proof is of the instance "out", this is in`, nan},
		"another kind":            {func(h *proof.Header) { h.Kind = "none" }, "", nil, `the kind "none" are not known of p; known are: always, both, bound`, nan},
		"another reference":       {func(h *proof.Header) { h.Reference = "other" }, "", nil, `not of the reference "other" but of: opt`, nan},
		"no bound":                {func(h *proof.Header) { h.Bound = nil }, "", nil, "claims no bound", nan},
		"a bound that is none":    {func(h *proof.Header) { h.Bound = &nan }, "", nil, "the bound is no number", nan},
		"an infinite bound":       {func(h *proof.Header) { h.Bound = &inf }, "", nil, "the bound is no number", nan},
		"a value that is none":    {func(h *proof.Header) { h.Value = &nan }, "", nil, "the value is no number", nan},
		"an infinite value":       {func(h *proof.Header) { h.Value = &inf }, "", nil, "the value is no number", nan},
		"a value of a bound":      {func(h *proof.Header) { h.Kind = "bound" }, "", nil, "prove a bound and no value", nan},
		"a bound of another kind": {func(h *proof.Header) { h.Kind, h.Value, h.Reference = "bound", nil, "other" }, "", nil, "", nan},
		"an instance of no use":   {func(h *proof.Header) { h.Kind, h.Value, h.Instance = "bound", nil, "i" }, "i", nil, "of no use", nan},
		"always, without a value": {func(h *proof.Header) { h.Kind, h.Value = "always", nil }, "", []any{worth{7}, proven{5}}, "", nan},
		"always, without a line":  {func(h *proof.Header) { h.Kind, h.Value = "always", nil }, "", []any{proven{5}}, "line 2: ", nan},
		"always":                  {func(h *proof.Header) { h.Kind = "always" }, "", []any{worth{7}, proven{5}}, "", 0},
	} {
		value, bound := five, five
		p := &proof.Proof{Header: proof.Header{
			Problem: "p", Instance: "in", SHA256: "x", Reference: "opt", Kind: "both", Value: &value, Bound: &bound,
		}}
		if c.change != nil {
			c.change(&p.Header)
		}
		r, err := Written(c.lines)
		fail.On(t, err)
		p.Lines = r.Lines
		if c.in == "" {
			c.in = "in"
		}
		v, err := Follow(p, "p", text{c.in}, "x", rules)
		switch {
		case c.reason != "":
			if err == nil || !strings.Contains(err.Error(), c.reason) || strings.HasPrefix(err.Error(), "line") != strings.HasPrefix(c.reason, "line") ||
				v.Optimal || v.Gap != nil {
				t.Errorf("%s: %v, %+v; want %q", name, err, v, c.reason)
			}
		case err != nil || (v.Gap == nil) != math.IsNaN(c.gap) || v.Gap != nil && (*v.Gap != c.gap || !v.Optimal):
			t.Errorf("%s: %+v, %v; want a gap of %v", name, v, err, c.gap)
		}
	}
	if _, err := Written([]any{math.NaN()}); err == nil {
		t.Error("a line that is no JSON is written")
	}
}

// TestConclude: a bound is proven by one that is no less, and nothing else is.
func TestConclude(t *testing.T) {
	for _, c := range []struct {
		claimed, proven float64
		ok              bool
	}{{5, 5, true}, {5, 6, true}, {5, Down(5), false}, {5, math.NaN(), false}, {math.NaN(), 5, false}} {
		if err := Conclude(c.claimed, c.proven, "prices"); (err == nil) != c.ok {
			t.Errorf("%v by %v: %v", c.claimed, c.proven, err)
		}
	}
}

// prices reads lines of a proof by prices for two jobs, a and b.
func prices(lines ...any) (*Relaxation, error) {
	r, err := Written(lines)
	if err != nil {
		return nil, err
	}
	return ReadRelaxation(r, len(lines), 2, func(j int) string { return string(rune('a' + j)) })
}

// TestRelaxation: what the lines say is worth what it is by hand, rounded by no more than a few steps.
func TestRelaxation(t *testing.T) {
	near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-13 }
	s, err := prices(
		proof.Multipliers{Grid: []float64{0, 1, 3, 6}, Price: []float64{4, 2, 0.5}},
		proof.Counts{Jobs: []string{"b"}, Points: []int{1, 3}, Theta: []float64{0.25, 0.5}, Most: []int{0, 1}},
		proof.Counts{Jobs: []string{"b"}, Points: []int{3}, Theta: []float64{1}, Most: []int{1}, Proofs: []proof.CountProof{{Price: []float64{7}}}},
	)
	fail.On(t, err)
	// 2 machines: 2·(4·1 + 2·2 + 0.5·3), and the counts 0.5 + 1.
	if v := Worth(s.Grid, s.Price, 2); v < 19 || !near(v, 19) {
		t.Errorf("the prices are worth %v, want 19", v)
	}
	if v := s.Worth(2); v < 20.5 || !near(v, 20.5) {
		t.Errorf("with the counts %v, want 20.5", v)
	}
	for k, want := range []float64{1.75, 1.5, 1.5, 0} { // of completing before points 1 and 3
		if got := s.Paid(1, k); got > want || !near(got, want) || s.Paid(0, k) != 0 {
			t.Errorf("in interval %d b pays %v and a %v, want %v and 0", k, got, s.Paid(0, k), want)
		}
	}
	if c := s.Counts; len(c) != 3 || c[0].Proof != nil || c[2].Proof == nil || c[2].Proof.Price[0] != 7 || c[1].Point != 3 || c[1].Most != 1 ||
		!slices.Equal(c[1].Set, []int{1}) {
		t.Errorf("%+v", c)
	}
}

// TestNoRelaxation: what is no proof by prices, each with the reason.
func TestNoRelaxation(t *testing.T) {
	multipliers := func(grid, price []float64) proof.Multipliers { return proof.Multipliers{Grid: grid, Price: price} }
	good := multipliers([]float64{0, 1, 3}, []float64{1, 1})
	long := func(n int) proof.Multipliers {
		m := proof.Multipliers{Price: make([]float64, n-1)}
		for i := range n {
			m.Grid = append(m.Grid, float64(i))
		}
		return m
	}
	counts := func(n int) proof.Counts {
		return proof.Counts{Jobs: []string{}, Points: slices.Repeat([]int{1}, n), Theta: make([]float64, n), Most: make([]int, n)}
	}
	count := func(jobs []string, point int, theta float64) proof.Counts {
		return proof.Counts{Jobs: jobs, Points: []int{point}, Theta: []float64{theta}, Most: []int{1}}
	}
	for name, c := range map[string]struct {
		lines  []any
		reason string
	}{
		"":                      {[]any{good, count([]string{"a", "b"}, 2, 0)}, ""},
		"one point":             {[]any{multipliers([]float64{0}, []float64{})}, ""},
		"no point":              {[]any{multipliers([]float64{}, []float64{})}, "0 prices for 0 grid points"},
		"a price more":          {[]any{multipliers([]float64{0, 1}, []float64{1, 1})}, "2 prices for 2 grid points"},
		"a price less":          {[]any{multipliers([]float64{0, 1}, []float64{})}, "0 prices for 2 grid points"},
		"a late begin":          {[]any{multipliers([]float64{1, 2}, []float64{1})}, "grid must begin with 0"},
		"an early begin":        {[]any{multipliers([]float64{-1, 2}, []float64{1})}, "grid must begin with 0"},
		"no order":              {[]any{multipliers([]float64{0, 2, 1}, []float64{1, 1})}, "point 2, 1, is not after"},
		"a point twice":         {[]any{multipliers([]float64{0, 2, 2}, []float64{1, 1})}, "point 2, 2, is not after"},
		"a negative price":      {[]any{multipliers([]float64{0, 1}, []float64{-1})}, "price: number 0, -1, is negative"},
		"a long grid":           {[]any{long(GridPoints + 8)}, ""},
		"too long a grid":       {[]any{long(GridPoints + 9)}, "at most 1508 are read for 2 jobs"},
		"no line":               {nil, "not complete"},
		"another line":          {[]any{count([]string{"a"}, 1, 1)}, "grid: required"},
		"a line of prices more": {[]any{good, good}, "jobs: required"},
		"a count less":          {[]any{good, proof.Counts{Jobs: []string{"a"}, Points: []int{1}, Theta: []float64{1}, Most: []int{}}}, "1 points, 1 multipliers, 0 counts"},
		"a multiplier more":     {[]any{good, proof.Counts{Jobs: []string{"a"}, Points: []int{1}, Theta: []float64{1, 1}, Most: []int{1}}}, "1 points, 2 multipliers"},
		"a proof more": {[]any{good, proof.Counts{
			Jobs: []string{"a"}, Points: []int{1}, Theta: []float64{1}, Most: []int{1}, Proofs: make([]proof.CountProof, 2),
		}}, "2 proofs"},
		"a negative multiplier": {[]any{good, count([]string{"a"}, 1, -1)}, "theta: number 0, -1, is negative"},
		"no job":                {[]any{good, count([]string{"c"}, 1, 1)}, `jobs: "c" is no job, or comes twice`},
		"a job twice":           {[]any{good, count([]string{"a", "a"}, 1, 1)}, `jobs: "a" is no job, or comes twice`},
		"the first point":       {[]any{good, count([]string{"a"}, 0, 1)}, "points: 0 is not between 1 and 2"},
		"no such point":         {[]any{good, count([]string{"a"}, 3, 1)}, "points: 3 is not between 1 and 2"},
		"many counts":           {[]any{good, counts(GridPoints + 32)}, ""},
		"too many counts":       {[]any{good, counts(GridPoints + 33)}, "more than 1532 counts"},
	} {
		if _, err := prices(c.lines...); (err == nil) != (c.reason == "") || err != nil && !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want %q", name, err, c.reason)
		}
	}
	if Multipliers([]float64{0, math.Inf(1)}) == nil || Multipliers([]float64{math.NaN()}) == nil || Multipliers([]float64{0, 2}) != nil {
		t.Error("multipliers are numbers from 0 on")
	}
	if CheckPrices([]float64{0, math.Inf(1)}, []float64{0}, 1) == nil {
		t.Error("the grid ends nowhere")
	}
	short, err := Written([]any{good})
	fail.On(t, err)
	if _, err := ReadRelaxation(short, 2, 2, func(int) string { return "" }); err == nil {
		t.Error("a line of counts is missing")
	}
	short.Lines = append(short.Lines, json.RawMessage(`{}`)) // of something else
	short.Next = 0
	if s, err := ReadRelaxation(short, 1, 2, func(int) string { return "" }); err != nil || len(s.Counts) > 0 || short.Next != 1 {
		t.Errorf("%d lines are read, %v", short.Next, err)
	}
}

// TestGains: gains descend, and none is less than the table says.
func TestGains(t *testing.T) {
	for _, c := range []struct{ speedup, want []float64 }{
		{[]float64{1, 1.5, 1.75}, []float64{1, 0.5, 0.25}},
		{[]float64{1, 1.25, 1.75, 1.5}, []float64{1, 0.5, 0.5, 0}},
		{[]float64{1, 2.5}, []float64{1.5, 1.5}},
		{[]float64{2}, []float64{2}},
		{nil, nil},
	} {
		got := Gains(c.speedup)
		if len(got) != len(c.want) {
			t.Fatalf("%v", got)
		}
		for i, g := range got {
			if g < c.want[i] || g > c.want[i]+1e-15 || i > 0 && g > got[i-1] {
				t.Errorf("of %v: %v, want %v", c.speedup, got, c.want)
			}
		}
	}
}

// cheapest is what work costs where machine time is bought offer by offer, the cheapest first, at most `late` for a unit.
func cheapest(gain, length, price []float64, work, late float64) float64 {
	type offer struct{ unit, work float64 }
	var offers []offer
	for i := range length {
		for _, g := range gain {
			if g > 0 {
				offers = append(offers, offer{price[i] / g, length[i] * g})
			}
		}
	}
	slices.SortFunc(offers, func(a, b offer) int { return int(math.Copysign(1, a.unit-b.unit)) })
	cost := 0.0
	for _, o := range offers {
		if o.unit >= late || work <= 0 {
			break
		}
		bought := min(work, o.work)
		cost, work = cost+bought*o.unit, work-bought
	}
	if work > 0 {
		return cost + work*late
	}
	return cost
}

// TestPayment: a payment is never more than the cheapest purchase, and no less than it by more than rounding.
func TestPayment(t *testing.T) {
	rng := trials.Rand(t, 57, 3)
	for range trials.Count(8000) {
		m := &Market{Effort: &Effort{}, Gain: Gains([]float64{1, 1.5, 1.75, 1.75}[:1+rng.IntN(4)])}
		var length, price []float64
		capacity := 0.0
		for range rng.IntN(4) {
			l, p := float64(rng.IntN(4)), float64(rng.IntN(5))
			m.Add(l, p)
			if l > 0 {
				length, price = append(length, l), append(price, p)
			}
			for _, g := range m.Gain {
				capacity += l * g
			}
		}
		work, late := 0.5*float64(1+rng.IntN(20)), []float64{0, 0.5, 1, 3, 8, math.Inf(1)}[rng.IntN(6)]
		if math.IsInf(late, 1) {
			work = min(work, capacity) // more than there is costs whatever one likes
		}
		want := 0.0
		if work > 0 {
			want = cheapest(m.Gain, length, price, work, late)
		}
		if got := m.Payment(work, late); got > want || got < want-1e-12*max(1, want) {
			t.Fatalf("%v of work at most at %v, intervals %v at %v, gains %v: %v, want %v", work, late, length, price, m.Gain, got, want)
		}
		if len(m.Length) != len(length) || m.Steps != 0 && m.Steps < len(m.Offers)+len(m.Price) {
			t.Fatalf("%d intervals in %d steps", len(m.Length), m.Steps)
		}
	}
	spent := &Market{Effort: &Effort{Steps: mostSteps + 1}, Gain: []float64{1}}
	spent.Add(1, 2)
	if got := spent.Payment(0.5, 3); got != 0 {
		t.Errorf("without steps left: %v", got)
	}
	counted := &Market{Effort: &Effort{}, Gain: []float64{1, 0.5}}
	counted.Add(1, 2)
	counted.Add(1, 6)
	if got := counted.Payment(1, 3); got > 2 || got < 2-1e-12 || counted.Steps != 4+2+16 {
		t.Errorf("%v in %d steps", got, counted.Steps)
	}
	if got := counted.Payment(2, 3); got > 5 || got < 5-1e-12 || counted.Steps != 2*(4+2+16) {
		t.Errorf("%v in %d steps", got, counted.Steps)
	}
}
