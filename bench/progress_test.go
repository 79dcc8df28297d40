package bench_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"schedgap/bench"
	"schedgap/bench/toyproblem"
)

func solution(pick int) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"problem":"toy","instance":"three","algorithm":"mine","pick":%d}`, pick))
}

func same(file json.RawMessage) (json.RawMessage, error) { return file, nil }

// Picks 0, 2 and 4 are worth 5, 2 and 1; 1 is refused, 9 is not there. Told 5, 5 again, the refused one, 2, half a file and 1, a
// run has known 5, 2 and 1; and of the bounds −3, −5, −1 those that are better than before.
func TestFollow(t *testing.T) {
	in := toyproblem.Instance(t, "three", 5, 1, 2, 7, 1)
	var found bench.Track[json.RawMessage]
	for i, file := range []json.RawMessage{
		solution(0), solution(0), solution(1), solution(2), []byte(`{"pick":`), solution(9),
		solution(4),
	} {
		found.Add(bench.Moment{Wall: float64(i + 1)}, file)
	}
	var bounds bench.Track[float64]
	for i, b := range []float64{-3, -5, -1} {
		bounds.Add(bench.Moment{Wall: float64(i) + 0.5}, b)
	}
	res := &bench.Result{Reference: "opt", WallSeconds: 100}
	bench.Follow(res, in, bench.Request{Algorithm: "mine", Command: []string{"x"}}, &found, same, &bounds)
	var got []string
	for _, e := range res.Progress {
		if e.Bound != nil {
			got = append(got, fmt.Sprintf("%v: >= %v", e.Wall, *e.Bound))
		} else {
			got = append(got, fmt.Sprintf("%v: %v", e.Wall, *e.Objective))
		}
	}
	if want := []string{"0.5: >= -3", "1: 5", "2.5: >= -1", "4: 2", "7: 1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	rows := bench.Rows("run", "unit", res.Progress)
	if r := rows[1]; r.Seq != 1 || r.Kind != bench.KindIncumbent || *r.Objective != 5 || r.Bound != nil ||
		rows[0].Kind != bench.KindBound {
		t.Errorf("%+v", rows)
	}
}

// Where checking takes longer than it may, the first and the last are checked all the same.
func TestFollowHasNoTime(t *testing.T) {
	in := toyproblem.Instance(t, "three", 5, 1, 2, 7, 1)
	var found bench.Track[json.RawMessage]
	for i := range 1000 {
		found.Add(bench.Moment{Wall: float64(i)}, solution(min(i/500, 2)*2))
	}
	checks := 0
	res := &bench.Result{Reference: "opt"}
	slow := func(file json.RawMessage) (json.RawMessage, error) {
		checks++
		for range 2000 {
			_ = json.Valid(file)
		}
		return file, nil
	}
	bench.Follow(res, in, bench.Request{Algorithm: "mine", Command: []string{"x"}}, &found, slow, &bench.Track[float64]{})
	if n := len(res.Progress); checks < 2 || checks > found.Len()/2 || *res.Progress[0].Objective != 5 ||
		*res.Progress[n-1].Objective != 2 {
		t.Errorf("%d of %d checked: %+v", checks, found.Len(), res.Progress)
	}
}

// However much a track gets, a few hundred are kept: the first, the last, and at any time one that is no older than 3 % of the
// time or a millisecond.
func TestTrack(t *testing.T) {
	var found bench.Track[json.RawMessage]
	var bounds bench.Track[float64]
	const n = 200_000
	for i := range n {
		at := 600 * math.Pow(float64(i)/n, 3)
		bounds.Add(bench.Moment{Wall: at}, at)
	}
	in := toyproblem.Instance(t, "three", 5, 1, 2)
	res := &bench.Result{Reference: "opt"}
	bench.Follow(res, in, bench.Request{Algorithm: "mine", Command: []string{"x"}}, &found, same, &bounds)
	kept := res.Progress
	if len(kept) > 1000 || kept[0].Wall != 0 || kept[len(kept)-1].Wall != 600*math.Pow(float64(n-1)/n, 3) {
		t.Fatalf("%d kept, from %v to %v", len(kept), kept[0], kept[len(kept)-1])
	}
	for i := 1; i < len(kept); i++ {
		if a, b := kept[i-1].Wall, kept[i].Wall; b-a > max(0.035*a, 1.1e-3) {
			t.Errorf("nothing between %v and %v", a, b)
		}
	}
	bounds.Halve()
	if bounds.Len() != len(kept)/2+1 {
		t.Errorf("%d of %d are left", bounds.Len(), len(kept))
	}
}
