package redundancy

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	verifyredundancy "schedgap/exact/verify/redundancy"
	"schedgap/models/redundancy"
)

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
		if in.Multitasking && len(in.Jobs) > verifyredundancy.MostJobs {
			return fmt.Errorf("with multitasking it is stated of at most %d jobs", verifyredundancy.MostJobs)
		}
		if n := float64(len(in.Jobs)); 4*n*n*float64(in.Machines+1) > mostColumns {
			return fmt.Errorf("it would have more than %g columns", mostColumns)
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
	Build: buildEvents,
}

func buildEvents(in *redundancy.Instance, _ exact.BuildOptions) (*exact.BuiltModel[redundancy.Solution], error) {
	n := len(in.Jobs)
	b := &eventBuilder{frame: newFrame(in, "events"), choose: make([][][]int, n), hold: make([][][]int, n)}
	b.events()
	for p := range 2*n - 1 {
		b.interval(p)
	}
	for k := range n {
		b.addWork(k, b.hold[k])
	}
	b.addArrivals(2)
	return &exact.BuiltModel[redundancy.Solution]{Model: b.m, Grain: b.grain(), Decode: b.decode, Encode: b.encode}, nil
}

// An eventBuilder holds the columns of the model.
type eventBuilder struct {
	frame
	time   []int        // t[p]
	long   []int        // length of the interval between events p and p+1
	arrive [][]int      // x[k,p], −1: impossible
	finish [][]int      // y[k,p]
	choose [][][]int    // λ[k,p,r]
	hold   [][][]int    // τ[k,p,r]; with multitasking none for r = 0
	active [][]milp.Sum // whether job k is active after event p
}

// events adds the event times and what each event is.
func (b *eventBuilder) events() {
	n, m := len(b.order), b.m
	for p := range 2 * n {
		b.time = append(b.time, m.AddCol(milp.Col{Name: fmt.Sprintf("t[%d]", p), Hi: b.top, Cost: b.unit}))
		if p > 0 {
			l := m.AddCol(milp.Col{Name: fmt.Sprintf("L[%d]", p-1), Hi: b.top})
			b.long = append(b.long, l)
			m.Relate(fmt.Sprintf("length[%d]", p-1), 0, 0, milp.Of(b.time[p], 1), milp.Of(b.time[p-1], -1), milp.Of(l, -1))
		}
	}
	one := make([][]int, 2*n)
	for k := range n {
		arrive, finish := make([]int, 2*n), make([]int, 2*n)
		for p := range 2 * n {
			arrive[p], finish[p] = -1, -1
			if p >= k && p <= 2*k { // k arrivals before, and at most their completions
				arrive[p] = m.Binary(fmt.Sprintf("x[%s,%d]", b.id(k), p), 0)
			}
			if p > k {
				finish[p] = m.Binary(fmt.Sprintf("y[%s,%d]", b.id(k), p), 0)
			}
			one[p] = append(one[p], arrive[p], finish[p])
		}
		b.arrive, b.finish = append(b.arrive, arrive), append(b.finish, finish)
		m.Relate(fmt.Sprintf("arrives[%s]", b.id(k)), 1, 1, milp.Total(arrive...))
		m.Relate(fmt.Sprintf("finishes[%s]", b.id(k)), 1, 1, milp.Total(finish...))
	}
	for p, cols := range one {
		m.Relate(fmt.Sprintf("event[%d]", p), 1, 1, milp.Total(cols...))
	}
	first := b.arrival(0)
	m.Cols[b.time[0]].Lo, m.Cols[b.time[0]].Hi, m.Cols[b.arrive[0][0]].Lo = first, first, 1 // the first arrival is the first event
	b.active = make([][]milp.Sum, n)
	for k := range n {
		a := b.arrival(k)
		for p := range 2 * n {
			label, time := fmt.Sprintf("[%s,%d]", b.id(k), p), milp.Of(b.time[p], 1)
			since := milp.Total(b.arrive[k][:p+1]...)
			if len(since) > 0 && a > 0 {
				m.Relate("arrival"+label, 0, milp.Inf, since.Times(-a), time)
			}
			// t[p] ≤ a + (1 − a)·(whether the k-th arrival came before p)
			if later := milp.Total(b.arrive[k][p:]...); len(later) > 0 {
				m.Relate("until"+label, -milp.Inf, 1, later.Times(1-a), time)
			}
			if k > 0 {
				m.Relate("turn"+label, 0, milp.Inf, milp.Total(b.arrive[k-1][:p]...), since.Times(-1))
			}
			b.active[k] = append(b.active[k], append(since, milp.Total(b.finish[k][:p+1]...).Times(-1)...))
		}
	}
}

// interval adds the choices between events p and p+1.
func (b *eventBuilder) interval(p int) {
	m, machines, shared := b.m, b.in.Machines, b.in.Multitasking
	length, all, copies := milp.Of(b.long[p], -1), milp.Of(b.long[p], -float64(machines)), milp.Sum(nil)
	for k := range b.order {
		choose, hold := make([]int, machines+1), make([]int, machines+1)
		label := fmt.Sprintf("[%s,%d]", b.id(k), p)
		for r := range machines + 1 {
			label := fmt.Sprintf("[%s,%d,%d]", b.id(k), p, r)
			choose[r], hold[r] = m.Binary("l"+label, 0), -1
			if r == 0 && shared {
				continue
			}
			hold[r] = m.AddCol(milp.Col{Name: "tau" + label, Hi: b.top})
			m.Relate("choice"+label, -milp.Inf, 0, milp.Of(hold[r], 1), milp.Of(choose[r], -b.top))
			all = append(all, milp.Of(hold[r], float64(r))...)
			copies = append(copies, milp.Of(choose[r], float64(r))...)
		}
		times, active := milp.Total(hold...), b.active[k][p]
		m.Relate("active"+label, 0, 0, milp.Total(choose...), active.Times(-1))
		m.Relate("share"+label, -milp.Inf, 0, times, length)
		if !shared { // an active job is in one of its states all the time
			m.Relate("all"+label, -b.top, milp.Inf, times, length, active.Times(-b.top))
		}
		if f := b.finish[k][p+1]; f >= 0 {
			m.Relate("works"+label, -milp.Inf, 1, milp.Of(f, 1), milp.Of(choose[0], 1))
		}
		b.choose[k], b.hold[k] = append(b.choose[k], choose), append(b.hold[k], hold)
	}
	m.Relate(fmt.Sprintf("machines[%d]", p), -milp.Inf, 0, all)
	if !shared {
		m.Relate(fmt.Sprintf("copies[%d]", p), -milp.Inf, float64(machines), copies)
	}
}

// at is event p of a point.
func (b *eventBuilder) at(x []float64, p int) (event, error) {
	for k := range b.order {
		if c := b.arrive[k][p]; c >= 0 && x[c] > 0.5 {
			return event{true, k}, nil
		}
		if c := b.finish[k][p]; c >= 0 && x[c] > 0.5 {
			return event{false, k}, nil
		}
	}
	return event{}, fmt.Errorf("redundancy: event %d of the point is nobody's", p)
}

func (b *eventBuilder) decode(x []float64) (redundancy.Solution, error) {
	events := make([]event, len(b.time))
	for p := range events {
		var err error
		events[p], err = b.at(x, p)
		if err != nil {
			return redundancy.Solution{}, err
		}
	}
	if b.in.Multitasking {
		return b.decodeShares(x, events)
	}
	return b.runEvents(events, func(k, p int) int { return milp.Chosen(x, b.choose[k][p]) })
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
func (b *eventBuilder) decodeShares(x []float64, events []event) (redundancy.Solution, error) {
	p := newMasterProblem(b.in)
	last := len(p.begin) - 1
	d := &decided{sets: make([][]uint64, last+1), copies: make([]map[uint64][]int, last+1)}
	here, arrived := uint64(0), 0
	for q, e := range events {
		here ^= 1 << b.order[e.k]
		if e.arrival {
			arrived++
		}
		k, _ := slices.BinarySearch(p.begin, b.in.Jobs[b.order[max(0, arrived-1)]].Arrival)
		if arrived < len(b.order) && b.in.Jobs[b.order[arrived]].Arrival == p.begin[k] {
			continue
		}
		d.sets[k] = append(d.sets[k], here)
		if k < last {
			copies := make([]int, len(b.order))
			for i, j := range b.order {
				copies[j] = milp.Chosen(x, b.choose[i][q])
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

func (b *eventBuilder) encode(sol redundancy.Solution) ([]float64, error) {
	list, err := b.instants(sol)
	if err != nil {
		return nil, err
	}
	x, active := b.m.Point(), make([]bool, len(b.order))
	for p, e := range list {
		x[b.time[p]] = e.t
		active[e.k] = e.arrival
		if e.arrival {
			x[b.arrive[e.k][p]] = 1
		} else {
			x[b.finish[e.k][p]] = 1
		}
		if p+1 == len(list) {
			break
		}
		length := list[p+1].t - e.t
		x[b.long[p]] = length
		alloc := b.allocations(sol, e, list[p+1])
		for k := range b.order {
			if !active[k] {
				continue
			}
			a := alloc[k]
			x[b.choose[k][p][a.Copies]] = 1
			if c := b.hold[k][p][a.Copies]; c >= 0 {
				x[c] = length
				if b.in.Multitasking {
					x[c] *= a.Share
				}
			}
		}
	}
	return x, nil
}
