package sim

import (
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
