package redundancy

import (
	"slices"

	"schedgap/models/heap"
)

// worths are what a unit of work is worth of the jobs in line for M machines with speedup h when none is to arrive: the k-th from
// the end of the line y_k, the largest number with which the best split of the machines earns k jobs no more than k a unit of
// time. The split that earns it is optimal then (docs/design/redundancy.md#optimum-once-all-jobs-have-arrived).
type worths struct {
	gains  []float64 // h(r) − h(r−1)
	y      []float64
	splits [][]int // by len(behind)·n and the option
}

// newWorths returns the worths of up to n jobs.
func newWorths(speedup []float64, n int) *worths {
	m := len(speedup)
	w := &worths{gains: make([]float64, m), y: make([]float64, n), splits: make([][]int, len(behind)*(n+1))}
	for r := range speedup {
		w.gains[r] = speedup[r]
		if r > 0 {
			w.gains[r] = max(0, speedup[r]-speedup[r-1])
		}
	}
	earned, spare := make([]float64, m), make([]float64, m) // on each machine by the jobs so far, descending
	for k := range w.y {
		n := float64(k + 1)
		w.y[k] = n / speedup[m-1]
		rest := 0.0 // earned on the machines that the job leaves
		for r := m - 1; r >= 1; r-- {
			rest += earned[m-1-r]
			w.y[k] = min(w.y[k], (n-rest)/speedup[r-1])
		}
		earned, spare = merge(spare, earned, w.y[k], w.gains), earned
	}
	return w
}

// merge fills list with the largest among earned and y times the gains, all descending and of the same length.
func merge(list, earned []float64, y float64, gains []float64) []float64 {
	i, r := 0, 0
	for k := range list {
		if v := y * gains[r]; v > earned[i] {
			list[k], r = v, r+1
		} else {
			list[k], i = earned[i], i+1
		}
	}
	return list
}

// split returns the copies of the n jobs in line, the first one first, of which the last ones have none, when behind[option]
// others are behind them.
func (w *worths) split(n, option int) []int {
	at := n*len(behind) + option
	if s := w.splits[at]; s != nil {
		return s
	}
	first := min(behind[option], len(w.y)-n) + n - 1 // the worth of the first one
	copies := make([]int, n)
	var most heap.Queue // by what one machine more would earn
	for i := range copies {
		most.Push(heap.Entry{Key: -w.y[first-i] * w.gains[0], ID: i})
	}
	for range w.gains {
		e := most.Pop()
		if e.Key >= 0 {
			break
		}
		i := e.ID
		if copies[i]++; copies[i] < len(w.gains) {
			most.Push(heap.Entry{Key: -w.y[first-i] * w.gains[copies[i]], ID: i})
		}
		if len(most) == 0 {
			break
		}
	}
	if last := slices.Index(copies, 0); last >= 0 {
		copies = copies[:last]
	}
	w.splits[at] = copies
	return copies
}
