package models_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models"
	"schedgap/models/trials/property"
)

// By hand: of 30 and 8 units of work on 10 and 2 the second is the bottleneck, 8/(2·5); and in 5 they offer 0.8, in which they
// offer 5. Half the time doubles the load, the order of the resources does not matter, one of which nothing is asked does not
// either, and to merge two into one never raises it.
func TestLoad(t *testing.T) {
	if got := models.Load([]float64{30, 8}, []float64{10, 2}, 5); got != 0.8 {
		t.Errorf("load %v, want 0.8", got)
	}
	if got := models.Load([]float64{30, 8}, []float64{10, 2}, 0.8); got != 5 {
		t.Errorf("time %v, want 5", got)
	}
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(t, "resources")
		amounts := rapid.SliceOfN(rapid.Float64Range(0.01, 100), n, n)
		work, capacity, time := amounts.Draw(t, "work"), amounts.Draw(t, "capacity"), rapid.Float64Range(0.01, 100).Draw(t, "time")
		want := models.Load(work, capacity, time)
		if got := models.Load(work, capacity, time/2); got != 2*want {
			t.Errorf("in half the time %v, want twice %v", got, want)
		}
		if got := models.Load(append(work[:n:n], 0), append(capacity[:n:n], 0), time); got != want {
			t.Errorf("with a resource that nobody uses %v, want %v", got, want)
		}
		merged := models.Load(append([]float64{work[0] + work[1]}, work[2:]...),
			append([]float64{capacity[0] + capacity[1]}, capacity[2:]...), time)
		if merged > want*(1+1e-12) {
			t.Errorf("two resources in one: %v, more than %v", merged, want)
		}
		slices.Reverse(work)
		slices.Reverse(capacity)
		if got := models.Load(work, capacity, time); got != want {
			t.Errorf("in another order %v, want %v", got, want)
		}
	})
}
