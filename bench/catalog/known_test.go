package catalog

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/bench/plan/suite"
	"schedgap/models/cloning"
	"schedgap/models/flex"
	"schedgap/models/pocd"
	"schedgap/models/redundancy"
	"schedgap/models/speculation"
)

// An answer is the optimum of a special case by the algorithm of a theorem, written here from its statement.
type answer struct {
	rule  string
	value float64
}

// TestKnownAnswers: on every instance of the suites of known answers, opt proves what the theorem's own algorithm finds, and
// datasets/answers/known.csv has these values.
func TestKnownAnswers(t *testing.T) {
	r := registry(t)
	table := [][]string{{"instance", "special case", "optimum"}}
	for _, p := range r.Problems {
		suites, err := suite.Load("known-answers-"+p.Name, r)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := suites[0].Resolve(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		cases := 0
		for _, u := range plan.Units {
			in := u.Instance
			if u.Request.Algorithm != "opt" {
				continue
			}
			cases++
			want := known(t, in)
			for _, start := range []string{"with a start", "without"} {
				problem := p
				if start == "without" && p.Name != "cloning" {
					w := unstarted()[p.Name]
					problem = w.problem
				}
				res := solve(problem, in, bench.Request{Algorithm: "opt", Seed: 1, Threads: 1})
				if res.Status != bench.Optimal || math.Abs(*res.Objective-want.value) > 1e-9*max(1, math.Abs(want.value)) {
					t.Errorf("%s %s: opt %s %v %s, %s says %v", in.Name, start, res.Status, show(res.Objective), res.Error, want.rule,
						want.value)
				}
			}
			if w := unstarted()[p.Name]; strings.Contains(want.rule, "ΣC") && p.Name == "flex" {
				// Deng, Gu, Brecht, Lu 2000; weighted: Beaumont, Bonichon, Eyraud-Dubois, Marchal 2012: equipartition is within
				// 2.
				res := solve(w.problem, in, bench.Request{Algorithm: "fair", Seed: 1, Threads: 1})
				if *res.Objective > 2*want.value {
					t.Errorf("%s: fair has %v, more than twice %v", in.Name, *res.Objective, want.value)
				}
			}
			table = append(table, []string{in.Name, want.rule, fmt.Sprintf("%.10g", want.value)})
		}
		if cases < 12 {
			t.Errorf("%s has %d known answers", p.Name, cases)
		}
	}
	generatedCSV(t, "known", table)
}

// generatedCSV compares a table of datasets/answers with the given one, or writes it.
func generatedCSV(t *testing.T, name string, table [][]string) {
	t.Helper()
	var want bytes.Buffer
	if err := csv.NewWriter(&want).WriteAll(table); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("..", "..", "datasets", "answers", name+".csv")
	if *update {
		if err := os.WriteFile(file, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want.Bytes()) {
		t.Errorf("%s is not what the tests compute; run them with -update to write it", file)
	}
}

// known is the answer of an instance of the suites.
func known(t *testing.T, in *bench.Instance) answer {
	t.Helper()
	switch in.Problem.Name {
	case "flex":
		i, err := flex.Problem.ParseInstance(in.Name, in.JSON)
		if err != nil {
			t.Fatal(err)
		}
		return knownFlex(t, i)
	case "pocd":
		i, err := pocd.Problem.ParseInstance(in.Name, in.JSON)
		if err != nil {
			t.Fatal(err)
		}
		return answer{fmt.Sprintf("knapsack, α = %g (Bellman)", i.Alpha), knapsack(i)}
	case "cloning":
		i, err := cloning.Problem.ParseInstance(in.Name, in.JSON)
		if err != nil {
			t.Fatal(err)
		}
		var jobs []work
		for _, j := range i.Jobs {
			total := 0.0
			for _, ph := range j.Phases {
				if i.MaxCopies != 1 || len(i.Servers) != 1 || 2*ph.Demand[0] <= i.Servers[0].Capacity[0] {
					t.Fatalf("%s is no single machine", in.Name)
				}
				total += float64(ph.Tasks) * math.Ceil(ph.Mean)
			}
			jobs = append(jobs, work{float64(j.Arrival), total})
		}
		return answer{"one machine, slotted, ΣC − Σr by SRPT (Schrage)", srpt(jobs, 1)}
	case "redundancy":
		i, err := redundancy.Problem.ParseInstance(in.Name, in.JSON)
		if err != nil {
			t.Fatal(err)
		}
		return knownRedundancy(t, i)
	}
	i, err := speculation.Problem.ParseInstance(in.Name, in.JSON)
	if err != nil {
		t.Fatal(err)
	}
	return answer{fmt.Sprintf("assignment to %d slots (Kuhn)", len(i.Slots)), assignment(i)}
}

func knownFlex(t *testing.T, in *flex.Instance) answer {
	jobs, m := slices.Clone(in.Jobs), float64(in.Slots)
	total, longest := 0.0, 0.0
	for _, j := range jobs {
		if j.Min != 0 || j.Max != jobs[0].Max || j.Max != 1 && j.Max != in.Slots {
			t.Fatalf("%s is no special case", in.Name)
		}
		total, longest = total+j.Work, max(longest, j.Work)
	}
	single := jobs[0].Max == in.Slots
	by := func(key func(j flex.Job) float64) {
		slices.SortStableFunc(jobs, func(a, b flex.Job) int { return cmp.Compare(key(a), key(b)) })
	}
	o := in.Objective
	switch {
	case single && o.Metric == flex.Response && o.Weighted:
		by(func(j flex.Job) float64 { return j.Work / j.Weight })
		now, sum := 0.0, 0.0
		for _, j := range jobs {
			now += j.Work / m
			sum += j.Weight * now
		}
		return answer{"1 ∥ ΣwC by WSPT (Smith)", sum}
	case single && o.Metric == flex.Lateness && o.Aggregate == flex.Max:
		by(func(j flex.Job) float64 { return *j.Deadline })
		now, worst := 0.0, math.Inf(-1)
		for _, j := range jobs {
			now += j.Work / m
			worst = max(worst, now-*j.Deadline)
		}
		return answer{"1 ∥ Lmax by EDD (Jackson)", worst}
	case single && o.Metric == flex.Tardy && !o.Weighted:
		by(func(j flex.Job) float64 { return *j.Deadline })
		var kept []float64
		now := 0.0
		for _, j := range jobs {
			kept = append(kept, j.Work)
			now += j.Work / m
			if now > *j.Deadline {
				i := slices.Index(kept, slices.Max(kept))
				now -= kept[i] / m
				kept = slices.Delete(kept, i, i+1)
			}
		}
		return answer{"1 ∥ ΣU by Moore and Hodgson", float64(len(jobs) - len(kept))}
	case !single && o.Metric == flex.Response && o.Aggregate == flex.Sum && !o.Weighted:
		by(func(j flex.Job) float64 { return j.Work })
		ends, sum := make([]float64, in.Slots), 0.0
		for i, j := range jobs {
			ends[i%in.Slots] += j.Work
			sum += ends[i%in.Slots]
		}
		return answer{"P | pmtn | ΣC by SPT (McNaughton)", sum}
	case !single && o.Metric == flex.Response && o.Aggregate == flex.Max && !o.Weighted:
		return answer{"P | pmtn | Cmax = max(ΣW/m, max W) (McNaughton)", max(total/m, longest)}
	case !single && o.Metric == flex.Lateness && o.Aggregate == flex.Max && !o.Weighted:
		low, high := -1e6, 1e6
		for range 80 {
			if mid := (low + high) / 2; horn(jobs, m, mid) {
				high = mid
			} else {
				low = mid
			}
		}
		return answer{"P | pmtn | Lmax by flows (Horn)", high}
	}
	t.Fatalf("%s is no special case", in.Name)
	return answer{}
}

// horn reports whether m machines meet all deadlines moved by late: a flow from jobs to the intervals between deadlines, at most
// an interval's length from each job and m times that into it, carries all work.
func horn(jobs []flex.Job, m, late float64) bool {
	var ends []float64
	for _, j := range jobs {
		ends = append(ends, *j.Deadline+late)
	}
	slices.Sort(ends)
	n := len(jobs)
	length := make([]float64, n)
	flow, used := make([][]float64, n), make([]float64, n)
	for q, end := range ends {
		length[q] = end
		if q > 0 {
			length[q] -= max(0, ends[q-1])
		}
		length[q] = max(0, length[q])
	}
	for j := range jobs {
		flow[j] = make([]float64, n)
	}
	for j, job := range jobs {
		for left := job.Work; left > 1e-12*job.Work; {
			// A shortest augmenting path alternates between jobs and intervals.
			from, by := slices.Repeat([]int{-1}, n), slices.Repeat([]int{-1}, n) // interval ← job, job ← interval
			queue, last := []int{j}, -1
			for len(queue) > 0 && last < 0 {
				a := queue[0]
				queue = queue[1:]
				for q := 0; q < n && last < 0; q++ {
					if from[q] >= 0 || ends[q] > *jobs[a].Deadline+late || length[q]-flow[a][q] <= 1e-13*job.Work {
						continue
					}
					from[q] = a
					if m*length[q]-used[q] > 1e-13*job.Work {
						last = q
						break
					}
					for b := range jobs {
						if b != j && by[b] < 0 && flow[b][q] > 1e-13*job.Work {
							by[b] = q
							queue = append(queue, b)
						}
					}
				}
			}
			if last < 0 {
				return false
			}
			amount := min(left, m*length[last]-used[last])
			for q := last; ; q = by[from[q]] {
				a := from[q]
				amount = min(amount, length[q]-flow[a][q])
				if a == j {
					break
				}
				amount = min(amount, flow[a][by[a]])
			}
			used[last] += amount
			for q := last; ; q = by[from[q]] {
				a := from[q]
				flow[a][q] += amount
				if a == j {
					break
				}
				flow[a][by[a]] -= amount
			}
			left -= amount
		}
	}
	return true
}

type work struct{ arrival, left float64 }

// srpt is Σ(C − r) on one machine of a speed that always runs the job with the shortest remaining time.
func srpt(jobs []work, speed float64) float64 {
	slices.SortStableFunc(jobs, func(a, b work) int { return cmp.Compare(a.arrival, b.arrival) })
	now, sum, next := 0.0, 0.0, 0
	var active []work
	for next < len(jobs) || len(active) > 0 {
		if len(active) == 0 {
			now = max(now, jobs[next].arrival)
		}
		for next < len(jobs) && jobs[next].arrival <= now {
			active = append(active, jobs[next])
			next++
		}
		slices.SortStableFunc(active, func(a, b work) int { return cmp.Compare(a.left, b.left) })
		run := active[0].left / speed
		if next < len(jobs) && now+run > jobs[next].arrival {
			run = jobs[next].arrival - now
			active[0].left -= run * speed
			now = jobs[next].arrival
			continue
		}
		now += run
		sum += now - active[0].arrival
		active = active[1:]
	}
	return sum
}

func knownRedundancy(t *testing.T, in *redundancy.Instance) answer {
	var jobs []work
	together := true
	for _, j := range in.Jobs {
		jobs = append(jobs, work{j.Arrival, j.Work})
		together = together && j.Arrival == in.Jobs[0].Arrival
	}
	switch last := in.Speedup[in.Machines-1]; {
	case last == float64(in.Machines): // one machine, too
		return answer{fmt.Sprintf("%d machines as one, ΣC − Σr by SRPT (Schrage)", in.Machines), srpt(jobs, last)}
	case last == 1 && together:
		slices.SortFunc(jobs, func(a, b work) int { return cmp.Compare(a.left, b.left) })
		ends, sum := make([]float64, in.Machines), 0.0
		for i, j := range jobs {
			ends[i%in.Machines] += j.left
			sum += ends[i%in.Machines]
		}
		return answer{"P ∥ ΣC by SPT (Conway, Maxwell and Miller)", sum}
	}
	t.Fatalf("%s is no special case", in.Name)
	return answer{}
}

// knapsack is the multiple-choice knapsack by Bellman's recursion: a job's classes are numbers of extra copies, each spread over
// its stragglers in the best of all ways.
func knapsack(in *pocd.Instance) float64 {
	room := in.Capacity - len(in.Jobs)
	for _, j := range in.Jobs {
		room -= len(j.Tasks)
	}
	best := make([]float64, room+1) // sum so far by copies
	for _, j := range in.Jobs {
		// Log-probabilities by copies, task by task.
		logs := slices.Repeat([]float64{math.Inf(-1)}, room+1)
		logs[0] = 0
		hopeless := j.Elapsed >= j.Deadline
		for _, task := range j.Tasks {
			q := min(1, (1-task.Progress)*task.TMin/(j.Deadline-j.Elapsed))
			hopeless = hopeless || q >= 1
			most := 0
			if task.Straggler {
				most = in.MaxCopies
			}
			next := slices.Repeat([]float64{math.Inf(-1)}, room+1)
			for b, v := range logs {
				for r := 0; r <= most && b+r <= room; r++ {
					next[b+r] = max(next[b+r], v+math.Log1p(-math.Pow(q, task.Beta*float64(r+1))))
				}
			}
			logs = next
		}
		if hopeless { // worth 0 for α = 0, left out for α = 1
			continue
		}
		next := slices.Repeat([]float64{math.Inf(-1)}, room+1)
		for c, sum := range best {
			for b := 0; c+b <= room; b++ {
				v := logs[b]
				if in.Alpha == 0 {
					v = math.Exp(v)
				}
				next[c+b] = max(next[c+b], sum+v)
			}
		}
		best = next
	}
	return slices.Max(best)
}

// assignment is the best matching by recursion over sets of slots (Held and Karp).
func assignment(in *speculation.Instance) float64 {
	best := slices.Repeat([]float64{math.Inf(-1)}, 1<<len(in.Slots))
	best[0] = 0
	for i, s := range in.Stragglers {
		for set := len(best) - 1; set >= 0; set-- {
			for j, v := range in.Slots {
				c := in.CopyTime[i][j]
				if set>>j&1 == 0 || math.IsNaN(c) {
					continue
				}
				time := s.Finish - (v.Start + c)
				energy := s.Power*time - v.Power*c
				if time > 0 && energy > 0 {
					best[set] = max(best[set], best[set&^(1<<j)]+time+in.EnergyWeight*energy)
				}
			}
		}
	}
	return slices.Max(best)
}
