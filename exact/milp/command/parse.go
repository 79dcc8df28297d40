package command

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"schedgap/exact/milp"
	"schedgap/exact/milp/backend"
	"schedgap/models/input"
)

// output is the output of an executable that ended normally.
type output struct {
	model *milp.Model
	path  string // of the solution file
	log   []string
}

// lines are the solution file's.
func (o output) lines() ([]string, error) {
	text, err := input.Read(o.path, input.MaxData)
	if err != nil {
		return nil, fmt.Errorf("no solution file: %w", err)
	}
	return strings.Split(strings.TrimRight(string(text), "\n"), "\n"), nil
}

// number returns the last match of the first group of re in the log, or NaN. There is none for nil.
func (o output) number(re *regexp.Regexp) float64 {
	if re == nil {
		return math.NaN()
	}
	for _, line := range slices.Backward(o.log) {
		if m := re.FindStringSubmatch(line); m != nil {
			if v, err := strconv.ParseFloat(m[1], 64); err == nil {
				return v
			}
		}
	}
	return math.NaN()
}

// A reader has the properties that distinguish a format.
type reader struct {
	// status finds the status and its text in the lines of the solution file and of the log; 0: there is none that is
	// known.
	status func(lines, log []string) (milp.Status, string, error)
	// point is the solution file's point for an answer of this status and text.
	point        func(o output, lines []string, status milp.Status, raw string) ([]float64, error)
	bound, nodes *regexp.Regexp // in the log, see output.number
	root         *regexp.Regexp // in the log as a whole: the bound after the root node
	abs, rel     float64        // by how much the bound may be rounded up where it is printed
	gap          *regexp.Regexp // in the log: what is left where optimal means that it is small enough
	tolerance    *regexp.Regexp // in the log as a whole: the gap that is small enough, in percent if a second group is %
	mayLack      bool           // there may be no file when there is nothing to write
}

// readers by format.
var readers = map[Format]reader{
	FormatCBC: {
		status: cbcStatus, point: cbcPoint,
		bound: regexp.MustCompile(`^Lower bound:\s+(\S+)$`), abs: 0.0005, // three decimals
		nodes: regexp.MustCompile(`^Enumerated nodes:\s+(\d+)$`),
		root:  regexp.MustCompile(`\nCbc0013I At root node, .* to (\S+) in `),

		tolerance: regexp.MustCompile(`(?m)^ratioGap was changed from \S+ to (\S+)$`),
	},
	FormatGLPK: {
		status: glpkStatus, point: glpkPoint,
		bound: regexp.MustCompile(`^\+\s*\d+: (?:mip =|>>>>>).*>=\s+(\S+)`), rel: 1e-9, // ten digits
		root: regexp.MustCompile(`: obj =\s+(\S+) inf = .*\nOPTIMAL LP SOLUTION FOUND`), // it adds no cuts

		tolerance: regexp.MustCompile(`\s--mipgap\s+(\S+)`),
	},
	FormatSol: {
		status: solStatus, point: solPoint, mayLack: true,
		gap: regexp.MustCompile(`(?:^\s*Gap\s+|, gap )([0-9.e+-]+)%`), // of HiGHS and Gurobi

		tolerance: regexp.MustCompile(`\(tolerance:? ([0-9.e+-]+)(%?)\)`),
	},
}

// read returns what o says in a format. Readers know every text that they accept; another one is an error.
func (o output) read(format Format) (backend.Answer, error) {
	r, a := readers[format], backend.Answer{Bound: math.NaN(), Nodes: -1}
	lines, missing := o.lines()
	if missing != nil && !r.mayLack {
		return a, missing
	}
	var err error
	a.Status, a.Raw, err = r.status(lines, o.log)
	switch {
	case err != nil:
		return a, err
	case a.Status == 0:
		return a, errors.New(strings.TrimSpace("unexpected answer " + a.Raw))
	case a.Status == milp.Optimal && missing != nil:
		return a, fmt.Errorf("%s, but no solution file", a.Raw)
	}
	if v := o.number(r.bound); math.Abs(v) < 1e30 {
		a.Bound = v - r.abs - r.rel*math.Abs(v)
	}
	if v := o.number(r.nodes); v >= 0 {
		a.Nodes = int64(v)
	}
	if r.root != nil {
		if m := r.root.FindStringSubmatch(strings.Join(o.log, "\n")); m != nil {
			if v, err := strconv.ParseFloat(m[1], 64); err == nil {
				a.Root = &v
			}
		}
	}
	if missing == nil {
		a.X, err = r.point(o, lines, a.Status, a.Raw)
	}
	if gap := o.number(r.gap); a.Status == milp.Optimal && gap > 0 {
		a.Status, a.Raw = milp.Limit, fmt.Sprintf("%s, gap %g%%", a.Raw, gap)
		a.Own = o.atGap(r.tolerance)
	}
	if own := ownLimit.FindString(a.Raw); a.Status == milp.Limit && own != "" {
		a.Own = "stopped at a limit of its own"
		if withinGap.MatchString(own) {
			a.Own = o.atGap(r.tolerance)
		}
	}
	return a, err
}

// The words of an end at a limit that the executable's settings have, in contrast to that of time, and those about gaps. cbc's word
// for iterations is not among them, since it says the same of an interrupt.
var (
	ownLimit = regexp.MustCompile(`(?i)within gap tolerance|gap tolerance reached|(gap|node|solution|iteration|work|restart) limit reached|` +
		`bound on objective reached|target for objective reached`)
	withinGap = regexp.MustCompile(`(?i)\bgap\b`)
)

// atGap is the reason of an end at a gap, with its size where the log has it.
func (o output) atGap(tolerance *regexp.Regexp) string {
	const reason = "stopped at its gap"
	m := tolerance.FindStringSubmatch(strings.Join(o.log, "\n"))
	if m == nil {
		return reason
	}
	gap, err := strconv.ParseFloat(m[1], 64)
	if len(m) < 3 || m[2] == "" {
		gap *= 100
	}
	if err != nil || !(gap > 0) {
		return reason
	}
	return fmt.Sprintf("%s of %.4g %%", reason, gap)
}

// values are those of the columns, by the names that the solution file has for them.
type values struct {
	index map[string]int
	x     []float64
	seen  map[int]bool
}

func named(columns []string) values {
	v := values{map[string]int{}, make([]float64, len(columns)), map[int]bool{}}
	for j, name := range columns {
		v.index[name] = j
	}
	return v
}

// enter takes text for the value of a column; ok: the column is known and the text a number.
func (v values) enter(name, text string) (ok bool, err error) {
	j, ok := v.index[name]
	x, bad := strconv.ParseFloat(text, 64)
	if !ok || bad != nil {
		return false, nil
	}
	if v.seen[j] {
		return true, fmt.Errorf("solution file: column %s twice", name)
	}
	v.x[j], v.seen[j] = x, true
	return true, nil
}

// cbcStatuses are the words of a solution file before cbcContinuous and its objective value. A solution within the gap tolerance
// is an incumbent beside a bound, and not proven to be optimal: the tolerance is the user's.
var cbcStatuses = map[string]milp.Status{
	"Optimal":                        milp.Optimal,
	"Optimal (within gap tolerance)": milp.Limit,
	"Infeasible":                     milp.Infeasible,
	"Integer infeasible":             milp.Infeasible,
	"Unbounded":                      milp.Unbounded,
	"Stopped on time":                milp.Limit,
	"Stopped on iterations":          milp.Limit, // also its word for an interrupt
	"Stopped on ctrl-c":              milp.Limit,
}

// cbcContinuous says after the status that the values are a relaxation's.
const cbcContinuous = " (no integer solution - continuous used)"

func cbcStatus(lines, _ []string) (milp.Status, string, error) {
	words, _, ok := strings.Cut(lines[0], " - objective value ")
	if !ok {
		return 0, lines[0], nil
	}
	return cbcStatuses[strings.TrimSuffix(words, cbcContinuous)], words, nil
}

// cbcPoint reads the primal values from what -saveSolution writes: the numbers of rows and columns, the objective value,
// two numbers a row, the columns' values, their reduced costs. The -solution file has only eight digits of them.
func cbcPoint(o output, _ []string, status milp.Status, raw string) ([]float64, error) {
	if status != milp.Optimal && status != milp.Limit || strings.HasSuffix(raw, cbcContinuous) {
		return nil, nil
	}
	b, err := input.Read(o.path+".bin", input.MaxData)
	if err != nil {
		return nil, fmt.Errorf("no solution values: %w", err)
	}
	var size [2]int32
	x, r := make([]float64, len(o.model.Cols)), bytes.NewReader(b)
	if err := binary.Read(r, binary.NativeEndian, &size); err != nil {
		return nil, fmt.Errorf("solution values: %w", err)
	}
	if int(size[1]) < len(x) || len(b) != 8+8*(1+2*(int(size[0])+int(size[1]))) {
		return nil, fmt.Errorf("solution values: %d bytes for %d rows and %d columns", len(b), size[0], size[1])
	}
	r.Seek(int64(8+8*(1+2*size[0])), 0)
	return x, binary.Read(r, binary.NativeEndian, x)
}

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

func glpkStatus(_, log []string) (milp.Status, string, error) {
	for _, line := range slices.Backward(log) {
		if status, ok := glpkEnds[line]; ok {
			return status, line, nil
		}
	}
	return 0, "", nil
}

// glpkPoint reads a file in GLPK's solution format. Its status is one letter (o optimal, f feasible, n none, u undefined)
// for models with integers, else one for the primal and one for the dual solution.
func glpkPoint(o output, lines []string, status milp.Status, raw string) ([]float64, error) {
	state, numbers := "", make([]string, len(o.model.Cols))
	for j := range numbers {
		numbers[j] = strconv.Itoa(j + 1)
	}
	v := named(numbers)
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
			if ok, err := v.enter(f[1], value); err != nil {
				return nil, err
			} else if !ok {
				return nil, fmt.Errorf("solution file: line %q", line)
			}
		}
	}
	switch {
	case state == "" || len(v.seen) != len(v.x) || lines[len(lines)-1] != "e o f":
		return nil, fmt.Errorf("solution file: incomplete, %d of %d columns", len(v.seen), len(v.x))
	case status == milp.Optimal && state != "o" && state != "f f":
		return nil, fmt.Errorf("%s, but the solution file says %q", raw, state)
	case status == milp.Optimal || status == milp.Limit && state == "f":
		return v.x, nil
	}
	return nil, nil
}

// solStatuses are the status lines of SCIP, Gurobi and HiGHS.
var solStatuses = map[string]milp.Status{
	"solution status: optimal solution found":      milp.Optimal,
	"solution status: infeasible":                  milp.Infeasible,
	"solution status: unbounded":                   milp.Unbounded,
	"solution status: infeasible or unbounded":     backend.NoOptimum,
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
	"Model status Interrupted by user":            milp.Limit,
	"Model status Bound on objective reached":     milp.Limit,
	"Model status Target for objective reached":   milp.Limit,
}

// limitReached is the status of a limit of SCIP or HiGHS, of whatever name.
var limitReached = regexp.MustCompile(`^(?:solution status:|Model status) (?i:[a-z ]*limit reached)\b`)

func solStatus(lines, log []string) (milp.Status, string, error) {
	status, raw, err := findStatus(lines)
	if status == 0 && err == nil {
		return findStatus(log)
	}
	return status, raw, err
}

// findStatus returns the status that lines tell; lines of different statuses are an error.
func findStatus(lines []string) (found milp.Status, raw string, err error) {
	for i, line := range lines {
		words := strings.Join(strings.Fields(line), " ")
		if words == "Model status" && i+1 < len(lines) {
			words += " " + strings.TrimSpace(lines[i+1])
		}
		best := ""
		for text := range solStatuses {
			if rest, ok := strings.CutPrefix(words, text); ok && (rest == "" || strings.ContainsRune(" ([,.:", rune(rest[0]))) {
				if len(text) > len(best) {
					best = text
				}
			}
		}
		status := solStatuses[best]
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

// solPoint reads the columns' values, nil if there are none at all.
func solPoint(o output, lines []string, status milp.Status, _ string) ([]float64, error) {
	if status != milp.Optimal && status != milp.Limit {
		return nil, nil
	}
	names, _ := milp.Names(o.model)
	v, some := named(names), false
	for _, line := range lines {
		f := strings.Fields(line)
		if strings.HasPrefix(line, "# Rows") {
			break // HiGHS goes on with rows, whose names may be those of columns
		}
		for _, head := range []string{"# Columns", "# Objective value", "objective value:"} {
			some = some || strings.HasPrefix(line, head)
		}
		if len(f) < 2 {
			continue
		}
		if _, err := v.enter(f[0], f[1]); err != nil {
			return nil, err
		}
	}
	if !some && len(v.seen) == 0 {
		return nil, nil
	}
	return v.x, nil
}
