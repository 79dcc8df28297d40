package sim

import "schedgap/models/heap"

// A calendar holds the tasks that are due, by slot. A task whose slot changes stays in the old one too; whoever takes it out
// compares.
type calendar struct {
	slots  heap.Queue
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
	c.slots.Push(heap.Entry{Key: float64(slot), ID: slot})
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
	return c.slots[0].ID, true
}

// take removes the first slot and returns its tasks, which are valid until the next add.
func (c *calendar) take() []int32 {
	slot := c.slots.Pop().ID
	i := c.bySlot[slot]
	delete(c.bySlot, slot)
	c.spare = append(c.spare, i)
	d := &c.days[i]
	tasks := d.tasks
	d.slot, d.tasks = none, tasks[:0]
	return tasks
}
