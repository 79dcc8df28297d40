package flex

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"schedgap/models/fail"
	"schedgap/models/flex"
)

// Optima of the instances that once broke a method are proven; in drift.json the program drifted on the way down the proof's
// tree. A bound that is known is proven with no more lines.
func TestProofsOfRegressions(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no instances: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		fail.On(t, err)
		in, err := flex.Problem.ParseInstance(file, data)
		fail.On(t, err)
		out, err := Opt.Alone(t.Context(), Opt.Methods[0], pass(in), nil)
		fail.On(t, err)
		v := value(t, in, out.Solution)
		claim, err := prove(t.Context(), in, out.Solution, v, v)
		if err != nil || claim == nil || claim.Value == nil {
			t.Errorf("%s: the optimum is not proven: %+v, %v", file, claim, err)
		}
		known, lines := v-0.1*math.Abs(v), len(claim.Lines)
		claim, err = prove(t.Context(), in, out.Solution, v, known)
		if err != nil || claim == nil || *claim.Bound < known-1e-9*math.Abs(v) || len(claim.Lines) > lines {
			t.Errorf("%s: the bound %v is not proven: %+v, %v", file, known, claim, err)
		}
	}
}
