package sim

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Completions leave the heap in order of time, in whatever order and mixture they came.
func TestCompletions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h completions
		var all []float64
		for _, push := range rapid.SliceOf(rapid.Bool()).Draw(t, "operations") {
			if push {
				at := float64(rapid.IntRange(0, 9).Draw(t, "at"))
				h.push(completion{at: at})
				all = append(all, at)
				continue
			}
			if len(all) == 0 {
				continue
			}
			least := slices.Index(all, slices.Min(all))
			if got := h.pop(); got.at != all[least] {
				t.Fatalf("popped %v of %v", got.at, all)
			}
			all = slices.Delete(all, least, least+1)
		}
	})
}

// The same for many completions at once, whose heap is several levels deep.
func TestManyCompletions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var h completions
	now := 0.0
	for range 20_000 {
		if len(h) < 500 || len(h) < 5000 && rng.IntN(2) == 0 {
			h.push(completion{at: now + rng.Float64()})
			continue
		}
		next := h.pop().at
		if least := slices.MinFunc(h, func(a, b completion) int { return cmp.Compare(a.at, b.at) }).at; next < now || next > least {
			t.Fatalf("popped %v after %v, %v is left", next, now, least)
		}
		now = next
	}
}
