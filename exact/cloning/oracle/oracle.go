// Package oracle solves tiny cloning instances by trying every decision in every slot, for the tests of other packages only.
//
// It is written from the definition of the problem (docs/problems/cloning.md#constraints) and shares no code with what it tests
// beyond the types of an instance.
package oracle

import (
	"encoding/binary"
	"math"
	"slices"

	"schedgap/models/cloning"
)

// Opt is the least Σ_j (f_j − a_j) over all schedules, with copies that may stop, move and multiply at any slot, or that run
// until their task completes if nonpreemptive is true. It is −1 when no schedule completes all jobs.
func Opt(in *cloning.Instance, nonpreemptive bool) int {
	s := &solver{in: in, fixed: nonpreemptive, memo: map[string]int{}}
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
	best := s.best(0, make([]float64, len(s.tasks)), make([]int, len(s.tasks)*len(in.Servers)))
	if best >= never {
		return -1
	}
	return best
}

type task struct{ job, phase int }

const never = math.MaxInt / 2

// reached is the progress short of a mean that counts as the mean.
const reached = 1e-9

type solver struct {
	in      *cloning.Instance
	tasks   []task
	fixed   bool // copies run until their task completes
	horizon int
	memo    map[string]int
}

func (s *solver) phase(t task) *cloning.Phase { return &s.in.Jobs[t.job].Phases[t.phase] }

// best is the least number of slots that jobs still spend in the system after slot t, given what the tasks have done and the
// number of copies of every task on every server in slot t that go on.
func (s *solver) best(t int, progress []float64, running []int) int {
	cost, left := 0, false
	unfinished := make([]map[int]bool, len(s.in.Jobs)) // by job, its unfinished phases
	for i, tk := range s.tasks {
		if progress[i] < s.phase(tk).Mean-reached {
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
		after, next := slices.Clone(progress), slices.Clone(copies)
		m := len(s.in.Servers)
		for i, tk := range s.tasks {
			r := 0
			for _, c := range copies[i*m : (i+1)*m] {
				r += c
			}
			if r > 0 {
				after[i] += s.phase(tk).Speedup[r-1]
			}
			if !s.fixed || after[i] >= s.phase(tk).Mean-reached {
				clear(next[i*m : (i+1)*m])
			}
		}
		if k := s.key(t+1, after, next); !seen[k] {
			seen[k] = true
			best = min(best, cost+s.best(t+1, after, next))
		}
	})
	s.memo[key] = best
	return best
}

// choices calls try with every placement of copies in slot t+1.
func (s *solver) choices(t int, unfinished []map[int]bool, progress []float64, running []int, try func(copies []int)) {
	servers := s.in.Servers
	copies := make([]int, len(running))
	used := make([][]float64, len(servers))
	for v := range used {
		used[v] = make([]float64, len(s.in.Resources))
	}
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
		if progress[i] < ph.Mean-reached && job.Arrival <= t {
			most = min(s.in.MaxCopiesPerServer, s.in.MaxCopies-total)
			for _, p := range ph.Parents {
				if unfinished[s.tasks[i].job][p] {
					most = 0
				}
			}
		}
		load := func(n float64) bool {
			fits := true
			for r, d := range ph.Demand {
				used[v][r] += n * d
				fits = fits && used[v][r] <= servers[v].Capacity[r]*(1+1e-9)
			}
			return fits
		}
		for n := running[cell]; n <= most; n++ {
			if load(float64(n)) {
				copies[cell] = n
				place(cell+1, total+n)
			}
			load(-float64(n))
		}
		copies[cell] = 0
	}
	place(0, 0)
}

// key tells states apart; progress that differs by rounding alone is the same.
func (s *solver) key(t int, progress []float64, running []int) string {
	b := binary.AppendUvarint(nil, uint64(t))
	for i, p := range progress {
		b = binary.AppendUvarint(b, uint64(math.Round(min(p, s.phase(s.tasks[i]).Mean)*1e7)))
	}
	for _, n := range running {
		b = append(b, byte(n))
	}
	return string(b)
}
