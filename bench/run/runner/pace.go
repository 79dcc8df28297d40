package runner

import "schedgap/bench"

// Paces are the speeds of algorithms so far, by name. A unit is expected to take its algorithm's mean seconds per job for each of
// its jobs. For an algorithm without an ended unit the mean of all algorithms is used.
type paces map[string]*pace

type pace struct {
	seconds, jobs float64 // of units that ended
	left          float64 // jobs of the others
}

func newPaces(todo []planned) paces {
	p := paces{}
	for _, u := range todo {
		p.of(u.Request.Algorithm).left += size(int64(u.Instance.Size.Jobs))
	}
	return p
}

func (p paces) of(algorithm string) *pace {
	if p[algorithm] == nil {
		p[algorithm] = &pace{}
	}
	return p[algorithm]
}

// size is a unit's number of jobs; one without any takes time as well.
func size(jobs int64) float64 { return float64(max(1, jobs)) }

// ended enters the row of a unit.
func (p paces) ended(row *bench.Record) {
	jobs := 1.0
	if row.NJobs != nil {
		jobs = size(*row.NJobs)
	}
	of := p.of(row.Algorithm)
	of.left = max(0, of.left-jobs)
	if row.WallSeconds != nil {
		of.seconds, of.jobs = of.seconds+*row.WallSeconds, of.jobs+jobs
	}
}

// expect is the seconds that units took which ended, and those that the others are expected to take.
func (p paces) expect() (work, rest float64) {
	all := pace{}
	for _, of := range p {
		all.seconds, all.jobs = all.seconds+of.seconds, all.jobs+of.jobs
	}
	for _, of := range p {
		known := of
		if known.jobs == 0 {
			known = &all
		}
		if known.jobs > 0 {
			rest += known.seconds / known.jobs * of.left
		}
	}
	return all.seconds, rest
}
