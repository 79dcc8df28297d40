package pocd

import (
	"os"
	"testing"

	"schedgap/exact/lpsolve"
	"schedgap/exact/milp"
)

func TestLP(t *testing.T) {
	in := read(t, "/tmp/lpbad.json")
	b, err := knapsackOf(false).Build(in)
	if err != nil {
		t.Fatal(err)
	}
	milp.WriteLP(os.Stdout, b.Model)
	r, err := scaled{lpsolve.Solver{}}.Solve(t.Context(), b.Model, milp.Options{})
	t.Logf("%+v %v", r, err)
	 r, err = lpsolve.Solver{}.Solve(t.Context(), b.Model, milp.Options{})
	t.Logf("%+v %v", r, err)
}
