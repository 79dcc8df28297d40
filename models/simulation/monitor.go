package simulation

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"schedgap/models"
)

// A Monitor follows the resources in use and the jobs of a simulated cluster, the same in all simulators, and says in the end
// how near the run came to a steady state (docs/results.md#simulated-steady-state).
type Monitor struct {
	first, now float64
	capacity   []float64
	sums       []float64 // over time: of each resource in use, of the jobs present, and of the waiting ones
	jobs       int       // that arrived
	marks      []mark    // at every fifth arrival, the first among them
	last       mark      // at the last arrival
	// waitingShare is the share of the jobs present after the last arrival that wait; fresh is whether that is to come.
	waitingShare float64
	fresh        bool
}

// A mark has the sums at a job's arrival.
type mark struct {
	at      float64
	present int
	sums    []float64
}

const (
	batch        = 5  // jobs of a batch of MSER-5
	fewest       = 10 // such batches; nothing is said of the steady state of a shorter run
	parts        = 20 // of the rest of a run, for its interval and its trend, fewer where a part would not have a batch
	growingAbove = 0.9995
)

// NewMonitor returns a Monitor of resources of the given capacities. The run begins with the first arrival.
func NewMonitor(first float64, capacity ...float64) *Monitor {
	return &Monitor{first: first, now: first, capacity: capacity, sums: make([]float64, len(capacity)+2)}
}

// Advance lets time pass with so many jobs present, so many of them waiting, that is without anything, and so much held of each
// resource. A time that is not later than the last changes nothing.
func (m *Monitor) Advance(to float64, present, waiting int, held ...float64) {
	d := to - m.now
	if d <= 0 {
		return
	}
	if m.fresh {
		m.fresh, m.waitingShare = false, float64(waiting)/float64(max(1, present))
	}
	for r, h := range held {
		m.sums[r] += d * h
	}
	m.sums[len(held)] += d * float64(present)
	m.sums[len(held)+1] += d * float64(waiting)
	m.now = to
}

// Arrive notes that a job has arrived, and how many are present with it.
func (m *Monitor) Arrive(present int) {
	m.last.at, m.last.present, m.last.sums = m.now, present, append(m.last.sums[:0], m.sums...)
	if m.jobs%batch == 0 {
		m.marks = append(m.marks, mark{m.now, present, slices.Clone(m.sums)})
	}
	m.jobs++
	m.fresh = true
}

// LastArrival is the time of the last arrival.
func (m *Monitor) LastArrival() float64 { return m.last.at }

// Report emits the metrics that all simulators have, of scope run: load; utilisation, the share of the bottleneck's capacity held
// in the window, and whole_utilisation to the end; waiting_share of the time that jobs are present in the window, which is that
// of the flowtime; warm_up; jobs_at_start and jobs_at_end of the window; and where enough jobs came one after the other
// steady_flowtime, the mean of those that arrived in the window, with its 95 % steady_half_width by batch means, and
// steady_state, 0 where the number of jobs still grows. work is by resource (models.Load), flowtime that of the i-th job by
// arrival, in the given unit, which is the clock's. It returns the mean numbers of jobs present and waiting in the window: from
// the end of the warm-up to the last arrival, or all of the run where jobs arrive at once.
func (m *Monitor) Report(work []float64, flowtime func(i int) float64, unit string, emit func(models.Metric)) (present,
	waiting float64,
) {
	total, flow := EmitRun(emit), make([]float64, m.jobs)
	for i := range flow {
		flow[i] = flowtime(i)
	}
	if span := m.last.at - m.first; span > 0 {
		if load := models.Load(work, m.capacity, span); !math.IsInf(load, 0) {
			total("load", "share", load)
		}
	}
	end := mark{m.now, 0, m.sums}
	skip := WarmUp(flow)
	if m.marks[skip/batch].at >= m.last.at {
		skip = 0
	}
	from, to := m.marks[skip/batch], m.last
	if from.at >= to.at {
		to = end
	}
	total("utilisation", "share", m.used(from, to))
	total("whole_utilisation", "share", m.used(m.marks[0], end))
	r := len(m.capacity)
	present, waiting = to.sums[r]-from.sums[r], to.sums[r+1]-from.sums[r+1]
	total("waiting_share", "share", Share(waiting, present))
	total("warm_up", unit, from.at-m.first)
	total("jobs_at_start", "jobs", float64(from.present))
	total("jobs_at_end", "jobs", float64(to.present))
	if len(flow) >= fewest*batch && m.last.at > m.first {
		mean, half := BatchMeans(flow[skip:])
		total("steady_flowtime", unit, mean)
		total("steady_half_width", unit, half)
		steady := 1.0
		if m.growing(skip / batch) {
			steady = 0
		}
		total("steady_state", "truth value", steady)
	}
	return Share(present, to.at-from.at), Share(waiting, to.at-from.at)
}

// used is the share of the bottleneck's capacity that was held.
func (m *Monitor) used(from, to mark) float64 {
	held := make([]float64, len(m.capacity))
	for r := range held {
		held[r] = to.sums[r] - from.sums[r]
	}
	return min(1, models.Load(held, m.capacity, to.at-from.at)) // rounding aside
}

// WarmUp is the number of values at the beginning of a run that MSER-5 leaves out (White, Cobb and Spratt, Winter Simulation
// Conference 2000): of the means of fives, the fewest, at most half, without which the squared standard error of the rest is
// least.
func WarmUp(x []float64) int {
	means := make([]float64, len(x)/batch)
	if len(means) < fewest {
		return 0
	}
	for i := range means {
		means[i] = stat.Mean(x[batch*i:batch*(i+1)], nil)
	}
	least, at := math.Inf(1), 0
	for n, mean, squares := 1., 0., 0.; n <= float64(len(means)); n++ {
		d := len(means) - int(n)
		step := means[d] - mean
		mean += step / n
		squares += step * (means[d] - mean)
		if error2 := squares / (n * n); 2*d <= len(means) && error2 <= least {
			least, at = error2, d
		}
	}
	return batch * at
}

// BatchMeans is the mean of values that depend on those before, and half of its 95 % interval by Student's t of the means of up
// to 20 batches (Schmeiser, Operations Research 30, 1982).
func BatchMeans(x []float64) (mean, half float64) {
	means := make([]float64, min(parts, len(x)/batch))
	for i := range means {
		means[i] = stat.Mean(x[i*len(x)/len(means):(i+1)*len(x)/len(means)], nil)
	}
	n := float64(len(means))
	return stat.Mean(x, nil), distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * stat.StdErr(stat.StdDev(means, nil), n)
}

// growing reports whether the number of jobs present grows over the parts of the window that begins with a mark: whether the
// slope of the line through its means has a t that chance exceeds once in 2,000 times.
func (m *Monitor) growing(first int) bool {
	marks, r := m.marks[first:], len(m.capacity)
	n := min(parts, len(marks)-1)
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		a, b := marks[i*(len(marks)-1)/n], marks[(i+1)*(len(marks)-1)/n]
		x[i], y[i] = float64(i), (b.sums[r]-a.sums[r])/(b.at-a.at)
	}
	free, c := float64(n-2), stat.Correlation(x, y, nil)
	return c > 0 && c*math.Sqrt(free/(1-c*c)) > distuv.StudentsT{Sigma: 1, Nu: free}.Quantile(growingAbove)
}
