package sim

import (
	"math/rand/v2"
	"testing"
)

// Ids leave the queue by key, ties by id, in whatever order they are set, moved and removed.
func TestQueue(t *testing.T) {
	const ids = 3000
	rng := rand.New(rand.NewPCG(1, 2))
	q := newQueue(ids)
	in := map[int32]bool{}
	for step := range 30_000 {
		id := int32(rng.IntN(ids))
		if len(in) > ids/2 && rng.IntN(2) == 0 {
			q.remove(id)
			delete(in, id)
		} else {
			q.set(id, float64(rng.IntN(1000)))
			in[id] = true
		}
		if step%20 > 0 || len(q.order) == 0 {
			continue
		}
		for i, id := range q.order[1:] {
			if parent := q.order[i/4]; q.key[id] < q.key[parent] || q.key[id] == q.key[parent] && id < parent {
				t.Fatalf("step %d: id %d with key %v lies below id %d with %v", step, id, q.key[id], parent, q.key[parent])
			}
		}
		top := q.top()
		q.remove(top)
		delete(in, top)
	}
	for last := int32(-1); !q.empty(); {
		top := q.top()
		if last >= 0 && (q.key[top] < q.key[last] || q.key[top] == q.key[last] && top < last) {
			t.Fatalf("id %d with key %v leaves after id %d with %v", top, q.key[top], last, q.key[last])
		}
		q.remove(top)
		last = top
	}
}
