package relaxed

// A waiting job has been released and is not done.
type waiting struct {
	rank, left float64
	job        int
}

// A queue is a heap with the least rank at its top; container/heap takes twice as long.
type queue []waiting

func (q *queue) push(w waiting) {
	*q = append(*q, w)
	h := *q
	at := len(h) - 1
	for at > 0 {
		above := (at - 1) / 2
		if h[above].rank <= w.rank {
			break
		}
		h[at], at = h[above], above
	}
	h[at] = w
}

func (q *queue) pop() {
	h := *q
	last := len(h) - 1
	w := h[last]
	h = h[:last]
	*q = h
	at := 0
	for {
		below := 2*at + 1
		if below >= last {
			break
		}
		if below+1 < last && h[below+1].rank < h[below].rank {
			below++
		}
		if w.rank <= h[below].rank {
			break
		}
		h[at], at = h[below], below
	}
	if last > 0 {
		h[at] = w
	}
}
