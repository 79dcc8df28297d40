package simtest

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"schedgap/models"
	"schedgap/models/trials"
)

// Extremes runs a simulator on workloads that draw makes, whose tasks may be so short that no time passes in a float64, with
// random parameters: whatever a metric is, it is a number.
func Extremes(t *testing.T, s *models.Simulator, count int, draw func(rng *rand.Rand) string) {
	t.Helper()
	rng, metrics := trials.Rand(t, 44, 1), 0
	for range trials.Count(count) {
		text, given := draw(rng), map[string]any{}
		w, err := s.ReadWorkload("w.jsonl", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range s.Params {
			if v := value(rng, p); v != nil && rng.IntN(3) == 0 {
				given[p.Name] = v
			}
		}
		params, err := models.Resolve(s.Params, given)
		if err != nil {
			t.Fatal(err)
		}
		for _, policy := range s.Policies {
			r := models.SimRequest{Workload: w, Policy: policy.Name, Params: params, Seed: rng.Uint64()}
			// Parameters that contradict each other are refused.
			_ = s.Run(t.Context(), r, func(m models.Metric) {
				metrics++
				if math.IsNaN(m.Value) || math.IsInf(m.Value, 0) {
					t.Errorf("%s: %+v of %v\n%s", policy.Name, m, given, text)
				}
			})
		}
	}
	if metrics < count {
		t.Errorf("%d metrics are too few", metrics)
	}
}

// value is a random value of a parameter, nil to leave it.
func value(rng *rand.Rand, p models.Param) any {
	switch usual := p.Default.(type) {
	case bool:
		return rng.IntN(2) == 0
	case string:
		if len(p.Choices) > 0 {
			return p.Choices[rng.IntN(len(p.Choices))]
		}
	case int:
		return int(max(p.Min, min(float64(usual), float64(1+rng.IntN(4)))))
	case float64:
		most := p.Max
		if most == 0 && p.Min == 0 {
			most = 10
		}
		return []float64{p.Min, usual, min(most, max(p.Min, usual*math.Pow(10, 4*rng.Float64()-2)))}[rng.IntN(3)]
	}
	return nil
}
