package sim

import (
	"math/rand/v2"

	"schedgap/models"
)

// A Policy decides which task gets the next copy, and on which server.
type Policy struct {
	models.Policy
	// Params are the policy's own options; the simulator offers those of all policies together.
	Params []models.Param
	Fixed  models.Fixed // of it as an algorithm on instances
	// New returns the rules of one run. rng is the run's only source of randomness of the policy.
	New func(s *State, v models.Values, rng *rand.Rand) Rules
}

// Rules are a policy at work. Copies never stop before their task completes, and whatever fits is started: at every decision the
// engine serves the waiting tasks in order of rank until nothing that waits fits on any server, unless Strict.
type Rules struct {
	// Rank places the tasks of a phase that have so many running copies, 0 being tasks that wait for their first; false
	// gives them no further copy now. A rank must not improve when a copy is started.
	Rank func(job, phase, copies int) (Rank, bool)
	// MaxCopies bounds the running copies of a task, all counted; the instance may allow less.
	MaxCopies int
	// Pack says how tasks and servers are matched.
	Pack Pack
	// Epsilon is the weight of the second term of Blend; 0: the mean of the first term over the mean of the second.
	Epsilon float64
	// Late says how many slots the last copy of a task must have run before the task may get a further one: the policy then
	// clones late tasks only, as speculation does. Nil: none.
	Late func(job, phase int) int
	// Strict has all wait for the first in order when it does not fit.
	Strict bool
	// CloneShare bounds the share of the cluster's capacity of each resource that all clones together may hold; 0: no bound.
	CloneShare float64
	// Changes says when ranks change; the values can be combined.
	Changes When
	// Arrived is called when jobs came, before ranks are asked for. Nil: the policy need not know.
	Arrived func()
}

// A Rank is a place in the order of service: by Group, then by Key, then by file order.
type Rank struct {
	Group int
	Key   float64
	// Weight multiplies the resource fit under Blend; 0 stands for 1.
	Weight float64
}

// Pack is a way to match tasks and servers. Servers come in file order.
type Pack uint8

// The ways to match tasks and servers. The resource fit of a task on a server is the inner product of its demand and the free
// capacity there, both over the server's capacity (Tetris, section 3.2 of its paper).
const (
	// FirstFit gives every task, in order, the first server on which it fits; which is the same as giving every server, in
	// order, the first tasks that fit.
	FirstFit Pack = iota
	// BestFit gives every server, in order, the task of the first group in which any fits that has the best resource fit
	// (DollyMP, Algorithm 2); keys count among equals.
	BestFit
	// Blend is BestFit by the sum of Weight × resource fit and ε·(1 − Key/greatest Key) among the waiting tasks of the group.
	Blend
)

// When says what changes ranks.
type When uint8

// What can change ranks.
const (
	OnArrival  When = 1 << iota // an arrival: of all tasks
	OnProgress                  // the end of a task: of its job's tasks
	OnStart                     // the start of a copy: of its job's tasks
)
