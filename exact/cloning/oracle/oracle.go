// Package oracle solves tiny cloning instances by trying every decision in every slot, for the tests of other packages only.
//
// It is written from the definition of the problem (docs/problems/cloning.md#constraints) and shares no code with the packages
// under test except the types of an instance and the two constants of the definition, Limit and Required. It computes exactly.
package oracle

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"

	"schedgap/models/cloning"
)

// Opt is the least Σ_j (f_j − a_j) over all schedules, with copies that may stop, move and multiply at any slot, or that run
// until their task completes if nonpreemptive is true. It is −1 when no schedule completes all jobs.
func Opt(in *cloning.Instance, nonpreemptive bool) int {
	s := newSolver(in, nonpreemptive)
	best := s.best(0, make([]int64, len(s.tasks)), make([]int, len(s.tasks)*len(in.Servers)))
	if best >= never {
		return -1
	}
	return best
}

func newSolver(in *cloning.Instance, fixed bool) *solver {
	s := &solver{in: in, fixed: fixed, memo: map[string]int{}, held: map[string]bool{}}
	for j := range in.Jobs {
		job := &in.Jobs[j]
		s.horizon = max(s.horizon, job.Arrival)
		for k := range job.Phases {
			for range job.Phases[k].Tasks {
				s.tasks = append(s.tasks, task{j, k})
			}
		}
	}
	// Some slot after the last arrival in which nothing runs could be cut out, and in any other some task advances by 1.
	for _, t := range s.tasks {
		s.horizon += int(math.Ceil(s.phase(t).Mean))
	}
	return s
}

type task struct{ job, phase int }

const never = math.MaxInt / 2

// unit is the unit of progress, a power of two: all speedups are whole numbers of it.
const unit = 52

type solver struct {
	in      *cloning.Instance
	tasks   []task
	fixed   bool // copies run until their task completes
	horizon int
	memo    map[string]int
	held    map[string]bool // whether copies of each task fit on a server
}

// done reports whether a task with some progress is done.
func (s *solver) done(t task, progress int64) bool {
	return progress > 0 && progress >= int64(math.Ceil(math.Ldexp(s.phase(t).Required(), unit)))
}

// fits reports whether copies, by task and server, fit on server v.
func (s *solver) fits(v int, copies []int) bool {
	key := []byte{byte(v)}
	for i := range s.tasks {
		key = binary.AppendUvarint(key, uint64(copies[i*len(s.in.Servers)+v]))
	}
	if ok, known := s.held[string(key)]; known {
		return ok
	}
	ok := true
	for r, c := range s.in.Servers[v].Capacity {
		sum := new(big.Rat)
		for i, t := range s.tasks {
			n := new(big.Rat).SetInt64(int64(copies[i*len(s.in.Servers)+v]))
			sum.Add(sum, n.Mul(n, new(big.Rat).SetFloat64(s.phase(t).Demand[r])))
		}
		ok = ok && sum.Cmp(new(big.Rat).SetFloat64(cloning.Limit(c))) <= 0
	}
	s.held[string(key)] = ok
	return ok
}

func (s *solver) phase(t task) *cloning.Phase { return &s.in.Jobs[t.job].Phases[t.phase] }

// best is the least number of slots that jobs still spend in the system after slot t, given what the tasks have done and the
// number of copies of every task on every server in slot t that go on.
func (s *solver) best(t int, progress []int64, running []int) int {
	cost, left := 0, false
	unfinished := make([]map[int]bool, len(s.in.Jobs)) // by job, its unfinished phases
	for i, tk := range s.tasks {
		if !s.done(tk, progress[i]) {
			if unfinished[tk.job] == nil {
				unfinished[tk.job] = map[int]bool{}
				left = true
				if s.in.Jobs[tk.job].Arrival <= t {
					cost++
				}
			}
			unfinished[tk.job][tk.phase] = true
		}
	}
	if !left {
		return 0
	}
	if t == s.horizon {
		return never
	}
	key := s.key(t, progress, running)
	if v, ok := s.memo[key]; ok {
		return v
	}
	best, seen := never, map[string]bool{}
	s.choices(t, unfinished, progress, running, func(copies []int) {
		after, next := s.after(progress, copies)
		if k := s.key(t+1, after, next); !seen[k] {
			seen[k] = true
			best = min(best, cost+s.best(t+1, after, next))
		}
	})
	s.memo[key] = best
	return best
}

// after is the tasks' progress after a slot with some copies, and the copies that go on.
func (s *solver) after(progress []int64, copies []int) (after []int64, next []int) {
	after, next = slices.Clone(progress), slices.Clone(copies)
	m := len(s.in.Servers)
	for i, tk := range s.tasks {
		r := 0
		for _, c := range copies[i*m : (i+1)*m] {
			r += c
		}
		if r > 0 {
			after[i] += int64(math.Ldexp(s.phase(tk).Speedup[r-1], unit))
		}
		if !s.fixed || s.done(tk, after[i]) {
			clear(next[i*m : (i+1)*m])
		}
	}
	return after, next
}

// choices calls try with every placement of copies in slot t+1.
func (s *solver) choices(t int, unfinished []map[int]bool, progress []int64, running []int, try func(copies []int)) {
	servers := s.in.Servers
	copies := make([]int, len(running))
	var place func(cell, total int)
	place = func(cell, total int) {
		if cell == len(copies) {
			try(copies)
			return
		}
		i, v := cell/len(servers), cell%len(servers)
		if v == 0 {
			total = 0
		}
		ph, job := s.phase(s.tasks[i]), &s.in.Jobs[s.tasks[i].job]
		most := 0
		if !s.done(s.tasks[i], progress[i]) && job.Arrival <= t {
			most = min(s.in.MaxCopiesPerServer, s.in.MaxCopies-total)
			for _, p := range ph.Parents {
				if unfinished[s.tasks[i].job][p] {
					most = 0
				}
			}
		}
		for n := running[cell]; n <= most; n++ {
			copies[cell] = n
			if s.fits(v, copies) {
				place(cell+1, total+n)
			}
		}
		copies[cell] = running[cell]
	}
	copy(copies, running)
	place(0, 0)
}

// key tells states apart.
func (s *solver) key(t int, progress []int64, running []int) string {
	b := binary.AppendUvarint(nil, uint64(t))
	for i, p := range progress {
		if s.done(s.tasks[i], p) {
			p = math.MaxInt64
		}
		b = binary.AppendUvarint(b, uint64(p))
	}
	for _, n := range running {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return string(b)
}
