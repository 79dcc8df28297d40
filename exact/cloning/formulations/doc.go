// Package formulations has the MILP models of cloning: literal, the paper's program (literal.go), and strong, paths of jobs through their
// states (strong.go, paths.go) and places of the copies of a slot (rooms.go). docs/problems/cloning.md#models states both.
package formulations
