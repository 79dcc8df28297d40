package sim

import (
	"math"

	"schedgap/models/heap"
)

// A calendar holds the tasks that are due, by slot. A task whose slot changes stays in the old one too, so a caller that takes it
// out compares the slots.
type calendar struct {
	slots heap.Keyed[int]
	tasks map[int]*[]int32 // by slot
	spare []*[]int32
}

// never is after all slots.
const never = math.MaxInt

func newCalendar() calendar { return calendar{tasks: map[int]*[]int32{}} }

func (c *calendar) add(slot int, task int32) {
	list := c.tasks[slot]
	if list == nil {
		list = new([]int32)
		if len(c.spare) > 0 {
			list, c.spare = c.spare[len(c.spare)-1], c.spare[:len(c.spare)-1]
		}
		c.slots.Push(float64(slot), slot)
		c.tasks[slot] = list
	}
	*list = append(*list, task)
}

// next is the first slot with tasks, or never.
func (c *calendar) next() int {
	if len(c.slots) == 0 {
		return never
	}
	return *c.slots.Top()
}

// take removes the tasks of the first slot, which are valid until the next add, if that is not after now.
func (c *calendar) take(now int) []int32 {
	if c.next() > now {
		return nil
	}
	_, slot := c.slots.Pop()
	list := c.tasks[slot]
	delete(c.tasks, slot)
	c.spare = append(c.spare, list)
	tasks := *list
	*list = tasks[:0]
	return tasks
}
