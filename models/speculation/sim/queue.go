package sim

// A queue is a heap of ids, the least key on top, ties by id. It knows the place of each id, so that keys can change. Four
// children a node keep it shallow.
type queue struct {
	key   []float64 // by id
	place []int32   // in order, by id; −1: not in it
	order []int32
}

func newQueue(ids int) queue {
	q := queue{key: make([]float64, ids), place: make([]int32, ids)}
	for i := range q.place {
		q.place[i] = -1
	}
	return q
}

func (q *queue) empty() bool { return len(q.order) == 0 }
func (q *queue) top() int32  { return q.order[0] }

// least is the key on top of a queue that is not empty.
func (q *queue) least() float64 { return q.key[q.order[0]] }

// set adds id, or moves it, to key.
func (q *queue) set(id int32, key float64) {
	q.key[id] = key
	if q.place[id] < 0 {
		q.place[id] = int32(len(q.order))
		q.order = append(q.order, id)
	}
	q.fix(id)
}

// remove takes id out if it is in.
func (q *queue) remove(id int32) {
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
func (q *queue) fix(id int32) {
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
