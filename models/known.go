package models

import (
	"context"
	"sync"
)

// Known keeps what was found out about one instance for the runs to come on it: only what is the same whenever it is found out,
// such as the solution of a heuristic with a seed. Several goroutines may use it. A nil Known keeps nothing.
type Known struct {
	mu    sync.Mutex
	facts map[any]any
}

// Once returns what find returned when it was first called for key; key and the type of the fact belong together. Neither an error is
// kept nor what was found while ctx ended, which may be less than there is.
func Once[F any](ctx context.Context, k *Known, key any, find func() (F, error)) (F, error) {
	if k == nil {
		return find()
	}
	k.mu.Lock()
	fact, ok := k.facts[key]
	k.mu.Unlock()
	if ok {
		return fact.(F), nil
	}
	f, err := find()
	if err != nil || ctx.Err() != nil {
		return f, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.facts == nil {
		k.facts = map[any]any{}
	}
	k.facts[key] = f
	return f, nil
}
