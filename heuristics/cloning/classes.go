package cloning

import (
	"cmp"
	"math"
	"slices"
)

// A size describes a job to the knapsack of one class of Algorithm 1.
type size struct {
	job    int     // place in the list of jobs
	volume float64 // v_j, its share of the knapsack
	time   float64 // e_j
}

// classes returns the class of every job by Algorithm 1, lines 2 to 11. Class 1 is served first. Class l takes jobs with
// e ≤ 2^l by ascending volume, ties by position, as long as Σ v ≤ 2^l. A job keeps the first class that takes it, but counts
// in the sums of later classes too. With the bounds that docs/problems/cloning.md#dollymp adds every job has a class before
// the paper's number of classes g is reached, so the loop ends when all jobs have one.
func classes(jobs []size) []int {
	sortByVolume(jobs)
	class := make([]int, len(jobs))
	for l, left := 1, len(jobs); left > 0; l++ {
		left -= pack(class, l, jobs)
	}
	return class
}

// pack fills the knapsack of class l with jobs sorted by volume, and returns how many of them had no class before.
func pack(class []int, l int, jobs []size) int {
	bound, sum, taken := math.Ldexp(1, l), 0.0, 0
	for _, j := range jobs {
		if j.time > bound {
			continue
		}
		sum += j.volume
		if sum > bound {
			break
		}
		if class[j.job] == 0 {
			class[j.job] = l
			taken++
		}
	}
	return taken
}

func sortByVolume(jobs []size) {
	slices.SortFunc(jobs, func(a, b size) int { return cmp.Or(cmp.Compare(a.volume, b.volume), a.job-b.job) })
}

// carefulClasses is Algorithm 1 with the clones of Corollary 4.1: in class l a job counts with r copies of every task, the fewest
// with which it is done within 2^l, and it keeps that number. times and volumes are by number of copies, from 1.
func carefulClasses(jobs []carefulSize) (class, copies []int) {
	class, copies = make([]int, len(jobs)), make([]int, len(jobs))
	knapsack := make([]size, 0, len(jobs))
	chosen := make([]int, len(jobs))
	for l, left := 1, len(jobs); left > 0; l++ {
		knapsack = knapsack[:0]
		for i := range jobs {
			r := slices.IndexFunc(jobs[i].times, func(t float64) bool { return t <= math.Ldexp(1, l) })
			if r >= 0 {
				knapsack = append(knapsack, size{i, jobs[i].volumes[r], 0})
				chosen[i] = r + 1
			}
		}
		sortByVolume(knapsack)
		left -= pack(class, l, knapsack)
		for i := range jobs {
			if class[i] == l {
				copies[i] = chosen[i]
			}
		}
	}
	return class, copies
}

type carefulSize struct{ times, volumes []float64 }
