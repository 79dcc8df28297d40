package papers

import (
	"encoding/csv"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Printed is a size that a paper prints, of the file printed.csv: a workload or a cluster, or how often it was run.
type Printed struct {
	Entry   string
	Setting string  // workload.KEY, params.KEY or runs
	Value   float64 // NaN: the paper does not print it
	Where   string
	Smaller string // why the entry's setting is smaller; empty: it is not
}

// sizes are the parameters that make an experiment large.
var sizes = []string{
	"workload.jobs", "workload.horizon", "workload.slots", "workload.vms", "workload.servers", "workload.nodes",
	"params.machines", "params.slaves",
	"params.map_slots", "params.reduce_slots", "params.nodes", runs,
}

// runs is how often an entry repeats its experiment at our defaults.
const runs = "runs"

// ReadPrinted reads printed.csv and compares it with the entries: every size of an entry at our defaults must be in the table,
// and none may be smaller than the printed one without a reason, or have a reason without being smaller.
func ReadPrinted(folder fs.FS, book *Catalogue) (list []Printed, err error) {
	const file = "printed.csv"
	f, err := folder.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if got := strings.Join(lines[0], ","); got != "entry,setting,printed,where,smaller" {
		return nil, fmt.Errorf("%s: line 1: %q must be entry,setting,printed,where,smaller", file, got)
	}
	for i, cells := range lines[1:] {
		p := Printed{cells[0], cells[1], math.NaN(), cells[3], cells[4]}
		if cells[2] != "" {
			p.Value, err = strconv.ParseFloat(cells[2], 64)
			if err != nil {
				return nil, fmt.Errorf("%s: line %d: printed: %q must be a number or empty", file, i+2, cells[2])
			}
		}
		k := slices.IndexFunc(book.Entries, func(e *Entry) bool { return e.ID == p.Entry })
		if k < 0 {
			return nil, fmt.Errorf("%s: line %d: there is no entry %q", file, i+2, p.Entry)
		}
		ours, ok := book.Entries[k].sizes()[p.Setting]
		switch {
		case !ok:
			return nil, fmt.Errorf("%s: line %d: %s sets no %q", file, i+2, p.Entry, p.Setting)
		case ours < p.Value && p.Smaller == "":
			return nil, fmt.Errorf("%s: line %d: %s of %s is %v, smaller than the printed %v, without a reason", file, i+2, p.Setting, p.Entry, ours, p.Value)
		case !(ours < p.Value) && p.Smaller != "":
			return nil, fmt.Errorf("%s: line %d: %s of %s is %v, not smaller than the printed %v", file, i+2, p.Setting, p.Entry, ours, p.Value)
		}
		list = append(list, p)
	}
	for _, e := range book.Entries {
		for setting, ours := range e.sizes() {
			if !slices.ContainsFunc(list, func(p Printed) bool { return p.Entry == e.ID && p.Setting == setting }) {
				return nil, fmt.Errorf("%s has no line of %s of %s, which is %v", file, setting, e.ID, ours)
			}
		}
	}
	return list, nil
}

// sizes are those of an entry about the paper's experiments that it states or opens, the largest of all cases; theorems and
// examples have no printed sizes.
func (e *Entry) sizes() map[string]float64 {
	if e.problem == nil || e.Suite != nil && len(e.Suite.Inline) > 0 ||
		slices.ContainsFunc(e.Statements, func(s Statement) bool { return s.Theorem != nil || s.Bound }) {
		return nil
	}
	list := map[string]float64{runs: float64(e.Blocks)}
	if e.Suite != nil {
		list[runs] *= float64(e.Suite.Instances)
	} else {
		list[runs] *= float64(e.Simulation.Repetitions)
	}
	values := []Values{e.Values}
	for _, c := range e.Cases {
		values = append(values, c.Values)
	}
	for _, v := range values {
		for part, given := range map[string]map[string]any{"workload": v.Workload, "params": v.Params} {
			for key, x := range given {
				if name := part + "." + key; slices.Contains(sizes, name) {
					if n, err := number(x); err == nil {
						list[name] = max(list[name], n)
					}
				}
			}
		}
	}
	if e.Problem == "speculation" {
		delete(list, "workload.slots") // of a node
	}
	return list
}

// Smaller says which settings of a paper's entries are smaller than the printed ones, the entries of equal ones together.
func Smaller(book *Catalogue, paper string, list []Printed) (lines []string) {
	entries := map[string][]string{}
	for _, p := range list {
		e := book.Of(p.Entry)[0]
		if e.Paper != paper || p.Smaller == "" {
			continue
		}
		_, name, _ := strings.Cut(p.Setting, ".")
		rest := fmt.Sprintf(": %v %s, the paper %v (%s); %s", e.sizes()[p.Setting], name, p.Value, p.Where, p.Smaller)
		if entries[rest] == nil {
			lines = append(lines, rest)
		}
		entries[rest] = append(entries[rest], "`"+e.ID+"`")
	}
	for i, rest := range lines {
		lines[i] = strings.Join(entries[rest], ", ") + rest
	}
	return lines
}
