package sim

import "container/heap"

// A calendar holds the tasks that are due, by slot. A task whose slot changes stays in the old one too; whoever takes it out
// compares.
type calendar struct {
	slots  slotHeap
	days   []day
	bySlot map[int]int32 // place in days
	recent [256]int32    // places in days of slots by their last digits: most tasks are due soon
	spare  []int32       // places in days
}

type day struct {
	slot  int // none: not in use
	tasks []int32
}

func newCalendar() calendar { return calendar{bySlot: map[int]int32{}} }

func (c *calendar) add(slot int, task int32) {
	recent := &c.recent[slot%len(c.recent)]
	if int(*recent) >= len(c.days) || c.days[*recent].slot != slot {
		*recent = c.find(slot)
	}
	d := &c.days[*recent]
	d.tasks = append(d.tasks, task)
}

// find returns the place of a slot, with a new day if need be.
func (c *calendar) find(slot int) int32 {
	if i, ok := c.bySlot[slot]; ok {
		return i
	}
	heap.Push(&c.slots, slot)
	i := int32(len(c.days))
	if n := len(c.spare); n > 0 {
		i, c.spare = c.spare[n-1], c.spare[:n-1]
		c.days[i].slot = slot
	} else {
		c.days = append(c.days, day{slot: slot, tasks: make([]int32, 0, 16)})
	}
	c.bySlot[slot] = i
	return i
}

// next is the first slot with tasks, or false.
func (c *calendar) next() (int, bool) {
	if len(c.slots) == 0 {
		return 0, false
	}
	return c.slots[0], true
}

// take removes the first slot and returns its tasks, which are valid until the next add.
func (c *calendar) take() []int32 {
	slot := heap.Pop(&c.slots).(int)
	i := c.bySlot[slot]
	delete(c.bySlot, slot)
	c.spare = append(c.spare, i)
	d := &c.days[i]
	tasks := d.tasks
	d.slot, d.tasks = none, tasks[:0]
	return tasks
}

type slotHeap []int

func (h slotHeap) Len() int           { return len(h) }
func (h slotHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h slotHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *slotHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *slotHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
