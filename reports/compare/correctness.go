package compare

import (
	"fmt"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// A Finding is a unit that is less correct than before.
type Finding struct {
	Kind       string `json:"kind"`
	Problem    string `json:"problem"`
	Algorithm  string `json:"algorithm"`
	Instance   string `json:"instance"`
	SHA256     string `json:"instance_sha256"`
	Seed       int64  `json:"seed"`
	UnitID     string `json:"unit_id"`
	BaseStatus string `json:"base_status"`
	HeadStatus string `json:"head_status"`
	Error      string `json:"error,omitempty"` // of head, its first line and, of more, the last: what stderr ended with
	Command    string `json:"command"`         // that runs the unit again
}

// The kinds of findings, the worst first; a unit has one.
const (
	Failed     = "failed"     // invalid, crash, error or oom, and it was none of these
	Lost       = "lost"       // there was a checked solution, or a bound, and there is none
	Unproven   = "unproven"   // it was proven optimal or infeasible
	Unfinished = "unfinished" // it ran to its end and now runs into a limit
)

// findings lists the units of an algorithm that are less correct than before.
func findings(a *Algorithm) []Finding {
	var out []Finding
	for _, p := range a.pairs {
		kind := p.finding()
		if kind == "" {
			continue
		}
		head := brief(words.Text(p.head.Error))
		out = append(out, Finding{
			Kind: kind, Problem: a.Problem, Algorithm: a.Algorithm, Instance: p.head.Instance, SHA256: p.head.InstanceSHA256,
			Seed: p.head.Seed, UnitID: p.id, BaseStatus: p.base.Status,
			HeadStatus: p.head.Status, Error: head, Command: summary.Command(p.head.Record),
		})
	}
	rank := []string{Failed, Lost, Unproven, Unfinished}
	slices.SortStableFunc(out, func(a, b Finding) int { return slices.Index(rank, a.Kind) - slices.Index(rank, b.Kind) })
	return out
}

// brief is the first line of an error and the last one that says something.
func brief(whole string) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(whole), "\n")
	last := rest[strings.LastIndexByte(rest, '\n')+1:]
	if last = strings.TrimSpace(last); last != "" {
		return first + " … " + last
	}
	return first
}

func (p *pair) finding() string {
	base, head := bench.Status(p.base.Status), bench.Status(p.head.Status)
	switch {
	case head.Broken() && !base.Broken():
		return Failed
	case worth(p.base) != nil && worth(p.head) == nil:
		return Lost
	case p.base.Proved() && !p.head.Proved():
		return Unproven
	case base == bench.Feasible && head != bench.Feasible && head != bench.Optimal:
		return Unfinished
	}
	return ""
}

// worth is what a unit is run for: the objective of a checked solution, or of a bounding algorithm its bound; nil: nothing.
func worth(u *ratio.Unit) *float64 {
	if u.Kind != string(models.Bound) {
		return u.Value
	}
	if s := bench.Status(u.Status); s.Broken() || s == bench.Skipped || u.Bound == nil || !stats.IsFinite(*u.Bound) {
		return nil
	}
	return u.Bound
}

// A Contradiction is a value of one side beyond a bound proven on the same or on the other side. Its units' identities begin
// with the side, base: or head:.
type Contradiction struct {
	ratio.Contradiction
	Before bool `json:"before"` // base contradicts itself on the instance, so that head may not be to blame
}

// contradictions compares the proofs of either side with the values of both.
func contradictions(base, both *ratio.Set) []Contradiction {
	before := map[string]bool{}
	for _, c := range base.Contradictions {
		before[c.Problem+c.SHA256] = true
	}
	var out []Contradiction
	for _, c := range both.Contradictions {
		out = append(out, Contradiction{c, before[c.Problem+c.SHA256]})
	}
	return out
}

func (f Finding) String() string {
	s := fmt.Sprintf("%s on %s, seed %d: %s → %s", f.Algorithm, f.Instance, f.Seed, f.BaseStatus, f.HeadStatus)
	if f.Error != "" {
		s += " (" + f.Error + ")"
	}
	return s
}
