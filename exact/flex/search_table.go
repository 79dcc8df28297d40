package flex

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/models"
	"schedgap/models/flex"
)

// A dueTable is the dynamic program of Lawler and Moore for one machine: jobs without minima that can hold all slots, each in time or
// late (docs/design/flex.md#one-machine-with-due-dates). Works and penalties are whole numbers of a unit.
type dueTable struct {
	jobs  []dueJob // by due date
	never []int    // the other jobs, whose penalty is fixed
	least int64    // what all jobs cost if none is late that may be in time
	unit  float64  // of penalties
	row   int      // jobs that are done
	gain  []int64  // by the work of the jobs in time, the most that they gain by it; -1: no jobs have that work
	taken [][]uint64
}

// A dueJob gains something if the jobs in time that are due no later have no more work than room.
type dueJob struct {
	job, work, room int
	gain            int64
}

// The greatest table has 2^30 bits, 128 MB, and takes a few seconds.
const (
	tableWidth = 1 << 24
	tableCells = 1 << 30
)

// newDueTable is nil where the instance is not of that kind, its numbers are no multiples of units, or the table would be too large.
func newDueTable(in *flex.Instance) *dueTable {
	t, h := &dueTable{}, flex.Horizon(in)
	var works, penalties, dues []float64
	for j := range in.Jobs {
		job, options := &in.Jobs[j], optionsOf(in, j, h)
		if job.Min > 0 || job.Max < in.Slots || len(options) > 2 {
			return nil
		}
		early, late := options[0], options[len(options)-1]
		penalties = append(penalties, early.penalty, late.penalty)
		works = append(works, job.Work)
		if early.penalty == late.penalty {
			t.never = append(t.never, j)
			continue
		}
		t.jobs = append(t.jobs, dueJob{job: j})
		dues = append(dues, in.StepTimes(j)[early.level])
	}
	work, unit := multiples(works)
	penalty, unitOfPenalty := multiples(penalties)
	if work == nil || penalty == nil {
		return nil
	}
	t.unit = unitOfPenalty
	for j := range in.Jobs {
		t.least += penalty[2*j]
	}
	width, total := 0, 0
	for i := range t.jobs {
		d := &t.jobs[i]
		d.gain = penalty[2*d.job+1] - penalty[2*d.job]
		// Work that is in time by the tolerance for steps is a whole number, too. It is the same with all of the tolerance and with none.
		most := float64(in.Slots) * dues[i] / unit
		room := math.Floor(most * (1 + 2*flex.Tolerance))
		if room != math.Floor(most*(1+1e-15)) || !(room < 1<<50) || work[d.job] > tableWidth {
			return nil
		}
		d.work, d.room = int(work[d.job]), int(room)
		total += d.work
	}
	for i := range t.jobs {
		d := &t.jobs[i]
		d.room = min(d.room, total)
		width = max(width, d.room)
	}
	if width >= tableWidth || (width+1)*len(t.jobs) > tableCells {
		return nil
	}
	slices.SortStableFunc(t.jobs, func(a, b dueJob) int { return cmp.Compare(a.room, b.room) })
	t.gain = make([]int64, width+1)
	for w := range t.gain[1:] {
		t.gain[1+w] = -1
	}
	return t
}

// multiples are the numbers in their greatest common unit: whole and below 2^53 in all; nil: there are none such.
func multiples(numbers []float64) (whole []int64, unit float64) {
	unit = 1
	sum := 0.0
	for _, x := range numbers {
		for ; x/unit != math.Trunc(x/unit) && unit > 0x1p-40; unit /= 2 { // powers of 2, so that nothing is rounded
		}
		sum += math.Abs(x)
	}
	if !(sum/unit < 1<<52) {
		return nil, 0
	}
	whole, common := make([]int64, len(numbers)), int64(0)
	for i, x := range numbers {
		if x/unit != math.Trunc(x/unit) {
			return nil, 0
		}
		whole[i] = int64(x / unit)
		for a := whole[i]; a != 0; { // Euclid
			common, a = a, common%a
		}
	}
	if common < 0 {
		common = -common
	}
	for i := range whole {
		whole[i] /= max(1, common)
	}
	return whole, unit * float64(max(1, common))
}

// run is false when ctx ended first; it goes on where it stopped.
func (t *dueTable) run(ctx context.Context) bool {
	for ; t.row < len(t.jobs); t.row++ {
		if ctx.Err() != nil {
			return false
		}
		d := t.jobs[t.row]
		taken := make([]uint64, d.room/64+1)
		for w := d.room; w >= d.work; w-- {
			if before := t.gain[w-d.work]; before >= 0 && before+d.gain > t.gain[w] {
				t.gain[w] = before + d.gain
				taken[w/64] |= 1 << (w % 64)
			}
		}
		t.taken = append(t.taken, taken)
	}
	return true
}

// order is an optimal order of all jobs, with its value.
func (t *dueTable) order() (order []int, value float64) {
	w, lost := 0, int64(0)
	for i, gain := range t.gain {
		if gain > t.gain[w] {
			w = i
		}
	}
	lost -= t.gain[w]
	var late []int
	for i, d := range slices.Backward(t.jobs) {
		lost += d.gain
		if w <= d.room && t.taken[i][w/64]&(1<<(w%64)) != 0 {
			order, w = append(order, d.job), w-d.work
		} else {
			late = append(late, d.job)
		}
	}
	slices.Reverse(order)
	return slices.Concat(order, late, t.never), float64(t.least+lost) * t.unit
}

// solveDueTable enters the optimum into the ledger. If rounding makes the schedule's value another one, the search over levels
// follows.
func solveDueTable(ctx context.Context, p *flex.Pass, t *dueTable) (models.End, error) {
	var search exact.Resuming
	search = func(ctx context.Context) (models.End, error) {
		if !t.run(ctx) {
			end := models.Ended(ctx, "", models.Stats{Work: models.Work{Nodes: new(int64(t.row))}})
			end.Resume = search
			return end, nil
		}
		order, value := t.order()
		packer := flex.NewPacker(p.Instance)
		if p.Instance.Value(packer.Completions(order)) != value {
			return solveLevels(ctx, p)
		}
		p.Offer(packer.Pack(order))
		p.Bound(value)
		return models.End{Stats: models.Stats{Work: models.Work{Nodes: new(int64(t.row))}}}, nil
	}
	return search(ctx)
}
