package cloning

import (
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/models"
	"schedgap/models/cloning/sim"
)

const (
	speculation = "speculation"
	slowTask    = "slow_task"

	noSpeculation  = "none"
	ofCapacity     = "capacity"
	ofTheFramework = "framework"
)

// speculationParams are about MapReduce's backup copies, which the paper says its Capacity Scheduler has (section 2).
var speculationParams = []models.Param{
	models.Choice(speculation, noSpeculation, []string{noSpeculation, ofCapacity, ofTheFramework},
		"late tasks get one backup copy under: no policy; capacity; or capacity, tetris, drf and dollymp0, as backups are "+
			"made by MapReduce, not by the scheduler"),
	models.Between(slowTask, 1.0, 0, 1e6,
		"a task is late when it has run for the mean of its phase and so many standard deviations "+
			"(mapreduce.job.speculative.slowtaskthreshold)"),
}

// speculating returns the policies, those of YARN without clones with backup copies on request.
//
// Hadoop 2.7, DefaultSpeculator, read so: a task of a phase of several gets a backup when it is late, where there is room after
// all first copies, in the policy's order. What Hadoop estimates from progress is known here, the phase's mean and deviation, and
// no limit on the number of backups at a time is kept: both make it better than it is. See
// docs/problems/cloning.md#the-testbed-and-the-trace.
func speculating(policies []sim.Policy) []sim.Policy {
	list := slices.Clone(policies)
	for i := range list {
		if slices.Contains([]string{Capacity.Name, Tetris.Name, DRF.Name, "dollymp0"}, list[i].Name) {
			list[i] = withBackups(list[i])
		}
	}
	return list
}

func withBackups(p sim.Policy) sim.Policy {
	plain := p.New
	p.Params = append(slices.Clone(p.Params), speculationParams...)
	p.New = func(s *sim.State, v models.Values, rng *rand.Rand) sim.Rules {
		rules := plain(s, v, rng)
		if by := v.Text(speculation); by == ofTheFramework || by == ofCapacity && p.Name == Capacity.Name {
			backUp(&rules, s, v.Float(slowTask))
		}
		return rules
	}
	return p
}

// afterAll is more than the groups of any policy.
const afterAll = 1 << 30

func backUp(rules *sim.Rules, s *sim.State, deviations float64) {
	rank := rules.Rank
	rules.MaxCopies = 2
	rules.Rank = func(job, phase, copies int) (sim.Rank, bool) {
		r, ok := rank(job, phase, 0)
		if copies > 0 {
			r.Group += afterAll
			ok = copies == 1 && s.Instance().Jobs[job].Phases[phase].Tasks > 1
		}
		return r, ok
	}
	rules.Late = func(job, phase int) int {
		p := &s.Instance().Jobs[job].Phases[phase]
		return int(min(1e15, math.Ceil(p.Mean+deviations*p.SD)))
	}
}
