package cloning

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/models/cloning"
)

// A binPacker packs the tasks of a job into equal servers where all take one slot and wait for nothing: each server is a bin in
// each slot. It fills bin after bin with the largest task left and those others that leave the least slack (Gupta and Ho 1999),
// then fills some bins again (Fleszar and Hindi 2002).
type binPacker struct {
	in    *cloning.Instance
	rng   *rand.Rand
	room  []int64 // by resource that the servers have
	size  [][]int64
	load  []float64 // by task: shares of the rooms, added up
	tasks []cloning.Task

	free  []int64 // in the bin that is being filled
	from  []int   // tasks that may go into it, and the loads of each and those behind it
	rest  []float64
	set   []int
	best  []int
	most  float64
	steps int
}

const (
	mostBinned = 10_000 // tasks: beyond, repeated filling takes too long
	binSteps   = 2000   // sets that are tried for a bin
	fullBin    = 1e-8   // slack that counts as none: rooms have 1e-9 for rounding
)

// newBinPacker returns nil for instances of another kind.
func newBinPacker(in *cloning.Instance, rng *rand.Rand) *binPacker {
	p := &binPacker{in: in, rng: rng}
	for _, s := range in.Servers {
		if !slices.Equal(s.Capacity, in.Servers[0].Capacity) {
			return nil
		}
	}
	var scales []cloning.Scale
	var had []int
	for r, capacity := range in.Servers[0].Capacity {
		if s := cloning.NewScale(capacity); s.Room > 0 {
			scales, had, p.room = append(scales, s), append(had, r), append(p.room, s.Room)
		}
	}
	if len(in.Jobs) != 1 {
		return nil
	}
	for k := range in.Jobs[0].Phases {
		phase := &in.Jobs[0].Phases[k]
		if len(phase.Parents) > 0 || phase.Slots(cloning.Progress{}, 1) != 1 || len(p.tasks)+phase.Tasks > mostBinned {
			return nil
		}
		size, load := make([]int64, len(had)), 0.0
		for i, r := range had {
			size[i] = scales[i].Size(phase.Demand[r])
			load += float64(size[i]) / float64(p.room[i])
		}
		for i := range phase.Tasks {
			p.size, p.load, p.tasks = append(p.size, size), append(p.load, load), append(p.tasks, cloning.Task{Phase: k, Index: i})
		}
	}
	p.free = make([]int64, len(p.room))
	return p
}

// pack packs the tasks, which bins take in this order as their first.
func (p *binPacker) pack(tasks []int) (bins [][]int) {
	left := slices.Clone(tasks)
	for len(left) > 0 {
		bin := p.fill(left)
		bins = append(bins, bin)
		left = slices.DeleteFunc(left, func(i int) bool { return slices.Contains(bin, i) })
	}
	return bins
}

// fill returns the first task and those others that leave the least slack, of the sets that are tried.
func (p *binPacker) fill(left []int) []int {
	copy(p.free, p.room)
	p.from, p.rest = left, make([]float64, len(left)+1)
	for i := len(left) - 1; i >= 0; i-- {
		p.rest[i] = p.rest[i+1] + p.load[left[i]]
	}
	p.set, p.best, p.most, p.steps = p.set[:0], nil, -1, binSteps
	p.take(0, 0)
	return p.best
}

// take adds the task at a place to the bin, and all sets of those behind it. It reports whether the search is over.
func (p *binPacker) take(at int, load float64) bool {
	i := p.from[at]
	for r, size := range p.size[i] {
		if p.free[r] < size {
			return false
		}
	}
	for r, size := range p.size[i] {
		p.free[r] -= size
	}
	p.set = append(p.set, i)
	load += p.load[i]
	if load > p.most {
		p.best, p.most = slices.Clone(p.set), load
	}
	p.steps--
	over := p.steps <= 0 || float64(len(p.room))-p.most <= fullBin
	for next := at + 1; !over && next < len(p.from) && load+p.rest[next] > p.most; next++ {
		if next == at+1 || !slices.Equal(p.size[p.from[next]], p.size[p.from[next-1]]) {
			over = p.take(next, load)
		}
	}
	p.set = p.set[:len(p.set)-1]
	for r, size := range p.size[i] {
		p.free[r] += size
	}
	return over
}

func (p *binPacker) loadOf(bin []int) (sum float64) {
	for _, i := range bin {
		sum += p.load[i]
	}
	return sum
}

// slots is how many slots so many bins take.
func (p *binPacker) slots(bins int) int { return (bins + len(p.in.Servers) - 1) / len(p.in.Servers) }

// least is a lower bound on the number of slots: of each resource, what the tasks take.
func (p *binPacker) least() int {
	most := 1.0
	for r, room := range p.room {
		sum := 0.0
		for _, size := range p.size {
			sum += float64(size[r])
		}
		most = max(most, math.Ceil(sum/float64(room)-fullBin))
	}
	return p.slots(int(most))
}

// schedule packs all tasks and fills some bins again, at most so many times, while that may save a slot. Better schedules are
// reported.
func (p *binPacker) schedule(ctx context.Context, refills int, improved func(cloning.Solution)) {
	all := make([]int, len(p.tasks))
	for i := range all {
		all[i] = i
	}
	slices.SortStableFunc(all, func(i, j int) int { return cmp.Compare(p.load[j], p.load[i]) })
	bins, least := p.pack(all), p.least()
	improved(p.solution(bins))
	for n := 0; n < refills && p.slots(len(bins)) > least && ctx.Err() == nil; n++ {
		before := p.slots(len(bins))
		bins = p.refill(bins)
		if p.slots(len(bins)) < before {
			improved(p.solution(bins))
		}
	}
}

// refill empties the bin that holds least, and some others, and fills them again in a somewhat different order. It keeps what has
// fewer bins, or as many of more different loads.
func (p *binPacker) refill(bins [][]int) [][]int {
	p.rng.Shuffle(len(bins), func(i, j int) { bins[i], bins[j] = bins[j], bins[i] })
	least := 0
	for b := range bins {
		if p.loadOf(bins[b]) < p.loadOf(bins[least]) {
			least = b
		}
	}
	bins[0], bins[least] = bins[least], bins[0]
	n := min(len(bins), 3+p.rng.IntN(6))
	tasks := slices.Concat(bins[:n]...)
	key := map[int]float64{}
	for _, i := range tasks {
		key[i] = p.load[i] * (1 + 0.3*p.rng.Float64())
	}
	slices.SortFunc(tasks, func(i, j int) int { return cmp.Or(cmp.Compare(key[j], key[i]), i-j) })
	spread := func(bins [][]int) (sum float64) {
		for _, b := range bins {
			sum += p.loadOf(b) * p.loadOf(b)
		}
		return sum
	}
	again := p.pack(tasks)
	if len(again) > n || len(again) == n && spread(again) < spread(bins[:n]) {
		return bins
	}
	return append(again, bins[n:]...)
}

func (p *binPacker) solution(bins [][]int) (s cloning.Solution) {
	servers := len(p.in.Servers)
	for b, bin := range bins {
		start := p.in.Jobs[0].Arrival + b/servers
		for _, i := range bin {
			s.Copies = append(s.Copies, cloning.Copy{Task: p.tasks[i], Server: b % servers, Start: start, End: start + 1})
		}
	}
	return s
}
