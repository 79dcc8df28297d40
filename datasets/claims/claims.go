// Package claims holds what the five papers claim: every statement as data, with the paper's value, the experiment and the
// statistic that measure it, and how what was measured is judged. docs/claims/README.md has the form of the files.
package claims

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

// A Kind says what sort of statement a claim is.
type Kind string

// The kinds.
const (
	Number  Kind = "number"  // a value
	Order   Kind = "order"   // one algorithm before another
	Shape   Kind = "shape"   // how a curve runs
	Theorem Kind = "theorem" // what the paper says holds always
)

// A Claim is one statement of a paper. It is measured by an experiment's statistic, or has an argument, or cannot be measured.
type Claim struct {
	ID        string `yaml:"id"`        // such as shed-c01
	Statement string `yaml:"statement"` // one plain sentence
	Source    string `yaml:"source"`    // section, figure, table
	Figure    string `yaml:"figure"`    // of the paper, such as fig6; empty: none
	// of the figure: numbers of one curve change places together, in the claims' order; empty: it is alone
	Curve     string    `yaml:"curve"`
	Kind      Kind      `yaml:"kind"`
	Paper     Range     `yaml:"paper"`
	Tolerance Tolerance `yaml:"tolerance"`

	Experiment string `yaml:"experiment"` // its name
	Statistic  string `yaml:"statistic"`  // an expression over the experiment's metrics; a boolean counts as 1 or 0
	Unit       string `yaml:"unit"`       // of the statistic
	Also       string `yaml:"also"`       // another experiment whose value of the statistic is shown beside; it decides nothing
	Refutes    bool   `yaml:"refutes"`    // the statistic is a counter-example's value: it is a fault if it refutes nothing

	Argument string `yaml:"argument"` // why it holds, where it is proven and not measured
	Missing  string `yaml:"missing"`  // why it cannot be measured

	Reading  string `yaml:"reading"`  // what stands for what
	Unscored string `yaml:"unscored"` // why what is measured is no evidence for or against the paper; empty: it is
	Authors  string `yaml:"authors"`  // what the paper's authors would say to it
}

// A Range is the paper's value: a number, a range, or a half-line. For orders and shapes it is that of a difference, from 0 on,
// or of a truth value, from 1 on.
type Range struct {
	Low  *float64 `yaml:"low" json:"low"`   // nil: no lower end
	High *float64 `yaml:"high" json:"high"` // nil: no upper end
	Unit string   `yaml:"unit" json:"unit"` // such as share, s, percent
	Says string   `yaml:"says" json:"says"` // in the paper's words, to the letter; " … " leaves some out
}

// Bounds are the range's ends.
func (r Range) Bounds() Bounds {
	b := Line()
	if r.Low != nil {
		b.Low = *r.Low
	}
	if r.High != nil {
		b.High = *r.High
	}
	return b
}

// A Tolerance is by how much a value may lie outside of the paper's range and still be the paper's. It follows from the precision
// with which the paper gives its value.
type Tolerance struct {
	Value    float64 `yaml:"value" json:"value"`       // in the statistic's unit, at least 0
	Relative float64 `yaml:"relative" json:"relative"` // of the end of the range, at least 0
	Reason   string  `yaml:"reason" json:"reason"`
}

// A Paper is one of the papers.
type Paper struct {
	Name    string // such as shed-plus-2020
	Prefix  string // of its claims and experiments, such as shed
	Problem string // such as pocd
	Title   string // such as Shed+
	Count   int    // of claims: c01 to this
}

// Papers are the papers, in the problems' order.
var Papers = []Paper{
	{"flex-2010", "flex", "flex", "FLEX", 41},
	{"shed-plus-2020", "shed", "pocd", "Shed+", 77},
	{"dollymp-2022", "dollymp", "cloning", "DollyMP", 58},
	{"redundancy-checkpointing-2018", "redundancy", "redundancy", "Redundancy and checkpoints", 32},
	{"energy-speculation-2018", "window", "speculation", "Energy-aware speculation", 57},
}

//go:embed *
var files embed.FS

// All returns the claims of the papers, in their order. Its elements are shared: they are not to be changed.
var All = sync.OnceValues(func() ([]Claim, error) {
	var all []Claim
	for _, p := range Papers {
		name := p.Problem + ".yaml"
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("claims: %w", err)
		}
		list, err := Parse(name, data)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
})

// Parse reads a file of claims. Errors are one sentence that names file, claim and field.
func Parse(file string, data []byte) ([]Claim, error) {
	list, err := decode[Claim](file, data)
	for i, c := range list {
		if c.ID == "" {
			return nil, fmt.Errorf("%s: claim %d has no id", file, i+1)
		}
		if fault := c.fault(); fault != "" {
			return nil, fmt.Errorf("%s: %s: %s", file, c.ID, fault)
		}
	}
	return list, err
}

func decode[T any](file string, data []byte) (list []T, err error) {
	if err := yaml.UnmarshalWithOptions(data, &list, yaml.Strict()); err != nil {
		first, _, _ := strings.Cut(yaml.FormatError(err, false, false), "\n")
		return nil, fmt.Errorf("%s: %s", file, first)
	}
	return list, nil
}

// fault is what is wrong with a claim; empty: nothing.
func (c Claim) fault() string {
	ways := 0
	for _, text := range []string{c.Experiment, c.Argument, c.Missing} {
		if text != "" {
			ways++
		}
	}
	p, measured := c.Paper, c.Experiment != ""
	switch {
	case c.Statement == "" || c.Source == "":
		return "statement and source must be given"
	case !slices.Contains([]Kind{Number, Order, Shape, Theorem}, c.Kind):
		return fmt.Sprintf("kind: %q must be number, order, shape or theorem", c.Kind)
	case p.Low != nil && p.High != nil && *p.Low > *p.High:
		return fmt.Sprintf("paper: low %g is above high %g", *p.Low, *p.High)
	case c.Tolerance.Value < 0 || c.Tolerance.Relative < 0:
		return "tolerance: it must not be negative"
	case c.Tolerance != (Tolerance{}) && c.Tolerance.Reason == "":
		return "tolerance: it needs a reason"
	case ways != 1:
		return "one of experiment, argument and missing must be given"
	case measured != (c.Statistic != ""):
		return "experiment and statistic belong together"
	case measured && c.Kind != Theorem && p.Low == nil && p.High == nil:
		return "paper: what is measured needs low, high or both"
	case measured && p.Says == "":
		return "paper: says: what is measured needs the paper's words"
	case measured && c.Kind == Number && (p.Low != nil && *p.Low == 0 || p.High != nil && *p.High == 0):
		return "paper: 0 has neither a double nor a half, so that no decoy can be formed; an order can have it"
	case c.Also != "" && (!measured || c.Also == c.Experiment):
		return "also: it needs an experiment, and another one"
	case measured && c.Reading == "":
		return "reading: what is measured needs one"
	case c.Unscored != "" && !measured:
		return "unscored: only what is measured could be evidence"
	case c.Curve != "" && (!measured || c.Kind != Number):
		return "curve: only numbers that are measured are on one"
	case c.Refutes && (c.Kind != Theorem || !measured):
		return "refutes: only a theorem that is measured has a counter-example"
	}
	return ""
}

// A Contradiction is what a paper says against itself, or against arithmetic. It needs no simulator.
type Contradiction struct {
	Paper string   `yaml:"paper"` // prefix of its claims
	Says  []string `yaml:"says"`  // the paper's words, to the letter, with the section
	Why   string   `yaml:"why"`   // they cannot both be
}

// Contradictions returns those of all papers.
var Contradictions = sync.OnceValues(func() ([]Contradiction, error) {
	data, err := files.ReadFile("contradictions.yaml")
	if err != nil {
		return nil, fmt.Errorf("claims: %w", err)
	}
	list, err := decode[Contradiction]("contradictions.yaml", data)
	for i, c := range list {
		if _, ok := PaperOf(c.Paper); !ok || len(c.Says) == 0 || c.Why == "" {
			return nil, fmt.Errorf("contradictions.yaml: [%d]: paper, says and why must be given", i)
		}
	}
	return list, err
})

// PaperOf is the paper that an id, or the name of an experiment or a figure, belongs to by its prefix.
func PaperOf(id string) (Paper, bool) {
	prefix, _, _ := strings.Cut(id, "-")
	i := slices.IndexFunc(Papers, func(p Paper) bool { return p.Prefix == prefix })
	if i < 0 {
		return Paper{}, false
	}
	return Papers[i], true
}

// FigureName is the name of a claim's figure among all papers', such as shed-fig6; empty: it has none.
func (c Claim) FigureName() string {
	if c.Figure == "" {
		return ""
	}
	prefix, _, _ := strings.Cut(c.ID, "-")
	return prefix + "-" + c.Figure
}

// Bounds is the paper's range with its tolerance: the values that count as the paper's.
func (c Claim) Bounds() Bounds {
	tol := func(end float64) float64 { return cmp.Or(c.Tolerance.Value, c.Tolerance.Relative*math.Abs(end)) }
	b := Line()
	if c.Paper.Low != nil {
		b.Low = *c.Paper.Low - tol(*c.Paper.Low)
	}
	if c.Paper.High != nil {
		b.High = *c.Paper.High + tol(*c.Paper.High)
	}
	return b
}

// Introduction is what the page of a paper says before its table; empty: nothing was written.
func Introduction(p Paper) (string, error) {
	data, err := files.ReadFile(p.Problem + ".md")
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(data), err
}
