// Package library is a frozen collection of instances with their best known values and bounds and the evidence for both, for
// papers to cite. Its history is a list of Events to which entries are only ever added; Derive makes an Entry for each
// instance from it. The commands of schedgap library call it.
package library

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"

	"schedgap/models"
)

// An Event is one line of history.jsonl.
type Event struct {
	ID      string `json:"id"`      // of one instance and one reference
	Event   string `json:"event"`   // Added, Solution, Proof or Verified
	Release string `json:"release"` // that it came in

	*Instance // of Added

	SHA256  string   `json:"sha256,omitempty"` // of the text of what came in: the canonical instance, a solution, a proof
	Value   *float64 `json:"value,omitempty"`  // of a solution, the checker's
	Bound   *float64 `json:"bound,omitempty"`  // that a proof proves, or a search claims
	Kind    string   `json:"kind,omitempty"`   // of a proof: its own kind; Search: there is none
	Recipe  string   `json:"recipe,omitempty"` // the command that makes a proof again which is too large to be stored
	By      string   `json:"credited_to,omitempty"`
	Ref     string   `json:"credited_ref,omitempty"`
	Seconds float64  `json:"seconds,omitempty"` // that it took to find; 0: not known
	Program string   `json:"verified_by,omitempty"`
}

// The kinds of events.
const (
	Added    = "instance" // the first of an id
	Solution = "solution" // its file is stored; it is better than all before
	Proof    = "proof"    // of a better bound than all before, and verified, unless its kind is Search
	Verified = "verified" // a program has accepted the proof of that hash
)

// Search is the kind of a bound that a method claims and no proof holds.
const Search = "search"

// An Instance has the facts about an instance that never change.
type Instance struct {
	Problem   string          `json:"problem"`
	Reference string          `json:"reference"` // the class of solutions whose optimum is meant
	Sense     string          `json:"sense"`     // min or max
	Set       string          `json:"set"`       // seen, benchmark, adversarial, open or dag
	Family    string          `json:"family"`
	Source    string          `json:"source"`           // generator, trace or worst
	Lineage   json.RawMessage `json:"lineage"`          // parameters and seed
	Window    []float64       `json:"window,omitempty"` // of a trace, seconds
	Licence   string          `json:"licence"`
	Stored    bool            `json:"stored"` // else it is made again from its lineage
	Bytes     int             `json:"bytes"`  // of the canonical instance
	Jobs      int             `json:"n_jobs"`
	Tasks     int             `json:"n_tasks"`
	Machines  int             `json:"n_machines"`
	Features  map[string]any  `json:"features"`
	Scale     float64         `json:"scale"` // that distances from the optimum are measured in; 0: ratios are
}

// An Entry is the state of an instance after all events: one row of the index.
type Entry struct {
	ID string
	*Instance
	SHA256 string // of the canonical instance

	Value, Bound *float64
	Solution     *Event // that Value is of
	Proof        *Event // that Bound is of
	VerifiedBy   []string
	First        string // release
}

// Parse reads a history, one event a line.
func Parse(file string, data []byte) (events []Event, err error) {
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for n := 1; lines.Scan(); n++ {
		var e Event
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		if err := d.Decode(&e); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		events = append(events, e)
	}
	return events, lines.Err()
}

// fit matches ids and problems: they name files.
var fit = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Derive makes the entries of events, in the order in which their ids first appear. An event that says less than is known before
// it, or has no evidence, is an error that names it by its number, from 1.
func Derive(events []Event) (entries []*Entry, err error) {
	byID := map[string]*Entry{}
	for i, v := range events {
		e := byID[v.ID]
		switch {
		case e == nil && v.Event == Added && v.Instance != nil && !fit.MatchString(v.Problem+"-"+v.ID):
			return nil, fmt.Errorf("event %d: id: %q, of the problem %q, is not fit for a file", i+1, v.ID, v.Problem)
		case e == nil && v.Event == Added && v.Instance != nil:
			e = &Entry{ID: v.ID, Instance: v.Instance, SHA256: v.SHA256, First: v.Release}
			entries, byID[v.ID] = append(entries, e), e
		case e == nil:
			return nil, fmt.Errorf("event %d: id: %q has no instance before", i+1, v.ID)
		default:
			if err := e.Add(v); err != nil {
				return nil, fmt.Errorf("event %d: %w", i+1, err)
			}
		}
	}
	return entries, nil
}

// Add enters an event. The error says why it may not follow: it improves nothing, or contradicts a proof.
func (e *Entry) Add(v Event) error {
	switch {
	case v.Event == Solution && v.Value != nil:
		if err := e.mayHold(*v.Value); err != nil {
			return err
		}
		if e.Value != nil && !e.better(*v.Value, *e.Value) {
			return fmt.Errorf("value: %v does not better %v, which is known of %s", *v.Value, *e.Value, e.ID)
		}
		e.Value, e.Solution = v.Value, &v
	case v.Event == Proof && v.Bound != nil:
		proven, known := v.Kind != Search, e.Proof != nil && e.Proof.Kind != Search
		if e.Bound != nil && !(proven && !known) && !e.better(*e.Bound, *v.Bound) {
			return fmt.Errorf("bound: %v does not better %v, which is known of %s", *v.Bound, *e.Bound, e.ID)
		}
		if e.Value != nil && e.beyond(*v.Bound, *e.Value) {
			return fmt.Errorf("bound: %v contradicts the solution of value %v that is known of %s", *v.Bound, *e.Value, e.ID)
		}
		e.Bound, e.Proof, e.VerifiedBy = v.Bound, &v, nil
		if v.Program != "" {
			e.VerifiedBy = []string{v.Program}
		}
	case v.Event == Verified && e.Proof != nil && e.Proof.SHA256 == v.SHA256:
		if !slices.Contains(e.VerifiedBy, v.Program) {
			e.VerifiedBy = append(e.VerifiedBy, v.Program)
		}
	default:
		return fmt.Errorf("event: %q says nothing of %s that could follow", v.Event, e.ID)
	}
	return nil
}

// mayHold reports a value that is better than a proof allows.
func (e *Entry) mayHold(value float64) error {
	if e.Proof != nil && e.Proof.Kind != Search && e.beyond(*e.Bound, value) {
		return fmt.Errorf("value: %v is better than the bound %v, which is proven of %s", value, *e.Bound, e.ID)
	}
	return nil
}

// better reports whether a is better than b by more than what two values may differ by that are one
// (docs/bounds-and-proofs.md#optimal). History knows neither the terms of a value nor by what values near 0 are measured, so both
// are 0 here: what is closed in the library is so by the whole definition, too.
func (e *Entry) better(a, b float64) bool {
	return !e.accuracy().Same(a, b) && (a < b) == (e.Sense != "max")
}

func (e *Entry) accuracy() models.Accuracy { return models.Accuracy{Whole: e.Problem == "cloning"} }

// beyond reports whether a bound excludes a value.
func (e *Entry) beyond(bound, value float64) bool { return e.better(value, bound) }

// Closed reports whether the value is proven to be optimal.
func (e *Entry) Closed() bool {
	if e.Value == nil || e.Bound == nil || e.Proof.Kind == Search {
		return false
	}
	_, optimal := e.accuracy().Proves(*e.Value, *e.Bound)
	return optimal
}

// The tiers, by evidence.
const (
	Easy     = "easy"  // closed by the defaults within Quick
	Hard     = "hard"  // closed otherwise, or with a proof that is too large to be stored
	Unproven = "open"  // not closed
	Scale    = "scale" // open, and bounded by prices alone
)

// OpenSet is the set of instances at the papers' scale.
const OpenSet = "open"

// Quick is the time in seconds within which the defaults close an easy instance, proof and verification included.
const Quick = 60

// Tier is how hard the instance has proven to be.
func (e *Entry) Tier() string {
	switch {
	case e.Closed() && e.Proof.Recipe == "" && e.Proof.Seconds > 0 && e.Proof.Seconds <= Quick:
		return Easy
	case e.Closed():
		return Hard
	case e.Set == OpenSet && e.Proof != nil && e.BoundBy() == "prices":
		return Scale
	}
	return Unproven
}

// Status is optimal, by recipe (where the proof of the optimum has to be made again), feasible, or unknown.
func (e *Entry) Status() string {
	switch {
	case e.Closed() && e.Proof.Recipe == "":
		return "optimal"
	case e.Closed():
		return "by recipe"
	case e.Value != nil:
		return "feasible"
	}
	return "unknown"
}

// BoundBy is the evidence of the bound: proof (of the optimum), prices, or search. Empty means that there is no bound.
func (e *Entry) BoundBy() string {
	switch {
	case e.Proof == nil:
		return ""
	case e.Proof.Kind == Search:
		return Search
	case e.Closed():
		return "proof"
	}
	return "prices"
}

// Gap is the distance of value and bound over the value, or over the instance's scale where it has one; nil: one of them is
// missing.
func (e *Entry) Gap() *float64 {
	if e.Value == nil || e.Bound == nil {
		return nil
	}
	gap := 0.0
	switch {
	case e.Closed():
	case e.Scale > 0:
		gap = math.Abs(*e.Value-*e.Bound) / e.Scale
	default:
		gap = e.accuracy().Gap(*e.Value, *e.Bound)
	}
	return &gap
}
