// Package search finds optima of cloning: slot by slot over nodes of the jobs' graphs (slots.go), or from event to event where jobs
// have too many states (layers.go, events.go). A job alone on one server without useful clones is a project for package cumulative
// (alone.go). Solve chooses; Prove repeats the search slot by slot and writes its states as a proof
// (proof.go). The comment of package exact/cloning has the outline, docs/design/cloning.md the proofs.
package search
