package redundancy

// A queue is a binary heap of jobs by key, the smaller index first among equal keys.
type queue []entry

type entry struct {
	key float64
	job int
}

func (a entry) before(b entry) bool { return a.key < b.key || a.key == b.key && a.job < b.job }

// push adds an entry.
func (q *queue) push(e entry) {
	*q = append(*q, e)
	h := *q
	for i := len(h) - 1; i > 0; {
		parent := (i - 1) / 2
		if !h[i].before(h[parent]) {
			return
		}
		h[i], h[parent] = h[parent], h[i]
		i = parent
	}
}

// pop removes the first entry.
func (q *queue) pop() entry {
	h := *q
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	*q = h
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return top
		}
		if right := child + 1; right < last && h[right].before(h[child]) {
			child = right
		}
		if !h[child].before(h[i]) {
			return top
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}
