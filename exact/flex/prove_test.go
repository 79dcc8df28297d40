package flex

import (
	"os"
	"path/filepath"
	"testing"

	"schedgap/models/flex"
)

// Optima of the instances that once broke a method are proven; in drift.json the program drifted on the way down the proof's tree.
func TestProofsOfRegressions(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no instances: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		in, err := flex.Problem.ParseInstance(file, data)
		if err != nil {
			t.Fatal(err)
		}
		out, err := Opt.Methods[0].Solve(t.Context(), pass(in), nil)
		if err != nil {
			t.Fatal(err)
		}
		claim, err := prove(t.Context(), in, out.Solution, value(t, in, out.Solution))
		if err != nil || claim == nil || claim.Value == nil {
			t.Errorf("%s: the optimum is not proven: %+v, %v", file, claim, err)
		}
	}
}
