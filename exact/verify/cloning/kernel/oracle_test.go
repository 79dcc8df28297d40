package kernel_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"schedgap/exact/cloning/oracle"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
	"schedgap/models/trials"
)

// A named state of the oracle is a node of the graph with the tasks by place in the node.
type named struct {
	node   int32
	places []int
}

// Every state that the definition lets a job come to is a node from which it is done in as many slots, every placement of copies
// an arc to the node of the state after it, and every arc a placement.
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
		for _, fixed := range []bool{false, true} {
			n, m := againstOracle(t, in, fixed)
			slots, ties = slots+n, ties+m
		}
	}
	t.Logf("%d slots of states, %d by tasks in the same state", slots, ties)
	if slots < 20*trials.Count(320) || ties == 0 {
		t.Error("too few for this test to say anything")
	}
}

func againstOracle(t *testing.T, in *cloning.Instance, fixed bool) (slots, ties int) {
	t.Helper()
	sp, err := kernel.New(in, fixed)
	if err != nil {
		t.Fatal(err)
	}
	g, err := sp.Graph(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	fail := func(format string, args ...any) {
		t.Helper()
		file, _ := json.Marshal(in)
		t.Fatalf("fixed %v: %s\n%s", fixed, fmt.Sprintf(format, args...), file)
	}
	known, first := map[string]named{}, named{places: make([]int, len(g.Phase))}
	for i := range first.places {
		first.places[i] = i
	}
	key := func(s oracle.State) string { return fmt.Sprint(s) }
	servers, cells := len(in.Servers), 1
	if fixed {
		cells = servers
	}
	oracle.States(in, fixed, func(s oracle.State, left int, each func(func([]int, oracle.State))) {
		if len(known) == 0 {
			known[key(s)] = first
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
				most := len(sp.Phases[g.Phase[place]].Gain)
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
			places, state := sp.After(0, g, node, taken)
			to := g.Find(state.Progress, state.Running)
			if to < 0 || !slices.ContainsFunc(node.Arcs, func(a kernel.Arc) bool { return a.Next == to }) {
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
		}
	})
	return slots, ties
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
		if err != nil {
			t.Fatal(err)
		}
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
			if want {
				fitting++
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
		if err != nil {
			t.Fatal(err)
		}
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
