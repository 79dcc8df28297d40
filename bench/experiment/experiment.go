// Package experiment measures what the papers claim. An experiment is a file: what is simulated, solved or computed, along which
// axis, what the paper tells of it, and what it does not tell. The latter is a box of plausible values; a space-filling design
// over the box says how far a statistic depends on them. docs/experiments.md has the form of the files.
//
// Block b, repetition k draw from PCG(b, k) only: they do not depend on how many there are, nor on the workers, and all policies
// meet the same luck. Rows of blocks that were measured are kept, so a run that was interrupted goes on where it was.
package experiment

import (
	"encoding/json"
	"fmt"

	"schedgap/bench"
	"schedgap/models"
)

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

	// What the source tells of itself when it is bound.
	given         map[string]any // values of the workload, before what the paper says
	specs, params []models.Param // what values of the workload and of params are of
	inline        int            // instances that stand in the file; 0: they are drawn
	lucky         bool           // blocks differ
	// What a figure draws by a short name: the expression that it stands for, and in a cdf the list whose distribution it is.
	short map[string]string
	list  func(v *view, y, policy string, x ...any) ([]float64, error)
}

// Values are what is set of an experiment.
type Values struct {
	Workload map[string]any `yaml:"workload"`
	Params   map[string]any `yaml:"params"`
}

// of is one part of the values, as targets name them.
func (v Values) of(part string) map[string]any {
	if part == partWorkload {
		return v.Workload
	}
	return v.Params
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
	X      float64 `yaml:"x"`
	Label  string  `yaml:"label"` // of the place; empty: X
	Values `yaml:",inline"`
}

// Told is what the paper says of the experiment, in its own words; it is applied.
type Told struct {
	What   string `yaml:"what" json:"-"`
	Values `yaml:",inline"`
	Source string `yaml:"source" json:"-"`
}

// A Factor is what the paper does not tell: numbers from Low to High, or Choices. It is one side of the box.
type Factor struct {
	Name    string   `yaml:"name"`
	Scale   string   `yaml:"scale"`   // linear, the default, or log
	Set     Targets  `yaml:"set"`     // what it sets: workload.KEY or params.KEY
	Factor  bool     `yaml:"factor"`  // it multiplies what is there, instead
	Default any      `yaml:"default"` // our value
	Low     *float64 `yaml:"low"`
	High    *float64 `yaml:"high"`
	Choices []any    `yaml:"choices"`
	Reason  string   `yaml:"reason" json:"-"` // why these are plausible
	From    []string `yaml:"from" json:"-"`   // ids of the claims that the reason was drawn from, which are no evidence then
}

// A ReducedForm is what is measured of the experiment wherever its claims are checked: block 1 at the default and at the first
// other point of the design, in less than two seconds.
type ReducedForm struct {
	Repetitions int `yaml:"repetitions"` // 0: 1, or all instances that are inline
	Values      `yaml:",inline"`
	Cases       []float64 `yaml:"cases"` // empty: all
}

// MaxPoints bounds a design's points besides the default.
const MaxPoints = 32

// MinSeeds is the least number of blocks where luck matters.
const MinSeeds = 5

// Hash is a digest of all of the experiment that decides what is measured, and of the statistics, texts by the claim's id.
// Titles, sources and reasons are not part of it, nor is how the file is laid out.
func (e *Experiment) Hash(stats map[string]string) (string, error) {
	text, err := json.Marshal([]any{
		e.Name, e.Problem, e.Kind, e.Policies, e.source, e.Figures, e.Params, e.Cases, e.Told, e.Untold, e.Seeds, e.Repetitions,
		e.Points, e.PointSeeds, e.Reduced, stats,
	})
	if err != nil {
		return "", fmt.Errorf("%s: %w", e.Name, err)
	}
	return models.Digest(text), nil
}
