package compare

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
)

var nan = summary.Missing

// Verdicts on times at a threshold of 25 %, at which limits are exact: of many instances by mean and interval, of three or four by
// the least quotient, of fewer none.
func TestVerdicts(t *testing.T) {
	const many, above = stats.MinSample, 1.25 + 2e-9
	for _, c := range []struct {
		instances             int
		least, change, lo, hi summary.Number
		want                  Verdict
	}{
		{many, 1, above, 1.01, 2, Slower},
		{many, 1, 1.25 + 0.5e-9, 1.01, 2, NotEnough}, // rounding
		{many, 1, above, 1, 2, NotEnough},
		{many, 1, 1.1, 0.9, 1.25, Similar},
		{many, 1, 1.1, 0.9, 1.26, NotEnough},
		{many, 0.1, 0.79, 0.7, 0.99, Faster},
		{many, 0.1, 0.8, 0.7, 0.99, Similar},
		{many, 0.1, 0.79, 0.7, 1, Similar},
		{many - 1, 1.3, 1.4, nan, nan, Slower},
		{fewest, above, above, nan, nan, Slower},
		{fewest, 1.25, 1.4, nan, nan, NotEnough},
		{fewest - 1, 1.3, 1.4, nan, nan, NotEnough},
		{many - 1, 0.1, 0.5, 0.4, 0.6, NotEnough},
		{many - 1, nan, nan, nan, nan, NotEnough},
	} {
		q := Time{Instances: c.instances, Least: c.least, Change: c.change, ChangeCI: CI{c.lo, c.hi}}
		if got := q.verdict(0.25); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	few := Time{Instances: many - 1, Change: 1.4, Least: 1.3, ChangeCI: CI{nan, nan}, BaseMedian: 1, HeadMedian: 2}
	if text := few.words(); !strings.Contains(text, "all slower by at least 30.0 %") {
		t.Error(text)
	}
	few.Instances, few.ChangeCI = many, CI{1.2, 1.6}
	if text := few.words(); !strings.Contains(text, "interval +20.0 % to +60.0 %") {
		t.Error(text)
	}
}

// Values are certainly worse if their mean grew beyond rounding, and by one reason more; better is the mirror.
func TestCertainty(t *testing.T) {
	none := CI{nan, nan}
	plain := Quality{Change: nan, Shift: nan, ChangeCI: none, ShiftCI: none, WilcoxonP: nan}
	with := func(change func(q *Quality)) Quality {
		q := plain
		change(&q)
		return q
	}
	certain := func(q *Quality) { q.WilcoxonP = stats.Significant / 2 }
	for name, c := range map[string]struct {
		q             Quality
		worse, better bool
	}{
		"nothing":              {plain, false, false},
		"lost":                 {with(func(q *Quality) { q.Lost = 1 }), true, false},
		"quotients, test":      {with(func(q *Quality) { q.Change = 1.1; certain(q) }), true, false},
		"quotients, rounding":  {with(func(q *Quality) { q.Change = 1 + 0.5e-9; certain(q) }), false, false},
		"shift, test":          {with(func(q *Quality) { q.Shift = 0.1; certain(q) }), true, false},
		"shift, rounding":      {with(func(q *Quality) { q.Shift = 0.5e-9; certain(q) }), false, false},
		"no test":              {with(func(q *Quality) { q.Change, q.WilcoxonP = 1.1, stats.Significant }), false, false},
		"interval":             {with(func(q *Quality) { q.Change, q.ChangeCI.Lo = 1.1, 1.01 }), true, false},
		"interval from 1":      {with(func(q *Quality) { q.Change, q.ChangeCI.Lo = 1.1, 1 }), false, false},
		"shifts' interval":     {with(func(q *Quality) { q.Shift, q.ShiftCI.Lo = 0.1, 0.01 }), true, false},
		"shifts' from 0":       {with(func(q *Quality) { q.Shift, q.ShiftCI.Lo = 0.1, 0 }), false, false},
		"all three":            {with(func(q *Quality) { q.Change, q.Worse = 1.1, fewest }), true, false},
		"all two":              {with(func(q *Quality) { q.Change, q.Worse = 1.1, fewest-1 }), false, false},
		"three and one":        {with(func(q *Quality) { q.Change, q.Worse, q.Better = 1.1, fewest, 1 }), false, false},
		"better, test":         {with(func(q *Quality) { q.Change = 0.9; certain(q) }), false, true},
		"better, rounding":     {with(func(q *Quality) { q.Change = 1 - 0.5e-9; certain(q) }), false, false},
		"better shift":         {with(func(q *Quality) { q.Shift = -0.1; certain(q) }), false, true},
		"better shift, round":  {with(func(q *Quality) { q.Shift = -0.5e-9; certain(q) }), false, false},
		"better, no test":      {with(func(q *Quality) { q.Change, q.WilcoxonP = 0.9, stats.Significant }), false, false},
		"better interval":      {with(func(q *Quality) { q.Change, q.ChangeCI.Hi = 0.9, 0.99 }), false, true},
		"better interval to 1": {with(func(q *Quality) { q.Change, q.ChangeCI.Hi = 0.9, 1 }), false, false},
		"better shifts'":       {with(func(q *Quality) { q.Shift, q.ShiftCI.Hi = -0.1, -0.01 }), false, true},
		"better shifts' to 0":  {with(func(q *Quality) { q.Shift, q.ShiftCI.Hi = -0.1, 0 }), false, false},
		"all three better":     {with(func(q *Quality) { q.Change, q.Better = 0.9, fewest }), false, true},
		"all two better":       {with(func(q *Quality) { q.Change, q.Better = 0.9, fewest-1 }), false, false},
		"three better and one": {with(func(q *Quality) { q.Change, q.Better, q.Worse = 0.9, fewest, 1 }), false, false},
	} {
		if worse, better := c.q.worse(), c.q.better(); worse != c.worse || better != c.better {
			t.Errorf("%s: worse %v, better %v", name, worse, better)
		}
	}
}

// Gates at their thresholds: ratios and shifts may be 1e-9 above, distances must have grown by 1e-6.
func TestGatesAtTheirThresholds(t *testing.T) {
	quarter := 0.25
	for _, c := range []struct {
		change, shift, base, head summary.Number
		want                      string // gates, and improvements as "better"
	}{
		{1.25 + 2e-9, nan, nan, nan, "ratio"},
		{1.25 + 0.5e-9, nan, nan, nan, ""},
		{nan, 0.25 + 2e-9, nan, nan, "ratio"},
		{nan, 0.25 + 0.5e-9, nan, nan, ""},
		{1, nan, 1, 1.25 + 2e-9, "gap"},
		{1, nan, 1, 1.25 + 0.5e-9, ""},
		{1, nan, 1e-7, 1e-7 + 1.5e-6, "gap"},
		{1, nan, 1e-6, 1.5e-6, ""},
		{0.8 - 2e-9, nan, nan, nan, "better"},
		{0.8 - 0.5e-9, nan, nan, nan, ""},
		{nan, -0.25 - 2e-9, nan, nan, "better"},
		{nan, -0.25 - 0.5e-9, nan, nan, ""},
	} {
		g := Gates{Ratio: &quarter, Gap: &quarter}
		r := &Report{Gates: g, Algorithms: []Algorithm{{Quality: Quality{
			Change: c.change, Shift: c.shift, BaseGap: c.base, HeadGap: c.head, Quotients: 1,
		}}}}
		var got []string
		for _, regression := range g.judge(r) {
			got = append(got, regression.Gate)
			if strings.Contains(regression.Text, "no result any more") {
				t.Errorf("nothing is lost: %s", regression.Text)
			}
		}
		for _, note := range improvements(r) {
			got = append(got, "better")
			if want := "-25.0 %"; math.IsNaN(float64(c.change)) && !strings.Contains(strings.ReplaceAll(note.Text, "−", "-"), want) {
				t.Errorf("%q lacks %s", note.Text, want)
			}
		}
		if strings.Join(got, ",") != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	worse := &Report{Algorithms: []Algorithm{{Quality: Quality{Shift: 0.5, Change: nan, Lost: 2, Found: 3}}}}
	if text := (Gates{Ratio: &quarter}).judge(worse)[0].Text; !strings.Contains(text, "+50.0 %") || !strings.Contains(text, "2 units, which counts") {
		t.Error(text)
	}
	if notes := improvements(worse); len(notes) != 1 || !strings.Contains(notes[0].Text, "3 units have a result") {
		t.Errorf("%v", notes)
	}
	for want, q := range map[string]Quality{
		"not known": {BaseGap: nan, HeadGap: 1}, "less than 1e-6": {BaseGap: 1, HeadGap: 1 + 0.9e-6}, "allows a distance": {BaseGap: 1, HeadGap: 1 + 1.1e-6},
	} {
		if got := (Gates{Gap: &quarter}).whyGap(&q); !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
}

// side is a row of a unit by its status and times, of a wall and, below 0 for none, of a processor.
func side(status bench.Status, wall, cpu float64) *ratio.Unit {
	u := &ratio.Unit{Record: &ratio.Record{Place: &ratio.Place{}, Setup: &ratio.Setup{}}}
	u.Status, u.CPUModel, u.NCPUs = string(status), "cpu", 2
	u.WallSeconds = &wall
	if cpu >= 0 {
		u.CPUSeconds = &cpu
	}
	return u
}

// Times by hand: 1 s and 2 s of processor time for wall times that say otherwise, and wall times where a side has no other; what
// failed, ended on neither side or ran on another machine counts and is not compared.
func TestTimes(t *testing.T) {
	a, b, c := &ratio.Instance{Name: "a"}, &ratio.Instance{Name: "b"}, &ratio.Instance{Name: "c"}
	on := func(in *ratio.Instance, base, head *ratio.Unit) *pair {
		base.In, head.In = in, in
		return &pair{base: base, head: head}
	}
	other, more := side(bench.Feasible, 9, -1), side(bench.Feasible, 9, -1)
	other.CPUModel, more.NCPUs = "another", 3
	got := times([]*pair{
		on(a, side(bench.Feasible, 7, 0.999), side(bench.Optimal, 7, 1.999)),
		on(b, side(bench.Feasible, 0.999, -1), side(bench.Timeout, 3.999, 9)),
		on(c, side(bench.Infeasible, 5, 0), side(bench.Feasible, 5, 0.002)), // 3 ms to 1
		on(c, side(bench.Timeout, 5, 5), side(bench.Timeout, 6, 6)),
		on(c, side(bench.Crash, 5, 5), side(bench.Feasible, 6, 6)),
		on(c, other, side(bench.Feasible, 9, -1)),
		on(c, side(bench.Feasible, 9, -1), more),
	}, 1)
	if got.Instances != 3 || got.Unended != 2 || got.Elsewhere != 2 {
		t.Errorf("%+v", got)
	}
	near := func(what string, got summary.Number, want float64) {
		if !(math.Abs(float64(got)-want) < 1e-12) {
			t.Errorf("%s %v, want %v", what, got, want)
		}
	}
	near("change", got.Change, math.Cbrt(2*4*3))
	near("least", got.Least, 2)
	near("base", got.BaseMedian, 0.999)
	near("head", got.HeadMedian, 1.999)
}

// Seeds of an instance that lacks a number for one of them leave the instance out, in whatever order they come.
func TestSample(t *testing.T) {
	var s sample
	a, b, c := &ratio.Instance{}, &ratio.Instance{}, &ratio.Instance{}
	s.add(a, 1, true)
	s.add(b, 1, true)
	s.add(b, 1, false)
	s.add(b, 1, true)
	s.add(c, 1, false)
	s.add(c, 5, true)
	s.add(a, 3, true)
	if d := cmp.Diff([]float64{2}, s.means(stats.Mean)); d != "" {
		t.Error(d)
	}
}

// The move of a pair by hand: zeros on both sides are equal, one zero has no quotient, nor have negative values; bounds are worse
// the lower they are.
func TestMove(t *testing.T) {
	for _, c := range []struct {
		base, head, scaled, log float64
		quotient                bool
		kind                    models.Kind
		by                      models.Comparison
	}{
		{10, 20, 0.5, math.Ln2, true, models.Heuristic, models.Quotient},
		{20, 10, -0.5, -math.Ln2, true, models.Heuristic, models.Quotient},
		{20, 10, 0.5, math.Ln2, true, models.Bound, models.Quotient},
		{10, 20, 0.5, 0, false, models.Heuristic, models.Difference},
		{0, 0, 0, 0, true, models.Heuristic, models.Quotient},
		{0, 10, 1, 0, false, models.Heuristic, models.Quotient},
		{10, 0, -1, 0, false, models.Heuristic, models.Quotient},
		{-10, -10, 0, 0, false, models.Heuristic, models.Quotient},
		{10, 10, 0, 0, true, models.Heuristic, models.Quotient},
		{-10, -20, -0.5, 0, false, models.Heuristic, models.Quotient},
		{10, -10, -2, 0, false, models.Heuristic, models.Quotient},
		{-10, 10, 2, 0, false, models.Heuristic, models.Quotient},
	} {
		p := &pair{problem: &ratio.Problem{Problem: &bench.Problem{Sense: models.Minimize}}}
		in := &ratio.Instance{Comparison: c.by}
		for k, x := range []float64{c.base, c.head} {
			u := side(bench.Feasible, 1, 1)
			u.In, u.Kind, u.Value, u.Bound = in, string(c.kind), &x, &x
			*[]**ratio.Unit{&p.base, &p.head}[k] = u
		}
		scaled, log, quotient := p.move()
		if scaled != c.scaled || quotient && math.Abs(log-c.log) > 1e-12 || quotient != c.quotient {
			t.Errorf("%v → %v by %v: %v, %v, %v", c.base, c.head, c.by, scaled, log, quotient)
		}
	}
	gone := &pair{base: side(bench.Feasible, 1, 1), head: side(bench.Timeout, 1, 1)}
	x := 1.0
	for _, by := range []models.Comparison{models.Quotient, models.Difference} {
		gone.base.Value, gone.head.In = &x, &ratio.Instance{Comparison: by}
		if scaled, _, quotient := gone.move(); !math.IsInf(scaled, 1) || quotient != (by == models.Quotient) {
			t.Errorf("a lost value by %v: %v, %v", by, scaled, quotient)
		}
	}
}

// Conditions that two units differ in, by name.
func TestDifferent(t *testing.T) {
	unit := func(change func(r *ratio.Record)) *ratio.Unit {
		u := &ratio.Unit{Record: &ratio.Record{Place: &ratio.Place{}, Setup: &ratio.Setup{}}}
		u.Algorithm, u.Params, u.Solver, u.InstanceSHA256 = "opt", "a=1", new("highs"), "in"
		change(u.Record)
		return u
	}
	base := unit(func(*ratio.Record) {})
	for want, change := range map[string]func(r *ratio.Record){
		"setting":               func(*ratio.Record) {},
		"instance":              func(r *ratio.Record) { r.InstanceSHA256 = "other" },
		"algorithm":             func(r *ratio.Record) { r.Algorithm, r.Params, r.Solver, r.Model = "lb", "b=1", nil, new("m") },
		"parameters":            func(r *ratio.Record) { r.Params = "a=2" },
		"command":               func(r *ratio.Record) { r.Params, r.Kind = "a=2", string(models.External) },
		"solver":                func(r *ratio.Record) { r.Solver = new("cbc") },
		"model":                 func(r *ratio.Record) { r.Model = new("m") },
		"seed":                  func(r *ratio.Record) { r.Seed = 5 },
		"limit":                 func(r *ratio.Record) { r.TimeLimitSeconds = new(5.0) },
		"solver and seed":       func(r *ratio.Record) { r.Solver, r.Seed = nil, 5 },
		"model, seed and limit": func(r *ratio.Record) { r.Model, r.Seed, r.TimeLimitSeconds = new("m"), 5, new(5.0) },
	} {
		if got := different(unit(change), base); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, limit := range []func(r *ratio.Record){
		func(r *ratio.Record) { r.CPULimitSeconds = new(5.0) },
		func(r *ratio.Record) { r.MemoryLimitBytes = new(int64(5)) },
	} {
		if got := different(unit(limit), base); got != "limit" {
			t.Errorf("%q, want limit", got)
		}
	}
	if one := 1; unequal(&one, new(1)) || !unequal(&one, new(2)) || !unequal(&one, nil) || !unequal(nil, &one) || unequal[int](nil, nil) {
		t.Error("numbers are unequal that are not, or the other way round")
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{{"1", "2", true}, {"1", "1", false}, {"", "1", false}, {"1", "", false}} {
		if differ(&c.a, &c.b) != c.want || differ(nil, &c.b) || differ(&c.a, nil) {
			t.Errorf("%q and %q", c.a, c.b)
		}
	}
}

// Two nights in which a number changed are few, also of five, and three are of fewer than fifteen.
func TestSteady(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   bool
	}{
		{[]float64{1, 2, 1}, true},
		{[]float64{1, 2, 1, 2}, false},
		{[]float64{1, 2, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, false},
		{[]float64{1, 2, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, true},
		{[]float64{1, math.NaN(), 1, math.NaN()}, false},
		{[]float64{math.NaN(), math.NaN(), math.NaN(), math.NaN()}, true},
	} {
		p := &pair{rows: []*ratio.Unit{nil}}
		value := map[*ratio.Unit]float64{}
		for _, x := range c.values {
			u := &ratio.Unit{}
			p.rows, value[u] = append(p.rows, u), x
		}
		if got := p.steady(func(u *ratio.Unit) float64 { return value[u] }); got != c.want {
			t.Errorf("%v: steady %v", c.values, got)
		}
	}
	for digest, want := range map[string]string{"0123456789ab": "0123456789ab", "0123456789abc": "0123456789ab", "0123456789abc-dirty": "0123456789ab-dirty"} {
		if got := *short(&digest); got != want {
			t.Errorf("%s is %s in short", digest, got)
		}
	}
}

// How reports write: 100 columns, 20 lines, five names, and ratios whose ends meet at four decimals.
func TestWriting(t *testing.T) {
	for text, want := range map[string]string{
		strings.Repeat("a", 49) + " " + strings.Repeat("b", 50): strings.Repeat("a", 49) + " " + strings.Repeat("b", 50),
		strings.Repeat("a", 50) + " " + strings.Repeat("b", 50): strings.Repeat("a", 50) + "\n" + strings.Repeat("b", 50),
	} {
		if got := wrap(text, ""); got != want {
			t.Errorf("%q", got)
		}
	}
	for lines, want := range map[int]string{20: "x", 21: "and 1 more", 25: "and 5 more"} {
		if got := cut(strings.Split(strings.Repeat("x ", lines-1)+"x", " ")); got[len(got)-1] != want || len(got) != min(lines, 21) {
			t.Errorf("%d lines become %q", lines, got)
		}
	}
	for units, want := range map[int]string{2: "a, b", 3: "a, b, …"} {
		if got := (Unmatched{Units: units, Instances: []string{"a", "b"}}).names(); got != want {
			t.Errorf("%d units: %s", units, got)
		}
	}
	var u Unmatched
	for i := range 7 {
		r := side(bench.Feasible, 1, 1)
		r.Instance = fmt.Sprint(i)
		u.count(r)
	}
	if got := u.names(); got != "0, 1, 2, 3, 4, …" {
		t.Error(got)
	}
	if got := strings.Map(fileName, "a b/c:d"); got != "a_b_c_d" {
		t.Error(got)
	}
	for want, s := range map[string]summary.Span{
		"1.2500": {Lo: 1.25, Hi: 1.25004}, "1.2500–1.2501": {Lo: 1.25, Hi: 1.25006}, "∞": {Lo: summary.Number(math.Inf(1))},
	} {
		if got := ends(s); got != want {
			t.Errorf("%v is %s", s, got)
		}
	}
	for whole, want := range map[string]string{"a": "a", "a\n\nb\n": "a … b", "a\nb\nc": "a … c"} {
		if got := brief(whole); got != want {
			t.Errorf("%q in brief: %q", whole, got)
		}
	}
	if got := (Finding{Algorithm: "a", Instance: "i"}).String(); strings.Contains(got, "(") {
		t.Error(got)
	}
	if got := (Finding{Error: "why"}).String(); !strings.Contains(got, "(why)") {
		t.Error(got)
	}
	a := Algorithm{Quality: Quality{Change: 1.5, ChangeCI: CI{1.25, 2}, Shift: 0.5, ShiftCI: CI{0.25, 1}}}
	for quotients, want := range map[int]string{0: "+50.0 % [+25.0, +100]", 1: "+50.0 % [+25.0, +100]"} {
		a.Quality.Quotients = quotients
		if got := a.change(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The table of algorithms: as many columns as 100 characters hold, and without --all those alone that changed.
func TestTable(t *testing.T) {
	r := &Report{Matched: 1, Base: Source{Name: "base"}, Head: Source{Name: "head"}}
	add := func(name string, q Quality, verdict Verdict) {
		r.Algorithms = append(r.Algorithms, Algorithm{
			Problem: "p", Algorithm: name, Quality: q, Time: Time{Verdict: verdict, Change: 1.5, ChangeCI: CI{1.25, 2}},
		})
	}
	add("same", Quality{Same: 1}, Similar)
	add("better", Quality{Better: 1}, Similar)
	add("worse", Quality{Worse: 1}, NotEnough)
	add("found", Quality{Found: 1}, Similar)
	add("both", Quality{Better: 1, Worse: 1}, Similar)
	add("again", Quality{Better: 1, Found: 1}, Similar)
	add("slower", Quality{}, Slower)
	add("faster", Quality{}, Faster)
	names := func(all bool) (list string) {
		for _, row := range r.table(all).rows {
			list += row[1] + " "
			if row[4] != "+50.0 % [+25.0, +100]" {
				t.Errorf("times changed by %s", row[4])
			}
		}
		return list
	}
	if got := names(false); got != "better worse found both again slower faster " {
		t.Error(got)
	}
	if got := names(true); got != "same "+names(false) {
		t.Error(got)
	}
	if lines := fmt.Sprint(r.table(false).lines); !strings.Contains(lines, "1 of 8 algorithms") || strings.Contains(fmt.Sprint(r.table(true).lines), "of 8") {
		t.Error(lines)
	}
	for _, c := range []struct {
		width int
		all   bool
		want  string
	}{
		{94, false, "  " + strings.Repeat("x", 94) + "  b\n"}, // 2 + 94 + 2 + 2
		{95, false, "  " + strings.Repeat("x", 95) + "\n  --all shows bb\n"},
		{96, true, "  " + strings.Repeat("x", 96) + "  b\n"},
	} {
		var b strings.Builder
		(&block{head: []string{"a", "bb"}, rows: [][]string{{strings.Repeat("x", c.width), "b"}}}).table(&b, c.all)
		if _, got, _ := strings.Cut(b.String(), "\n"); got != c.want {
			t.Errorf("%d characters, all %v:\n%q, want\n%q", c.width, c.all, got, c.want)
		}
	}
}

// The first sentence, and that what has neither lines nor rows is no part of a report.
func TestVerdictOfAReport(t *testing.T) {
	r := &Report{Base: Source{Name: "base"}, Head: Source{Name: "head"}}
	if got := r.verdict(); !strings.HasPrefix(got, "No regression: no unit is compared") || len(r.blocks(true)) != 0 {
		t.Errorf("%s, %v", got, r.blocks(true))
	}
	r.Regressions = []Regression{{Gate: "missing"}}
	if got := r.verdict(); got != "Regression: 1 violated condition on 0 matched units, head against base" {
		t.Error(got)
	}
	r.Matched, r.Nights = 1, make([]Source, 3)
	if got := r.verdict(); got != "Regression: 1 violated condition on 1 matched units, head against base, the last two of 3 nights" {
		t.Error(got)
	}
	r.Nights, r.Regressions = nil, nil
	r.Warnings, r.BaseOnly = []string{"w"}, []Unmatched{{Units: 1}}
	if got := r.verdict(); got != "No regression on 1 matched units, head against base" || len(r.blocks(true)) != 2 {
		t.Errorf("%s, %v", got, r.blocks(true))
	}
	var b strings.Builder
	if err := r.Markdown(&b); err != nil || strings.Count(b.String(), "|---") != 5 || strings.Contains(b.String(), "\n    ") || strings.Contains(b.String(), "\n|\n") {
		t.Errorf("%v, %s", err, b.String())
	}
	r.Changed = []Changed{{Unmatched{Units: 2, Algorithm: "a"}, "seed"}, {Unmatched{Units: 3, Algorithm: "b"}, "seed"}, {Unmatched{Units: 1, Algorithm: "b"}, "limit"}}
	lines := r.changed().lines
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "5 units have a new seed") || !strings.HasPrefix(lines[1], "1 unit has a new limit") {
		t.Errorf("%q", lines)
	}
}

// at compares the last of several nights of one problem, and wants no error.
func at(t *testing.T, in Input) *Report {
	t.Helper()
	in.Problems, in.Seed = []*bench.Problem{fake.Problem()}, 1
	if in.Instance == nil {
		in.Instance = fake.Instances{}.Find
	}
	r, err := New(t.Context(), in)
	fail.On(t, err)
	return r
}

func nights(of ...[]bench.Record) (sides []Side) {
	for k, records := range of {
		sides = append(sides, Side{Name: fmt.Sprint("night", k), Records: ratio.Pack(records)})
	}
	return sides
}

// Units of head under other conditions than base's are counted by algorithm and condition, and are neither missing nor matched;
// where head's suite still asks for a unit, it is missing.
func TestChanged(t *testing.T) {
	p := fake.Problem()
	again := func(instance, algorithm string, change func(r *bench.Record)) bench.Record {
		r := fake.Solved(p, instance, algorithm, 10)
		r.UnitID += "/again"
		change(&r)
		return r
	}
	seed := func(r *bench.Record) { r.Seed = 7 }
	base := []bench.Record{
		fake.Solved(p, "a", "fair", 10), fake.Solved(p, "a", "spt", 10), fake.Solved(p, "b", "spt", 10), fake.Solved(p, "a", "flex", 10),
	}
	head := []bench.Record{
		fake.Solved(p, "a", "fair", 10), again("a", "spt", seed), again("b", "spt", seed),
		again("a", "flex", func(r *bench.Record) { r.TimeLimitSeconds = new(5.0) }),
	}
	in := Input{Sides: nights(base, head), Gates: Gates{Missing: true}}
	r := at(t, in)
	var got []string
	for _, c := range r.Changed {
		got = append(got, fmt.Sprint(c.Algorithm, " ", c.What, " ", c.Units, " ", c.Instances))
	}
	if d := cmp.Diff([]string{"flex limit 1 [a]", "spt seed 2 [a b]"}, got); d != "" || r.Matched != 1 || len(r.BaseOnly)+len(r.HeadOnly)+len(r.Missing) > 0 {
		t.Errorf("%s, %+v", d, r)
	}
	if a := r.Algorithms[0]; a.BaseStatuses["feasible"] != 1 || a.HeadStatuses["feasible"] != 1 || r.Base.Units != 4 || r.Head.Units != 4 {
		t.Errorf("%+v, %+v, %+v", a, r.Base, r.Head)
	}
	in.Sides[1].Asked = func(string) bool { return true }
	if r := at(t, in); len(r.Changed) != 0 || len(r.Missing) != 2 || len(r.Regressions) != 2 {
		t.Errorf("asked for: %+v, %+v", r.Changed, r.Missing)
	}
	in.Sides[0].Records, in.Sides[1].Records = in.Sides[0].Records[:3], in.Sides[1].Records[:3]
	in.Sides[1].Asked = nil
	if r := at(t, in); len(r.Changed) != 1 || r.Changed[0].Units != 2 || r.Matched != 1 { // as many algorithms as are matched
		t.Errorf("%+v", r)
	}
}

// What may explain a change is warned of, proofs that are new are improvements, the worst finding comes first, and the worst
// instance is named; distances are ratio − 1 at their high ends, or regret in units of the instance.
func TestReportOfPairs(t *testing.T) {
	p := fake.Problem()
	base := []bench.Record{
		fake.Solved(p, "a", "fair", 10), fake.Solved(p, "b", "fair", 10), fake.Solved(p, "c", "fair", 10), fake.Bounded(p, "a", "opt", 5, new(10.0)),
		fake.Optimal(p, "b", "opt", 10), fake.Optimal(p, "c", "opt", 10),
	}
	head := []bench.Record{
		fake.Solved(p, "a", "fair", 11), fake.Solved(p, "b", "fair", 13), fake.Solved(p, "c", "fair", 12), fake.Optimal(p, "a", "opt", 10),
		fake.Bounded(p, "b", "opt", 5, new(10.0)), fake.Row(p, "c", "opt", bench.Crash),
	}
	base[0].CommandSHA256, head[0].CommandSHA256 = new("x"), new("y")
	r := at(t, Input{Sides: nights(base, head)})
	if warnings := strings.Join(r.Warnings, "\n"); !strings.Contains(warnings, "1 matched units ran different versions of their command") {
		t.Error(warnings)
	}
	var kinds, notes string
	for _, f := range r.Findings {
		kinds += f.Kind + " "
	}
	for _, n := range r.Improvements {
		notes += n.Text
	}
	if kinds != "failed unproven " || notes != "1 unit has a proof that had none" {
		t.Errorf("findings %s, improvements %s", kinds, notes)
	}
	q := r.Algorithms[0].Quality
	if q.Worst == nil || q.Worst.Instance != "b" || math.Abs(float64(q.BaseGap)) > 1e-12 || math.Abs(float64(q.HeadGap)-0.2) > 1e-12 {
		t.Errorf("%+v", q)
	}
	if q := at(t, Input{Sides: nights(base[:1], base[:1])}).Algorithms[0].Quality; q.Worst != nil {
		t.Errorf("nothing is worse than %+v", q.Worst)
	}
	regrets := fake.Instances{}
	regrets.Add("b", models.Difference, nil)
	in, err := regrets.Find(fake.SHA("b"))
	fail.On(t, err)
	in.Scales = map[string]float64{p.References[0].Name: 4}
	one := []bench.Record{fake.Optimal(p, "b", "opt", 10), fake.Solved(p, "b", "fair", 16)}
	find := func(string) (*bench.Instance, error) { return in, nil }
	regret := at(t, Input{Sides: nights(one, one), Instance: find, Nights: true})
	if q := regret.Algorithms[0].Quality; float64(q.HeadGap) != 1.5 || regret.series[0].line.Y[0] != 1.5 {
		t.Errorf("a regret of 6 in units of 4: %+v, %+v", q, regret.series)
	}
	more := []bench.Record{one[0], fake.Solved(p, "b", "fair", 18)}
	for k, sides := range [][]Side{nights(one, more), nights(more, one)} {
		if r := at(t, Input{Sides: sides, Instance: find, Nights: true}); len(r.Steps) != 1 || r.Steps[0].Worse != (k == 0) {
			t.Errorf("steps %v", r.Steps)
		}
	}
}

// The lines of nights are over the units that all nights have of an algorithm, or over each night's own.
func TestLines(t *testing.T) {
	p := fake.Problem()
	opt := []bench.Record{fake.Optimal(p, "a", "opt", 10), fake.Optimal(p, "b", "opt", 10)}
	with := func(records ...bench.Record) []bench.Record { return append(records, opt...) }
	in := Input{Nights: true, Sides: nights(
		with(fake.Solved(p, "a", "fair", 11), fake.Solved(p, "b", "fair", 12), fake.Solved(p, "a", "spt", 11)),
		with(fake.Solved(p, "a", "fair", 13)),
		with(fake.Solved(p, "a", "fair", 11), fake.Solved(p, "b", "fair", 12), fake.Solved(p, "b", "spt", 12)),
	)}
	got := map[string]string{}
	for _, s := range at(t, in).series {
		for i, y := range s.line.Y {
			got[s.line.Label] += fmt.Sprintf("%v:%.3f ", s.line.X[i], y)
		}
	}
	for name, want := range map[string]string{"fair": "0:0.100 1:0.300 2:0.100 ", "spt": "0:0.100 2:0.200 "} {
		if got[name] != want {
			t.Errorf("%s: %s, want %s", name, got[name], want)
		}
	}
}
