package sim

// A completion is the end of a running task.
type completion struct {
	at    float64
	phase int32
	task  int32
}

// completions is a heap of the running tasks, the first to end on top. Four children a node keep it shallow: it holds one
// entry a busy slot and is worked twice a task.
type completions []completion

func (h *completions) push(c completion) {
	s := append(*h, c)
	i := len(s) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if s[parent].at <= c.at {
			break
		}
		s[i] = s[parent]
		i = parent
	}
	s[i] = c
	*h = s
}

func (h *completions) pop() completion {
	s := *h
	top, last := s[0], s[len(s)-1]
	s = s[:len(s)-1]
	*h = s
	if len(s) == 0 {
		return top
	}
	i := 0
	for {
		child := 4*i + 1
		if child >= len(s) {
			break
		}
		for c, end := child+1, min(child+4, len(s)); c < end; c++ {
			if s[c].at < s[child].at {
				child = c
			}
		}
		if s[child].at >= last.at {
			break
		}
		s[i] = s[child]
		i = child
	}
	s[i] = last
	return top
}
