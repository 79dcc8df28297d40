package prices

import (
	"cmp"
	"slices"
)

// A Candidate is a job that may be in a cover: jobs that need more capacity to be done by some time than there is, so that not
// all of them are done (docs/bounds-and-proofs.md#covers).
type Candidate struct {
	Job  int
	Done float64 // how much of it the columns complete before that time, from 0 to 1
	Cost float64 // capacity that it needs at least to be done by then
}

// CoverOrders are what candidates may be sorted by, ascending: a cover lacks little and needs much, so jobs come by what they
// lack, for themselves or for their cost.
var CoverOrders = [2]func(Candidate) float64{
	func(c Candidate) float64 { return (1 - c.Done) / c.Cost }, func(c Candidate) float64 { return 1 - c.Done },
}

// A ViolatedRow is a row with by how much columns violate it.
type ViolatedRow struct {
	Row
	By float64
}

// MostViolated are the n most violated rows of list, fewer if it has no more, the most violated first. It sorts list.
func MostViolated(list []ViolatedRow, n int) []ViolatedRow {
	slices.SortStableFunc(list, func(a, b ViolatedRow) int { return cmp.Compare(b.By, a.By) })
	return list[:min(n, len(list))]
}

// RowsOf are the rows of list.
func RowsOf(list []ViolatedRow) (rows []Row) {
	for _, v := range list {
		rows = append(rows, v.Row)
	}
	return rows
}

// Cover takes candidates as they come until they need more than the capacity and leaves out again whom it can. With them go all
// who need as much as each of them; of these jobs, one fewer than the cover has can be done. There are no jobs in the row when
// all fit. The row has no point yet.
func Cover(sorted []Candidate, capacity float64) (v ViolatedRow) {
	sum, n, dearest := 0.0, 0, 0.0
	for n < len(sorted) && sum <= capacity {
		sum += sorted[n].Cost
		n++
	}
	if sum <= capacity {
		return v
	}
	rest := slices.Clone(sorted[:n])
	slices.SortStableFunc(rest, func(a, b Candidate) int { return cmp.Compare(a.Done, b.Done) })
	kept := map[int]bool{}
	for _, c := range rest {
		if sum-c.Cost > capacity {
			sum -= c.Cost
			continue
		}
		kept[c.Job], dearest = true, max(dearest, c.Cost)
	}
	v.Most = float64(len(kept) - 1)
	v.By = -v.Most
	for _, c := range sorted {
		if kept[c.Job] || c.Cost >= dearest {
			v.Jobs = append(v.Jobs, c.Job)
			v.By += c.Done
		}
	}
	return v
}
