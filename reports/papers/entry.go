// Package papers measures the papers' numbers again and shows both side by side. An entry is a file of datasets/papers: a figure
// or a number of a paper, the suite or simulation that measures it, and the settings that the paper leaves open with the ranges
// that are tried. Its main type is Entry; the command paper calls it. docs/design/runner-and-results.md#the-papers-numbers has
// the form of the files.
package papers

import (
	"cmp"
	"slices"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"schedgap/bench"
	"schedgap/models"
)

// An Entry is one figure, table or group of numbers of a paper.
type Entry struct {
	ID      string `yaml:"-"`       // the file's name, such as flex-fig5a
	Paper   string `yaml:"paper"`   // the id of a Paper
	Problem string `yaml:"problem"` // empty: nothing is measured
	Title   string `yaml:"title"`
	Source  string `yaml:"source"` // section and figure
	// Seconds of CPU that one measurement took where the stored values were measured, rounded up; 0 means not measured.
	Seconds float64 `yaml:"seconds"`

	Simulation *Simulation `yaml:"simulation"` // one of the two, or neither
	Suite      *Suite      `yaml:"suite"`

	Values `yaml:",inline"` // settings that the paper states
	Cases  []Case           `yaml:"cases"` // the axis
	Open   []Factor         `yaml:"open"`  // settings that it leaves open

	Blocks        int `yaml:"blocks"`         // independent repetitions at our defaults
	Settings      int `yaml:"settings"`       // in which all open settings vary at once; each alone varies as well
	SettingBlocks int `yaml:"setting_blocks"` // blocks at each setting at first
	Reduced       int `yaml:"reduced"`        // blocks of the reduced form

	Draw       *Drawing    `yaml:"draw"`
	Points     []Point     `yaml:"points"` // the paper's
	Statements []Statement `yaml:"statements"`

	file          string
	tree          *ast.File
	problem       *bench.Problem
	names         []string       // of policies or algorithms
	specs, params []models.Param // of the workload and of params
	instances     []*bench.Instance
}

// A Simulation runs policies on workloads over time.
type Simulation struct {
	Policies    []string `yaml:"policies"`
	Repetitions int      `yaml:"repetitions"` // in a block
}

// A Suite runs algorithms on instances, generated or in the file.
type Suite struct {
	Algorithms []Algorithm      `yaml:"algorithms"`
	Reference  string           `yaml:"reference"` // the algorithm that ratios divide by; it must prove its value
	Instances  int              `yaml:"instances"` // generated, in a block
	Inline     []map[string]any `yaml:"inline"`    // instance files; each is a case, from 1 on
}

// An Algorithm of a suite may have parameters, and then a name of its own.
type Algorithm struct {
	Label  string         `yaml:"label"`
	Name   string         `yaml:"name"`
	Params map[string]any `yaml:"params"`
}

// UnmarshalYAML reads a name or a mapping.
func (a *Algorithm) UnmarshalYAML(data []byte) error {
	if yaml.Unmarshal(data, &a.Name) != nil {
		type plain Algorithm
		if err := yaml.UnmarshalWithOptions(data, (*plain)(a), yaml.Strict()); err != nil {
			return err
		}
	}
	a.Label = cmp.Or(a.Label, a.Name)
	return nil
}

// Values are parameters of the generated workload or instances, and of the simulation or the algorithms.
type Values struct {
	Workload map[string]any `yaml:"workload"`
	Params   map[string]any `yaml:"params"`
}

// A Case is a place on the axis and what differs there.
type Case struct {
	X      float64 `yaml:"x"`
	Label  string  `yaml:"label"`
	Values `yaml:",inline"`
}

// A Factor is something that the paper leaves open: numbers from Low to High, or Choices.
type Factor struct {
	Name    string   `yaml:"name"`
	Set     []string `yaml:"set"`    // workload.KEY or params.KEY
	Factor  bool     `yaml:"factor"` // it multiplies the value there
	Default any      `yaml:"default"`
	Low     *float64 `yaml:"low"`
	High    *float64 `yaml:"high"`
	Log     bool     `yaml:"log"` // settings are spread evenly over the logarithm
	Choices []any    `yaml:"choices"`
	Reason  string   `yaml:"reason"`
}

// A Drawing is a figure over the cases or, of a share, over its limits.
type Drawing struct {
	Quantity `yaml:",inline"`
	X        string    `yaml:"x"` // labels of the axes
	Y        string    `yaml:"y"`
	Limits   []float64 `yaml:"limits"`
	Page     bool      `yaml:"page"` // it stands in docs/papers.md
}

// A Point is a printed number and its place in the drawing.
type Point struct {
	Of      string  `yaml:"of"`
	Against string  `yaml:"against"` // empty: of every one
	X       float64 `yaml:"x"`
	Y       float64 `yaml:"y"`
	Source  string  `yaml:"source"`
}

// A Statement is one row of docs/papers.md: a quantity, a theorem about the worst value, or an argument.
type Statement struct {
	Where    string   `yaml:"where"`
	Says     string   `yaml:"says"`
	Printed  *float64 `yaml:"printed"` // the paper's value, if it is one number
	Quantity `yaml:",inline"`
	Unit     string   `yaml:"unit"`
	Theorem  *float64 `yaml:"theorem"`  // the quantity exceeds this only in a counter-example
	Bound    bool     `yaml:"bound"`    // the paper's bound has an unknown constant: the row says the worst that was found in each case
	Argument string   `yaml:"argument"` // instead of a measurement
	Headline bool     `yaml:"headline"` // it stands in README, too
}

// A Paper holds the text of docs/papers.md around a paper's table.
type Paper struct {
	ID             string   `yaml:"id"`
	Title          string   `yaml:"title"`
	Source         string   `yaml:"source"`
	Entries        []string `yaml:"entries"`        // in the order of the page
	Contradictions []string `yaml:"contradictions"` // of the paper with itself
	Notes          []string `yaml:"notes"`          // below its table
	Untested       []string `yaml:"untested"`       // statements without a row, and why
}

// A Catalogue is all entries, in the order of the papers.
type Catalogue struct {
	Papers  []Paper
	Entries []*Entry
}

// Of returns the entries of a paper, the one of a name, or all.
func (b *Catalogue) Of(name string) []*Entry {
	return slices.DeleteFunc(slices.Clone(b.Entries), func(e *Entry) bool {
		return !slices.Contains([]string{e.ID, e.Paper, "all"}, name)
	})
}

// places are the values of the axis.
func (e *Entry) places() (xs []float64) {
	for _, c := range e.Cases {
		xs = append(xs, c.X)
	}
	return xs
}
