package prices

import "schedgap/models/proof"

// A Row says that in any schedule at most Most of Jobs complete strictly before the grid point Point ≥ 1.
type Row struct {
	Point int
	Jobs  []int
	Most  float64
	Proof *proof.CountProof // what proves it, where the instance does not say
}

// payments takes over the multipliers of the rows.
func (r *Relaxation) payments(theta []float64) {
	r.theta, r.listed = theta, make([][]int, r.Jobs)
	for i := range theta {
		for _, j := range r.Rows[i].Jobs {
			r.listed[j] = append(r.listed[j], i)
		}
	}
}

// paymentsOf has job j's payment for completing in each interval: θ of each of its rows whose point comes later; nil: nothing in
// any. It may use row.
func (r *Relaxation) paymentsOf(j int, row []float64) []float64 {
	if len(r.listed[j]) == 0 {
		return nil
	}
	clear(row)
	for _, i := range r.listed[j] {
		row[r.Rows[i].Point-1] += r.theta[i]
	}
	for k := len(r.At) - 2; k >= 0; k-- {
		row[k] += row[k+1]
	}
	return row
}

// Done is how much of job j completes strictly before a grid point, as last evaluated with a gradient.
func (r *Relaxation) Done(j, point int) float64 { return r.done[j*len(r.At)+point-1] }

// counted is how many jobs of a row complete strictly before its point.
func (r *Relaxation) counted(row Row) float64 {
	sum := 0.0
	for _, j := range row.Jobs {
		sum += r.Done(j, row.Point)
	}
	return sum
}

// replace drops the rows that the columns of the last evaluation keep and whose multiplier in p is 0, adds list, and returns p
// for the rows that there are then.
func (r *Relaxation) replace(p Point, list []Row) Point {
	rows, theta := r.Rows[:0], []float64{}
	for i, row := range r.Rows {
		if p.Theta[i] > 0 || r.counted(row) > row.Most {
			rows, theta = append(rows, row), append(theta, p.Theta[i])
		}
	}
	r.Rows = append(rows, list...)
	return Point{p.Price, append(theta, make([]float64, len(list))...)}
}
