package main

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedgap/bench/score/worst"
	"schedgap/datasets/curves"
)

// stored are the curves that are stored with the program, by the names of their folders.
func stored(t *testing.T) (names []string, list []*worst.Curve) {
	t.Helper()
	folders, err := fs.ReadDir(curves.Files, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		c, err := storedCurve(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		names, list = append(names, f.Name()), append(list, c)
	}
	return names, list
}

// TestStoredCurves: stored curves have the names, instances and rising or falling ratios that they should have, none contradicts a
// theorem, and those of the smallest instances prove again.
func TestStoredCurves(t *testing.T) {
	t.Parallel()
	names, list := stored(t)
	if len(list) < 30 {
		t.Errorf("%d curves are stored", len(list))
	}
	for i, c := range list {
		if curveName(c) != names[i] {
			t.Errorf("the folder %s has the curve %s", names[i], curveName(c))
		}
		for k, p := range c.Points {
			if p.CounterExample || p.Bound != nil && !p.Shape && *p.Ratio > *p.Bound {
				t.Errorf("%s at %v: the ratio %v is a counter-example to %q", names[i], p.At, *p.Ratio, p.Statement)
			}
			if p.Random != nil && (p.Ratio == nil || *p.Random > *p.Ratio*(1+1e-9)) {
				t.Errorf("%s at %v: a random instance is worse than what was found", names[i], p.At)
			}
			if k > 0 && c.Name == "jobs" && *p.Ratio < *c.Points[k-1].Ratio {
				t.Errorf("%s at %v: an instance of fewer jobs is worse", names[i], p.At)
			}
		}
		if i%4 == 0 || c.Problem == "flex" { // all of them: scripts/worst-curves
			succeed(t, "worst", "--recheck", filepath.Join("..", "..", "datasets", "curves", names[i]))
		}
	}
}

// TestWorstPages: the pages of problems have the table of the stored curves, and their figures are drawn of these.
func TestWorstPages(t *testing.T) {
	r := repository(t)
	names, list := stored(t)
	for problem, figures := range map[string][]string{
		"redundancy": {"redundancy-srpt+r-speed", "redundancy-srpt+r-jobs"},
		"cloning":    {"cloning-dollymp2-speed", "cloning-dollymp2-jobs"},
		"flex":       {"flex-fair-jobs"},
	} {
		text := &strings.Builder{}
		text.WriteString("\n| algorithm | against | worst ratio found | of random instances | mean of the small suite | bound |\n|---|---|---|---|---|---|\n")
		for i, c := range list {
			if c.Problem == problem {
				fmt.Fprint(text, curveRow(c))
			}
			for _, name := range figures {
				if name == names[i] {
					data, err := drawCurve(c)
					if err != nil {
						t.Fatal(err)
					}
					follows(t, "docs/images/worst-"+name+".svg", string(data))
				}
			}
		}
		page := "docs/problems/" + problem + ".md"
		const begin, end = "<!-- generated: worst -->\n", "<!-- end -->"
		before, rest, ok := strings.Cut(r.read(t, page), begin)
		_, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Fatalf("%s has no block %q", page, begin)
		}
		follows(t, page, before+begin+text.String()+end+after)
	}
}

// follows compares a file of the repository with what it should be, or writes it.
func follows(t *testing.T, name, want string) {
	t.Helper()
	path := filepath.Join("..", "..", filepath.FromSlash(name))
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil || string(data) != want {
		t.Errorf("%s does not follow from datasets/curves (%v); go test ./cmd/schedgap -run TestWorstPages -update writes it", name, err)
	}
}

// curveRow is a curve's row of a page: values at both ends of the axis.
func curveRow(c *worst.Curve) string {
	first, last := c.Points[0], c.Points[len(c.Points)-1]
	axis := c.Name
	if c.Speed > 0 {
		axis += fmt.Sprintf(" at speed %v", c.Speed)
	}
	pair := func(a, b *float64) string {
		words := []string{"—", "—"}
		for i, v := range []*float64{a, b} {
			if v != nil && !math.IsInf(*v, 0) {
				words[i] = fmt.Sprintf("%.3f", *v)
			}
		}
		return words[0] + " … " + words[1]
	}
	bound := pair(first.Bound, last.Bound)
	if last.Bound == nil && first.Bound == nil {
		bound = "none"
	} else if last.Shape || first.Shape {
		bound += ", shape only"
	}
	typical := pair(first.SuiteMean, last.SuiteMean)
	if first.SuiteDeclined > 0 {
		typical += fmt.Sprintf(" (%d of %d)", first.SuiteSize, first.SuiteSize+first.SuiteDeclined)
	}
	return fmt.Sprintf("| `%s` | %s %v … %v | %s | %s | %s | %s |\n", c.Algorithm, axis, first.At, last.At, pair(first.Ratio, last.Ratio),
		pair(first.Random, last.Random), typical, bound)
}

// A point that is worse than the stored one is reported, and no other.
func TestNewWorst(t *testing.T) {
	_, list := stored(t)
	old := list[0]
	if says := better(old, old, "dir"); len(says) > 0 {
		t.Errorf("a curve is worse than itself: %q", says)
	}
	c := *old
	c.Points = slices.Clone(old.Points)
	c.Points[1].Ratio = new(*old.Points[1].Ratio * 1.001)
	if says := better(&c, old, "dir"); len(says) != 1 || !strings.Contains(says[0], "NEW WORST") {
		t.Errorf("one point of %s is worse: %q", curveName(old), says)
	}
	c.Speed = 17
	if says := better(&c, old, "dir"); len(says) > 0 {
		t.Errorf("curves at different speeds are compared: %q", says)
	}
}
