package experiment

import (
	"encoding/json"
	"fmt"

	"schedgap/models"
)

// Hash is a digest of all of the experiment that decides what is measured, and of the statistics, texts by the claim's id.
// Titles, sources and reasons are not part of it, nor is how the file is laid out.
func (e *Experiment) Hash(stats map[string]string) (string, error) {
	type told struct{ Workload, Params map[string]any }
	type factor struct {
		Name, Scale        string
		Set                []string
		Factor             bool
		Default, Low, High any
		Choices            []any
	}
	var tolds []told
	for _, t := range e.Told {
		tolds = append(tolds, told{t.Workload, t.Params})
	}
	var factors []factor
	for _, f := range e.Untold {
		g := factor{f.Name, f.Scale, nil, f.Factor, f.Default, f.Low, f.High, f.Choices}
		for _, t := range f.Set {
			g.Set = append(g.Set, t.String())
		}
		factors = append(factors, g)
	}
	text, err := json.Marshal([]any{
		e.Name, e.Problem, e.Kind, e.Policies, e.source, e.Figures, e.Params, e.Cases, tolds, factors, e.Seeds, e.Repetitions, e.Points,
		e.PointSeeds, e.Reduced, stats,
	})
	if err != nil {
		return "", fmt.Errorf("%s: %w", e.Name, err)
	}
	return models.Digest(text), nil
}
