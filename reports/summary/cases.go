package summary

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/words"
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
	Lo        Number   `json:"lo"` // ratio or regret
	Hi        Number   `json:"hi"`
	Undefined bool     `json:"undefined,omitempty"`
	Seconds   *float64 `json:"seconds"`
	Command   string   `json:"command"`
}

// A CaseList is the first CaseLimit of Total cases of one algorithm.
type CaseList struct {
	Variant
	Reference string `json:"reference,omitempty"`
	Regret    bool   `json:"difference,omitempty"`
	Status    string `json:"status,omitempty"` // of failures
	Total     int    `json:"total"`
	Cases     []Case `json:"cases"`

	rank int // of the algorithm
}

// failures lists the units that ended without a solution or bound, by algorithm and status; of an algorithm that was
// not applicable only the counts are shown.
func failures(p *ratio.Problem, of Variants, list []*Variant) []*CaseList {
	type key struct {
		variant *Variant
		status  string
	}
	at := map[key]*CaseList{}
	var out []*CaseList
	for _, u := range p.Units {
		switch bench.Status(u.Status) {
		case bench.Optimal, bench.Feasible, bench.Skipped:
			continue
		}
		k := key{of[u.Setup], u.Status}
		if at[k] == nil {
			at[k] = &CaseList{Variant: *k.variant, Status: u.Status, rank: slices.Index(list, k.variant)}
			out = append(out, at[k])
		}
		c := at[k]
		c.Total++
		if c.Total <= CaseLimit {
			c.Cases = append(c.Cases, newCase(p, u, p.Reported[0]))
		}
	}
	slices.SortFunc(out, func(a, b *CaseList) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.Status, b.Status)) })
	return out
}

// A Reason is why units of an algorithm failed, in the first line of their errors, with one of them as an example and the last
// line that its command wrote to standard error.
type Reason struct {
	Algorithm string `json:"algorithm"`
	Status    string `json:"status"`
	Error     string `json:"error"`
	LastLine  string `json:"last_line,omitempty"`
	Units     int    `json:"units"`
	Instance  string `json:"instance"`
	Command   string `json:"command"`

	unit *ratio.Unit
}

const (
	reasonLimit = 20  // in a list
	reasonChars = 300 // of an error
)

// reasons counts the errors of units that failed, the most frequent first, and says how many units have others still.
func reasons(p *ratio.Problem, of Variants) (list []Reason, others int) {
	type key struct{ algorithm, status, err string }
	at := map[key]int{}
	for _, u := range p.Units {
		status := bench.Status(u.Status)
		if u.Error == nil || status == bench.Optimal || status == bench.Feasible || status == bench.Skipped {
			continue
		}
		text := strings.TrimSpace(*u.Error)
		line, rest, _ := strings.Cut(text, "\n")
		k := key{of[u.Setup].Label, u.Status, line[:min(len(line), reasonChars)]}
		i, known := at[k]
		if !known {
			i = len(list)
			at[k] = i
			list = append(list, Reason{
				Algorithm: k.algorithm, Status: k.status, Error: strings.ToValidUTF8(k.err, ""), Instance: u.Instance, unit: u,
				LastLine: lastLine(rest),
			})
		}
		list[i].Units++
	}
	slices.SortStableFunc(list, func(a, b Reason) int { return cmp.Compare(b.Units, a.Units) })
	for i := range list {
		if i < reasonLimit {
			list[i].Command = Command(list[i].unit.Record)
		} else {
			others += list[i].Units
		}
	}
	return list[:min(len(list), reasonLimit)], others
}

// lastLine is the last line of standard error that an error quotes.
func lastLine(text string) string {
	line := strings.TrimPrefix(strings.TrimSpace(text[strings.LastIndex(text, "\n")+1:]), "stderr: ")
	return strings.ToValidUTF8(line[:min(len(line), reasonChars)], "")
}

// worst lists, for every algorithm of a view, the units furthest from the reference: those without a solution and undefined
// quotients first, then by the high end, or the low end where no bound is known.
func worst(v *View) []CaseList {
	var out []CaseList
	for _, variant := range v.Variants {
		if variant.Kind == string(models.Exact) {
			continue
		}
		l := CaseList{Variant: *variant, Reference: v.Reference, Regret: v.Regret}
		var cells []*Cell
		for i := range v.Cells[variant] {
			if c := &v.Cells[variant][i]; c.Worst != nil {
				cells = append(cells, c)
			}
		}
		l.Total = len(cells)
		slices.SortStableFunc(cells, func(a, b *Cell) int { return cmp.Compare(v.distance(b), v.distance(a)) })
		for _, c := range cells[:min(len(cells), CaseLimit)] {
			l.Cases = append(l.Cases, newCase(v.Problem, c.Worst, v.Reference))
		}
		if l.Total > 0 {
			out = append(out, l)
		}
	}
	return out
}

// distance is how far the worst unit of a cell is from the reference.
func (v *View) distance(c *Cell) float64 {
	lo, hi := v.Furthest(c)
	switch {
	case c.Undefined:
		return math.Inf(1)
	case math.IsNaN(hi):
		return lo
	}
	return hi
}

func newCase(p *ratio.Problem, u *ratio.Unit, reference string) Case {
	d := p.Distance(u, reference)
	lo, hi := d.Ends(u.In.Comparison.ByRegret())
	return Case{
		Instance: u.Instance, SHA256: u.InstanceSHA256, Seed: u.Seed, Jobs: u.NJobs, Status: u.Status, Error: words.Text(u.Error),
		Objective: u.Value, BestValue: d.Best.Value, BestBound: d.Best.Bound, Lo: Number(lo), Hi: Number(hi),
		Undefined: d.Undefined, Seconds: u.WallSeconds, Command: Command(u.Record),
	}
}

var plain = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// Quote returns an argument as a POSIX shell reads it.
func Quote(arg string) string {
	if plain.MatchString(arg) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// glob escapes a name for the flags -a and -i of run, so that they mean it alone.
var glob = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `,`, `\,`)

// QuoteName is a name as the flags -a and -i of run take it, typed in a shell.
func QuoteName(name string) string { return Quote(glob.Replace(name)) }

// forever stands in for the time limit of a unit that had none: solve has one by default.
const forever = "8760h"

// Command is the command line, typed in the results' directory, that runs a unit again. External commands can only be given by
// a suite, so for these it is the resolved suite restricted to the unit's algorithm and instance.
func Command(r *ratio.Record) string {
	if r.Kind == string(models.External) {
		return fmt.Sprintf("schedgap run suite.yaml -o again -a %s -i %s", QuoteName(r.Algorithm),
			QuoteName(r.Instance))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "schedgap solve instances/%s.json -a %s", r.InstanceSHA256, Quote(r.Algorithm))
	if r.Solver != nil {
		fmt.Fprintf(&b, " --solver %s", Quote(*r.Solver))
	}
	if r.Model != nil {
		fmt.Fprintf(&b, " --model %s", Quote(*r.Model))
	}
	values := parse(r.Params)
	delete(values, "")        // no object
	delete(values, "command") // of an algorithm in a problem's folder, which its name finds
	for _, key := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&b, " -p %s", Quote(key+"="+values[key]))
	}
	limit := forever
	if r.TimeLimitSeconds != nil {
		limit = time.Duration(*r.TimeLimitSeconds * float64(time.Second)).String()
	}
	fmt.Fprintf(&b, " --time-limit %s", limit)
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

func memoryLimit(s *ratio.Setup) string {
	if s.MemoryLimitBytes == nil {
		return ""
	}
	return size(*s.MemoryLimitBytes)
}
