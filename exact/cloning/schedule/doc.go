// Package schedule makes schedules of cloning for its exact methods: list schedules to begin with (lists.go), the schedule of slots with
// copies (recorder.go) and of paths through the jobs' graphs of states (steps.go), and solutions as members of a regime (regime.go).
package schedule
