package pocd

import "math"

// tied rounds a key to 40 bits, about twelve digits, so that keys that are equal on paper and differ by rounding alone are
// ties, which go by file order.
func tied(key float64) float64 {
	const low = 1 << 12
	return math.Float64frombits((math.Float64bits(key) + low/2) &^ (low - 1))
}

// A queue is a binary heap of indices by key, the smaller index first among equal keys. Only its first element is looked at
// and changed.
type queue []entry

type entry struct {
	key   float64
	index int
}

func (a entry) before(b entry) bool { return a.key < b.key || a.key == b.key && a.index < b.index }

// order makes a heap of entries in any order.
func (q queue) order() {
	for i := len(q)/2 - 1; i >= 0; i-- {
		q.down(i)
	}
}

// rekey changes the key of the first entry.
func (q queue) rekey(key float64) {
	q[0].key = key
	q.down(0)
}

// drop removes the first entry.
func (q *queue) drop() {
	last := len(*q) - 1
	(*q)[0] = (*q)[last]
	*q = (*q)[:last]
	q.down(0)
}

func (q queue) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(q) {
			return
		}
		if right := child + 1; right < len(q) && q[right].before(q[child]) {
			child = right
		}
		if !q[child].before(q[i]) {
			return
		}
		q[i], q[child] = q[child], q[i]
		i = child
	}
}
