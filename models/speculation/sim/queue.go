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

func (q *queue) before(a, b int32) bool {
	return q.key[a] < q.key[b] || q.key[a] == q.key[b] && a < b
}

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
	i := int(q.place[id])
	for i > 0 && q.before(id, q.order[(i-1)/4]) {
		q.put(i, q.order[(i-1)/4])
		i = (i - 1) / 4
	}
	for {
		child := 4*i + 1
		if child >= len(q.order) {
			break
		}
		for c := child + 1; c < min(child+4, len(q.order)); c++ {
			if q.before(q.order[c], q.order[child]) {
				child = c
			}
		}
		if !q.before(q.order[child], id) {
			break
		}
		q.put(i, q.order[child])
		i = child
	}
	q.put(i, id)
}

func (q *queue) put(i int, id int32) {
	q.order[i] = id
	q.place[id] = int32(i)
}
