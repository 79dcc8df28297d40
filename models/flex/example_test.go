package flex_test

import (
	"fmt"

	"schedgap/models/flex"
)

// Two jobs share two slots: b is done at 1, a has both slots from then on and is done at 1.5.
func Example() {
	in, err := flex.Problem.ParseInstance("one.json", []byte(`{"problem": "flex", "version": 1, "name": "two", "slots": 2,
 "objective": {"metric": "response", "aggregate": "sum", "weighted": false},
 "jobs": [{"id": "a", "work": 2, "min": 1}, {"id": "b", "work": 1, "max": 1}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	solution, err := flex.Problem.ParseSolution("solution.json", []byte(`{"problem": "flex", "instance": "two", "algorithm": "by hand", "intervals": [
 {"start": 0, "end": 1, "slots": {"a": 1, "b": 1}}, {"start": 1, "end": 1.5, "slots": {"a": 2}}]}`), in)
	if err != nil {
		fmt.Println(err)
		return
	}
	report := flex.Problem.Check(in, solution.Solution)
	fmt.Printf("feasible %t, objective %.6g\n", report.Feasible(nil), *report.Objective)
	// Output: feasible true, objective 2.5
}
