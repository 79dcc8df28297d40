package parallel

import "sync"

// Incumbents passes on what several threads find, one solution at a time and each only if it is worth less than all before. Which
// ones these are depends on who is first; a search whose result must not depend on it does not look here.
type Incumbents[S any] struct {
	mu   sync.Mutex
	best float64
	tell func(S)
}

// NewIncumbents passes on to tell what is worth less than best.
func NewIncumbents[S any](best float64, tell func(S)) *Incumbents[S] {
	return &Incumbents[S]{best: best, tell: tell}
}

// Found takes a solution of a value.
func (i *Incumbents[S]) Found(value float64, s S) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if value < i.best {
		i.best = value
		i.tell(s)
	}
}
