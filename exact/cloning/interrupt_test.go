package cloning

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/exact/cloning/oracle"
	"schedgap/exact/cloning/pricing"
)

// An ending is a context that is done once it has been asked so many times, so that each place that asks is the first to know
// once.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	e.left--
	if e.left < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever the context ends, the prices that were found so far give a bound, no better than all of the search does.
func TestPricesAtEveryEnd(t *testing.T) {
	in := oracle.RandomInstance(rand.New(rand.NewPCG(15, 7)), 10)
	whole := &ending{t.Context(), math.MaxInt}
	most := pricing.Bound(whole, in, pricing.Options{Steps: 12})
	if !most.Done || most.Prices == nil {
		t.Fatalf("%+v", most)
	}
	asked, some := math.MaxInt-whole.left, 0
	for left := range asked {
		r := pricing.Bound(&ending{t.Context(), left}, in, pricing.Options{Steps: 12})
		if r.Done || r.Bound > most.Bound {
			t.Fatalf("%+v after %d questions, %+v after all", r, left, most)
		}
		if r.Prices != nil {
			some++
		}
	}
	if asked < 20 || some < 10 {
		t.Errorf("%d questions, %d ends with prices", asked, some)
	}
}
