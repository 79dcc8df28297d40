package flex

import (
	"context"
	"math"
	"testing"

	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/trials"
)

// With prices from the first node on the search finds what it finds without, and what linear programs over all orders do.
func TestPairsWithPrices(t *testing.T) {
	rng := trials.Rand(t, 151, 1)
	for i := range trials.Count(150) {
		in := unevenInstance(rng, 3+rng.IntN(4))
		_, want, _ := solve(t, Opt, in)
		out, err := Opt.Alone(t.Context(), &method{Solve: func(ctx context.Context, p *flex.Pass) (models.End, error) {
			return searchPairs(ctx, p, 0, 100)
		}}, pass(in), nil)
		fail.On(t, err)
		got := value(t, in, out.Solution)
		if out.Status != models.Optimal || math.Abs(got-want) > 1e-9*sizeOf(in) {
			t.Fatalf("with prices %v (%s), without %v\n%s", got, out.Status, want, show(in))
		}
		if i%4 > 0 || len(in.Jobs) > 5 {
			continue
		}
		want = math.Inf(1)
		permutations(len(in.Jobs), func(order []int) {
			if plan, err := bestInOrder(in, order); err == nil {
				want = min(want, value(t, in, plan))
			}
		})
		if math.Abs(got-want) > 1e-9*sizeOf(in) {
			t.Fatalf("with prices %v, all orders say %v\n%s", got, want, show(in))
		}
	}
}
