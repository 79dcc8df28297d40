package pocd_test

import (
	"fmt"

	"schedgap/models/pocd"
)

// A straggler gets two extra copies, each with 70 % of the work ahead of it as the first has: 1 − (0.7·120 / 240)^(3·1.5).
func Example() {
	in, err := pocd.Problem.ParseInstance("one.json", []byte(`{"problem": "pocd", "version": 1, "name": "one", "capacity": 4, "alpha": 0, "max_copies": 5,
 "jobs": [{"id": "j1", "deadline": 300, "elapsed": 60,
           "tasks": [{"id": "t1", "progress": 0.3, "t_min": 120, "beta": 1.5, "straggler": true}]}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	solution, err := pocd.Problem.ParseSolution("solution.json",
		[]byte(`{"problem": "pocd", "instance": "one", "algorithm": "by hand", "copies": {"j1": {"t1": 2}}}`), in)
	if err != nil {
		fmt.Println(err)
		return
	}
	report := pocd.Problem.Check(in, solution.Solution)
	fmt.Printf("feasible %t, objective %.6g\n", report.Feasible(nil), *report.Objective)
	// Output: feasible true, objective 0.991122
}
