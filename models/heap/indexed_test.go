package heap

import (
	"math/rand/v2"
	"testing"
)

// Ids leave the heap by key, ties by id, in whatever order they are set, moved and removed.
func TestIndexed(t *testing.T) {
	const ids = 3000
	rng := rand.New(rand.NewPCG(1, 2))
	q := NewIndexed(ids)
	in := map[int32]bool{}
	for step := range 30_000 {
		id := int32(rng.IntN(ids))
		if len(in) > ids/2 && rng.IntN(2) == 0 {
			q.Remove(id)
			delete(in, id)
		} else {
			q.Set(id, float64(rng.IntN(1000)))
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
		top := q.Top()
		q.Remove(top)
		delete(in, top)
	}
	for last := int32(-1); !q.Empty(); {
		top := q.Top()
		if last >= 0 && (q.key[top] < q.key[last] || q.key[top] == q.key[last] && top < last) {
			t.Fatalf("id %d with key %v leaves after id %d with %v", top, q.key[top], last, q.key[last])
		}
		q.Remove(top)
		last = top
	}
}

// What is copied goes its own way, and what was reset is as new.
func TestIndexedCopies(t *testing.T) {
	a, b := NewIndexed(9), NewIndexed(9)
	for id := range int32(9) {
		a.Set(id, float64(id*4%9))
	}
	b.Set(3, 1)
	b.CopyFrom(&a)
	a.Reset()
	if !a.Empty() || a.Has(0) || b.Least() != 0 || !b.Has(3) || b.Key(3) != 3 {
		t.Errorf("%v %v", a, b)
	}
	a.Set(5, 2)
	for k, want := range []int32{0, 7, 5, 3, 1, 8, 6, 4, 2} {
		if b.Top() != want {
			t.Fatalf("%d leaves as number %d, want %d", b.Top(), k, want)
		}
		b.Remove(want)
	}
	if a.Top() != 5 || a.Least() != 2 {
		t.Errorf("%v", a)
	}
}
