package sim

import "container/heap"

// A calendar holds the tasks that are due, by slot. A task whose slot changes stays in the old one too; whoever takes it out
// compares.
type calendar struct {
	slots slotHeap
	tasks map[int][]int32
	spare [][]int32
}

func (c *calendar) add(slot int, task int32) {
	list, ok := c.tasks[slot]
	if !ok {
		heap.Push(&c.slots, slot)
		if n := len(c.spare); n > 0 {
			list, c.spare = c.spare[n-1][:0], c.spare[:n-1]
		}
	}
	c.tasks[slot] = append(list, task)
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
	list := c.tasks[slot]
	delete(c.tasks, slot)
	c.spare = append(c.spare, list)
	return list
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
