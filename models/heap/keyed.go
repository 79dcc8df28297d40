package heap

import "math"

// A Keyed is a min-heap of items by key; ties are broken arbitrarily. Four children a node keep it shallow, since it may hold an entry for
// every busy machine and changes twice for each.
type Keyed[T any] []keyed[T]

type keyed[T any] struct {
	key float64
	of  T
}

// Least is the key on top; +Inf: there is nothing.
func (q Keyed[T]) Least() float64 {
	if len(q) == 0 {
		return math.Inf(1)
	}
	return q[0].key
}

// Top is the thing with the least key of a heap that is not empty.
func (q Keyed[T]) Top() *T { return &q[0].of }

// Lower decreases the key of the top to key, which must not be larger.
func (q Keyed[T]) Lower(key float64) { q[0].key = key }

// Push adds a thing.
func (q *Keyed[T]) Push(key float64, of T) {
	h := append(*q, keyed[T]{})
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if h[parent].key <= key {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = keyed[T]{key, of}
	*q = h
}

// Pop removes the top of a heap that is not empty.
func (q *Keyed[T]) Pop() (key float64, of T) {
	h := *q
	top, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	if len(h) == 0 {
		return top.key, top.of
	}
	i := 0
	for {
		child := 4*i + 1
		if child >= len(h) {
			break
		}
		for c, end := child+1, min(child+4, len(h)); c < end; c++ {
			if h[c].key < h[child].key {
				child = c
			}
		}
		if h[child].key >= last.key {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = last
	return top.key, top.of
}
