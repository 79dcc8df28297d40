// Package heap has the priority queues of simulators and heuristics: numbers by key, the least key first, of equal keys the least
// number, so that what they do depends on nothing else.
package heap

// An Entry is a number with its key.
type Entry struct {
	Key float64
	ID  int
}

// Before reports whether a comes before b.
func (a Entry) Before(b Entry) bool { return a.Key < b.Key || a.Key == b.Key && a.ID < b.ID }

// A Queue is a binary heap, its first entry on top.
type Queue []Entry

// Init makes a heap of entries in any order.
func (q Queue) Init() {
	for i := len(q)/2 - 1; i >= 0; i-- {
		q.down(i)
	}
}

// Push adds an entry.
func (q *Queue) Push(e Entry) {
	*q = append(*q, e)
	h := *q
	for i := len(h) - 1; i > 0; {
		parent := (i - 1) / 2
		if !h[i].Before(h[parent]) {
			return
		}
		h[i], h[parent] = h[parent], h[i]
		i = parent
	}
}

// Pop removes the top.
func (q *Queue) Pop() Entry {
	h := *q
	top, last := h[0], len(h)-1
	h[0] = h[last]
	*q = h[:last]
	q.down(0)
	return top
}

// Rekey changes the key of the top.
func (q Queue) Rekey(key float64) {
	q[0].Key = key
	q.down(0)
}

func (q Queue) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(q) {
			return
		}
		if right := child + 1; right < len(q) && q[right].Before(q[child]) {
			child = right
		}
		if !q[child].Before(q[i]) {
			return
		}
		q[i], q[child] = q[child], q[i]
		i = child
	}
}
