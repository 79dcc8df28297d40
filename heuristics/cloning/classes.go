package cloning

import (
	"cmp"
	"math"
	"slices"
)

// A size is what Algorithm 1 knows of a job in the knapsack of one class.
type size struct {
	job    int     // place in the list of jobs
	volume float64 // v_j, what it adds to the knapsack
	time   float64 // e_j
}

// classes is Algorithm 1, lines 2 to 11: the class of every job, those of class 1 being served first. Class l takes of the jobs
// with e ≤ 2^l as many as it can with Σ v ≤ 2^l, which are those of least volume, the earlier first; a job keeps the first
// class that takes it, which counts it again in later ones. The paper's number of classes g does not matter: with the bounds
// that docs/problems/cloning.md#dollymp adds all jobs have a class by then, so the loop ends when they have.
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
		if sum += j.volume; sum > bound {
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
