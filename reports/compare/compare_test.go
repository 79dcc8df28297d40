package compare_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"schedgap/bench"
	"schedgap/models/fail"
	"schedgap/reports/compare"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

// gates reads a list that must be right.
func gates(t *testing.T, list string) compare.Gates {
	t.Helper()
	g, err := compare.ParseGates(list)
	fail.On(t, err)
	return g
}

func problems() []*bench.Problem { return []*bench.Problem{fake.Problem(), fake.Maximize()} }

func run(t *testing.T, in compare.Input) *compare.Report {
	t.Helper()
	in.Problems, in.Seed = problems(), 1
	if in.Instance == nil {
		in.Instance = fake.Instances{}.Find
	}
	r, err := compare.New(t.Context(), in)
	fail.On(t, err)
	return r
}

// two are base and head.
func two(base, head []bench.Record) []compare.Side {
	return []compare.Side{{Name: "base", Records: ratio.Pack(base)}, {Name: "head", Records: ratio.Pack(head)}}
}

// rerun is a copy of records from another run of the same program: times vary by a tenth, nothing else.
func rerun(records []bench.Record, rng *rand.Rand) []bench.Record {
	out := slices.Clone(records)
	for i := range out {
		out[i].BinaryVersion = "v1"
		out[i].WallSeconds = fake.Ptr(*out[i].WallSeconds * math.Exp(0.1*rng.NormFloat64()))
	}
	return out
}

// The gate can fail, and fails for the reason that was planted and for no other: every kind of regression is planted into the
// rerun of an experiment of 60 instances, and everything that is none.
func TestGate(t *testing.T) {
	type records = []bench.Record
	type side struct {
		Records records
	}
	type sides struct {
		Base, Head side
		Asked      func(unitID string) bool // of head
	}
	each := func(rs records, algorithm string, change func(r *bench.Record)) {
		for i := range rs {
			if rs[i].Algorithm == algorithm && rs[i].Status != string(bench.Crash) {
				change(&rs[i])
			}
		}
	}
	first := func(rs records, algorithm string, status bench.Status) *bench.Record {
		i := slices.IndexFunc(rs, func(r bench.Record) bool { return r.Algorithm == algorithm && r.Status == string(status) })
		if i < 0 {
			t.Fatalf("no %s row of %s", status, algorithm)
		}
		return &rs[i]
	}
	slower := func(factor float64) func(r *bench.Record) {
		return func(r *bench.Record) { *r.WallSeconds *= factor }
	}
	for _, c := range []struct {
		name  string
		gates string
		plant func(in *sides)
		want  []string // gate and algorithm of each regression
	}{
		{"nothing", "", func(*sides) {}, nil},
		{"better everywhere", "", func(in *sides) {
			each(in.Head.Records, "spt", func(r *bench.Record) { *r.WallSeconds /= 2 })
			each(in.Base.Records, "fair", func(r *bench.Record) { r.Objective = fake.Ptr(*r.Objective + math.Abs(*r.Objective)) })
		}, nil},
		{"ratio", "", func(in *sides) {
			each(in.Head.Records, "spt", func(r *bench.Record) { r.Objective = fake.Ptr(*r.Objective + 0.05*math.Abs(*r.Objective)) })
		}, []string{"ratio spt", "ratio spt", "gap spt"}}, // of quotients, and of lateness by differences
		{"ratio below the threshold", "ratio=10%", func(in *sides) {
			each(in.Head.Records, "spt", func(r *bench.Record) { r.Objective = fake.Ptr(*r.Objective + 0.05*math.Abs(*r.Objective)) })
		}, nil},
		{"one instance three times as bad", "", func(in *sides) {
			*first(in.Head.Records, "fair", bench.Feasible).Objective *= 3
		}, []string{"ratio fair"}},
		{"zero is reached no more", "", func(in *sides) {
			for i := range in.Base.Records {
				if b := &in.Base.Records[i]; b.Algorithm == "flex" && *b.Objective == 0 {
					in.Head.Records[i].Objective = fake.Ptr(5.0)
				}
			}
		}, []string{"ratio flex", "gap flex"}},
		{"weaker bounds", "", func(in *sides) {
			each(in.Head.Records, "lb", func(r *bench.Record) { r.Bound = fake.Ptr(*r.Bound - 0.2*math.Abs(*r.Bound)) })
		}, []string{"ratio lb", "ratio lb"}},
		{"refused by the checker", "", func(in *sides) {
			r := first(in.Head.Records, "flex-ls", bench.Feasible)
			r.Status, r.Feasible = string(bench.Invalid), fake.Ptr(false)
		}, []string{"correctness flex-ls", "ratio flex-ls", "gap flex-ls"}},
		{"crash", "", func(in *sides) {
			r := first(in.Head.Records, "spt", bench.Feasible)
			r.Status, r.Objective, r.Feasible = string(bench.Crash), nil, nil
		}, []string{"correctness spt", "ratio spt", "gap spt"}},
		{"nothing found", "", func(in *sides) {
			r := first(in.Head.Records, "spt", bench.Feasible)
			r.Status, r.Objective, r.Feasible = string(bench.Timeout), nil, nil
		}, []string{"correctness spt", "ratio spt", "gap spt"}},
		{"not run to the end", "", func(in *sides) {
			first(in.Head.Records, "spt", bench.Feasible).Status = string(bench.Timeout)
		}, []string{"correctness spt"}},
		{"proof lost", "", func(in *sides) {
			r := first(in.Head.Records, "opt", bench.Optimal)
			r.Status, r.Bound = string(bench.Timeout), fake.Ptr(*r.Bound-math.Abs(*r.Bound))
		}, []string{"correctness opt (bnb)"}},
		{"a bound of head beyond a value of base", "", func(in *sides) {
			r := first(in.Head.Records, "lb", bench.Feasible)
			r.Bound = fake.Ptr(*r.Bound + 0.5*math.Abs(*r.Bound))
		}, []string{"correctness *"}},
		{"a value of head beyond a bound of base", "correctness", func(in *sides) {
			in.Head.Records = slices.DeleteFunc(in.Head.Records, func(r bench.Record) bool { return r.Algorithm != "flex" })
			r := first(in.Head.Records, "flex", bench.Feasible)
			r.Objective = fake.Ptr(*r.Objective / 2)
		}, []string{"correctness flex"}},
		{"a contradiction that was there", "", func(in *sides) {
			for _, side := range []records{in.Base.Records, in.Head.Records} {
				r := first(side, "lb", bench.Feasible)
				r.Bound = fake.Ptr(*r.Bound + 0.5*math.Abs(*r.Bound))
			}
		}, nil},
		{"slower", "", func(in *sides) { each(in.Head.Records, "flex-ls", slower(1.5)) }, []string{"time flex-ls"}},
		{"slower below the threshold", "time=60%", func(in *sides) { each(in.Head.Records, "flex-ls", slower(1.5)) }, nil},
		{"30 % slower, but with a deviation that allows faster", "", func(in *sides) {
			at := 1.5
			each(in.Head.Records, "flex-ls", func(r *bench.Record) {
				*r.WallSeconds *= 1.3 * math.Exp(at) // a standard error of 0.19 around ln 1.3 = 0.26
				at = -at
			})
		}, nil},
		{"one unit much slower", "", func(in *sides) { *first(in.Head.Records, "flex-ls", bench.Feasible).WallSeconds *= 1000 }, nil},
		{"ten microseconds slower", "", func(in *sides) {
			each(in.Head.Records, "fifo", func(r *bench.Record) { *r.WallSeconds += 1e-5 })
		}, nil},
		{"another kind of machine", "", func(in *sides) {
			for i := range in.Head.Records {
				in.Head.Records[i].CPUModel = "slow cpu"
				slower(3)(&in.Head.Records[i])
			}
		}, nil},
		{"units missing", "", func(in *sides) {
			in.Head.Records = slices.DeleteFunc(in.Head.Records, func(r bench.Record) bool { return r.Algorithm == "fair" })
		}, []string{"missing fair"}},
		{"units missing that head's suite does not ask for", "", func(in *sides) {
			in.Head.Records = slices.DeleteFunc(in.Head.Records, func(r bench.Record) bool { return r.Algorithm == "fair" })
			in.Asked = func(string) bool { return false }
		}, nil},
		{"everything, which nobody asked about", "none", func(in *sides) {
			each(in.Head.Records, "flex-ls", slower(9))
			each(in.Head.Records, "spt", func(r *bench.Record) { *r.Objective += 100 })
			first(in.Head.Records, "fair", bench.Feasible).Status = string(bench.Invalid)
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			base, instances := fake.Experiment(60, rand.New(rand.NewPCG(1, 2)))
			again, _ := fake.Experiment(60, rand.New(rand.NewPCG(1, 2))) // shares no pointer with base
			planted := sides{Base: side{base}, Head: side{rerun(again, rand.New(rand.NewPCG(5, 6)))}}
			c.plant(&planted)
			in := compare.Input{
				Sides:    two(planted.Base.Records, planted.Head.Records),
				Instance: instances.Find, Gates: gates(t, compare.DefaultGates),
			}
			in.Sides[1].Asked = planted.Asked
			if c.gates != "" {
				in.Gates = gates(t, c.gates)
			}
			var got []string
			for _, g := range run(t, in).Regressions {
				got = append(got, g.Gate+" "+g.Algorithm)
			}
			if len(c.want) == 1 && strings.HasSuffix(c.want[0], " *") { // the algorithm is whoever had the best value
				for i := range got {
					got[i] = strings.Fields(got[i])[0] + " *"
				}
				got = slices.Compact(got)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("regressions (-want +got): %s", d)
			}
		})
	}
}

func solved(name, algorithm string, objective float64) bench.Record {
	return fake.Solved(fake.Problem(), name, algorithm, objective)
}

// By hand: a goes from 10 to 11, b from 20 to 20, c from 0 to 0, d from 8 to 4. The optimum of a is 10, that of b between 16
// and 20, that of c 0, nothing proves a bound of d. So the quotients are 1.1, 1, 1, 0.5 with the mean (0.55)^¼; the mean ratio
// over a, b and c goes from [1, (20/16)^⅓] to [1.1^⅓, (1.1·1.25)^⅓].
func TestQuality(t *testing.T) {
	base := []bench.Record{solved("a", "fair", 10), solved("b", "fair", 20), solved("c", "fair", 0), solved("d", "fair", 8)}
	head := []bench.Record{solved("a", "fair", 11), solved("b", "fair", 20), solved("c", "fair", 0), solved("d", "fair", 4)}
	p := fake.Problem()
	base = append(base, fake.Optimal(p, "a", "opt", 10), fake.Bounded(p, "b", "opt", 16, nil), fake.Optimal(p, "c", "opt", 0))
	r := run(t, compare.Input{Sides: two(base, head)})
	if r.Matched != 4 || len(r.BaseOnly) != 1 || r.BaseOnly[0].Units != 3 || len(r.HeadOnly) != 0 {
		t.Fatalf("%d matched, base alone has %+v, head %+v", r.Matched, r.BaseOnly, r.HeadOnly)
	}
	q := r.Algorithms[0].Quality
	if q.Better != 1 || q.Same != 2 || q.Worse != 1 || q.Quotients != 4 || q.RatioInstances != 3 {
		t.Errorf("%+v", q)
	}
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s = %v, want %v", what, got, want)
		}
	}
	near("change", float64(q.Change), math.Pow(0.55, 0.25))
	near("base, low", float64(q.Base.Lo), 1)
	near("base, high", float64(q.Base.Hi), math.Cbrt(1.25))
	near("head, low", float64(q.Head.Lo), math.Cbrt(1.1))
	near("head, high", float64(q.Head.Hi), math.Cbrt(1.1*1.25))
	if q.Worst == nil || q.Worst.Instance != "a" || q.Worst.Base != 10 || q.Worst.Head != 11 || q.ChangeCI.Lo.Known() ||
		len(q.Warnings) == 0 {
		t.Errorf("worst %+v, interval %v, warnings %v", q.Worst, q.ChangeCI, q.Warnings)
	}
}

// Near the optimum a change of the ratio says little: from 1.0004 to 1.0030 the distance grows to more than seven times, which
// gap=X refuses and ratio=1% does not. What is certainly worse without a gate that refuses it is always said.
func TestGap(t *testing.T) {
	var base, head []bench.Record
	for i := range 20 {
		name := string(rune('a' + i))
		opt := fake.Optimal(fake.Problem(), name, "opt", 100)
		after := 100.30
		if i >= 17 {
			after = 100.04
		}
		base, head = append(base, opt, solved(name, "flex", 100.04)), append(head, opt, solved(name, "flex", after))
	}
	for list, want := range map[string]int{"ratio=1%": 0, "gap=500%": 1, "gap=600%": 0, "ratio=1%,gap=5": 1} {
		r := run(t, compare.Input{
			Sides: two(base, head),
			Gates: gates(t, list),
		})
		var text strings.Builder
		fail.On(t, r.Text(&text, false))
		says := strings.Contains(text.String(), "certainly worse, below the threshold: flex flex (")
		if says && !strings.Contains(text.String(), "ratio=1% allows that and") &&
			!strings.Contains(text.String(), "gap=600% allows a distance") {
			t.Errorf("%s: no reason:\n%s", list, text.String())
		}
		if len(r.Regressions) != want || says != (want == 0) || len(r.Below) != 1-want {
			t.Errorf("%s: regressions %v, below the threshold %v:\n%s", list, r.Regressions, r.Below, text.String())
		}
	}
	same := run(t, compare.Input{
		Sides: two(base, base),
		Gates: gates(t, "gap=0"),
	})
	if len(same.Regressions) > 0 || len(same.Below) > 0 {
		t.Errorf("the same results: %v, %v", same.Regressions, same.Below)
	}
}

// Of a maximisation less is worse: from 10 to 8 and back the ratio changes by 10/8 and 8/10.
func TestMaximize(t *testing.T) {
	p := fake.Maximize()
	ten, eight := []bench.Record{fake.Solved(p, "a", "shed", 10)}, []bench.Record{fake.Solved(p, "a", "shed", 8)}
	for _, c := range []struct {
		base, head []bench.Record
		change     float64
	}{{ten, eight, 1.25}, {eight, ten, 0.8}} {
		q := run(t, compare.Input{
			Sides: two(c.base, c.head),
		}).Algorithms[0].Quality
		if math.Abs(float64(q.Change)-c.change) > 1e-12 {
			t.Errorf("change = %v, want %v", q.Change, c.change)
		}
	}
}

// Seeds are aggregated first: one instance with three seeds at twice the value and one with one seed at half of it cancel.
func TestSeeds(t *testing.T) {
	var base, head []bench.Record
	for seed, factor := range []float64{2, 2, 2, 0.5} {
		name := "many"
		if seed == 3 {
			name = "one"
		}
		b, h := solved(name, "fair", 10), solved(name, "fair", 10*factor)
		b.Seed, h.Seed = int64(seed), int64(seed)
		b.UnitID += string(rune('0' + seed))
		h.UnitID = b.UnitID
		base, head = append(base, b), append(head, h)
	}
	a := run(t, compare.Input{
		Sides: two(base, head),
	}).Algorithms[0]
	if math.Abs(float64(a.Quality.Change)-1) > 1e-12 || a.Quality.Instances != 2 || a.Units != 4 {
		t.Errorf("change %v over %d instances of %d units", a.Quality.Change, a.Quality.Instances, a.Units)
	}
}

// A unit that now waives a constraint is not compared by value, and the report says so.
func TestRedefined(t *testing.T) {
	base, head := []bench.Record{solved("a", "fair", 10)}, []bench.Record{solved("a", "fair", 99)}
	head[0].Waived = "minimum"
	r := run(t, compare.Input{
		Sides: two(base, head),
		Gates: gates(t, compare.DefaultGates),
	})
	if a := r.Algorithms[0]; a.Redefined != 1 || a.Quality.Instances != 0 || len(r.Regressions) != 0 || len(r.Warnings) == 0 {
		t.Errorf("redefined %d, compared %d, %v, warnings %q", a.Redefined, a.Quality.Instances, r.Regressions, r.Warnings)
	}
}

// Nothing in common is an error, never a pass.
func TestNothingInCommon(t *testing.T) {
	_, err := compare.New(t.Context(), compare.Input{
		Sides:    two([]bench.Record{solved("a", "fair", 1)}, []bench.Record{solved("b", "fair", 1)}),
		Problems: problems(), Instance: fake.Instances{}.Find,
	})
	if err == nil || !strings.Contains(err.Error(), "in common") {
		t.Errorf("error %v", err)
	}
}

// The order of the rows does not matter, and swapping the sides turns every change around.
func TestOrderAndSwap(t *testing.T) {
	base, instances := fake.Experiment(30, rand.New(rand.NewPCG(1, 2)))
	head, _ := fake.Experiment(30, rand.New(rand.NewPCG(1, 2)))
	for i := range head {
		if head[i].Algorithm == "fair" && head[i].Objective != nil {
			*head[i].Objective *= 1.07
		}
	}
	report := func(b, h []bench.Record) *compare.Report {
		return run(t, compare.Input{
			Sides:    two(b, h),
			Instance: instances.Find,
		})
	}
	one := report(base, head)
	back := report(head, base)
	slices.Reverse(base)
	slices.Reverse(head)
	a, _ := json.Marshal(one)
	b, _ := json.Marshal(report(base, head))
	if string(a) != string(b) {
		t.Error("the order of the records shows")
	}
	for i, x := range one.Algorithms {
		y := back.Algorithms[i]
		if x.Quality.Better != y.Quality.Worse || math.Abs(float64(x.Quality.Change*y.Quality.Change)-1) > 1e-12 {
			t.Errorf("%s: %+v, swapped %+v", x.Algorithm, x.Quality, y.Quality)
		}
	}
}

// An instance without a file is compared by quotient, once warned of.
func TestNoInstances(t *testing.T) {
	base := []bench.Record{solved("a", "fair", 10), solved("b", "fair", 10)}
	instances := fake.Instances{}
	instances[fake.SHA("a")], instances[fake.SHA("b")] = nil, nil
	r := run(t, compare.Input{
		Sides:    two(base, base),
		Instance: instances.Find,
	})
	if q := r.Algorithms[0].Quality; q.Quotients != 2 || len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0], "2 instance") {
		t.Errorf("%d quotients, warnings %q", q.Quotients, r.Warnings)
	}
}

// Lists of gates, right and wrong.
func TestParseGates(t *testing.T) {
	g := gates(t, "ratio=2.5%,time=0.1,correctness,missing")
	if *g.Ratio != 0.025 || *g.Time != 0.1 || !g.Correctness || !g.Missing {
		t.Errorf("%+v", g)
	}
	for _, bad := range []string{
		"", "ratio", "ratio=-1%", "ratio=x", "time=NaN", "time=inf", "speed=1%", "correctness=1", "ratio=1%,ratio=2%", "none,ratio=1%",
	} {
		if _, err := compare.ParseGates(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

// Text and Markdown name the verdict first, what is wrong, and what was left out; a name cannot break a table.
func TestRender(t *testing.T) {
	base := []bench.Record{solved("a|b", "fair", 10), solved("lone", "fair", 1)}
	head := []bench.Record{solved("a|b", "fair", 12)}
	r := run(t, compare.Input{
		Sides: []compare.Side{
			{Name: "base", Records: ratio.Pack(base)}, {Name: "head/runs/1.parquet", Records: ratio.Pack(head)},
		}, Gates: gates(t, compare.DefaultGates),
	})
	var text, markdown strings.Builder
	fail.On(t, r.Text(&text, false))
	fail.On(t, r.Markdown(&markdown))
	for what, s := range map[string]string{"text": text.String(), "markdown": strings.ReplaceAll(markdown.String(), "## ", "")} {
		if !strings.HasPrefix(s, "Regression: 2 ") {
			t.Errorf("%s begins with %.40q", what, s)
		}
		for _, want := range []string{"+20.0 %", "lone", "1 values are too few for an interval"} {
			if !strings.Contains(s, want) {
				t.Errorf("%s lacks %q:\n%s", what, want, s)
			}
		}
	}
	for line := range strings.Lines(text.String()) {
		if n := utf8.RuneCountInString(line); n > 101 && !strings.HasPrefix(line, "  (cd ") {
			t.Errorf("%d characters: %s", n, line)
		}
	}
	if !strings.Contains(text.String(), "(cd head && schedgap solve ") {
		t.Errorf("no command to paste:\n%s", text.String())
	}
	var same, all strings.Builder
	r = run(t, compare.Input{
		Sides: two(base, base),
		Gates: gates(t, compare.DefaultGates),
	})
	fail.On(t, errors.Join(r.Text(&same, false), r.Text(&all, true)))
	if strings.Contains(same.String(), "base ratio") || strings.Contains(same.String(), "--all shows") {
		t.Errorf("a table without rows has columns:\n%s", same.String())
	}
	if strings.Contains(same.String(), "0/2/0") || !strings.Contains(same.String(), "1 of 1 algorithms") ||
		!strings.Contains(all.String(), "0/2/0") {
		t.Errorf("what did not change is listed, or not for --all:\n%s%s", same.String(), all.String())
	}
	if strings.Contains(markdown.String(), "a|b") || !strings.Contains(markdown.String(), `a\|b`) {
		t.Error("a bar in a name is not escaped")
	}
}

// A result that is lost is infinitely worse, and says so, whichever gate is on; one that is found makes up for no other.
func TestLost(t *testing.T) {
	var base, head []bench.Record
	for _, status := range []bench.Status{bench.Skipped, bench.Crash} {
		base, head = nil, nil
		for i := range 6 {
			name := string(rune('a' + i))
			opt := fake.Optimal(fake.Problem(), name, "opt", 10)
			b, h := solved(name, "fair", 11), solved(name, "fair", 11)
			h.Status, h.Objective, h.Feasible = string(status), nil, nil
			base, head = append(base, opt, b), append(head, opt, h)
		}
		for _, list := range []string{"ratio=1%", "gap=10%", "correctness", "ratio=1000000%"} {
			r := run(t, compare.Input{Sides: two(base, head), Gates: gates(t, list)})
			q := r.Algorithms[0].Quality
			if len(r.Regressions) != 1 || q.Lost != 6 || !math.IsInf(float64(q.HeadGap), 1) {
				t.Errorf("%s, %s: %v, %+v", status, list, r.Regressions, q)
			}
		}
	}
	back := run(t, compare.Input{Sides: two(head, base), Gates: gates(t, compare.DefaultGates)})
	if len(back.Regressions) > 0 || back.Algorithms[0].Quality.Found != 6 || len(back.Improvements) != 1 {
		t.Errorf("found again: %v, %v", back.Regressions, back.Improvements)
	}
	for i := range base {
		if base[i].Algorithm == "fair" && i > 3 {
			head[i] = solved(base[i].Instance, "fair", 12)
		} else if base[i].Algorithm == "fair" {
			base[i], head[i] = head[i], base[i] // found
		}
	}
	if r := run(t, compare.Input{Sides: two(base, head), Gates: gates(t, "ratio=1%")}); len(r.Regressions) != 1 {
		t.Errorf("two results are found and four are worse: %v", r.Regressions)
	}
	none := run(t, compare.Input{Sides: two(base, head)})
	var text strings.Builder
	fail.On(t, none.Text(&text, false))
	if !strings.Contains(text.String(), "since the gate ratio is off and the gate gap is off") {
		t.Errorf("no reason why it passes:\n%s", text.String())
	}
}
