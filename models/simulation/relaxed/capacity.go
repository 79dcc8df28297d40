package relaxed

// A Capacity says how much work a machine can have done by each moment. It counts from time 0, and is not negative before.
type Capacity interface {
	work(t float64) float64
	when(work float64) float64       // the first moment by which it is done
	moment(from, to float64) float64 // ∫ when over the work from … to
}

// Constant is a machine that always does as much in a unit of time, > 0.
type Constant float64

func (c Constant) work(t float64) float64    { return float64(c) * t }
func (c Constant) when(work float64) float64 { return work / float64(c) }
func (c Constant) moment(from, to float64) float64 {
	return (to - from) * (from + to) / 2 / float64(c)
}

// A Curve is a machine with known work between some moments and a known greatest speed. Between two of them it
// is taken to do everything as early as it could. It is not for concurrent use.
type Curve struct {
	peak    float64
	at      []float64 // moments
	done    []float64 // by then
	cursor  int       // where the last search ended: most begin near there
	moments []float64 // ∫ when up to done
}

// NewCurve returns a machine that does nothing before start and at most peak > 0 in a unit of time.
func NewCurve(start, peak float64) *Curve {
	return &Curve{peak: peak, at: []float64{start}, done: []float64{0}, moments: []float64{0}}
}

// Add says that the machine did some work from the last moment until t.
func (c *Curve) Add(t, work float64) {
	last := len(c.at) - 1
	if work <= 0 || t <= c.at[last] {
		c.at[last] = max(t, c.at[last])
		return
	}
	c.moments = append(c.moments, c.moments[last]+work*(c.at[last]+work/c.peak/2))
	c.at, c.done = append(c.at, t), append(c.done, c.done[last]+work)
}

// first is the first place of list, of at or done, that is at least x.
func (c *Curve) first(list []float64, x float64) int {
	i := min(c.cursor, len(list))
	for i > 0 && list[i-1] >= x {
		i--
	}
	for i < len(list) && list[i] < x {
		i++
	}
	c.cursor = i
	return i
}

func (c *Curve) work(t float64) float64 {
	i := c.first(c.at, t)
	switch {
	case i == 0:
		return 0
	case i == len(c.at):
		return c.done[i-1] + (t-c.at[i-1])*c.peak
	}
	return min(c.done[i], c.done[i-1]+(t-c.at[i-1])*c.peak)
}

func (c *Curve) when(work float64) float64 {
	i := max(1, c.first(c.done, work))
	return c.at[i-1] + (work-c.done[i-1])/c.peak
}

// until is ∫ when from the start.
func (c *Curve) until(work float64) float64 {
	i := max(1, c.first(c.done, work))
	w := work - c.done[i-1]
	return c.moments[i-1] + w*(c.at[i-1]+w/c.peak/2)
}

func (c *Curve) moment(from, to float64) float64 { return c.until(to) - c.until(from) }
