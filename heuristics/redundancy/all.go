// Package redundancy has the schedulers of Xu, Lau et al. 2018, with and without redundancy: SRPT, Fair and LAPS. Their
// machines have the instance's speed, which the optimum's have not: what resource augmentation is worth shows in their ratio.
package redundancy

import (
	"context"

	"schedgap/models"
	"schedgap/models/redundancy"
)

// All lists the package's algorithms in the order in which reports show them.
var All = []*redundancy.Algorithm{SRPTPlus, FairPlus, LAPSPlus, SRPT, Fair, LAPS, BestKnown}

// scheduled makes an algorithm's Run of a discipline.
func scheduled(d func(p *redundancy.Pass) (Discipline, error)) func(context.Context, *redundancy.Pass) (redundancy.Outcome, error) {
	return func(ctx context.Context, p *redundancy.Pass) (redundancy.Outcome, error) {
		discipline, err := d(p)
		if err != nil {
			return redundancy.Outcome{}, err
		}
		s, err := Schedule(ctx, p.Instance, discipline, p.Instance.Speed)
		return redundancy.Outcome{Solution: s, Found: err == nil, Status: models.Feasible}, err
	}
}

// always is a discipline that no option changes.
func always(d Discipline) func(*redundancy.Pass) (Discipline, error) {
	return func(*redundancy.Pass) (Discipline, error) { return d, nil }
}
