package command

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"schedgap/exact/milp"
	"schedgap/exact/milp/backend"
	"schedgap/models/input"
)

// output is what an executable left behind when it ended normally.
type output struct {
	model    *milp.Model
	path     string // of the solution file
	log      []string
	statuses map[string]milp.Status
}

// lines are the solution file's.
func (o output) lines() ([]string, error) {
	text, err := input.Read(o.path, input.MaxData)
	if err != nil {
		return nil, fmt.Errorf("no solution file: %w", err)
	}
	return strings.Split(strings.TrimRight(string(text), "\n"), "\n"), nil
}

// number returns the last match of the first group of re in the log, or NaN.
func (o output) number(re *regexp.Regexp) float64 {
	for _, line := range slices.Backward(o.log) {
		if m := re.FindStringSubmatch(line); m != nil {
			if v, err := strconv.ParseFloat(m[1], 64); err == nil {
				return v
			}
		}
	}
	return math.NaN()
}

func (o output) nodes(re *regexp.Regexp) int64 {
	if v := o.number(re); v >= 0 {
		return int64(v)
	}
	return -1
}

// parsers by format. They know every text that they accept; another one is an error.
var parsers = map[Format]func(output) (backend.Answer, error){
	FormatCBC: parseCBC, FormatGLPK: parseGLPK, FormatSol: parseSol,
}

var (
	cbcBound = regexp.MustCompile(`^Lower bound:\s+(\S+)$`)
	cbcNodes = regexp.MustCompile(`^Enumerated nodes:\s+(\d+)$`)
)

// cbcStatuses are the words of a solution file before its objective value, and whether they come with a feasible point.
var cbcStatuses = map[string]struct {
	status milp.Status
	point  bool
}{
	"Optimal":               {milp.Optimal, true},
	"Infeasible":            {milp.Infeasible, false},
	"Integer infeasible":    {milp.Infeasible, false},
	"Unbounded":             {milp.Unbounded, false},
	"Stopped on time":       {milp.Limit, true},
	"Stopped on iterations": {milp.Limit, true}, // also its word for an interrupt
	"Stopped on ctrl-c":     {milp.Limit, true},
	"Stopped on time (no integer solution - continuous used)":       {milp.Limit, false},
	"Stopped on iterations (no integer solution - continuous used)": {milp.Limit, false},
	"Stopped on ctrl-c (no integer solution - continuous used)":     {milp.Limit, false},
}

func parseCBC(o output) (backend.Answer, error) {
	lines, err := o.lines()
	if err != nil {
		return backend.Answer{}, err
	}
	words, _, ok := strings.Cut(lines[0], " - objective value ")
	known, listed := cbcStatuses[words]
	if !ok || !listed {
		return backend.Answer{}, fmt.Errorf("unexpected answer %q", lines[0])
	}
	a := backend.Answer{Status: known.status, Raw: words, Bound: math.NaN(), Nodes: o.nodes(cbcNodes)}
	if v := o.number(cbcBound); math.Abs(v) < 1e30 {
		a.Bound = v - 0.0005 // printed with three decimals, perhaps rounded up
	}
	if known.point {
		a.X, err = readCBCValues(o.path+".bin", len(o.model.Cols))
	}
	return a, err
}

// readCBCValues reads the primal values from what -saveSolution writes: the numbers of rows and columns, the objective
// value, two numbers a row, the columns' values, their reduced costs. The -solution file has only eight digits of them.
func readCBCValues(path string, columns int) ([]float64, error) {
	b, err := input.Read(path, input.MaxData)
	if err != nil {
		return nil, fmt.Errorf("no solution values: %w", err)
	}
	var size [2]int32
	r := bytes.NewReader(b)
	if err := binary.Read(r, binary.NativeEndian, &size); err != nil {
		return nil, fmt.Errorf("solution values: %w", err)
	}
	if int(size[1]) < columns || len(b) != 8+8*(1+2*(int(size[0])+int(size[1]))) {
		return nil, fmt.Errorf("solution values: %d bytes for %d rows and %d columns", len(b), size[0], size[1])
	}
	r.Seek(int64(8+8*(1+2*size[0])), 0)
	x := make([]float64, columns)
	return x, binary.Read(r, binary.NativeEndian, x)
}

var glpkBound = regexp.MustCompile(`^\+\s*\d+: (?:mip =|>>>>>).*>=\s+(\S+)`)

// glpkEnds are the lines of glpsol's log that tell how a solve ended; the last one counts.
var glpkEnds = map[string]milp.Status{
	"OPTIMAL LP SOLUTION FOUND":                             milp.Optimal, // of a relaxation, if integers follow
	"OPTIMAL SOLUTION FOUND":                                milp.Optimal,
	"OPTIMAL SOLUTION FOUND BY LP PREPROCESSOR":             milp.Optimal,
	"INTEGER OPTIMAL SOLUTION FOUND":                        milp.Optimal,
	"INTEGER OPTIMAL SOLUTION FOUND BY MIP PREPROCESSOR":    milp.Optimal,
	"PROBLEM HAS NO FEASIBLE SOLUTION":                      milp.Infeasible,
	"PROBLEM HAS NO PRIMAL FEASIBLE SOLUTION":               milp.Infeasible,
	"PROBLEM HAS NO INTEGER FEASIBLE SOLUTION":              milp.Infeasible,
	"LP HAS NO PRIMAL FEASIBLE SOLUTION":                    milp.Infeasible,
	"PROBLEM HAS UNBOUNDED SOLUTION":                        milp.Unbounded,
	"LP HAS UNBOUNDED PRIMAL SOLUTION":                      milp.Unbounded,
	"PROBLEM HAS NO DUAL FEASIBLE SOLUTION":                 backend.NoOptimum,
	"LP HAS NO DUAL FEASIBLE SOLUTION":                      backend.NoOptimum,
	"LP RELAXATION HAS NO DUAL FEASIBLE SOLUTION":           backend.NoOptimum,
	"TIME LIMIT EXCEEDED; SEARCH TERMINATED":                milp.Limit,
	"RELATIVE MIP GAP TOLERANCE REACHED; SEARCH TERMINATED": milp.Limit,
}

func parseGLPK(o output) (backend.Answer, error) {
	a := backend.Answer{Bound: math.NaN(), Nodes: -1}
	for _, line := range slices.Backward(o.log) {
		if status, ok := glpkEnds[line]; ok {
			a.Status, a.Raw = status, line
			break
		}
	}
	if a.Status == 0 {
		return a, fmt.Errorf("unexpected answer")
	}
	if v := o.number(glpkBound); !math.IsInf(v, 0) {
		a.Bound = v - 1e-9*math.Abs(v) // printed with ten digits, perhaps rounded up
	}
	lines, err := o.lines()
	if err != nil {
		return a, err
	}
	state, x, err := readGLPK(lines, len(o.model.Cols))
	switch {
	case err != nil:
		return a, err
	case a.Status == milp.Optimal && state != "o" && state != "f f":
		return a, fmt.Errorf("%s, but the solution file says %q", a.Raw, state)
	case a.Status == milp.Optimal || a.Status == milp.Limit && state == "f":
		a.X = x
	}
	return a, nil
}

// readGLPK reads a file in GLPK's solution format and returns its status, one letter (o optimal, f feasible, n none, u
// undefined) for models with integers, else one for the primal and one for the dual solution.
func readGLPK(lines []string, columns int) (state string, x []float64, err error) {
	x = make([]float64, columns)
	seen := 0
	for _, line := range lines {
		f := strings.Fields(line)
		switch {
		case len(f) >= 6 && f[0] == "s" && f[1] == "mip":
			state = f[4]
		case len(f) >= 7 && f[0] == "s" && f[1] == "bas":
			state = f[4] + " " + f[5]
		case len(f) >= 3 && f[0] == "j":
			value := f[2]
			if len(f) == 5 { // status, primal, dual
				value = f[3]
			}
			j, jErr := strconv.Atoi(f[1])
			v, vErr := strconv.ParseFloat(value, 64)
			if jErr != nil || vErr != nil || j < 1 || j > columns {
				return "", nil, fmt.Errorf("solution file: line %q", line)
			}
			x[j-1] = v
			seen++
		}
	}
	if state == "" || seen != columns || lines[len(lines)-1] != "e o f" {
		return "", nil, fmt.Errorf("solution file: incomplete, %d of %d columns", seen, columns)
	}
	return state, x, nil
}

// solStatuses are the status lines of SCIP, Gurobi and HiGHS.
var solStatuses = map[string]milp.Status{
	"solution status: optimal solution found":      milp.Optimal,
	"solution status: infeasible":                  milp.Infeasible,
	"solution status: unbounded":                   milp.Unbounded,
	"solution status: infeasible or unbounded":     backend.NoOptimum,
	"solution status: time limit reached":          milp.Limit,
	"solution status: node limit reached":          milp.Limit,
	"solution status: memory limit reached":        milp.Limit,
	"solution status: user interrupt":              milp.Limit,
	"solution status: termination signal received": milp.Limit,

	"Optimal solution found":           milp.Optimal,
	"Optimal objective":                milp.Optimal,
	"Model is infeasible":              milp.Infeasible,
	"Model is unbounded":               milp.Unbounded,
	"Infeasible model":                 milp.Infeasible,
	"Unbounded model":                  milp.Unbounded,
	"Model is infeasible or unbounded": backend.NoOptimum,
	"Infeasible or unbounded model":    backend.NoOptimum,
	"Time limit reached":               milp.Limit,
	"Node limit reached":               milp.Limit,
	"Memory limit reached":             milp.Limit,
	"Solve interrupted":                milp.Limit,
	"Solution limit reached":           milp.Limit,
	"Iteration limit reached":          milp.Limit,
	"Work limit reached":               milp.Limit,

	"Model status Optimal":                        milp.Optimal,
	"Model status Infeasible":                     milp.Infeasible,
	"Model status Unbounded":                      milp.Unbounded,
	"Model status Primal infeasible or unbounded": backend.NoOptimum,
	"Model status Time limit reached":             milp.Limit,
	"Model status Iteration limit reached":        milp.Limit,
	"Model status Solution limit reached":         milp.Limit,
	"Model status Memory limit reached":           milp.Limit,
	"Model status Interrupted by user":            milp.Limit,
	"Model status Bound on objective reached":     milp.Limit,
	"Model status Target for objective reached":   milp.Limit,
}

// limitReached is the status of a limit of any other name, such as SCIP's of the gap or of stalled nodes.
var limitReached = regexp.MustCompile(`^(?:solution status:|Model status) [a-z ]*limit reached\b`)

// solGap is the gap that is left where HiGHS and Gurobi say optimal because it is small enough for them.
var solGap = regexp.MustCompile(`(?:^\s*Gap\s+|, gap )([0-9.e+-]+)%`)

func parseSol(o output) (backend.Answer, error) {
	a := backend.Answer{Bound: math.NaN(), Nodes: -1}
	lines, err := o.lines()
	missing := err != nil // Gurobi and others write none when there is nothing to write
	texts := maps.Clone(solStatuses)
	for text, status := range o.statuses {
		texts[strings.Join(strings.Fields(text), " ")] = status
	}
	a.Status, a.Raw, err = findStatus(lines, texts)
	if a.Status == 0 && err == nil {
		a.Status, a.Raw, err = findStatus(o.log, texts)
	}
	switch {
	case err != nil:
		return a, err
	case a.Status == 0:
		return a, fmt.Errorf("unexpected answer")
	case a.Status == milp.Optimal && missing:
		return a, fmt.Errorf("%s, but no solution file", a.Raw)
	case missing || a.Status != milp.Optimal && a.Status != milp.Limit:
		return a, nil
	}
	if gap := o.number(solGap); a.Status == milp.Optimal && gap > 0 {
		a.Status, a.Raw = milp.Limit, fmt.Sprintf("%s, gap %g%%", a.Raw, gap)
	}
	a.X, err = readSol(lines, o.model)
	return a, err
}

// findStatus returns the status that lines tell; lines of different statuses are an error.
func findStatus(lines []string, texts map[string]milp.Status) (found milp.Status, raw string, err error) {
	for i, line := range lines {
		words := strings.Join(strings.Fields(line), " ")
		if words == "Model status" && i+1 < len(lines) {
			words += " " + strings.TrimSpace(lines[i+1])
		}
		best := ""
		for text := range texts {
			if rest, ok := strings.CutPrefix(words, text); ok && (rest == "" || strings.ContainsRune(" ([,.:", rune(rest[0]))) {
				if len(text) > len(best) {
					best = text
				}
			}
		}
		status := texts[best]
		if best == "" && limitReached.MatchString(words) {
			best, status = words, milp.Limit
		}
		switch {
		case best == "":
		case found != 0 && status != found:
			return 0, "", fmt.Errorf("contradictory answers %q and %q", raw, words)
		default:
			found, raw = status, words
		}
	}
	return found, raw, nil
}

// readSol reads the columns' values, nil if there are none at all.
func readSol(lines []string, m *milp.Model) ([]float64, error) {
	names, _ := milp.Names(m)
	index := make(map[string]int, len(names))
	for j, name := range names {
		index[name] = j
	}
	x, seen := make([]float64, len(names)), make([]bool, len(names))
	some := false
	for _, line := range lines {
		f := strings.Fields(line)
		if len(f) >= 2 && f[0] == "#" && f[1] == "Rows" {
			break // HiGHS goes on with rows, whose names may be those of columns
		}
		for _, head := range []string{"# Columns", "# Objective value", "objective value:"} {
			some = some || strings.HasPrefix(line, head)
		}
		if len(f) < 2 {
			continue
		}
		j, ok := index[f[0]]
		v, err := strconv.ParseFloat(f[1], 64)
		switch {
		case !ok || err != nil:
		case seen[j]:
			return nil, fmt.Errorf("solution file: column %s twice", f[0])
		default:
			x[j], seen[j], some = v, true, true
		}
	}
	if !some {
		return nil, nil
	}
	return x, nil
}
