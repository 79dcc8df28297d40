package verify

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"schedgap/exact/verify/jobgraph"
	"schedgap/models/cloning"
)

// A CloningSchedule is the line of a proof with its solution: copies as job, phase, task, server, start, end.
type CloningSchedule struct {
	Copies [][6]int `json:"solution"`
}

// mostCost is the largest cost that proofs speak of: 2^-12 slots of it are counted in whole numbers.
const mostCost = 1 << 50

// A scheduleChange is copies of a phase that start or end.
type scheduleChange struct{ at, phase, by int }

// Cost is the sum of flowtimes of a schedule that keeps to all constraints of docs/problems/cloning.md, in exact arithmetic and
// with the definition's tolerances, 1e-9 of means and capacities, alone.
func (s *CloningSchedule) Cost(in *cloning.Instance, fixed bool) (int, error) {
	type copyOf struct{ server, start, end int }
	tasks := map[[3]int][]copyOf{}
	loads := make([][]scheduleChange, len(in.Servers))
	base := []int{0}
	for j := range in.Jobs {
		base = append(base, base[j]+len(in.Jobs[j].Phases))
	}
	for i, c := range s.Copies {
		j, k, q, v, start, end := c[0], c[1], c[2], c[3], c[4], c[5]
		if j < 0 || j >= len(in.Jobs) || k < 0 || k >= len(in.Jobs[j].Phases) || q < 0 || q >= in.Jobs[j].Phases[k].Tasks ||
			v < 0 || v >= len(in.Servers) || start < in.Jobs[j].Arrival || end <= start || end > 1<<53 {
			return 0, fmt.Errorf("solution[%d] is no copy of the instance", i)
		}
		tasks[[3]int{j, k, q}] = append(tasks[[3]int{j, k, q}], copyOf{v, start, end})
		loads[v] = append(loads[v], scheduleChange{start, base[j] + k, 1}, scheduleChange{end, base[j] + k, -1})
	}
	cost := 0
	for j := range in.Jobs {
		job := &in.Jobs[j]
		ends := make([]int, len(job.Phases))
		finish := 0
		for _, k := range job.Order() {
			from := job.Arrival
			for _, p := range job.Phases[k].Parents {
				from = max(from, ends[p])
			}
			for q := range job.Phases[k].Tasks {
				copies := tasks[[3]int{j, k, q}]
				changes := make([]scheduleChange, 0, 2*len(copies))
				here := make([][]scheduleChange, len(in.Servers))
				end := 0
				for _, c := range copies {
					if c.start < from {
						return 0, fmt.Errorf("a copy of phase %s of job %s starts at %d, before it may, at %d", job.Phases[k].ID, job.ID, c.start,
							from)
					}
					change := []scheduleChange{{c.start, 0, 1}, {c.end, 0, -1}}
					changes, here[c.server] = append(changes, change...), append(here[c.server], change...)
					end = max(end, c.end)
				}
				done, err := completion(&job.Phases[k], changes, in.MaxCopies)
				for v := range here {
					if err == nil && mostRunning(here[v]) > in.MaxCopiesPerServer {
						err = errors.New("has too many copies on a server")
					}
				}
				if err == nil && end > done {
					err = errors.New("has copies after its completion")
				}
				for _, c := range copies {
					if err == nil && fixed && c.end != done {
						err = errors.New("has a copy that ends before it")
					}
				}
				if err != nil {
					return 0, fmt.Errorf("task %d of phase %s of job %s %w", q, job.Phases[k].ID, job.ID, err)
				}
				ends[k] = max(ends[k], done)
			}
			finish = max(finish, ends[k])
		}
		if cost += finish - job.Arrival; cost > mostCost {
			return 0, fmt.Errorf("the solution costs more than %d slots", mostCost)
		}
	}
	for v := range loads {
		if err := loaded(in, v, loads[v]); err != nil {
			return 0, err
		}
	}
	return cost, nil
}

// inOrder sorts changes by time, ends first.
func inOrder(list []scheduleChange) {
	slices.SortFunc(list, func(a, b scheduleChange) int { return cmp.Or(a.at-b.at, a.by-b.by) })
}

// completion is the slot in which a task's progress reaches what is required.
func completion(p *cloning.Phase, changes []scheduleChange, most int) (int, error) {
	inOrder(changes)
	need, done, running := jobgraph.Required(p), new(big.Rat), 0
	for i, c := range changes {
		if running += c.by; running > most {
			return 0, errors.New("has too many copies")
		}
		if running == 0 || changes[i+1].at == c.at {
			continue
		}
		rate := jobgraph.Rat(p.Speedup[running-1])
		left := new(big.Rat).Sub(need, done)
		length := int64(changes[i+1].at - c.at)
		if n := max(1, jobgraph.Whole(new(big.Rat).Quo(left, rate), true)); n <= length {
			return c.at + int(n), nil
		}
		done.Add(done, rate.Mul(rate, new(big.Rat).SetInt64(length)))
	}
	return 0, errors.New("is not completed")
}

// mostRunning is the largest number of copies at once.
func mostRunning(changes []scheduleChange) int {
	inOrder(changes)
	running, most := 0, 0
	for _, c := range changes {
		running += c.by
		most = max(most, running)
	}
	return most
}

// loaded holds a server to its capacities.
func loaded(in *cloning.Instance, v int, changes []scheduleChange) error {
	inOrder(changes)
	var demands [][]float64
	for j := range in.Jobs {
		for k := range in.Jobs[j].Phases {
			demands = append(demands, in.Jobs[j].Phases[k].Demand)
		}
	}
	for r, c := range in.Servers[v].Capacity {
		scale, used := cloning.NewScale(c), int64(0)
		for _, ch := range changes {
			if used += int64(ch.by) * scale.Size(demands[ch.phase][r]); used > scale.Room {
				return fmt.Errorf("server %s has more %s in slot %d than its capacity", in.Servers[v].ID, in.Resources[r], ch.at+1)
			}
		}
	}
	return nil
}
