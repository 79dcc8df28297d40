package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/exact/cloning/oracle"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
	"schedgap/models/fail"
	"schedgap/models/trials"
)

// onServers is a random instance of which a class has up to three servers.
func onServers(rng *rand.Rand, tasks int) *cloning.Instance {
	in := oracle.RandomInstance(rng, tasks)
	for range rng.IntN(3) {
		in.Servers = append(in.Servers, in.Servers[0])
	}
	return in
}

// fitting lists all numbers of copies that a server holds, by phase, at most so many of each and none of phases apart, of which no further
// one finds room.
func fitting(size [][]int64, room []int64, most []int, apart func(k, q int) bool) (list []string) {
	var all [][]int
	now := make([]int, len(size))
	ok := func() bool {
		for r, free := range room {
			for k, n := range now {
				if size[k] != nil {
					free -= int64(n) * size[k][r]
				}
			}
			if free < 0 {
				return false
			}
		}
		for k, n := range now {
			for q, m := range now {
				if n > most[k] || n > 0 && size[k] == nil || n > 0 && m > 0 && apart(k, q) {
					return false
				}
			}
		}
		return true
	}
	var from func(k int)
	from = func(k int) {
		if !ok() {
			return
		}
		if k == len(now) {
			all = append(all, slices.Clone(now))
			return
		}
		for range most[k] + 1 {
			from(k + 1)
			now[k]++
		}
		now[k] = 0
	}
	from(0)
	for _, a := range all {
		if !slices.ContainsFunc(all, func(b []int) bool { return kernel.NoMore(a, b) && !slices.Equal(a, b) }) {
			list = append(list, fmt.Sprint(a))
		}
	}
	slices.Sort(list)
	return list
}

// Sets of a space and patterns of demands are all maximal ones, with those of a limit and none of a lower one.
func TestSetsOfServers(t *testing.T) {
	rng := trials.Rand(t, 57, 6)
	several, apart := 0, 0
	for range trials.Count(400) {
		in := onServers(rng, 5)
		sp, err := kernel.New(in, false)
		fail.On(t, err)
		var demands [][]float64
		var most []int
		for k := range sp.Phases {
			ph := &sp.Phases[k]
			demands = append(demands, in.Jobs[ph.Job].Phases[k-sp.Jobs[ph.Job].From].Demand)
			most = append(most, ph.Tasks()*min(in.MaxCopiesPerServer, len(ph.Gain)))
		}
		for c := range sp.Classes {
			class := &sp.Classes[c]
			size, room := quarters(demands, class.Capacity)
			want := fitting(size, room, most, func(k, q int) bool { return related(in, sp, k, q) })
			if got := counts(sp.Sets(c, 100), len(sp.Phases)); !slices.Equal(got, want) {
				t.Fatalf("class %d: sets %v, want %v\n%s", c, got, want, oracle.Show(in))
			}
			all := fitting(size, room, most, func(int, int) bool { return false })
			var got []string
			for _, p := range class.Patterns(demands, most, 100) {
				got = append(got, fmt.Sprint(p))
			}
			slices.Sort(got)
			if !slices.Equal(got, all) {
				t.Fatalf("class %d: patterns %v, want %v\n%s", c, got, all, oracle.Show(in))
			}
			if n := len(want); n > 1 {
				several++
				if sp.Sets(c, n) == nil || sp.Sets(c, n-1) != nil {
					t.Fatalf("%d sets and a limit of so many, and of one fewer", n)
				}
			}
			if n := len(all); class.Patterns(demands, most, n) == nil || n > 1 && class.Patterns(demands, most, n-1) != nil {
				t.Fatalf("%d patterns and a limit of so many, and of one fewer", n)
			}
			if len(all) != len(want) {
				apart++
			}
		}
	}
	if several < trials.Count(100) || apart < trials.Count(40) {
		t.Errorf("%d with several sets, %d with phases apart: too few for this test to say anything", several, apart)
	}
}

// quarters are demands and a capacity in parts that random instances have whole numbers of; the demand is nil where it does not fit.
func quarters(demands [][]float64, capacity []float64) (size [][]int64, room []int64) {
	const unit = 32
	for _, c := range capacity {
		room = append(room, int64(unit*c))
	}
	size = make([][]int64, len(demands))
	for k, d := range demands {
		if cloning.Fits(d, capacity) {
			for _, v := range d {
				size[k] = append(size[k], int64(unit*v))
			}
		}
	}
	return size, room
}

// related reports whether one phase must be done before the other begins.
func related(in *cloning.Instance, sp *kernel.Space, k, q int) bool {
	j := sp.Phases[k].Job
	if sp.Phases[q].Job != j {
		return false
	}
	before := ancestors(&in.Jobs[j])
	k, q = k-sp.Jobs[j].From, q-sp.Jobs[j].From
	return before[k][q] || before[q][k]
}

// counts are sets as numbers of copies by phase. A set that has a phase without copies is marked.
func counts(sets [][]kernel.Buy, phases int) (list []string) {
	for _, set := range sets {
		n, mark := make([]int32, phases), ""
		for _, b := range set {
			n[b.Phase] += b.Copies
			if b.Copies == 0 {
				mark = " with an empty one"
			}
		}
		list = append(list, fmt.Sprint(n)+mark)
	}
	slices.Sort(list)
	return list
}

// Servers earn what the best choice of one pattern for each brings, whatever the limit on choices, or the sum of their dearest patterns;
// what is taken is worth that choice. A phase beyond its limit and the cheaper one of the dearest two phases apart bring nothing.
func TestEarnings(t *testing.T) {
	rng := trials.Rand(t, 57, 7)
	gaveUp, chains := 0, 0
	for range trials.Count(600) {
		in := onServers(rng, 6)
		if rng.IntN(2) == 0 { // phases of one chain on as many servers
			chain := &in.Jobs[0]
			for len(chain.Phases) < 3+rng.IntN(2) {
				chain.Phases = append(chain.Phases, chain.Phases[0])
			}
			for k := range chain.Phases {
				chain.Phases[k].Parents = nil
				if k > 0 && rng.IntN(4) > 0 {
					chain.Phases[k].Parents = []int{k - 1}
				}
			}
			in.Servers = append(in.Servers, in.Servers[0], in.Servers[0])[:3]
		}
		sp, err := kernel.New(in, false)
		fail.On(t, err)
		p := sp.Patterns(10_000, 1<<20)
		price := make([]int64, len(sp.Phases))
		for k := range price {
			price[k] = []int64{0, 1, 2, 3, 5, 7}[rng.IntN(6)]
		}
		want, dearest, held, dropped := dearestChoice(in, sp, p, price)
		if got := p.Earn(price); got != want || p.Held() != held {
			t.Fatalf("the servers earn %d at %v and hold %d, want %d and %d\n%s", got, price, p.Held(), want, held, oracle.Show(in))
		}
		if dropped > 1 {
			chains++
		}
		for choices := range 4 {
			few := sp.Patterns(10_000, choices)
			got := few.Earn(price)
			if got != want && got != dearest {
				t.Fatalf("with %d choices the servers earn %d at %v, neither %d nor %d\n%s", choices, got, price, want, dearest, oracle.Show(in))
			}
			if got != want {
				gaveUp++
			}
		}
		if again := p.With(p.Sets).Earn(price); again != want {
			t.Fatalf("%d with the same sets, want %d", again, want)
		}
		takes := int64(0)
		for k, n := range p.Take {
			takes += n * price[k]
		}
		if takes != want {
			t.Fatalf("%v is taken, worth %d of %d at %v\n%s", p.Take, takes, want, price, oracle.Show(in))
		}
	}
	if gaveUp < trials.Count(40) || chains < trials.Count(40) {
		t.Errorf("%d gave up, %d with several phases apart: too few for this test to say anything", gaveUp, chains)
	}
}

// dearestChoice tries all patterns for all servers. dropped is the number of pairs of phases apart of the best choice.
func dearestChoice(in *cloning.Instance, sp *kernel.Space, p *kernel.Patterns, price []int64) (best, dearest, held int64, dropped int) {
	count := make([]int64, len(price))
	pays := func(k int) int64 { return price[k] * min(count[k], int64(sp.Phases[k].Tasks()*len(sp.Phases[k].Gain))) }
	best = -1
	var from func(server int)
	from = func(server int) {
		if server < len(sp.Servers) {
			for _, set := range p.Sets[sp.Servers[server]] {
				for _, b := range set {
					count[b.Phase] += int64(b.Copies)
				}
				from(server + 1)
				for _, b := range set {
					count[b.Phase] -= int64(b.Copies)
				}
			}
			return
		}
		sum, pairs := int64(0), 0
		for _, job := range sp.Jobs {
			drop := int64(0)
			for k := job.From; k < job.To; k++ {
				sum += pays(k)
				for q := job.From; q < k; q++ {
					if both := min(pays(k), pays(q)); both > 0 && related(in, sp, k, q) {
						drop = max(drop, both)
						pairs++
					}
				}
			}
			sum -= drop
		}
		if sum > best {
			best, dropped = sum, pairs
		}
	}
	from(0)
	for _, c := range sp.Servers {
		worth, most := int64(0), int64(0)
		for _, set := range p.Sets[c] {
			pays, copies := int64(0), int64(0)
			for _, b := range set {
				pays, copies = pays+int64(b.Copies)*price[b.Phase], copies+int64(b.Copies)
			}
			worth, most = max(worth, pays), max(most, copies)
		}
		dearest, held = dearest+worth, held+most
	}
	return best, dearest, held, dropped
}

// To list the sets of one phase takes as many steps as it has copies and two more, of which there are 200 for each set of the limit, and
// 100 for each pattern.
func TestStepsOfSets(t *testing.T) {
	for _, c := range []struct {
		tasks          int
		sets, patterns bool
	}{{98, true, true}, {99, true, false}, {198, true, false}, {199, false, false}} {
		sp, err := kernel.New(of(1, 1, jobOf(0, c.tasks, 1, 1)), false)
		fail.On(t, err)
		sets, patterns := sp.Sets(0, 1), sp.Classes[0].Patterns([][]float64{{0}}, []int{c.tasks}, 1)
		if (sets != nil) != c.sets || (patterns != nil) != c.patterns {
			t.Errorf("%d tasks: sets %v, patterns %v", c.tasks, sets, patterns)
		}
	}
}

// To place three copies takes three steps, and with fewer it is not known whether they fit. 5 and 6 of 4 do not fit, which is known.
func TestStepsOfPackings(t *testing.T) {
	for _, c := range []struct {
		steps, copies int
		fits, gaveUp  bool
	}{{3, 3, true, false}, {2, 3, false, true}, {100, 5, false, false}} {
		in := of(2, 5, jobOf(0, 1, 9, 1, 2, 3, 4, 5))
		in.Jobs[0].Phases[0].Demand[0] = 0.5
		in.MaxCopies, in.MaxCopiesPerServer = 5, 5
		sp, err := kernel.New(in, false)
		fail.On(t, err)
		sp.Steps = c.steps
		fits := sp.Place([]kernel.Copies{{Phase: 0, N: c.copies}}, nil)
		if fits != c.fits || sp.GaveUp != c.gaveUp || (sp.Err() != nil) != c.gaveUp || c.fits && sp.Tries != c.steps {
			t.Errorf("%d copies in %d steps fit: %v, gave up: %v, tries %d", c.copies, c.steps, fits, sp.GaveUp, sp.Tries)
		}
	}
}

// Of 2,000 items there are 10,000 sets, beside the empty one, until it is given up to make more.
func TestManySets(t *testing.T) {
	const items, most = 2000, 20_000_000 / 2000
	sp, err := kernel.New(of(1, 1, slices.Repeat([]cloning.Job{jobOf(0, 1, 1, 1)}, items)...), false)
	fail.On(t, err)
	made := 0
	for a := int32(0); !sp.Full; a++ {
		one := sp.With(sp.Empty, a)
		for b := a; b < items && one != nil; b++ {
			made++
			if sp.With(one, b) == nil {
				break
			}
		}
		made++
	}
	if made != most+1 || sp.Err() == nil {
		t.Errorf("%d sets, and then %v", made-1, sp.Err())
	}
}

// By hand, on two servers of 1: prices of 1 and 3 for eight tasks of 0.25 and four of 0.5 bring 12, which is at once the dearest; 1 and 10 for
// nine tasks of 0.25 and one of 0.5 bring 16, where twice the dearest set would bring 24: four sets are tried, and it is not tried
// whether two sets without the dear task bring more.
func TestWorkOfEarnings(t *testing.T) {
	for name, c := range map[string]struct {
		small, large, sets, choices int
		price, take                 []int64
		want                        int64
		offers                      int
	}{
		"at once":     {8, 4, 3, 0, []int64{1, 3}, []int64{0, 4}, 12, 1},
		"four tries":  {9, 1, 2, 4, []int64{1, 10}, []int64{6, 1}, 16, 3},
		"three tries": {9, 1, 2, 3, []int64{1, 10}, []int64{6, 1}, 24, 2},
	} {
		in := of(2, 1, jobOf(0, c.small, 1, 1), jobOf(0, c.large, 1, 1))
		for j, demand := range []float64{0.25, 0.5} {
			in.Jobs[j].Phases[0].Demand[0] = demand
		}
		sp, err := kernel.New(in, false)
		fail.On(t, err)
		p := sp.Patterns(c.sets, c.choices)
		if got := p.Earn(c.price); got != c.want || !slices.Equal(p.Take, c.take) {
			t.Errorf("%s: %d for %v, want %d for %v", name, got, p.Take, c.want, c.take)
		}
		work := 2 * c.offers // of both phases
		for _, set := range p.Sets[0] {
			work += 1 + len(set)
		}
		if p.Work != work {
			t.Errorf("%s: work %d, want %d", name, p.Work, work)
		}
	}
}
