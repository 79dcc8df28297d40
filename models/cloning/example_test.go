package cloning_test

import (
	"fmt"

	"schedgap/models/cloning"
)

// Two copies of a task that takes 4 slots by itself are 1.5 times as fast, so that it is done after slot 3.
func Example() {
	in, err := cloning.Problem.ParseInstance("one.json", []byte(`{"problem": "cloning", "version": 1, "name": "one", "max_copies": 3, "max_copies_per_server": 3,
 "servers": [{"id": "s1", "cpu": 1, "mem": 1}],
 "jobs": [{"id": "J1", "arrival": 0,
           "phases": [{"id": "p", "parents": [], "tasks": 1, "cpu": 0.4, "mem": 0.4, "mean": 4, "sd": 0, "speedup": [1, 1.5, 1.5]}]}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	solution, err := cloning.Problem.ParseSolution("solution.json", []byte(`{"problem": "cloning", "instance": "one", "algorithm": "by hand", "regime": "nonpreemptive", "copies": [
 {"task": ["J1", "p", 0], "server": "s1", "start": 0, "end": 3}, {"task": ["J1", "p", 0], "server": "s1", "start": 0, "end": 3}]}`), in)
	if err != nil {
		fmt.Println(err)
		return
	}
	report := cloning.Problem.Check(in, solution.Solution)
	fmt.Printf("feasible %t, objective %.6g\n", report.Feasible(nil), *report.Objective)
	// Output: feasible true, objective 3
}
