package speculation

import (
	"context"

	"schedgap/models/speculation"
)

// Looks is how many times Allocate looks at a pair of a straggler and a slot.
func Looks(ctx context.Context, in *speculation.Instance, k int, closeness string) int {
	a := &allocation{most: k, closeness: closeness}
	a.match(ctx, in)
	return a.looks
}
