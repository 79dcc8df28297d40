package claims

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
)

// A Fit chooses what a paper does not tell by some of its numbers, and tests the choice on others.
type Fit struct {
	Name       string   `yaml:"name"`       // such as shed-table2
	Experiment string   `yaml:"experiment"` // whose design has the settings to choose from
	Parameters []string `yaml:"parameters"` // what is chosen: names of the experiment's untold parameters
	Fitted     []string `yaml:"fitted"`     // ids of the claims by which it is chosen
	Tested     []string `yaml:"tested"`     // ids of the claims that were not looked at
	Absolute   bool     `yaml:"absolute"`   // distances count in the unit of the claims, not as shares of the paper's value
	Reading    string   `yaml:"reading"`    // why these
}

// Fits returns the fits, one or more for each paper.
var Fits = sync.OnceValues(func() ([]Fit, error) {
	data, err := files.ReadFile("fits.yaml")
	if err != nil {
		return nil, fmt.Errorf("claims: %w", err)
	}
	return ParseFits("fits.yaml", data)
})

// ParseFits reads a file of fits. Errors are one sentence that names the file, the fit and what is wrong.
func ParseFits(file string, data []byte) ([]Fit, error) {
	var list []Fit
	if err := yaml.UnmarshalWithOptions(data, &list, yaml.Strict()); err != nil {
		first, _, _ := strings.Cut(yaml.FormatError(err, false, false), "\n")
		return nil, fmt.Errorf("%s: %s", file, first)
	}
	for _, f := range list {
		switch {
		case f.Name == "" || f.Experiment == "" || len(f.Parameters) == 0 || f.Reading == "":
			return nil, fmt.Errorf("%s: fit %q: name, experiment, parameters and reading must be given", file, f.Name)
		case len(f.Fitted) == 0 || len(f.Tested) == 0:
			return nil, fmt.Errorf("%s: fit %s: it needs claims to fit and claims to test", file, f.Name)
		}
		for _, id := range f.Tested {
			if slices.Contains(f.Fitted, id) {
				return nil, fmt.Errorf("%s: fit %s: %s is both fitted and tested", file, f.Name, id)
			}
		}
	}
	return list, nil
}

// A FitRow is one claim of a fit.
type FitRow struct {
	Claim   *Claim
	Fitted  bool
	Default Point // at the experiment's default
	Chosen  Point // at the setting that was chosen
}

// A Fitted is what a fit comes to.
type Fitted struct {
	Chosen int // point of the design
	Rows   []FitRow
	// Root mean squares of the distances from the paper's values, of the claims that were fitted and of those that were tested.
	FitDefault, FitChosen, TestDefault, TestChosen float64
	Most                                           int   // the largest number of claims that one setting gives
	MostAt                                         int   // the first such point of the design
	All                                            []int // points that give all claims; empty: there is none
}

// Solve chooses the point of the design whose means are nearest to the paper's values of the fitted claims. Grades are by claim
// and have the points of one design. A claim that is not measured is an error.
func (f Fit) Solve(claims map[string]*Claim, grades map[string]Grade) (Fitted, error) {
	var out Fitted
	points := -1
	for _, id := range slices.Concat(f.Fitted, f.Tested) {
		c, g := claims[id], grades[id]
		switch {
		case c == nil:
			return out, fmt.Errorf("fit %s: there is no claim %s", f.Name, id)
		case !g.Measured():
			return out, fmt.Errorf("fit %s: %s is not measured", f.Name, id)
		case points >= 0 && len(g.Points) != points:
			return out, fmt.Errorf("fit %s: %s has %d points of a design, the claims before it %d", f.Name, id, len(g.Points), points)
		}
		points = len(g.Points)
		out.Rows = append(out.Rows, FitRow{Claim: c, Fitted: slices.Contains(f.Fitted, id), Default: g.Points[0]})
	}
	least := math.Inf(1)
	for i := range points {
		given := 0
		for _, r := range out.Rows {
			if gives(r.Claim, grades[r.Claim.ID].Points[i]) {
				given++
			}
		}
		if given > out.Most {
			out.Most, out.MostAt = given, i
		}
		if given == len(out.Rows) {
			out.All = append(out.All, i)
		}
		if e := f.distance(out.Rows, grades, i, true); e < least {
			least, out.Chosen = e, i
		}
	}
	for i := range out.Rows {
		out.Rows[i].Chosen = grades[out.Rows[i].Claim.ID].Points[out.Chosen]
	}
	out.FitDefault, out.TestDefault = f.distance(out.Rows, grades, 0, true), f.distance(out.Rows, grades, 0, false)
	out.FitChosen, out.TestChosen = f.distance(out.Rows, grades, out.Chosen, true), f.distance(out.Rows, grades, out.Chosen, false)
	return out, nil
}

// gives reports whether the claim's mean at a point is the paper's value, within its tolerance.
func gives(c *Claim, p Point) bool { return Bounds{p.Mean, p.Mean}.Inside(c.Bounds()) }

// Gives reports whether the claim has the paper's value at the default, and at the chosen setting.
func (r FitRow) Gives() (atDefault, chosen bool) {
	return gives(r.Claim, r.Default), gives(r.Claim, r.Chosen)
}

// distance is the root mean square, over the fitted or the tested claims, of how far means at a point are from the paper's values.
func (f Fit) distance(rows []FitRow, grades map[string]Grade, point int, fitted bool) float64 {
	sum, n := 0.0, 0
	for _, r := range rows {
		if r.Fitted != fitted {
			continue
		}
		d := f.off(r.Claim.Paper, grades[r.Claim.ID].Points[point].Mean)
		sum += d * d
		n++
	}
	return math.Sqrt(sum / float64(n))
}

// off is how far a value is from the paper's: 0 inside the paper's range, else the distance from its nearer end, as a share of that
// end unless the fit counts in the claims' unit or the end is 0.
func (f Fit) off(paper Range, x float64) float64 {
	end := x
	switch {
	case paper.Low != nil && x < *paper.Low:
		end = *paper.Low
	case paper.High != nil && x > *paper.High:
		end = *paper.High
	}
	d := math.Abs(x - end)
	if f.Absolute || end == 0 {
		return d
	}
	return d / math.Abs(end)
}
