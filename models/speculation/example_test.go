package speculation_test

import (
	"fmt"

	"schedgap/models/speculation"
)

// The copy ends at 13 instead of 30 and saves 20·17 − 15·11 = 175 of energy: 17 + 0.01·175 = 18.75.
func Example() {
	in, err := speculation.Problem.ParseInstance("one.json", []byte(`{"problem": "speculation", "version": 1, "name": "one", "energy_weight": 0.01,
 "stragglers": [{"id": "s1", "finish": 30, "power": 20, "progress": 0.4, "duration": 6}],
 "slots": [{"id": "v1", "start": 2, "power": 15}], "copy_time": {"s1": {"v1": 11}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	solution, err := speculation.Problem.ParseSolution("solution.json",
		[]byte(`{"problem": "speculation", "instance": "one", "algorithm": "by hand", "assign": {"s1": "v1"}}`), in)
	if err != nil {
		fmt.Println(err)
		return
	}
	report := speculation.Problem.Check(in, solution.Solution)
	fmt.Printf("feasible %t, objective %.6g\n", report.Feasible(nil), *report.Objective)
	// Output: feasible true, objective 18.75
}
