package summary

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
)

// CaseLimit is how many cases a list shows.
const CaseLimit = 50

// A Case is one unit to look at, with the command that runs it again.
type Case struct {
	Instance  string   `json:"instance"`
	SHA256    string   `json:"instance_sha256"`
	Seed      int64    `json:"seed"`
	Jobs      *int64   `json:"n_jobs"`
	Status    string   `json:"status"`
	Error     string   `json:"error,omitempty"`
	Objective *float64 `json:"objective"`
	BestValue *float64 `json:"best_value"`
	BestBound *float64 `json:"best_bound"`
	Lo        Number   `json:"lo"` // ratio or difference
	Hi        Number   `json:"hi"`
	Undefined bool     `json:"undefined,omitempty"`
	Seconds   *float64 `json:"seconds"`
	Command   string   `json:"command"`
}

// A CaseList is the first CaseLimit of Total cases of one algorithm.
type CaseList struct {
	Variant
	Reference  string `json:"reference,omitempty"`
	Difference bool   `json:"difference,omitempty"`
	Status     string `json:"status,omitempty"` // of failures
	Total      int    `json:"total"`
	Cases      []Case `json:"cases"`
}

// failures lists the units that ended without what was asked of them, by algorithm and status; of an algorithm that was
// not applicable only the counts are shown.
func failures(p *ratio.Problem, of map[*ratio.Unit]*Variant, list []*Variant) []CaseList {
	type key struct {
		variant *Variant
		status  string
	}
	at := map[key]*CaseList{}
	for _, u := range p.Units {
		switch bench.Status(u.Status) {
		case bench.Optimal, bench.Feasible, bench.Skipped:
			continue
		}
		k := key{of[u], u.Status}
		if at[k] == nil {
			at[k] = &CaseList{Variant: *k.variant, Status: u.Status}
		}
		c := at[k]
		if c.Total++; c.Total <= CaseLimit {
			c.Cases = append(c.Cases, newCase(p, u, p.Reported[0]))
		}
	}
	var out []CaseList
	for _, v := range list {
		var mine []CaseList
		for k, c := range at {
			if k.variant == v {
				mine = append(mine, *c)
			}
		}
		slices.SortFunc(mine, func(a, b CaseList) int { return cmp.Compare(a.Status, b.Status) })
		out = append(out, mine...)
	}
	return out
}

// worst lists, for every algorithm of a view, the units furthest from the reference: undefined quotients first, then by
// the high end, or the low end where no bound is known.
func worst(v *View) []CaseList {
	var out []CaseList
	for _, variant := range v.Variants {
		if variant.Kind == string(models.Exact) {
			continue
		}
		l := CaseList{Variant: *variant, Reference: v.Reference, Difference: v.Difference}
		var cells []*Cell
		for i := range v.Cells[variant] {
			if c := &v.Cells[variant][i]; c.Worst != nil {
				cells = append(cells, c)
			}
		}
		slices.SortStableFunc(cells, func(a, b *Cell) int { return cmp.Compare(b.distance(), a.distance()) })
		l.Total = len(cells)
		for _, c := range cells[:min(CaseLimit, len(cells))] {
			l.Cases = append(l.Cases, newCase(v.Problem, c.Worst, v.Reference))
		}
		if l.Total > 0 {
			out = append(out, l)
		}
	}
	return out
}

func (c *Cell) distance() float64 {
	switch {
	case c.Undefined:
		return math.Inf(1)
	case math.IsNaN(c.Hi):
		return c.Lo
	}
	return c.Hi
}

func newCase(p *ratio.Problem, u *ratio.Unit, reference string) Case {
	row := p.Row(u, reference)
	c := Case{
		Instance: u.Instance, SHA256: u.InstanceSHA256, Seed: u.Seed, Jobs: u.NJobs, Status: u.Status, Error: text(u.Error),
		Objective: u.Value, BestValue: row.BestValue, BestBound: row.BestBound, Lo: missing, Hi: missing,
		Undefined: row.Undefined, Seconds: u.WallSeconds, Command: Command(u.Record),
	}
	lo, hi := row.RatioLo, row.RatioHi
	if u.In.Comparison == models.Difference {
		lo, hi = row.DifferenceLo, row.DifferenceHi
	}
	if lo != nil {
		c.Lo = Number(*lo)
	}
	if hi != nil {
		c.Hi = Number(*hi)
	}
	return c
}

var plain = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

func quote(arg string) string {
	if plain.MatchString(arg) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// Command is the command line, typed in the results' directory, that runs a unit again. Parameters and external commands
// can only be given by a suite, so for these it is the resolved suite restricted to the unit's algorithm and instance.
func Command(r *bench.Record) string {
	if r.Kind == string(models.External) || (r.Params != "{}" && r.Params != "") {
		return fmt.Sprintf("schedgap run suite.yaml -o again -a %s -i %s", quote(r.Algorithm), quote(r.Instance))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "schedgap solve instances/%s.json -a %s", r.InstanceSHA256, quote(r.Algorithm))
	if r.Kind == string(models.Exact) {
		if r.Solver != nil {
			fmt.Fprintf(&b, " --solver %s", quote(*r.Solver))
		}
		if r.Model != nil {
			fmt.Fprintf(&b, " --model %s", quote(*r.Model))
		}
	}
	if r.TimeLimitSeconds != nil {
		fmt.Fprintf(&b, " --time-limit %s", time.Duration(*r.TimeLimitSeconds*float64(time.Second)))
	}
	if r.MemoryLimitBytes != nil {
		fmt.Fprintf(&b, " --memory-limit %s", size(*r.MemoryLimitBytes))
	}
	fmt.Fprintf(&b, " --seed %d", uint64(r.Seed))
	return b.String()
}

// size writes bytes as flags take them.
func size(bytes int64) string {
	const mi, gi = 1 << 20, 1 << 30
	switch {
	case bytes%gi == 0:
		return fmt.Sprintf("%dGiB", bytes/gi)
	case bytes%mi == 0:
		return fmt.Sprintf("%dMiB", bytes/mi)
	}
	return fmt.Sprint(bytes)
}

func memoryLimit(r *bench.Record) string {
	if r.MemoryLimitBytes == nil {
		return ""
	}
	return size(*r.MemoryLimitBytes)
}
