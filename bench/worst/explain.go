package worst

import (
	"context"
	"math"

	"schedgap/bench"
)

// An Explanation says why an instance is bad.
type Explanation struct {
	Parting       *Parting      `json:"parting"` // nil: the schedules do not differ, or cannot be drawn
	Sensitivities []Sensitivity `json:"sensitivities"`
	Numbers       int           `json:"numbers"` // that the objective looks at; without time for all, Sensitivities has fewer
	Rule          *Rule         `json:"rule"`    // nil: the instances searched show none

	evaluations int
}

// A Sensitivity is what becomes of the score when one number of the instance changes.
type Sensitivity struct {
	Path   string   `json:"path"`
	Value  float64  `json:"value"`
	Scaled []Scaled `json:"scaled"`
}

// A Scaled is the score with the number scaled.
type Scaled struct {
	By    float64  `json:"by"`    // relative: -0.1 is 10 % less
	To    float64  `json:"to"`    // the value then; integers change by at least 1
	Score *float64 `json:"score"` // nil: the instance is not valid then, or has no value
}

// scales are the relative changes.
var scales = []float64{-0.1, -0.01, 0.01, 0.1}

// explain scales every number of the instance and looks for a rule in the instances that were evaluated.
func explain(ctx context.Context, e evaluator, at *entry, all samples) *Explanation {
	x, numbers := &Explanation{}, partsOf(at.instance).Numbers
	for _, n := range numbers {
		if !n.Idle {
			x.Numbers++
		}
	}
	for i, n := range numbers {
		if n.Idle {
			continue
		}
		s := Sensitivity{Path: n.Path, Value: n.Get()}
		for _, by := range scales {
			if ctx.Err() != nil {
				return x
			}
			to := s.Value * (1 + by)
			if n.Integer {
				if to = math.Round(to); to == s.Value {
					to += math.Copysign(1, by)
				}
			}
			scaled := Scaled{By: by, To: round(to, 6)}
			set := func(d *bench.Draft) bool { d.Parts().Numbers[i].Set(scaled.To); return true }
			if in := changed(at.instance, at.instance.Name, set); in != nil && to != s.Value { // it is not mended
				x.evaluations++
				if v, err := e.evaluate(ctx, 0, in, Score{}); err == nil && v.Failure == "" && v.Optimum != nil &&
					v.Score.Rank == at.value.Score.Rank {
					scaled.Score = &v.Score.Value
				}
			}
			s.Scaled = append(s.Scaled, scaled)
		}
		x.Sensitivities = append(x.Sensitivities, s)
	}
	x.Rule = all.rule(at.value.Score)
	return x
}

// spread is the largest change of the score that the number makes.
func (s *Sensitivity) spread(score float64) float64 {
	most := 0.0
	for _, x := range s.Scaled {
		if x.Score != nil {
			most = max(most, math.Abs(*x.Score-score))
		}
	}
	return most
}
