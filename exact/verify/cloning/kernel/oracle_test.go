package kernel_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"schedgap/exact/cloning/oracle"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
	"schedgap/models/fail"
	"schedgap/models/trials"
)

// A named state of the oracle is a node of the graph with the tasks by place in the node.
type named struct {
	node   int32
	places []int
}

// Every state that the definition lets a job come to is a node from which it is done in as many slots, every placement of copies
// an arc in no more of them to the node of the state after it, and every arc a placement. Every other job comes after one that is alike.
func TestGraphsAgainstOracle(t *testing.T) {
	rng := trials.Rand(t, 25, 1)
	slots, ties := 0, 0
	for i := range trials.Count(640) {
		in := oracle.RandomInstance(rng, 4)
		if i%2 == 1 {
			in = oracle.ExtremeInstance(rng, 3)
		}
		in.Jobs = in.Jobs[:1]
		in.Jobs[0].Arrival = 0
		if in.MaxCopies > 2 && len(in.Servers) > 1 { // four tasks would have millions of placements
			in.Jobs[0].Phases = in.Jobs[0].Phases[:min(2, len(in.Jobs[0].Phases))]
			in.Jobs[0].Phases[0].Tasks = 1
		}
		for _, fixed := range []bool{false, true} {
			n, m := againstOracle(t, in, i/2%2, fixed)
			slots, ties = slots+n, ties+m
		}
	}
	t.Logf("%d slots of states, %d by tasks in the same state", slots, ties)
	if slots < 20*trials.Count(320) || ties == 0 {
		t.Error("too few for this test to say anything")
	}
}

// againstOracle holds the graph of an instance's job, after so many alike, against the oracle.
func againstOracle(t *testing.T, in *cloning.Instance, before int, fixed bool) (slots, ties int) {
	t.Helper()
	more := *in
	more.Jobs = slices.Repeat(in.Jobs, 1+before)
	sp, err := kernel.New(&more, fixed)
	fail.On(t, err)
	first := sp.Jobs[before].From
	g, err := sp.Graph(t.Context(), before)
	fail.On(t, err)
	fail := func(format string, args ...any) {
		t.Helper()
		file, _ := json.Marshal(in)
		t.Fatalf("fixed %v: %s\n%s", fixed, fmt.Sprintf(format, args...), file)
	}
	known, root := map[string]named{}, named{places: make([]int, len(g.Phase))}
	for i := range root.places {
		root.places[i] = i
	}
	key := func(s oracle.State) string { return fmt.Sprint(s) }
	servers, cells := len(in.Servers), 1
	if fixed {
		cells = servers
	}
	oracle.States(in, fixed, func(s oracle.State, left int, each func(func([]int, oracle.State))) {
		if len(known) == 0 {
			known[key(s)] = root
		}
		at, ok := known[key(s)]
		if !ok {
			return // it has copies that add nothing, and go on
		}
		node := &g.Nodes[at.node]
		if int(g.Free[at.node]) != left {
			fail("from %v a job is done in %d slots, by its node in %d", s, left, g.Free[at.node])
		}
		reached := map[int32]bool{}
		each(func(copies []int, next oracle.State) {
			slots++
			taken, matter := make([]uint8, len(g.Phase)*cells), true
			for place, i := range at.places {
				most := len(sp.Phases[first+g.Phase[place]].Gain)
				sum := 0
				for v, c := range copies[i*servers : (i+1)*servers] {
					sum += c
					if fixed {
						taken[place*cells+v] = uint8(c)
					}
				}
				matter = matter && (!fixed || sum <= most)
				if !fixed {
					taken[place] = uint8(min(sum, most))
				}
			}
			if !matter {
				return
			}
			places, state := sp.After(before, g, node, taken)
			to := g.Find(state.Progress, state.Running)
			if to < 0 || !slices.ContainsFunc(node.Arcs, func(a kernel.Arc) bool {
				return a.Next == to && kernel.NoMore(byPhase(g, a.Copies), byPhase(g, taken))
			}) {
				fail("no arc goes from %v by %v", s, copies)
			}
			reached[to] = true
			if _, twice := known[key(next)]; !twice {
				there := named{node: to, places: make([]int, len(places))}
				for place, before := range places {
					there.places[place] = at.places[before]
				}
				known[key(next)] = there
				if !slices.IsSorted(there.places) {
					ties++
				}
			}
		})
		for _, a := range node.Arcs {
			if left > 0 && !reached[a.Next] && at.node != a.Next {
				fail("the arc %v of %v is no placement", a.Copies, s)
			}
			if !inOrder(g, node, &a) {
				fail("the arc %v of %v: of tasks alike not the first ones run in the most copies", a.Copies, s)
			}
			if bought := buys(g, a.Copies); !slices.Equal(a.Buys, bought) {
				fail("the arc %v of %v buys %v and says %v", a.Copies, s, bought, a.Buys)
			}
		}
	})
	return slots, ties
}

// byPhase has the numbers of copies in the order of phases, and of each the larger ones first: tasks that change places do not matter.
func byPhase(g *kernel.Graph, copies []uint8) []int {
	list, n := make([]int, len(g.Phase)), len(copies)/len(g.Phase)
	for i := range list {
		list[i] = kernel.Tally(copies[i*n : (i+1)*n])
	}
	for i := range list {
		end := i
		for end < len(list) && g.Phase[end] == g.Phase[i] {
			end++
		}
		slices.SortFunc(list[i:end], func(a, b int) int { return b - a })
	}
	return list
}

// inOrder reports whether of tasks in the same state the first ones run in the most copies.
func inOrder(g *kernel.Graph, node *kernel.Node, a *kernel.Arc) bool {
	n := len(a.Copies) / len(g.Phase)
	for i := range g.Phase {
		if g.Alike(node, i) && bytes.Compare(a.Copies[(i-1)*n:i*n], a.Copies[i*n:(i+1)*n]) < 0 {
			return false
		}
	}
	return true
}

// buys are an arc's copies by phase.
func buys(g *kernel.Graph, copies []uint8) (list []kernel.Buy) {
	n := len(copies) / len(g.Phase)
	for k := range slices.Max(g.Phase) + 1 {
		sum := 0
		for c, r := range copies {
			if g.Phase[c/n] == k {
				sum += int(r)
			}
		}
		if sum > 0 {
			list = append(list, kernel.Buy{Phase: int32(k), Copies: int32(sum)})
		}
	}
	return list
}

// Without clones every number of tasks of each phase that fits is an arc, of the ones with the least progress; a job takes no longer so.
func TestLevel(t *testing.T) {
	rng := trials.Rand(t, 57, 5)
	passed := 0
	for range trials.Count(400) {
		in := oracle.RandomInstance(rng, 5)
		in.MaxCopies, in.MaxCopiesPerServer = 1, 1
		if len(in.Jobs) > 1 && rng.IntN(2) == 0 {
			in.Jobs = in.Jobs[:2]
		}
		j := len(in.Jobs) - 1
		in.Jobs[j].Phases[0].Tasks = 1 + rng.IntN(4)
		var graphs [2]*kernel.Graph
		var sp *kernel.Space
		for level := range graphs {
			var err error
			sp, err = kernel.New(in, false)
			fail.On(t, err)
			sp.Level = level == 1
			graphs[level], err = sp.Graph(t.Context(), j)
			fail.On(t, err)
		}
		if a, b := graphs[0].Free[0], graphs[1].Free[0]; a != b {
			t.Fatalf("%d slots of the tasks by level and %d of any\n%s", b, a, oracle.Show(in))
		}
		g := graphs[1]
		for s := range g.Nodes {
			var got []string
			for _, a := range g.Nodes[s].Arcs {
				got = append(got, string(a.Copies))
			}
			want := levels(in, sp, j, g, &g.Nodes[s])
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) && int32(s) != g.End {
				t.Fatalf("node %v has the arcs %q, want %q\n%s", g.Nodes[s].Progress, got, want, oracle.Show(in))
			}
		}
		passed += len(graphs[0].Nodes) - len(g.Nodes)
	}
	if passed < trials.Count(400)/4 {
		t.Errorf("%d nodes fewer: too few for this test to say anything", passed)
	}
}

// levels are copies by task for all numbers of tasks that fit on the servers, in each phase those with the least progress, and of these the
// first.
func levels(in *cloning.Instance, sp *kernel.Space, j int, g *kernel.Graph, node *kernel.Node) (list []string) {
	job := sp.Jobs[j]
	open := make([][]int, job.To-job.From) // by phase, its tasks that are not done, the least progress first
	for i, k := range g.Phase {
		if node.Progress[i] < sp.Phases[job.From+k].Need {
			open[k] = append(open[k], i)
		}
	}
	for k := range open {
		slices.SortStableFunc(open[k], func(a, b int) int { return cmp.Compare(node.Progress[a], node.Progress[b]) })
	}
	copies := make([]uint8, len(g.Phase))
	var from func(k int, phases, ones []int)
	from = func(k int, phases, ones []int) {
		if k == len(open) {
			if oracle.Fits(in, phases, ones) {
				list = append(list, string(copies))
			}
			return
		}
		from(k+1, phases, ones)
		if slices.ContainsFunc(in.Jobs[j].Phases[k].Parents, func(p int) bool { return len(open[p]) > 0 }) {
			return
		}
		for _, i := range open[k] {
			copies[i] = 1
			phases, ones = append(phases[:len(phases):len(phases)], job.From+k), append(ones[:len(ones):len(ones)], 1)
			from(k+1, phases, ones)
		}
		for _, i := range open[k] {
			copies[i] = 0
		}
	}
	from(0, nil, nil)
	return list
}

// What fits by the definition has a place, and nothing else.
func TestPackingsAgainstOracle(t *testing.T) {
	rng := trials.Rand(t, 25, 2)
	fitting, sets := 0, 0
	for i := range trials.Count(640) {
		in := oracle.RandomInstance(rng, 6)
		if i%2 == 1 {
			in = oracle.ExtremeInstance(rng, 6)
		}
		sp, err := kernel.New(in, false)
		fail.On(t, err)
		for range 40 {
			var phases, copies []int
			var list []kernel.Copies
			set := sp.Empty
			for range 1 + rng.IntN(4) {
				k := rng.IntN(len(sp.Phases))
				n := 1 + rng.IntN(len(sp.Phases[k].Gain))
				phases, copies, list = append(phases, k), append(copies, n), append(list, kernel.Copies{Phase: k, N: n})
				set = sp.With(set, sp.Item(k, n))
			}
			want := oracle.Fits(in, phases, copies)
			placed := make([]int, len(list))
			if got := sp.Place(list, func(i, _ int) { placed[i]++ }); got != want || got != (set != nil) || got &&
				!slices.Equal(placed, copies) {
				file, _ := json.Marshal(in)
				t.Fatalf("%v fits: %v, by the search %v, by sets %v, placed %v\n%s", list, want, got, set != nil, placed, file)
			}
			sets++
			if !want {
				continue
			}
			fitting++
			var items []int32
			for i := range list {
				items = append(items, sp.Item(phases[i], copies[i]))
			}
			last := len(items) - 1
			if rest := sp.WithAll(sp.Empty, items[:last]); sp.WithAll(sp.Empty, items) != set || sp.Without(set, items[last]) != rest ||
				sp.Without(set, items[last]) != rest || sp.With(rest, items[last]) != set {
				t.Fatalf("%v: to add and take away items leads to other sets", list)
			}
		}
	}
	t.Logf("%d sets of copies, %d fit", sets, fitting)
	if fitting == 0 || fitting == sets {
		t.Error("all fit, or nothing")
	}
}

// ancestors are the phases of a job that must be done before each of them, by the definition.
func ancestors(job *cloning.Job) []map[int]bool {
	list := make([]map[int]bool, len(job.Phases))
	for _, k := range job.Order() {
		list[k] = map[int]bool{}
		for _, p := range job.Phases[k].Parents {
			list[k][p] = true
			for q := range list[p] {
				list[k][q] = true
			}
		}
	}
	return list
}

// Whatever a schedule runs in a slot, its copies pay no more than the servers earn at most; often that is what they earn.
// Copies of phases without a price earn nothing.
func TestEarningsAgainstOracle(t *testing.T) {
	rng := trials.Rand(t, 25, 3)
	slots, tight := 0, 0
	for i := range trials.Count(320) {
		in := oracle.RandomInstance(rng, 6)
		if i%2 == 1 {
			in = oracle.ExtremeInstance(rng, 6)
		}
		sp, err := kernel.New(in, false)
		fail.On(t, err)
		choices := 1 + rng.IntN(2)*1000
		all := sp.Patterns(20_000, choices)
		if all == nil {
			continue
		}
		price, dearest := make([]int64, len(sp.Phases)), int64(0)
		for k := range price {
			if rng.IntN(4) > 0 {
				price[k] = []int64{0, 1, 2, 3, 1 << 23}[rng.IntN(5)]
			}
		}
		earned := all.Earn(price)
		for range 80 {
			var phases, copies []int
			pays := int64(0)
			for j := range in.Jobs {
				before := ancestors(&in.Jobs[j])
				var running []int
			phase:
				for _, k := range rng.Perm(len(in.Jobs[j].Phases)) {
					for _, q := range running {
						if before[k][q] || before[q][k] {
							continue phase
						}
					}
					running = append(running, k)
					for range rng.IntN(in.Jobs[j].Phases[k].Tasks + 1) {
						at := sp.Jobs[j].From + k
						n := 1 + rng.IntN(len(sp.Phases[at].Gain))
						phases, copies, pays = append(phases, at), append(copies, n), pays+int64(n)*price[at]
					}
				}
			}
			if !oracle.Fits(in, phases, copies) {
				continue
			}
			dearest = max(dearest, pays)
			slots++
			if pays > earned {
				file, _ := json.Marshal(in)
				t.Fatalf("copies %v of phases %v pay %d at %v, more than %d\n%s", copies, phases, pays, price, earned, file)
			}
		}
		if dearest == earned {
			tight++
		}
	}
	t.Logf("%d slots, %d of %d instances earn what some slot pays", slots, tight, trials.Count(320))
	if slots < 20*trials.Count(320) || tight < trials.Count(320)/4 {
		t.Error("too few for this test to say anything")
	}
}
