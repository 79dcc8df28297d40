package redundancy_test

import (
	"fmt"

	"schedgap/models/redundancy"
)

// Three copies run at twice the speed of one, so that 4 units of work are done at 2.
func Example() {
	in, err := redundancy.Problem.ParseInstance("one.json", []byte(`{"problem": "redundancy", "version": 1, "name": "one", "machines": 4, "multitasking": false, "speed": 1,
 "speedup": [1, 1.6, 2.0, 2.2], "jobs": [{"id": "a", "arrival": 0, "work": 4}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	solution, err := redundancy.Problem.ParseSolution("solution.json", []byte(`{"problem": "redundancy", "instance": "one", "algorithm": "by hand", "intervals": [
 {"start": 0, "end": 2, "alloc": {"a": {"copies": 3, "share": 1}}}]}`), in)
	if err != nil {
		fmt.Println(err)
		return
	}
	report := redundancy.Problem.Check(in, solution.Solution)
	fmt.Printf("feasible %t, objective %.6g\n", report.Feasible(nil), *report.Objective)
	// Output: feasible true, objective 2
}
