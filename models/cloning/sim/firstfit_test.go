package sim_test

import (
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/cloning/sim"
	"schedgap/models/trials/property"
)

// The tree finds the server that a walk along the row finds, whatever changed before.
func TestFirstFit(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 3).Draw(t, "resources")
		vector := func(label string) []float64 {
			v := make([]float64, width)
			for r := range v {
				v[r] = float64(rapid.IntRange(0, 4).Draw(t, label))
			}
			return v
		}
		rooms := make([][]float64, rapid.IntRange(1, 20).Draw(t, "servers"))
		for i := range rooms {
			rooms[i] = vector("room")
		}
		f := sim.NewRow(rooms)
		for range 20 {
			i := rapid.IntRange(0, len(rooms)-1).Draw(t, "server")
			rooms[i] = vector("new room")
			f.Set(i, rooms[i])
			from, demand, want, last := rapid.IntRange(0, len(rooms)).Draw(t, "from"), vector("demand"), -1, -1
			for s := len(rooms) - 1; s >= 0; s-- {
				fits := true
				for r := range demand {
					fits = fits && demand[r] <= rooms[s][r]
				}
				if fits && s >= from {
					want = s
				}
				if fits {
					last = max(last, s)
				}
			}
			if got := f.Find(from, demand); got != want {
				t.Fatalf("%v from %d in %v: %d, want %d", demand, from, rooms, got, want)
			}
			if got := f.Last(demand); got != last {
				t.Fatalf("%v in %v: last %d, want %d", demand, rooms, got, last)
			}
		}
	})
}
