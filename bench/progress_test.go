package bench_test

import (
	"bytes"
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

// Picks 0, 2 and 4 are worth 5, 2 and 1; 1 is refused, 9 is not there. Told 5, 5 again, the refused one, 2, half a file and 1, a
// run has known 5, 2 and 1; and of the bounds −3, −5, −1 those that are better than before.
func TestFollow(t *testing.T) {
	in := toyproblem.Instance(t, "three", 5, 1, 2, 7, 1)
	var found bench.ProgressLog
	for i, file := range []json.RawMessage{
		solution(0), solution(0), solution(1), solution(2), []byte(`{"pick":`), solution(9),
		solution(4),
	} {
		found.Incumbent(bench.Moment{Wall: float64(i + 1)}, file)
	}
	for i, b := range []float64{-3, -5, -1} {
		found.Bound(bench.Moment{Wall: float64(i) + 0.5}, b)
	}
	res := &bench.Result{Reference: "opt", WallSeconds: 100}
	found.Follow(res, in, bench.Request{Algorithm: "mine", Command: []string{"x"}})
	var got []string
	for _, e := range res.Progress {
		if e.Bound != nil {
			got = append(got, fmt.Sprintf("%v: >= %v", e.WallSeconds, *e.Bound))
		} else {
			got = append(got, fmt.Sprintf("%v: %v", e.WallSeconds, *e.Objective))
		}
	}
	if want := []string{"0.5: >= -3", "1: 5", "2.5: >= -1", "4: 2", "7: 1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	rows := res.Progress
	if r := rows[1]; r.Seq != 1 || r.Kind != bench.KindIncumbent || *r.Objective != 5 || r.Bound != nil ||
		rows[0].Kind != bench.KindBound {
		t.Errorf("%+v", rows)
	}
}

// told are 200 incumbents, each better than the one before, in files of so many bytes.
func told(t *testing.T, size int) (*bench.ProgressLog, *bench.Instance) {
	values := make([]float64, 400)
	for i := range values {
		values[i] = float64(1000 - i)
	}
	var found bench.ProgressLog
	for i := range 200 { // odd picks are refused
		found.Incumbent(bench.Moment{Wall: float64(i * i)}, append(bytes.Repeat([]byte(" "), size), solution(2*i)...))
	}
	return &found, toyproblem.Instance(t, "three", values...)
}

// Where checking takes longer than it may, and where the incumbents are too large to be kept, the first and the last are left.
func TestFollowLeavesOut(t *testing.T) {
	for _, c := range []struct {
		size         int
		seconds      float64
		least, limit int
	}{{100, 1e6, 150, 199}, {60_000, 0, 2, 100}, {1 << 20, 1e6, 8, 20}} {
		found, in := told(t, c.size)
		res := &bench.Result{Reference: "opt", WallSeconds: c.seconds}
		found.Follow(res, in, bench.Request{Algorithm: "mine", Command: []string{"x"}})
		if n := len(res.Progress); n < c.least || n > c.limit || *res.Progress[0].Objective != 1000 ||
			*res.Progress[n-1].Objective != 602 {
			t.Errorf("%d bytes: %d checked", c.size, n)
		}
	}
}

// However much a track gets, a few hundred are kept: the first, the last, and at any time one that is no older than 3 % of the
// time or a millisecond.
func TestTrack(t *testing.T) {
	var found bench.ProgressLog
	const n = 200_000
	for i := range n {
		at := 600 * math.Pow(float64(i)/n, 3)
		found.Bound(bench.Moment{Wall: at}, at)
	}
	in := toyproblem.Instance(t, "three", 5, 1, 2)
	res := &bench.Result{Reference: "opt"}
	found.Follow(res, in, bench.Request{Algorithm: "mine", Command: []string{"x"}})
	kept := res.Progress
	if len(kept) > 1000 || kept[0].WallSeconds != 0 || kept[len(kept)-1].WallSeconds != 600*math.Pow(float64(n-1)/n, 3) {
		t.Fatalf("%d kept, from %v to %v", len(kept), kept[0], kept[len(kept)-1])
	}
	for i := 1; i < len(kept); i++ {
		if a, b := kept[i-1].WallSeconds, kept[i].WallSeconds; b-a > max(0.035*a, 1.1e-3) {
			t.Errorf("nothing between %v and %v", a, b)
		}
	}
}
