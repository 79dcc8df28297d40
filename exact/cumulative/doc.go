// Package cumulative finds schedules of least length for tasks with precedences on resources of which several tasks may take shares
// at once: job shops, one machine with heads and tails, and resource-constrained projects. It knows no problem of this program; what
// is stated here is whole numbers.
//
// The method is lazy clause generation (Ohrimenko, Stuckey and Codish 2009; Schutt, Feydy, Stuckey and Wallace 2011): a search over
// the bounds of the tasks' starts, in which every deduction has a reason, and every dead end leaves a nogood. A nogood is a set of
// atoms, such as "task 3 starts at 7 or later", that no schedule better than the best known one meets together.
//
// Why its word is safe: a schedule is handed on only when every start is fixed and all propagators are at rest, and callers check it
// again. That there is no better one follows if a deduction contradicts itself without a decision. Each deduction holds for all
// schedules that meet its reason (engine.go: precedences and pairs; timetable.go; energy.go; machine.go, on the sets of disjoint.go),
// and a nogood is derived from reasons alone, by resolution (learn.go). Only the order of tasks that may change places, Problem.Same,
// leaves schedules out, and each of these has an equal one that is kept. All numbers are integers, so there are no tolerances and ties
// are plain. Callers ask for ever shorter schedules, so a nogood stays true.
package cumulative
