package models

import (
	"context"
	"errors"
	"testing"
)

// TestOnce: a fact is found once for each key, unless finding it failed or was cut short.
func TestOnce(t *testing.T) {
	var k Known
	calls := 0
	find := func(ctx context.Context, key any, err error) int {
		v, got := Once(ctx, &k, key, func() (int, error) { calls++; return calls, err })
		if !errors.Is(got, err) {
			t.Errorf("error %v, want %v", got, err)
		}
		return v
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	failure := errors.New("it failed")
	for i, c := range []struct {
		ctx  context.Context
		key  string
		err  error
		want int
	}{
		{t.Context(), "a", failure, 1},
		{ended, "a", nil, 2},
		{t.Context(), "a", nil, 3},
		{ended, "a", nil, 3},
		{t.Context(), "b", nil, 4},
		{t.Context(), "a", nil, 3},
	} {
		if got := find(c.ctx, c.key, c.err); got != c.want {
			t.Errorf("case %d: %d, want %d", i, got, c.want)
		}
	}
	if v, err := Once(t.Context(), nil, "a", func() (int, error) { return 7, nil }); v != 7 || err != nil {
		t.Errorf("nothing is kept by nil: %d, %v", v, err)
	}
}
