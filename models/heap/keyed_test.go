package heap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/trials/property"
)

// Things leave the heap in the order of their keys, in whatever order and mixture they came.
func TestKeyed(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		var h Keyed[int]
		var all []float64
		for _, push := range rapid.SliceOf(rapid.Bool()).Draw(t, "operations") {
			if push {
				at := float64(rapid.IntRange(0, 9).Draw(t, "at"))
				h.Push(at, 0)
				all = append(all, at)
				continue
			}
			if len(all) == 0 {
				continue
			}
			least := slices.Index(all, slices.Min(all))
			if got, _ := h.Pop(); got != all[least] {
				t.Fatalf("popped %v of %v", got, all)
			}
			all = slices.Delete(all, least, least+1)
		}
	})
}

// The same for many things at once, whose heap is several levels deep.
func TestManyKeyed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var h Keyed[int]
	now := 0.0
	for range 20_000 {
		if len(h) < 500 || len(h) < 5000 && rng.IntN(2) == 0 {
			h.Push(now+rng.Float64(), 0)
			continue
		}
		next, _ := h.Pop()
		if least := h.Least(); next < now || next > least {
			t.Fatalf("popped %v after %v, %v is left", next, now, least)
		}
		now = next
	}
}
