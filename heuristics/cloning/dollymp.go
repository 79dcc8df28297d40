package cloning

import (
	"fmt"
	"math/rand/v2"

	"schedgap/models"
	"schedgap/models/cloning/sim"
)

const cloneShare = "clone_share"

// oneSlot is the unit of time of the classes of Algorithm 1, slots: class l is up to 2^l units. The paper does not tell it.
var oneSlot = models.Fixed{"class_unit": 1.}

// passes is more than the classes that there can be, so that group = class + passes·pass sorts by pass first.
const passes = 1 << 12

// DollyMP is the paper's scheduler with up to k clones of a task.
func DollyMP(k int) sim.Policy {
	return sim.Policy{
		Policy: models.Policy{
			Name: fmt.Sprint("dollymp", k),
			Doc: fmt.Sprintf(
				"jobs by the classes of Algorithm 1, best resource fit within a class, up to %d clones of a task in free room\n\n", k) +
				"Xu, Liu and Lau 2022, Algorithms 1 and 2 and section 5; docs/problems/cloning.md#dollymp.",
		},
		Params: []models.Param{
			deviations,
			{
				Name: cloneShare, Default: 0.0, Min: 0, Max: 1,
				Doc: "greatest share of the cluster that clones may hold of any resource, the paper's δ = 0.3 by one reading; 0: no bound",
			},
		},
		Fixed: oneSlot,
		New: func(s *sim.State, v models.Values, _ *rand.Rand) sim.Rules {
			d := &dolly{sizes: newSizes(s, v.Float(deviations.Name))}
			return sim.Rules{
				MaxCopies: 1 + k, Pack: sim.BestFit, Changes: sim.OnArrival, Arrived: d.classify, CloneShare: v.Float(cloneShare),
				Rank: func(job, _, copies int) (sim.Rank, bool) {
					return sim.Rank{Group: copies*passes + int(d.class[job])}, copies <= k
				},
			}
		},
	}
}

// dolly keeps the classes between arrivals.
type dolly struct {
	*sizes
	class []int32 // by job
	jobs  []size
	ids   []int32 // of the jobs in jobs
}

func (d *dolly) classify() {
	if d.class == nil {
		d.class = make([]int32, len(d.state.Instance().Jobs))
	}
	d.jobs, d.ids = d.jobs[:0], d.ids[:0]
	for j := range d.state.Active {
		d.jobs = append(d.jobs, size{len(d.jobs), d.volume(j), d.time(j)})
		d.ids = append(d.ids, int32(j))
	}
	for i, class := range classes(d.jobs) {
		d.class[d.ids[i]] = int32(class)
	}
}
