package redundancy

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"schedgap/exact/milp"
	"schedgap/exact/milp/milptest"
	"schedgap/models/redundancy"
)

// An evaluator writes the rows of the page's section on periods out for an instance, from the page's symbols alone.
type evaluator struct {
	in   *redundancy.Instance
	a, w []float64
	at   []float64 // A_0 … A_K
	k    []int     // k(j)
	rows map[string]row
}

// A row has its terms on the left side.
type row struct {
	terms  map[string]float64
	lo, hi float64
}

type term struct {
	factor float64
	column string // empty: a constant
}

func (v *evaluator) add(name, relation string, left, right []term) {
	r := row{map[string]float64{}, math.Inf(-1), math.Inf(1)}
	constant := 0.0
	for i, side := range [][]term{left, right} {
		for _, t := range side {
			f := t.factor * float64(1-2*i)
			if t.column == "" {
				constant -= f
			} else {
				r.terms[t.column] += f
			}
		}
	}
	maps.DeleteFunc(r.terms, func(_ string, f float64) bool { return f == 0 })
	if relation != "≤" {
		r.lo = constant
	}
	if relation != "≥" {
		r.hi = constant
	}
	v.rows[name] = r
}

func times(f float64, list []term) (out []term) {
	for _, t := range list {
		out = append(out, term{f * t.factor, t.column})
	}
	return out
}

func constant(f float64) []term                  { return []term{{f, ""}} }
func variable(format string, of ...any) []term   { return []term{{1, fmt.Sprintf(format, of...)}} }
func sum(lists ...[]term) []term                 { return slices.Concat(lists...) }
func (v *evaluator) id(j int) string             { return v.in.Jobs[j].ID }
func (v *evaluator) end(j int) []term            { return variable("C_%s", v.id(j)) }
func (v *evaluator) periods() int                { return len(v.at) - 1 }
func (v *evaluator) length(k int) float64        { return v.at[k+1] - v.at[k] }
func (v *evaluator) earliest(j int) float64      { return v.a[j] + v.w[j]/v.in.Speedup[v.in.Machines-1] }
func (v *evaluator) long(i string, k int) []term { return variable("L_%s_%d", i, k) }

func (v *evaluator) there(j, k int) []term {
	switch {
	case k <= v.k[j]:
		return constant(1)
	case k == v.periods():
		return nil
	}
	return variable("b_%s_%d", v.id(j), k)
}

func (v *evaluator) before(i, j int) []term {
	if i < j {
		return variable("d_%s_%s", v.id(i), v.id(j))
	}
	return sum(constant(1), times(-1, variable("d_%s_%s", v.id(j), v.id(i))))
}

// held is Σ_r by(r)·τ_jer.
func (v *evaluator) held(j int, i string, k int, by func(r int) float64) (out []term) {
	for r := range v.in.Machines + 1 {
		out = append(out, times(by(r), variable("tau_%s_%s_%d_%d", v.id(j), i, k, r))...)
	}
	return out
}

func once(int) float64   { return 1 }
func many(r int) float64 { return float64(r) }
func (v *evaluator) h(r int) float64 {
	if r == 0 {
		return 0
	}
	return v.in.Speedup[r-1]
}

// ends are the ends of the pieces of period k, jobs by number and −1 for the next arrival.
func (v *evaluator) ends(k int) (list []int) {
	for j := range v.a {
		if v.k[j] <= k {
			list = append(list, j)
		}
	}
	if k+1 < v.periods() {
		list = append(list, -1)
	}
	return list
}

func (v *evaluator) name(i int) string {
	if i < 0 {
		return "next"
	}
	return v.id(i)
}

// everywhere sums over all pieces of job j, or those of period k.
func (v *evaluator) everywhere(j, only int, by func(r int) float64) (out []term) {
	for k := range v.periods() {
		for _, i := range v.ends(k) {
			if v.k[j] <= k && (only < 0 || k == only) {
				out = append(out, v.held(j, v.name(i), k, by)...)
			}
		}
	}
	return out
}

func (v *evaluator) orders(j int) {
	for k := v.k[j] + 1; k < v.periods(); k++ {
		if c := v.earliest(j); v.at[k] > c {
			v.add(fmt.Sprintf("late_%s_%d", v.id(j), k), "≥", v.end(j), sum(constant(c), times(v.at[k]-c, v.there(j, k))))
		}
		v.add(fmt.Sprintf("soon_%s_%d", v.id(j), k), "≤", v.end(j), sum(constant(v.at[k]), times(1-v.at[k], v.there(j, k))))
		if k > v.k[j]+1 {
			v.add(fmt.Sprintf("stay_%s_%d", v.id(j), k), "≥", v.there(j, k-1), v.there(j, k))
		}
		for i := range v.a {
			if i != j && k >= v.k[i] {
				v.add(fmt.Sprintf("order_%s_%s_%d", v.id(j), v.id(i), k), "≥", sum(v.before(j, i), v.there(j, k)), v.there(i, k))
			}
		}
	}
	for i := range j {
		for l := j + 1; l < len(v.a); l++ {
			name, of := fmt.Sprintf("cycle_%d_%d_%d", i, j, l), sum(v.before(i, j), v.before(j, l), times(-1, v.before(i, l)))
			v.add(name, "≥", of, nil)
			v.add(name+"_hi", "≤", of, constant(1)) // a file has one relation a row
		}
	}
}

func (v *evaluator) piece(k, i int) {
	name := fmt.Sprintf("%s_%d", v.name(i), k)
	long, all := v.long(v.name(i), k), []term(nil)
	if i >= 0 {
		v.add("ends_"+name, "≤", long, times(v.length(k), sum(v.there(i, k), times(-1, v.there(i, k+1)))))
	}
	for j := range v.a {
		if v.k[j] > k {
			continue
		}
		time, of := v.held(j, v.name(i), k, once), v.id(j)+"_"+name
		all = append(all, v.held(j, v.name(i), k, many)...)
		if i == j {
			v.add("share_"+of, "=", time, long)
			continue
		}
		v.add("share_"+of, "≤", time, long)
		off, on := v.there(j, k+1), sum(constant(1), times(-1, v.there(j, k+1)))
		if i >= 0 {
			off, on = v.before(i, j), v.before(j, i)
		}
		v.add("off_"+of, "≤", time, times(v.length(k), off))
		v.add("on_"+of, "≥", time, sum(long, times(-v.length(k), on)))
	}
	v.add("machines_"+name, "≤", all, times(float64(v.in.Machines), long))
}

func (v *evaluator) period(k int) {
	var lengths []term
	for _, i := range v.ends(k) {
		lengths = append(lengths, v.long(v.name(i), k)...)
		v.piece(k, i)
	}
	last := k+1 == v.periods()
	v.add(fmt.Sprintf("event_%d", k), map[bool]string{false: "=", true: "≤"}[last], lengths, constant(v.length(k)))
	for j := range v.a {
		if v.k[j] > k {
			continue
		}
		of, time := fmt.Sprintf("_%s_%d", v.id(j), k), v.everywhere(j, k, once)
		v.add("part"+of, "≤", time, times(v.length(k), v.there(j, k)))
		if !last {
			v.add("whole"+of, "≥", time, sum(lengths, constant(-v.length(k)), times(v.length(k), v.there(j, k+1))))
		}
	}
}

func (v *evaluator) works(j int) {
	machines := float64(v.in.Machines)
	v.add("arrival_"+v.id(j), "=", v.end(j), sum(constant(v.a[j]), v.everywhere(j, -1, once)))
	v.add("work_"+v.id(j), "=", v.everywhere(j, -1, v.h), constant(v.w[j]))
	for k := range v.k[j] + 1 {
		right := v.everywhere(j, -1, many)
		for i := range v.a {
			if i != j && v.k[i] >= k {
				right = append(right, times(v.w[i], v.before(i, j))...)
			}
		}
		v.add(fmt.Sprintf("load_%s_%d", v.id(j), k), "≥", times(machines, sum(v.end(j), constant(-v.at[k]))), right)
	}
}

// choices are the rows of one end before the last arrival.
func (v *evaluator) choices(i int, name string, periods []int) {
	var copies []term
	for j := range v.a {
		var one []term
		for r := range v.in.Machines + 1 {
			if r == 0 && i == j {
				continue
			}
			var time []term
			most := 0.0
			for _, k := range periods {
				if v.k[j] > k {
					continue
				}
				time = append(time, variable("tau_%s_%s_%d_%d", v.id(j), v.name(i), k, r)...)
				m := v.length(k)
				if r > 0 {
					m = min(m, v.w[j]/v.h(r))
				}
				most = max(most, m)
			}
			if time == nil {
				continue
			}
			l := variable("l_%s_%s_%d", v.id(j), name, r)
			v.add(fmt.Sprintf("choice_%s_%s_%d", v.id(j), name, r), "≤", time, times(most, l))
			one, copies = append(one, l...), append(copies, times(float64(r), l)...)
		}
		switch of := v.id(j) + "_" + name; {
		case one == nil:
		case i == j:
			v.add("one_"+of, "=", one, sum(constant(1), times(-1, v.there(j, v.periods()-1))))
		default:
			v.add("one_"+of, "≤", one, constant(1))
		}
	}
	v.add("copies_"+name, "≤", copies, constant(float64(v.in.Machines)))
}

func evaluate(in *redundancy.Instance) *evaluator {
	v := &evaluator{in: in, rows: map[string]row{}}
	first, last, works := in.Jobs[0].Arrival, in.Jobs[len(in.Jobs)-1].Arrival, 0.0
	for _, j := range in.Jobs {
		works += j.Work
	}
	unit := last - first + works
	for _, j := range in.Jobs {
		a := (j.Arrival - first) / unit
		if len(v.at) == 0 || a > v.at[len(v.at)-1] {
			v.at = append(v.at, a)
		}
		v.a, v.w, v.k = append(v.a, a), append(v.w, j.Work/unit), append(v.k, len(v.at)-1)
	}
	v.at = append(v.at, 1)
	before := map[int][]int{} // periods by end
	for j := range v.a {
		v.orders(j)
		v.works(j)
	}
	for k := range v.periods() {
		v.period(k)
		if k+1 == v.periods() {
			break
		}
		v.choices(-1, fmt.Sprintf("next_%d", k), []int{k})
		for _, i := range v.ends(k) {
			if i >= 0 {
				before[i] = append(before[i], k)
			}
		}
	}
	for i, periods := range before {
		v.choices(i, v.id(i), periods)
	}
	return v
}

// The rows and variables of the page's section on periods, written out by the test for instances of two and three jobs, are those of
// the files that export writes, rows up to a factor. The page has every family, and no other.
func TestPeriodsPage(t *testing.T) {
	page := milptest.Families(t, "../../docs/design/redundancy.md", "The model of periods in symbols")
	seen := map[string]bool{}
	for _, jobs := range [][]redundancy.Job{
		{{ID: "a", Work: 2}, {ID: "b", Arrival: 1, Work: 1}},
		{{ID: "a", Work: 1}, {ID: "b", Arrival: 3, Work: 2}},
		{{ID: "a", Work: 2}, {ID: "b", Work: 2}},
		{{ID: "a", Work: 5}, {ID: "b", Arrival: 1, Work: 1}, {ID: "c", Arrival: 4, Work: 2}},
		{{ID: "a", Work: 1}, {ID: "b", Arrival: 4, Work: 1}, {ID: "c", Arrival: 4, Work: 3}},
	} {
		in := &redundancy.Instance{Machines: 2, Speed: 1, Speedup: []float64{1, 1.5}, Jobs: jobs}
		in.Name = "page"
		m := milptest.Exported(t, func(w io.Writer) error { return Models.Write(w, in, "periods", "lp") })
		v := evaluate(in)
		for _, c := range m.Cols {
			if lo, hi, whole := v.domain(c.Name); !alike(c.Lo, lo) || !alike(c.Hi, hi) || c.Integer != whole {
				t.Errorf("%v: %+v, on the page [%v, %v], whole %v", jobs, c, lo, hi, whole)
			}
		}
		if len(m.Rows) != len(v.rows) {
			t.Errorf("%v: the file has %d rows, the page %d", jobs, len(m.Rows), len(v.rows))
		}
		for _, r := range m.Rows {
			family, _, _ := strings.Cut(r.Name, "_")
			seen[family] = true
			if want, known := v.rows[r.Name]; !known {
				t.Errorf("%v: the page has no row %s", jobs, r.Name)
			} else if got := rowOf(m, r); !same(got, want) {
				t.Errorf("%v: %s is %v, on the page %v", jobs, r.Name, got, want)
			}
		}
	}
	if !maps.Equal(seen, page) {
		t.Errorf("families of the files: %v, of the page: %v", slices.Sorted(maps.Keys(seen)), slices.Sorted(maps.Keys(page)))
	}
}

// domain is that of a column, by its name.
func (v *evaluator) domain(name string) (lo, hi float64, whole bool) {
	kind, rest, _ := strings.Cut(name, "_")
	index := strings.Split(rest, "_")
	job := slices.IndexFunc(v.in.Jobs, func(j redundancy.Job) bool { return j.ID == index[0] })
	number := func(text string) int {
		n, _ := strconv.Atoi(text)
		return n
	}
	switch kind {
	case "C":
		return v.earliest(job), 1, false
	case "b":
		if v.earliest(job) > v.at[number(index[1])] {
			lo = 1
		}
		return lo, 1, true
	case "d", "l":
		return 0, 1, true
	case "L":
		return 0, v.length(number(index[1])), false
	case "tau":
		k, r := number(index[2]), number(index[3])
		switch {
		case r > 0:
			return 0, min(v.length(k), v.w[job]/v.h(r)), false
		case index[0] == index[1]:
			return 0, 0, false
		}
		return 0, v.length(k), false
	case "offset":
		return 1, 1, false
	}
	return math.NaN(), math.NaN(), false
}

func alike(x, y float64) bool { return math.Abs(x-y) <= 1e-12 }

func rowOf(m *milp.Model, r milp.Row) row {
	out := row{map[string]float64{}, r.Lo, r.Hi}
	for _, t := range r.Terms {
		out.terms[m.Cols[t.Col].Name] += t.Coef
	}
	return out
}

// same compares rows up to a positive factor and the rounding of a few operations.
func same(a, b row) bool {
	factor := 0.0
	for name, f := range a.terms {
		if g := b.terms[name]; factor == 0 && g != 0 {
			factor = f / g
		}
	}
	near := func(x, y float64) bool { return x == y || math.Abs(x-factor*y) <= 1e-12*max(1, math.Abs(x)) }
	if factor <= 0 || len(a.terms) != len(b.terms) || !near(a.lo, b.lo) || !near(a.hi, b.hi) {
		return false
	}
	for name, f := range a.terms {
		if !near(f, b.terms[name]) {
			return false
		}
	}
	return true
}
