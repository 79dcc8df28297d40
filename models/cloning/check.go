package cloning

import (
	"cmp"
	"fmt"
	"slices"

	"schedgap/models"
)

// Tolerance is the excess over a server's capacity, relative to it, that the checker forgives.
const Tolerance = 1e-6

// check recomputes feasibility and objective from the definition in docs/problems/cloning.md#constraints. It follows the moments
// at which copies start and end, never single slots, so a horizon may be as long as it likes.
func check(in *Instance, s Solution) models.Report {
	c := checker{in: in, s: &s, copies: make([]int, 0, len(s.Copies))}
	c.choose()
	slices.SortFunc(c.copies, func(a, b int) int {
		return cmp.Or(compareTasks(s.Copies[a].Task, s.Copies[b].Task), cmp.Compare(a, b))
	})
	c.tasks()
	c.runs()
	c.capacities()
	c.objective()
	c.report.Augmentation = s.factor()
	return c.report
}

func compareTasks(a, b Task) int {
	return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.Index, b.Index))
}

// never is the completion of a task, phase or job that does not complete.
const never = -1

type checker struct {
	in     *Instance
	s      *Solution
	report models.Report

	copies []int // indices of the solution's copies that are of this instance, by task
	groups []group
	phases [][]int // completion slot by job and phase, or never
	crowds []crowd
}

// A group is the copies of one task, checker.copies[from:to].
type group struct {
	task       Task
	from, to   int
	completion int // slot, or never
}

func (c *checker) job(t Task) *Job     { return &c.in.Jobs[t.Job] }
func (c *checker) phase(t Task) *Phase { return &c.in.Jobs[t.Job].Phases[t.Phase] }

func (c *checker) taskName(t Task) string {
	return fmt.Sprintf("jobs[%s].phases[%s].tasks[%d]", c.job(t).ID, c.phase(t).ID, t.Index)
}

func (c *checker) copyName(i int) string {
	return fmt.Sprintf("copies[%d] of %s", i, c.taskName(c.s.Copies[i].Task))
}

// has reports whether a copy is of a task and on a server that the instance has.
func (in *Instance) has(c *Copy) bool {
	t := c.Task
	return t.Job >= 0 && t.Job < len(in.Jobs) && t.Phase >= 0 && t.Phase < len(in.Jobs[t.Job].Phases) &&
		t.Index >= 0 && t.Index < in.Jobs[t.Job].Phases[t.Phase].Tasks && c.Server >= 0 && c.Server < len(in.Servers)
}

// choose finds the copies that mean something. Files cannot hold others, algorithms' slips can.
func (c *checker) choose() {
	for i := range c.s.Copies {
		cp := &c.s.Copies[i]
		switch {
		case !c.in.has(cp):
			c.report.Violate("copies", fmt.Sprintf("copies[%d] of a task or on a server that the instance does not have", i), 1)
		case cp.End <= cp.Start:
			c.report.Violate("copies", fmt.Sprintf("copies[%d] ends before it starts", i), slots(cp.Start, cp.End)+1)
		default:
			c.copies = append(c.copies, i)
		}
	}
	if f := c.s.factor(); !(f >= 1) {
		c.report.Violate("capacity", "capacity_factor less than 1", 1-f)
	}
	if r := c.s.Regime; r != "" && r != Preemptive && r != Nonpreemptive {
		c.report.Violate("regime", fmt.Sprintf("unknown regime %q", r), 1)
	}
}

// factor is the capacity factor with its default.
func (s *Solution) factor() float64 {
	if s.CapacityFactor == 0 {
		return 1
	}
	return s.CapacityFactor
}

// slots is the number of slots from one moment to a later one. Differences of any two integers do not wrap around.
func slots(end, start int) float64 { return float64(end) - float64(start) }

// tasks follows every task's progress.
func (c *checker) tasks() {
	c.phases = make([][]int, len(c.in.Jobs))
	next := 0 // in c.copies
	for j := range c.in.Jobs {
		c.phases[j] = make([]int, len(c.in.Jobs[j].Phases))
		for k := range c.in.Jobs[j].Phases {
			tasks, done, completion := c.in.Jobs[j].Phases[k].Tasks, 0, 0
			missing := 0 // the first task that is not accounted for
			for next < len(c.copies) {
				t := c.s.Copies[c.copies[next]].Task
				if t.Job != j || t.Phase != k {
					break
				}
				c.missing(j, k, missing, t.Index)
				missing = t.Index + 1
				from := next
				for next < len(c.copies) && c.s.Copies[c.copies[next]].Task == t {
					next++
				}
				g := group{task: t, from: from, to: next}
				g.completion = c.progress(g)
				c.groups = append(c.groups, g)
				if g.completion != never {
					done, completion = done+1, max(completion, g.completion)
				}
			}
			c.missing(j, k, missing, tasks)
			if done < tasks {
				completion = never
			}
			c.phases[j][k] = completion
		}
	}
}

// missing reports the tasks from..to−1 of a phase, which have no copy at all.
func (c *checker) missing(j, k, from, to int) {
	if from == to {
		return
	}
	t := Task{j, k, from}
	where := c.taskName(t)
	if to-from > 1 {
		where = fmt.Sprintf("jobs[%s].phases[%s].tasks[%d..%d]", c.job(t).ID, c.phase(t).ID, from, to-1)
	}
	c.report.Violate("work", where, c.phase(t).Mean)
}

// A change is a copy's start or end.
type change struct {
	at   int
	copy int // index of Solution.Copies
	by   int // +1 or −1
}

// changes returns the starts and ends of copies in order of time, ends first.
func (c *checker) changes(copies []int) []change {
	list := make([]change, 0, 2*len(copies))
	for _, i := range copies {
		list = append(list, change{c.s.Copies[i].Start, i, 1}, change{c.s.Copies[i].End, i, -1})
	}
	slices.SortFunc(list, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by), cmp.Compare(a.copy, b.copy))
	})
	return list
}

// progress returns the slot in which a task completes, or never, and holds its copies to their number.
func (c *checker) progress(g group) int {
	p := c.phase(g.task)
	running, most, done, completion := 0, 0, Progress{}, never
	changes := c.changes(c.copies[g.from:g.to])
	for i, ch := range changes {
		running += ch.by
		most = max(most, running)
		if running == 0 || completion != never || changes[i+1].at == ch.at {
			continue
		}
		length := slots(changes[i+1].at, ch.at)
		if need := p.Slots(done, running); float64(need) <= length {
			completion = ch.at + need
		} else {
			done = p.After(done, int(length), running)
		}
	}
	if most > c.in.MaxCopies {
		c.report.Violate("copies", c.taskName(g.task), float64(most-c.in.MaxCopies))
	}
	if most > c.in.MaxCopiesPerServer {
		c.perServer(g, changes)
	}
	if completion == never {
		c.report.Violate("work", c.taskName(g.task), p.Mean-done.most)
	}
	return completion
}

// perServer holds the copies of a task on each server to their number.
func (c *checker) perServer(g group, changes []change) {
	running, most := map[int]int{}, map[int]int{}
	for _, ch := range changes {
		s := c.s.Copies[ch.copy].Server
		running[s] += ch.by
		most[s] = max(most[s], running[s])
	}
	for s := range c.in.Servers { // in order; there are few tasks with so many copies
		if most[s] > c.in.MaxCopiesPerServer {
			c.report.Violate("copies_per_server", fmt.Sprintf("%s on servers[%s]", c.taskName(g.task), c.in.Servers[s].ID),
				float64(most[s]-c.in.MaxCopiesPerServer))
		}
	}
}

// runs holds each copy to the time in which it may run.
func (c *checker) runs() {
	stops := false // some copy stops before its task is done
	for _, g := range c.groups {
		last := g.completion // until when copies of the nonpreemptive regime run
		if last == never {
			for _, i := range c.copies[g.from:g.to] {
				last = max(last, c.s.Copies[i].End)
			}
		}
		for _, i := range c.copies[g.from:g.to] {
			cp := &c.s.Copies[i]
			if arrival := c.job(g.task).Arrival; cp.Start < arrival {
				c.report.Violate("arrival", c.copyName(i), slots(arrival, cp.Start))
			}
			if early := c.early(cp); early > 0 {
				c.report.Violate("parent", c.copyName(i), early)
			}
			if g.completion != never && cp.End > g.completion {
				c.report.Violate("after_completion", c.copyName(i), slots(cp.End, g.completion))
			}
			if cp.End < last {
				stops = true
				if c.s.Regime == Nonpreemptive {
					c.report.Violate("regime", c.copyName(i), slots(last, cp.End))
				}
			}
		}
	}
	if c.s.Regime == Nonpreemptive {
		c.report.Class = OptNonpreemptive
	}
	if !stops {
		c.report.Fits = []string{OptNonpreemptive}
	}
}

// early returns the number of slots by which a copy starts before its parent phases are completed, or all its slots if a parent
// never completes.
func (c *checker) early(cp *Copy) float64 {
	release := cp.Start
	for _, parent := range c.phase(cp.Task).Parents {
		completion := c.phases[cp.Task.Job][parent]
		if completion == never {
			return slots(cp.End, cp.Start)
		}
		release = max(release, completion)
	}
	return slots(release, cp.Start)
}

// capacities holds every server's resources to their capacities. The worst slot of each is reported.
func (c *checker) capacities() {
	byServer := slices.Clone(c.copies)
	slices.SortFunc(byServer, func(a, b int) int {
		return cmp.Or(cmp.Compare(c.s.Copies[a].Server, c.s.Copies[b].Server), cmp.Compare(a, b))
	})
	for from := 0; from < len(byServer); {
		server, to := c.s.Copies[byServer[from]].Server, from+1
		for to < len(byServer) && c.s.Copies[byServer[to]].Server == server {
			to++
		}
		c.capacity(server, c.changes(byServer[from:to]))
		from = to
	}
}

func (c *checker) capacity(server int, changes []change) {
	capacities := make([]float64, len(c.in.Resources))
	used := make([]amount, len(capacities))
	worst, slot := make([]float64, len(used)), make([]int, len(used))
	for r, capacity := range c.in.Servers[server].Capacity {
		capacities[r] = capacity * c.s.factor()
		used[r].scale = NewScale(capacities[r])
	}
	running := 0
	for i, ch := range changes {
		running += ch.by
		for r, d := range c.phase(c.s.Copies[ch.copy].Task).Demand {
			used[r].add(d, ch.by)
		}
		if running == 0 {
			for r := range used {
				used[r].sum = 0 // rounding errors do not outlive an idle moment
			}
			continue
		}
		if changes[i+1].at == ch.at {
			continue
		}
		fits := true
		for r, capacity := range capacities {
			over := used[r].sum - capacity
			if over > Tolerance*capacity && over > worst[r] {
				worst[r], slot[r] = over, ch.at+1
			}
			fits = fits && used[r].fits()
		}
		if !fits {
			c.crowds = append(c.crowds, crowd{ch.at, changes[i+1].at, running})
		}
	}
	for r, over := range worst {
		if over > 0 {
			where := fmt.Sprintf("servers[%s].%s in slot %d", c.in.Servers[server].ID, c.in.Resources[r], slot[r])
			c.report.Violate("capacity", where, over)
		}
	}
}

// objective is the sum of flowtimes, f_j − a_j, of an accepted schedule without its crowds; there is none when some job never
// completes.
func (c *checker) objective() {
	total := 0. // a sum of integers that no integer type need hold
	for j := range c.in.Jobs {
		finish := 0
		for _, completion := range c.phases[j] {
			if completion == never {
				return
			}
			finish = max(finish, completion)
		}
		total += slots(finish, c.in.Jobs[j].Arrival)
		if len(c.report.Violations) == 0 {
			total += c.delay(finish)
		}
	}
	c.report.Objective = &total
}
