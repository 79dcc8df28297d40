package decoder

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"

	"schedgap/models/cloning"
)

// Keys determine a schedule, by phase. The r-th copies of a phase have the key Key − Clones·log(h(r) − h(r−1)).
type Keys struct{ Key, Clones []float64 }

func (k Keys) set(from Keys) {
	copy(k.Key, from.Key)
	copy(k.Clones, from.Clones)
}

func (k Keys) clone() Keys { return Keys{slices.Clone(k.Key), slices.Clone(k.Clones)} }

// A level is tasks of a phase that have done the same.
type level struct {
	done  cloning.Progress
	tasks int32
	name  int32 // of the task, where each has a level of its own
}

// A decoder carries out the schedule of keys, slot by slot.
type decoder struct {
	packing
	keys  Keys
	key   []float64 // by item
	order []int32   // items by key

	now        int
	cost       float64 // jobs times slots
	arrived    int
	unfinished int
	left       []int32   // tasks, by phase
	waits      []int32   // parents to go, by phase
	undone     []int32   // phases, by job
	levels     [][]level // of phases that have begun, those that have done least first
	live       []int32   // items of phases that may run, by key
	running    []int32   // phases with copies
	stale      bool      // the packing is to be made again
	scratch    []level
	named      bool   // every task has a level of its own
	each       func() // called before time goes on
	abort      atomic.Bool
}

func newDecoder(m *Model) *decoder {
	n := len(m.phases)
	d := &decoder{
		packing: newPacking(m), key: make([]float64, len(m.itemPhase)), order: make([]int32, len(m.itemPhase)),
		left: make([]int32, n), waits: make([]int32, n), undone: make([]int32, len(m.in.Jobs)), levels: make([][]level, n),
	}
	d.keys = Keys{make([]float64, n), make([]float64, n)}
	for i := range d.order {
		d.order[i] = int32(i)
	}
	return d
}

// compare is the order of items.
func (d *decoder) compare(a, b int32) int {
	return cmp.Or(cmp.Compare(d.key[a], d.key[b]), cmp.Compare(a, b))
}

// set takes keys over.
func (d *decoder) set(keys Keys) {
	d.keys.set(keys)
	d.sort()
}

// sort orders the items by the keys of their phases.
func (d *decoder) sort() {
	for k := range d.phases {
		for r := range int(d.phases[k].copies) {
			d.key[int(d.phases[k].item)+r] = d.keys.Key[k] + d.keys.Clones[k]*d.phases[k].gains[r]
		}
	}
	slices.SortFunc(d.order, d.compare)
}

// reset returns to the beginning.
func (d *decoder) reset() {
	d.now, d.cost, d.arrived, d.unfinished = 0, 0, 0, len(d.in.Jobs)
	for k := range d.phases {
		d.left[k], d.waits[k] = int32(d.phases[k].Tasks), int32(len(d.phases[k].Parents))
		d.levels[k] = d.levels[k][:0]
	}
	for j := range d.undone {
		d.undone[j] = d.first[j+1] - d.first[j]
	}
	d.live, d.running, d.stale = d.live[:0], d.running[:0], true
	d.now = d.in.Jobs[d.arrivals[0]].Arrival
}

// value carries the schedule of the keys out, and returns the sum of flowtimes, or more than limit.
func (d *decoder) value(limit float64) float64 {
	for d.reset(); ; {
		d.admit()
		if d.stale {
			d.pack()
		}
		slots := d.step()
		if d.each != nil {
			d.each()
		}
		d.advance(slots)
		if d.unfinished == 0 {
			return d.cost
		}
		if d.cost+float64(d.unfinished) > limit || d.abort.Load() {
			return math.Inf(1)
		}
	}
}

// admit lets the jobs in that have arrived.
func (d *decoder) admit() {
	for d.arrived < len(d.arrivals) {
		j := d.arrivals[d.arrived]
		if d.in.Jobs[j].Arrival > d.now {
			return
		}
		d.arrived++
		for k := d.first[j]; k < d.first[j+1]; k++ {
			if d.waits[k] == 0 {
				d.release(k)
			}
		}
	}
}

// release has the items of a phase join those that may run.
func (d *decoder) release(k int32) {
	f := &d.phases[k]
	d.levels[k] = append(d.levels[k][:0], level{tasks: int32(f.Tasks)})
	if d.named {
		d.levels[k] = d.levels[k][:0]
		for i := range f.Tasks {
			d.levels[k] = append(d.levels[k], level{tasks: 1, name: int32(i)})
		}
	}
	for i := f.item; i < f.item+f.copies; i++ {
		at, _ := slices.BinarySearchFunc(d.live, i, d.compare)
		d.live = slices.Insert(d.live, at, i)
	}
	d.stale = true
}

// pack places the copies of the present slot.
func (d *decoder) pack() {
	d.open()
	d.stale = false
	d.running = d.running[:0]
	kept := d.live[:0]
	for _, i := range d.live {
		k := d.itemPhase[i]
		n := int(d.left[k])
		if n == 0 {
			continue
		}
		kept = append(kept, i)
		r := int(i-d.phases[k].item) + 1
		has := 0
		if m := &d.marks[k]; m.slot == d.slot {
			has = int(m.copies)
		}
		if d.put(k, r*n-has, n) == 0 {
			continue
		}
		if has == 0 {
			d.running = append(d.running, k)
		}
	}
	d.live = kept
}

// fineness is the number of parts into which the rest of a phase is cut when its tasks take turns. Fewer parts are used where
// the waiting tasks allow it.
const fineness = 32

// step is the number of slots until something changes.
func (d *decoder) step() int {
	slots := math.MaxInt
	if d.arrived < len(d.arrivals) {
		slots = d.in.Jobs[d.arrivals[d.arrived]].Arrival - d.now
	}
	for _, k := range d.running {
		f := &d.phases[k]
		base, extra := d.share(k)
		work, waiting := 0., 0.
		for _, l := range d.levels[k] {
			n := min(extra, l.tasks)
			if n > 0 {
				slots = min(slots, f.Slots(l.done, int(base)+1))
			}
			if n < l.tasks && waiting == 0 {
				waiting = (f.Required() - l.done.Value()) / f.Rate(int(base)+1)
			}
			if n < l.tasks && base > 0 {
				slots = min(slots, f.Slots(l.done, int(base)))
			}
			extra -= n
			work += float64(l.tasks) * (f.Required() - l.done.Value())
		}
		if _, extra := d.share(k); extra > 0 {
			// With as many copies as now the phase takes length, and those that wait can do so until only their own is left.
			rate := float64(extra)*f.Rate(int(base)+1) + float64(d.left[k]-extra)*f.Rate(int(base))
			length := work / rate
			q := max(length/fineness, length-waiting)
			if q < float64(slots) {
				slots = max(1, int(q))
			}
		}
	}
	return slots
}

// share is how many copies each task of a phase has, and how many of those that have done least have one more.
func (d *decoder) share(k int32) (base, extra int32) {
	c := d.marks[k].copies
	return c / d.left[k], c % d.left[k]
}

// advance has time go on.
func (d *decoder) advance(slots int) {
	active := d.unfinished - (len(d.arrivals) - d.arrived)
	d.cost += float64(active) * float64(slots)
	d.now += slots
	for _, k := range d.running {
		base, extra := d.share(k)
		d.levels[k] = d.progress(k, int(base), extra, slots)
		left := int32(0)
		for _, l := range d.levels[k] {
			left += l.tasks
		}
		if left == d.left[k] {
			continue
		}
		d.left[k] = left
		d.stale = d.stale || d.marks[k].copies > left
		if left == 0 {
			d.complete(k)
		}
	}
}

func (d *decoder) complete(k int32) {
	for _, c := range d.phases[k].children {
		d.waits[c]--
		if d.waits[c] == 0 {
			d.release(c)
		}
	}
	j := d.phases[k].job
	d.undone[j]--
	if d.undone[j] == 0 {
		d.unfinished--
	}
}

// progress returns the levels of a phase's tasks after some slots. The first extra tasks run in base + 1 copies, the others in
// base.
func (d *decoder) progress(k int32, base int, extra int32, slots int) []level {
	f, levels := &d.phases[k], d.levels[k]
	// Both parts stay in order. The first is advanced into scratch, the second in its place, and they are merged.
	fast := d.scratch[:0]
	at := 0
	for ; extra > 0; at++ {
		l := levels[at]
		if l.tasks > extra {
			levels[at].tasks -= extra
			l.tasks, at = extra, at-1
		}
		extra -= l.tasks
		l.done = f.After(l.done, slots, base+1)
		if !f.Done(l.done) {
			fast = append(fast, l)
		}
	}
	d.scratch = fast
	slow := levels[at:]
	if base > 0 {
		n := 0
		for _, l := range slow {
			l.done = f.After(l.done, slots, base)
			if !f.Done(l.done) {
				slow[n] = l
				n++
			}
		}
		slow = slow[:n]
	}
	return d.merge(levels, fast, slow)
}

// merge writes two sorted lists into one. The second may be the end of the destination.
func (d *decoder) merge(into, a, b []level) []level {
	if len(a) == 0 {
		return append(into[:0], b...)
	}
	// From the back, as b may lie at the end of into.
	n := len(a) + len(b)
	into = slices.Grow(into[:0], n)[:n]
	copy(into[len(a):], b)
	b = into[len(a):]
	out := into[:0]
	for len(a) > 0 || len(b) > 0 {
		var l level
		if len(b) == 0 || len(a) > 0 && a[0].done.Value() <= b[0].done.Value() {
			l, a = a[0], a[1:]
		} else {
			l, b = b[0], b[1:]
		}
		if last := len(out) - 1; last >= 0 && out[last].done == l.done && !d.named {
			out[last].tasks += l.tasks
		} else {
			out = append(out, l)
		}
	}
	return out
}
