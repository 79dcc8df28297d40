// Package heap has the priority queues of simulators and heuristics, the least key first.
package heap

// An Indexed is a heap of numbers from 0 on, of equal keys the least number first, so that what its users do depends on nothing
// else. It knows the place of each, so that keys can change. Four children a node keep it shallow. Its zero value is empty.
type Indexed struct {
	key   []float64 // by id
	place []int32   // in order, by id; −1: not in it
	order []int32
}

// NewIndexed returns an empty heap with room for the numbers below ids.
func NewIndexed(ids int) Indexed {
	q := Indexed{key: make([]float64, ids), place: make([]int32, ids), order: make([]int32, 0, ids)}
	for i := range q.place {
		q.place[i] = -1
	}
	return q
}

// Reset takes all out.
func (q *Indexed) Reset() {
	for _, id := range q.order {
		q.place[id] = -1
	}
	q.order = q.order[:0]
}

// CopyFrom makes q what another heap of as many numbers is.
func (q *Indexed) CopyFrom(o *Indexed) {
	copy(q.key, o.key)
	copy(q.place, o.place)
	q.order = append(q.order[:0], o.order...)
}

// Has reports whether id is in q, Key is the key that it had last.
func (q *Indexed) Has(id int32) bool    { return q.place[id] >= 0 }
func (q *Indexed) Key(id int32) float64 { return q.key[id] }

// Empty reports whether nothing is in q.
func (q *Indexed) Empty() bool { return len(q.order) == 0 }

// Top is the first number of a heap that is not empty.
func (q *Indexed) Top() int32 { return q.order[0] }

// All are the numbers in q, the first on top and the others in no order; they are q's own.
func (q *Indexed) All() []int32 { return q.order }

// Least is the key on top of a heap that is not empty.
func (q *Indexed) Least() float64 { return q.key[q.order[0]] }

// Pop removes the top of a heap that is not empty.
func (q *Indexed) Pop() int32 {
	top := q.order[0]
	q.Remove(top)
	return top
}

// Set adds id, or moves it, to key.
func (q *Indexed) Set(id int32, key float64) {
	for int(id) >= len(q.place) {
		q.key, q.place = append(q.key, 0), append(q.place, -1)
	}
	q.key[id] = key
	if q.place[id] < 0 {
		q.place[id] = int32(len(q.order))
		q.order = append(q.order, id)
	}
	q.fix(id)
}

// Remove takes id out if it is in.
func (q *Indexed) Remove(id int32) {
	at := q.place[id]
	if at < 0 {
		return
	}
	q.place[id] = -1
	last := q.order[len(q.order)-1]
	q.order = q.order[:len(q.order)-1]
	if last != id {
		q.place[last] = at
		q.order[at] = last
		q.fix(last)
	}
}

// fix moves id to where its key belongs.
func (q *Indexed) fix(id int32) {
	key, order, place := q.key, q.order, q.place
	k, i := key[id], int(place[id])
	for i > 0 {
		parent := order[(i-1)/4]
		if p := key[parent]; k > p || k == p && id > parent {
			break
		}
		order[i], place[parent] = parent, int32(i)
		i = (i - 1) / 4
	}
	for {
		child := 4*i + 1
		if child >= len(order) {
			break
		}
		first := order[child]
		least := key[first]
		for c := child + 1; c < min(4*i+5, len(order)); c++ {
			if other := order[c]; key[other] < least || key[other] == least && other < first {
				child, first, least = c, other, key[other]
			}
		}
		if k < least || k == least && id < first {
			break
		}
		order[i], place[first] = first, int32(i)
		i = child
	}
	order[i], place[id] = id, int32(i)
}
