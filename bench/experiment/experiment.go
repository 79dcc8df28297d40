// Package experiment measures what the papers claim. An experiment is a file: what is simulated, solved or computed, along which
// axis, what the paper tells of it, and what it does not tell. The latter is a box of plausible values; a space-filling design
// over the box says how far a statistic depends on them. docs/experiments.md has the form of the files.
//
// Block b, repetition k draw from PCG(b, k) only: they do not depend on how many there are, nor on the workers, and all policies
// meet the same luck. Rows of blocks that were measured are kept, so a run that was interrupted goes on where it was.
package experiment

import "schedgap/bench"

// An Experiment is a file of bench/catalog/sweeps, bound to what it names.
type Experiment struct {
	Name    string   `yaml:"name"`    // the paper's prefix and a name, such as shed-fig6
	Problem string   `yaml:"problem"` // such as pocd
	Kind    Kind     `yaml:"kind"`
	Title   string   `yaml:"title"`
	Source  string   `yaml:"source"` // section and figure of the paper
	Study   string   `yaml:"study"`  // what it tells beside the claims, of which it measures none then
	Figures []Figure `yaml:"figures"`

	Params map[string]any `yaml:"params"` // of the simulation, of the algorithms that have them, or of the check

	Cases  []Case   `yaml:"cases"` // the axis
	Told   []Told   `yaml:"told"`
	Untold []Factor `yaml:"untold"`

	Seeds       int         `yaml:"seeds"`       // blocks at the default point
	Repetitions int         `yaml:"repetitions"` // of a block
	Points      int         `yaml:"points"`      // of the design, besides the default
	PointSeeds  int         `yaml:"point_seeds"` // blocks at such a point
	Reduced     ReducedForm `yaml:"reduced"`

	Policies []string `yaml:"-"` // of a solve: algorithms; of a check: its program
	Metrics  []string `yaml:"-"` // what is kept of a run

	source  source
	file    string
	problem *bench.Problem
}

// A Figure is how the paper draws what the experiment gives.
type Figure struct {
	Name     string   `yaml:"name"`     // such as fig6
	Form     string   `yaml:"form"`     // lines, bars or cdf
	X        string   `yaml:"x"`        // what the axis is, with its unit
	Y        string   `yaml:"y"`        // a metric, or an expression in which policy and x stand for those of the place
	Label    string   `yaml:"label"`    // of Y, with its unit; empty: Y
	Policies []string `yaml:"policies"` // empty: all
	At       *float64 `yaml:"at"`       // the case of a cdf, which may be absent where there is one case
}

// A Case is a place on the axis: what differs there.
type Case struct {
	X        float64        `yaml:"x"`
	Label    string         `yaml:"label"` // of the place; empty: X
	Workload map[string]any `yaml:"workload"`
	Params   map[string]any `yaml:"params"`
}

// Told is what the paper says of the experiment, in its own words; it is applied.
type Told struct {
	What     string         `yaml:"what"`
	Workload map[string]any `yaml:"workload"`
	Params   map[string]any `yaml:"params"`
	Source   string         `yaml:"source"`
}

// A Factor is what the paper does not tell: numbers from Low to High, or Choices. It is one side of the box.
type Factor struct {
	Name    string   `yaml:"name"`
	Set     Targets  `yaml:"set"`     // what it sets: workload.KEY or params.KEY
	Factor  bool     `yaml:"factor"`  // it multiplies what is there, instead
	Default any      `yaml:"default"` // our value
	Low     *float64 `yaml:"low"`
	High    *float64 `yaml:"high"`
	Scale   string   `yaml:"scale"` // linear, the default, or log
	Choices []any    `yaml:"choices"`
	Reason  string   `yaml:"reason"` // why these are plausible
	From    []string `yaml:"from"`   // ids of the claims that the reason was drawn from, which are no evidence then
}

// A ReducedForm is what is measured of the experiment wherever its claims are checked: block 1 at the default and at the first
// other point of the design, in less than two seconds.
type ReducedForm struct {
	Repetitions int            `yaml:"repetitions"` // 0: 1, or all instances that are inline
	Workload    map[string]any `yaml:"workload"`
	Params      map[string]any `yaml:"params"`
	Cases       []float64      `yaml:"cases"` // empty: all
}

// MaxPoints bounds a design's points besides the default.
const MaxPoints = 32

// MinSeeds is the least number of blocks where luck matters.
const MinSeeds = 5
