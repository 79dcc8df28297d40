package cloning

import (
	"math"
	"math/rand/v2"

	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
)

// DRF is dominant resource fairness.
var DRF = sim.Policy{
	Policy: models.Policy{
		Name: "drf",
		Doc: "the next task to the job with least dominant share\n\n" +
			"Ghodsi et al., Dominant Resource Fairness, NSDI 2011, Algorithm 1, with equal weights. docs/problems/cloning.md#baselines.",
	},
	New: func(s *sim.State, _ models.Values, _ *rand.Rand) sim.Rules {
		u := newUse(s)
		return byJob(u.share, sim.OnStart|sim.OnProgress)
	},
}

// use measures what jobs hold.
type use struct {
	state *sim.State
	held  []float64 // scratch
}

func newUse(s *sim.State) *use { return &use{s, make([]float64, len(s.Total()))} }

// share is the dominant share of a job's running copies.
func (u *use) share(job int) float64 {
	clear(u.held)
	phases := u.state.Instance().Jobs[job].Phases
	for k := range phases {
		if copies := u.state.Copies(job, k); copies > 0 {
			for r, d := range phases[k].Demand {
				u.held[r] += float64(copies) * d
			}
		}
	}
	return cloning.DominantShare(u.held, u.state.Total())
}

// Carbyne is altruistic scheduling.
var Carbyne = sim.Policy{
	Policy: models.Policy{
		Name: "carbyne",
		Doc: "simplified: dominant resource fairness for urgent tasks, then the others, least remaining time first\n\n" +
			"Grandl et al., Altruistic Scheduling in Multi-Resource Clusters, OSDI 2016, section 3. " +
			"docs/problems/cloning.md#carbyne.",
	},
	New: func(s *sim.State, _ models.Values, _ *rand.Rand) sim.Rules {
		c := &carbyne{newUse(s), newSizes(s, 0)}
		return sim.Rules{
			Changes: sim.OnStart | sim.OnProgress,
			Rank: func(job, phase, copies int) (sim.Rank, bool) {
				if c.urgent(job, phase) {
					return sim.Rank{Key: c.share(job)}, copies == 0
				}
				return sim.Rank{Group: 1, Key: c.time(job)}, copies == 0
			},
		}
	},
}

type carbyne struct {
	*use
	*sizes
}

// urgent reports whether a job cannot put off the next task of a phase without being later than with an equal share of the
// cluster: the phase is on the critical path, and fewer of its tasks run than are needed to end it in as few waves.
func (c *carbyne) urgent(job, phase int) bool {
	s, p := c.use.state, c.phases(job)[phase]
	if p.path < c.time(job)*(1-1e-9) {
		return false
	}
	left := s.Left(job, phase)
	atOnce := left
	if p.share > 0 {
		atOnce = int(max(1, min(float64(left), math.Floor((1+1e-9)/(float64(s.Count())*p.share)))))
	}
	waves := (left + atOnce - 1) / atOnce
	running := s.Started(job, phase) - (s.Instance().Jobs[job].Phases[phase].Tasks - left)
	return running < (left+waves-1)/waves
}
