package measure

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/models"
)

// Small cases by hand. Schemes at α = 2.5, N = 3: h(2) = 4/3, h(4) = 3/2, h(8) = 19/12, so 2 + 3/4, 1/h(2) + 2/h(4) + 3/h(8) and
// 4/h(2). Four short jobs behind three long ones of 8 slots, which hold all of capacity 3, so that they end at 9, 9, 9 and 10:
// 3·8 + 37 − (1 + 2 + 3 + 4); the short ones first: 4·1 + (5 + 8) + (5 + 16) + (5 + 24).
func TestDollympChecks(t *testing.T) {
	for _, c := range []struct {
		check string
		given map[string]any
		want  map[string]float64
	}{
		{"dollymp-schemes", map[string]any{"alpha": 2.5}, map[string]float64{
			"flow 1": 2.75, "flow 2": 0.75 + 4./3 + 36./19,
			"flow 3": 3,
		}},
		{"dollymp-hold-up", map[string]any{"size": 4}, map[string]float64{"stated": 6, "ratio": (24 + 37 - 10) / 67.}},
	} {
		check := dollympChecks[c.check]
		v, err := models.Resolve(check.Params, c.given)
		if err != nil {
			t.Fatal(err)
		}
		got, err := check.Run(t.Context(), rand.New(rand.NewPCG(1, 0)), v)
		if err != nil {
			t.Fatalf("%s: %v", c.check, err)
		}
		for name, want := range c.want {
			if math.Abs(got[name]-want) > 1e-9 {
				t.Errorf("%s: %s is %v, want %v", c.check, name, got[name], want)
			}
		}
	}
	check := dollympChecks["dollymp-stragglers"]
	v, err := models.Resolve(check.Params, map[string]any{"dir": t.TempDir() + "/none"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := check.Run(t.Context(), nil, v); !errors.Is(err, ErrNoTrace) {
		t.Errorf("without a trace: %v", err)
	}
}
