package redundancy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/exact/verify"
	"schedgap/models/redundancy"
)

type formulation = exact.Formulation[*redundancy.Instance, redundancy.Solution]

// eventColumns is the largest number of columns that the model is written with.
const eventColumns = 1e6

// Events is the event-based model. x[k,p] says that event p is the k-th arrival, y[j,p] that it is the completion of job
// j, and λ[j,p,r] that job j is active with r copies between events p and p+1; r = 0 is waiting. τ[j,p,r] is the time
// for which it has them: without multitasking the interval's length, with it a share of that. Every event being one
// arrival or one completion, the sum of flowtimes is the sum of all event times less twice the arrivals.
var Events = &formulation{
	Name: "events",
	Doc: "ordered events, to which arrivals and completions are assigned\n\n" +
		"docs/problems/redundancy.md#models: works as equations, τ ≤ T·λ, one choice of copies a job and interval. A job has copies " +
		"in the interval that its completion ends, so that no event falls where nothing completes.",
	Applies: func(in *redundancy.Instance) error {
		if in.Multitasking && len(in.Jobs) > verify.RedundancyJobs {
			return fmt.Errorf("with multitasking it is stated of at most %d jobs", verify.RedundancyJobs)
		}
		if n := float64(len(in.Jobs)); 4*n*n*float64(in.Machines+1) > eventColumns {
			return fmt.Errorf("it would have more than %g columns", eventColumns)
		}
		return nil
	},
	Rows: []exact.Row{
		{Name: "machines", Statement: "Σ_j Σ_r r·τ_jpr ≤ M·L_p"},
		{Name: "share", Statement: "Σ_r τ_jpr ≤ L_p"},
		{Name: "event", Statement: "every event p is one arrival or one completion"},
		{Name: "work", Statement: "Σ_p Σ_r h(r)·τ_jpr = W_j"},
		{Name: "arrival", Statement: "t_p ≥ a_j for every event p from the arrival of job j on"},
		{Name: "until", Statement: "t_p ≤ a_j for every event p up to the arrival of job j"},
		{Name: "copies", Statement: "Σ_j Σ_r r·λ_jpr ≤ M, without multitasking"},
		{Name: "active", Statement: "Σ_r λ_jpr = 1 while job j is there, else 0"},
		{Name: "choice", Statement: "τ_jpr ≤ λ_jpr, times in units of the horizon"},
		{Name: "all", Statement: "Σ_r τ_jpr ≥ L_p while job j is there, without multitasking"},
		{Name: "works", Statement: "a job that completes at event p + 1 does not wait right before"},
		{Name: "length", Statement: "L_p = t_(p+1) − t_p"},
		{Name: "arrives", Statement: "every job arrives at one event"},
		{Name: "finishes", Statement: "every job completes at one event"},
		{Name: "turn", Statement: "arrivals come in their order"},
	},
	Build: func(in *redundancy.Instance) (*exact.Built[redundancy.Solution], error) {
		return buildEvents(in, false), nil
	},
	Exact: func(in *redundancy.Instance) (*exact.Built[redundancy.Solution], error) {
		return buildEvents(in, true), nil
	},
}

func buildEvents(in *redundancy.Instance, exactly bool) *exact.Built[redundancy.Solution] {
	b := newEventBuilder(in, exactly)
	return &exact.Built[redundancy.Solution]{Model: b.m, Decode: b.decode, Encode: b.encode}
}

// An eventBuilder holds the columns of the model. Jobs are numbered as they arrive; times are in units of the horizon from
// the first arrival on. An exact model has the instance's own times, so that nothing is subtracted or divided.
type eventBuilder struct {
	in     *redundancy.Instance
	m      *milp.Model
	order  []int // jobs as they arrive
	origin float64
	zero   float64 // of the model's times
	unit   float64
	top    float64 // the horizon in units, or a bit more
	exact  bool
	time   []int           // t[p]
	long   []int           // length of the interval between events p and p+1
	arrive [][]int         // x[k,p], −1: impossible
	finish [][]int         // y[k,p]
	choose [][][]int       // λ[k,p,r]
	hold   [][][]int       // τ[k,p,r]; with multitasking none for r = 0
	active [][][]milp.Term // what adds up to whether job k is active after event p
}

func newEventBuilder(in *redundancy.Instance, exactly bool) *eventBuilder {
	n := len(in.Jobs)
	b := &eventBuilder{in: in, m: &milp.Model{Name: in.Name + "-events"}, order: byArrival(in), top: 1, exact: exactly}
	b.origin = in.Jobs[b.order[0]].Arrival
	b.zero = b.origin
	// Once all have arrived, machines that run one job at least one after another are done by then.
	b.unit = in.Jobs[b.order[n-1]].Arrival - b.origin
	for j := range in.Jobs {
		b.unit += in.Jobs[j].Work
	}
	if exactly {
		b.zero, b.unit, b.top = 0, 1, (b.origin+b.unit)*(1+1e-9)
	}
	b.events()
	for p := range 2*n - 1 {
		b.interval(p)
	}
	b.works()
	for j := range in.Jobs {
		if a := in.Jobs[j].Arrival; exactly && a > 0 {
			b.m.AddCol(milp.Col{Name: fmt.Sprintf("a[%s]", in.Jobs[j].ID), Lo: a, Hi: a, Cost: -2}) // their sum may be no double
		} else {
			b.m.Offset += 2 * (b.zero - a)
		}
	}
	return b
}

// arrival is when the k-th to arrive does, in units.
func (b *eventBuilder) arrival(k int) float64 {
	return (b.in.Jobs[b.order[k]].Arrival - b.zero) / b.unit
}

func (b *eventBuilder) id(k int) string { return b.in.Jobs[b.order[k]].ID }

// events adds the event times and what each event is.
func (b *eventBuilder) events() {
	n, m := len(b.order), b.m
	for p := range 2 * n {
		b.time = append(b.time, m.AddCol(milp.Col{Name: fmt.Sprintf("t[%d]", p), Hi: b.top, Cost: b.unit}))
		if p > 0 {
			l := m.AddCol(milp.Col{Name: fmt.Sprintf("L[%d]", p-1), Hi: b.top})
			b.long = append(b.long, l)
			m.AddRow(fmt.Sprintf("length[%d]", p-1), 0, 0, term(b.time[p], 1), term(b.time[p-1], -1), term(l, -1))
		}
	}
	one := make([]milp.Row, 2*n)
	for p := range one {
		one[p] = milp.Row{Name: fmt.Sprintf("event[%d]", p), Lo: 1, Hi: 1}
	}
	for k := range n {
		arrive, finish := make([]int, 2*n), make([]int, 2*n)
		arrives := milp.Row{Name: fmt.Sprintf("arrives[%s]", b.id(k)), Lo: 1, Hi: 1}
		finishes := milp.Row{Name: fmt.Sprintf("finishes[%s]", b.id(k)), Lo: 1, Hi: 1}
		for p := range 2 * n {
			arrive[p], finish[p] = -1, -1
			if p >= k && p <= 2*k { // k arrivals before, and at most their completions
				arrive[p] = m.Binary(fmt.Sprintf("x[%s,%d]", b.id(k), p), 0)
				arrives.Terms = append(arrives.Terms, term(arrive[p], 1))
				one[p].Terms = append(one[p].Terms, term(arrive[p], 1))
			}
			if p > k {
				finish[p] = m.Binary(fmt.Sprintf("y[%s,%d]", b.id(k), p), 0)
				finishes.Terms = append(finishes.Terms, term(finish[p], 1))
				one[p].Terms = append(one[p].Terms, term(finish[p], 1))
			}
		}
		b.arrive, b.finish = append(b.arrive, arrive), append(b.finish, finish)
		m.Rows = append(m.Rows, arrives, finishes)
	}
	m.Rows = append(m.Rows, one...)
	first := b.arrival(0)
	m.Cols[b.time[0]].Lo, m.Cols[b.time[0]].Hi, m.Cols[b.arrive[0][0]].Lo = first, first, 1 // the first arrival is the first event
	b.active = make([][][]milp.Term, n)
	for k := range n {
		b.active[k] = make([][]milp.Term, 2*n)
		a := b.arrival(k)
		for p := range 2 * n {
			label, since := fmt.Sprintf("[%s,%d]", b.id(k), p), upTo(b.arrive[k], p)
			if len(since) > 0 && a > 0 {
				m.AddRow("arrival"+label, 0, milp.Inf, append(scaled(since, -a), term(b.time[p], 1))...)
			}
			until := milp.Row{Name: "until" + label, Lo: -milp.Inf, Hi: 1}
			// t[p] ≤ a + (1 − a)·(whether the k-th arrival came before p)
			until.Terms = append(scaled(from(b.arrive[k], p), 1-a), term(b.time[p], 1))
			needed := len(until.Terms) > 1
			if b.exact { // the same by the other events, as 1 − a is rounded
				until.Hi, until.Terms = a, append(scaled(upTo(b.arrive[k], p-1), -milp.Difference(b.top, a)), term(b.time[p], 1))
			}
			if needed {
				m.Rows = append(m.Rows, until)
			}
			if k > 0 {
				m.AddRow(fmt.Sprintf("turn[%s,%d]", b.id(k), p), 0, milp.Inf,
					append(upTo(b.arrive[k-1], p-1), scaled(since, -1)...)...)
			}
			b.active[k][p] = append(since, scaled(upTo(b.finish[k], p), -1)...)
		}
	}
}

// interval adds the choices between events p and p+1.
func (b *eventBuilder) interval(p int) {
	m, machines := b.m, b.in.Machines
	shared := b.in.Multitasking
	copies := milp.Row{Name: fmt.Sprintf("copies[%d]", p), Lo: -milp.Inf, Hi: float64(machines)}
	all := milp.Row{Name: fmt.Sprintf("machines[%d]", p), Lo: -milp.Inf, Terms: b.length(p, -float64(machines))}
	for k := range b.order {
		if p == 0 {
			b.choose, b.hold = append(b.choose, nil), append(b.hold, nil)
		}
		var choose, hold []int
		label := fmt.Sprintf("[%s,%d]", b.id(k), p)
		one := milp.Row{Name: "active" + label, Terms: scaled(b.active[k][p], -1)}
		total := milp.Row{Name: "share" + label, Lo: -milp.Inf, Terms: b.length(p, -1)}
		for r := range machines + 1 {
			l := m.Binary(fmt.Sprintf("l[%s,%d,%d]", b.id(k), p, r), 0)
			choose = append(choose, l)
			one.Terms = append(one.Terms, term(l, 1))
			if r == 0 && shared {
				hold = append(hold, -1)
				continue
			}
			tau := m.AddCol(milp.Col{Name: fmt.Sprintf("tau[%s,%d,%d]", b.id(k), p, r), Hi: b.top})
			hold = append(hold, tau)
			m.AddRow(fmt.Sprintf("choice[%s,%d,%d]", b.id(k), p, r), -milp.Inf, 0, term(tau, 1), term(l, -b.top))
			total.Terms = append(total.Terms, term(tau, 1))
			if r > 0 {
				all.Terms = append(all.Terms, term(tau, float64(r)))
				copies.Terms = append(copies.Terms, term(l, float64(r)))
			}
		}
		m.Rows = append(m.Rows, one, total)
		if !shared { // an active job is in one of its states all the time
			m.AddRow("all"+label, -b.top, milp.Inf, append(slices.Clone(total.Terms), scaled(b.active[k][p], -b.top)...)...)
		}
		if f := b.finish[k][p+1]; f >= 0 {
			m.AddRow("works"+label, -milp.Inf, 1, term(f, 1), term(choose[0], 1))
		}
		b.choose[k], b.hold[k] = append(b.choose[k], choose), append(b.hold[k], hold)
	}
	m.Rows = append(m.Rows, all)
	if !shared {
		m.Rows = append(m.Rows, copies)
	}
}

// works states the jobs' works, each in units of its own.
func (b *eventBuilder) works() {
	for k := range b.order {
		work := b.in.Jobs[b.order[k]].Work
		row := milp.Row{Name: fmt.Sprintf("work[%s]", b.id(k)), Lo: 1, Hi: 1}
		if b.exact {
			row.Lo, row.Hi = work, work
			work = 1
		}
		for _, hold := range b.hold[k] {
			for r := 1; r < len(hold); r++ {
				row.Terms = append(row.Terms, term(hold[r], b.in.Speedup[r-1]*b.unit/work))
			}
		}
		b.m.Rows = append(b.m.Rows, row)
	}
}

// length is how long the interval after event p takes, times factor.
func (b *eventBuilder) length(p int, factor float64) []milp.Term {
	return []milp.Term{term(b.long[p], factor)}
}

func term(col int, coef float64) milp.Term { return milp.Term{Col: col, Coef: coef} }

// upTo are the terms of the columns of events up to p, from those from p on.
func upTo(cols []int, p int) []milp.Term { return terms(cols[:max(0, p+1)]) }

func from(cols []int, p int) []milp.Term { return terms(cols[p:]) }

func terms(cols []int) (list []milp.Term) {
	for _, c := range cols {
		if c >= 0 {
			list = append(list, term(c, 1))
		}
	}
	return list
}

func scaled(list []milp.Term, factor float64) []milp.Term {
	out := make([]milp.Term, len(list))
	for i, t := range list {
		out[i] = term(t.Col, factor*t.Coef)
	}
	return out
}

// An event is the arrival or completion of the k-th job to arrive.
type event struct {
	arrival bool
	k       int
}

// at is event p of a point.
func (b *eventBuilder) at(x []float64, p int) event {
	for k := range b.order {
		if c := b.arrive[k][p]; c >= 0 && x[c] > 0.5 {
			return event{true, k}
		}
		if c := b.finish[k][p]; c >= 0 && x[c] > 0.5 {
			return event{false, k}
		}
	}
	return event{true, -1}
}

// chosen is how many copies the k-th job has after event p.
func (b *eventBuilder) chosen(x []float64, k, p int) int {
	for r := 1; r < len(b.choose[k][p]); r++ {
		if x[b.choose[k][p][r]] > 0.5 {
			return r
		}
	}
	return 0
}

func (b *eventBuilder) decode(x []float64) (redundancy.Solution, error) {
	if b.in.Multitasking {
		return b.decodeShares(x)
	}
	return b.decodeCopies(x)
}

// decodeCopies runs the point's copies in the order of its events.
func (b *eventBuilder) decodeCopies(x []float64) (redundancy.Solution, error) {
	events := make([]event, len(b.time))
	for p := range events {
		if events[p] = b.at(x, p); events[p].k < 0 {
			return redundancy.Solution{}, fmt.Errorf("redundancy: event %d of the point is nobody's", p)
		}
	}
	return runEvents(b.in, b.order, events, func(k, p int) int { return b.chosen(x, k, p) })
}

// runEvents runs the copies that each job, numbered as they arrive, has from event p on until the next one, whenever that is. An
// event that comes earlier than a point says, since the solver's times are not exact, changes nothing but its own job. Jobs that
// are left when all have arrived and all events are over get the copies that are best then.
func runEvents(in *redundancy.Instance, order []int, events []event, chosen func(k, p int) int) (redundancy.Solution, error) {
	at, path := &state{t: in.Jobs[order[0]].Arrival}, []redundancy.Interval(nil)
	for p, until := range events[1:] {
		for {
			at.admit(in, order)
			if until.arrival && at.arrived > until.k || !until.arrival && !slices.Contains(at.jobs, order[until.k]) {
				break
			}
			copies := make([]int, len(at.jobs))
			for i, j := range at.jobs {
				copies[i] = chosen(slices.Index(order, j), p)
			}
			arrival := math.Inf(1)
			if at.arrived < len(order) {
				arrival = in.Jobs[order[at.arrived]].Arrival
			}
			iv := interval(at, copies)
			if !at.follow(in, copies, arrival) {
				return redundancy.Solution{}, fmt.Errorf("redundancy: nothing runs after event %d of the point", p)
			}
			iv.End = at.t
			path = append(path, iv)
		}
	}
	env := newEnvelope(context.Background(), in, len(order))
	return redundancy.Solution{Speed: 1, Intervals: fromZero(append(path, simulate(in, at, env.greedily)...))}, nil
}

// decided is the domain of a point's order of events and copies.
type decided struct {
	sets   [][]uint64
	copies []map[uint64][]int // by interval and set: each job's, nil: any
}

// Sets implements domain.
func (d *decided) Sets(k int) ([]uint64, error) { return d.sets[k], nil }

// Limited implements domain.
func (d *decided) Limited(k int, set uint64) bool { return d.copies[k][set] != nil }

// Copies implements domain.
func (d *decided) Copies(k int, set uint64, job int) (least, most int) {
	return d.copies[k][set][job], d.copies[k][set][job]
}

var errTimes = errors.New("redundancy: no times meet the order of events and the copies of the point")

// decodeShares solves the linear program of the point's order of events and copies up to the last arrival.
func (b *eventBuilder) decodeShares(x []float64) (redundancy.Solution, error) {
	p := newProgram(b.in)
	last := len(p.begin) - 1
	d := &decided{sets: make([][]uint64, last+1), copies: make([]map[uint64][]int, last+1)}
	here, arrived := uint64(0), 0
	for q := range b.time {
		e := b.at(x, q)
		if e.k < 0 {
			return redundancy.Solution{}, fmt.Errorf("redundancy: event %d of the point is nobody's", q)
		}
		if here ^= 1 << b.order[e.k]; e.arrival {
			arrived++
		}
		k := 0
		for k < last && p.begin[k] < b.in.Jobs[b.order[max(0, arrived-1)]].Arrival {
			k++
		}
		if arrived < len(b.order) && b.in.Jobs[b.order[arrived]].Arrival == p.begin[k] {
			continue
		}
		d.sets[k] = append(d.sets[k], here)
		if k < last {
			copies := make([]int, len(b.order))
			for i, j := range b.order {
				copies[j] = b.chosen(x, i, q)
			}
			if d.copies[k] == nil {
				d.copies[k] = map[uint64][]int{}
			}
			d.copies[k][here] = copies
		}
	}
	most := b.unit * float64(len(b.order)) // jobs one after another cost less
	point, err := p.solve(d, nil, 2*most)
	if err != nil {
		return redundancy.Solution{}, err
	}
	gaps, _ := p.gaps(point)
	s, ok := p.shared(newEnvelope(context.Background(), b.in, len(b.order)), gaps)
	if !ok || point.missing > 1e-7 {
		return redundancy.Solution{}, errTimes
	}
	return s, nil
}

// An instant is an event at its time, in a model's units.
type instant struct {
	event
	t float64
}

// instants are a solution's events in their order. Solutions that the checker refuses at speed 1 are an error.
func instants(in *redundancy.Instance, order []int, sol redundancy.Solution, scaled func(t float64) float64) ([]instant, error) {
	if v := redundancy.Problem.Check(in, sol).Worst(nil); v != nil || sol.Speed != 0 && sol.Speed != 1 {
		return nil, fmt.Errorf("redundancy: not a schedule at speed 1, so it has no point in the model: %+v", v)
	}
	var list []instant
	done := redundancy.Completions(in, sol)
	for k, j := range order {
		list = append(list, instant{event{true, k}, scaled(in.Jobs[j].Arrival)}, instant{event{false, k}, scaled(done[j])})
	}
	slices.SortStableFunc(list, func(a, b instant) int {
		if c := cmp.Compare(a.t, b.t); c != 0 || a.arrival == b.arrival {
			return c
		}
		if a.arrival {
			return 1
		}
		return -1
	})
	return list, nil
}

// encode refuses solutions that end after the model's horizon, too.
func (b *eventBuilder) encode(sol redundancy.Solution) ([]float64, error) {
	list, err := instants(b.in, b.order, sol, func(t float64) float64 { return (t - b.zero) / b.unit })
	if err != nil {
		return nil, err
	}
	x := make([]float64, len(b.m.Cols))
	for col, c := range b.m.Cols {
		if c.Lo == c.Hi {
			x[col] = c.Lo
		}
	}
	active := make([]bool, len(b.order))
	for p, e := range list {
		if e.t > b.top {
			return nil, fmt.Errorf("redundancy: job %s completes after the model's horizon", b.id(e.k))
		}
		x[b.time[p]] = e.t
		if active[e.k] = e.arrival; e.arrival {
			x[b.arrive[e.k][p]] = 1
		} else {
			x[b.finish[e.k][p]] = 1
		}
		if p+1 == len(list) {
			break
		}
		next := list[p+1]
		x[b.long[p]] = next.t - e.t
		alloc := allocations(sol, b.zero+b.unit*(e.t+next.t)/2)
		for k, j := range b.order {
			if !active[k] {
				continue
			}
			a, length := alloc[j], next.t-e.t
			if length <= tieTolerance {
				a = redundancy.Allocation{}
			}
			if a.Copies == 0 && !next.arrival && next.k == k { // it completes after no time
				a = redundancy.Allocation{Copies: 1}
			}
			x[b.choose[k][p][a.Copies]] = 1
			if c := b.hold[k][p][a.Copies]; c >= 0 {
				if x[c] = length; b.in.Multitasking {
					x[c] *= a.Share
				}
			}
		}
	}
	return x, nil
}

// allocations are those at time t, by job.
func allocations(sol redundancy.Solution, t float64) map[int]redundancy.Allocation {
	list := map[int]redundancy.Allocation{}
	for _, iv := range sol.Intervals {
		if iv.Start <= t && t < iv.End {
			for _, a := range iv.Alloc {
				list[a.Job] = a
			}
		}
	}
	return list
}
