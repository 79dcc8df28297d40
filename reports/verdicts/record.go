package verdicts

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"schedgap/datasets/claims"
	"schedgap/reports/words"
)

// A Record is a claim's verdict as it is printed in JSON. Its keys are stable.
type Record struct {
	ID         string         `json:"id"`
	Statement  string         `json:"statement"`
	Paper      Paper          `json:"paper"`
	Value      *float64       `json:"value"`    // at the default; null: nothing is measured
	Interval   *[2]float64    `json:"interval"` // 95 % over the blocks; null: none, or an infinite one
	Envelope   *[2]float64    `json:"envelope"` // over the box of what the paper does not tell
	Verdict    claims.Verdict `json:"verdict"`
	Experiment *string        `json:"experiment"`     // null: it has none
	Also       *Also          `json:"also,omitempty"` // what another experiment gives; not there: none does
	Told       []Told         `json:"told"`
	Untold     []Untold       `json:"untold"`
}

// A Paper is the paper's value with its tolerance and its words.
type Paper struct {
	claims.Range
	Tolerance claims.Tolerance `json:"tolerance"`
}

// Also is what another experiment gives for the claim, and what the verdict would be by it.
type Also struct {
	Experiment string         `json:"experiment"`
	Value      float64        `json:"value"`
	Interval   *[2]float64    `json:"interval"`
	Envelope   *[2]float64    `json:"envelope"`
	Verdict    claims.Verdict `json:"verdict"`
}

// Told is what the paper says of the experiment.
type Told struct {
	What   string `json:"what"`
	Source string `json:"source"`
}

// Untold is what the paper does not tell, and its plausible range.
type Untold struct {
	Name    string   `json:"name"`
	Default any      `json:"default"`
	Low     *float64 `json:"low"`
	High    *float64 `json:"high"`
	Choices []any    `json:"choices"`
	Factor  bool     `json:"factor"` // it multiplies what is there
	Reason  string   `json:"reason"`
}

// Record is the entry in JSON.
func (e *Entry) Record() Record {
	r := Record{
		ID: e.ID, Statement: e.Statement, Paper: Paper{e.Paper, e.Tolerance},
		Interval: pair(e.Grade.Interval), Envelope: pair(e.Grade.Envelope), Verdict: e.Grade.Verdict, Told: []Told{}, Untold: []Untold{},
	}
	if v := e.Grade.Value; !math.IsNaN(v) {
		r.Value = &v
	}
	if e.Claim.Experiment != "" {
		r.Experiment = &e.Claim.Experiment
	}
	if b := e.Beside; b != nil && b.Grade.Measured() {
		r.Also = &Also{b.Name, b.Grade.Value, pair(b.Grade.Interval), pair(b.Grade.Envelope), b.Grade.Verdict}
	}
	if e.Experiment != nil {
		for _, t := range e.Experiment.Told {
			r.Told = append(r.Told, Told{t.What, t.Source})
		}
		for _, f := range e.Experiment.Untold {
			r.Untold = append(r.Untold, Untold{f.Name, f.Default, f.Low, f.High, f.Choices, f.Factor, f.Reason})
		}
	}
	return r
}

func pair(b claims.Bounds) *[2]float64 {
	if !finite(b.Low) || !finite(b.High) {
		return nil
	}
	return &[2]float64{b.Low, b.High}
}

// Write prints verdicts for readers: a table, or of one claim all that there is to it.
func Write(w io.Writer, entries []*Entry) error {
	if len(entries) == 1 {
		return entries[0].write(w)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "CLAIM\tPAPER\tOURS\tINTERVAL\tENVELOPE\tVERDICT")
	for _, e := range entries {
		fmt.Fprintln(t, strings.Join(append([]string{e.ID, paper(e.Claim)}, append(e.values(), e.verdict())...), "\t"))
	}
	return t.Flush()
}

// values are value, interval and envelope in words.
func (e *Entry) values() []string {
	if !e.Grade.Measured() {
		return []string{words.None, words.None, words.None}
	}
	return []string{words.Significant(e.Grade.Value), within(e.Grade.Interval), within(e.Grade.Envelope)}
}

// verdict is the verdict, of one in part with where.
func (e *Entry) verdict() string {
	if e.Grade.Verdict == claims.InPart {
		return string(e.Grade.Verdict) + " (" + e.where() + ")"
	}
	return string(e.Grade.Verdict)
}

func (e *Entry) write(w io.Writer) error {
	var b strings.Builder
	line := func(what, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%-11s %s\n", what, text)
		}
	}
	line("claim", e.ID+", a "+string(e.Kind)+", "+e.Source)
	line("statement", e.Statement)
	line("paper", paper(e.Claim))
	line("tolerance", e.Tolerance.Reason)
	if v := e.values(); e.Grade.Measured() {
		line("ours", v[0]+", 95 % over blocks "+v[1]+", over the box "+v[2])
	}
	line("verdict", e.verdict())
	if b := e.Beside; b != nil && b.Grade.Measured() {
		line("also", fmt.Sprintf("%s: %s, 95 %% over blocks %s, over the box %s, by itself %s", b.Name, words.Significant(b.Grade.Value),
			within(b.Grade.Interval), within(b.Grade.Envelope), b.Grade.Verdict))
	}
	if e.Grade.Verdict == claims.InPart {
		for _, i := range e.inside() {
			line("at", e.Experiment.setting(i, nil))
		}
	}
	line("argument", e.Argument)
	line("missing", e.Missing)
	line("reading", e.Reading)
	line("authors", e.Authors)
	if e.Experiment != nil {
		line("experiment", e.Experiment.Name+": "+e.Experiment.Title)
		line("statistic", e.Statistic)
		for _, t := range e.Experiment.Told {
			line("told", t.What+", "+t.Source)
		}
		for _, f := range e.Experiment.Untold {
			line("untold", fmt.Sprintf("%s: %v, box %s: %s", f.Name, f.Default, box(f), f.Reason))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// A Name is something that can be reproduced.
type Name struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"` // claim, figure, experiment or paper
	Claims int    `json:"claims"`
	Title  string `json:"title"`
}

// Names lists all that can be reproduced: papers, then figures and experiments, then claims.
func (b *Book) Names() []Name {
	var papers, groups, single []Name
	for _, p := range claims.Papers {
		papers = append(papers, Name{p.Prefix, "paper", len(b.Of(p)), p.Title + ", " + p.Name})
	}
	at := map[string]int{}
	group := func(name, kind, title string) {
		if name == "" {
			return
		}
		i, ok := at[name]
		if !ok {
			i = len(groups)
			at[name] = i
			groups = append(groups, Name{Name: name, Kind: kind, Title: title})
		}
		groups[i].Claims++
	}
	for _, e := range b.Entries {
		figure, title := e.FigureName(), e.Source
		if e.Experiment != nil {
			title = e.Experiment.Title
		}
		group(figure, "figure", title)
		if e.Claim.Experiment != figure {
			group(e.Claim.Experiment, "experiment", title)
		}
		single = append(single, Name{e.ID, "claim", 1, e.Statement})
	}
	return append(append(papers, groups...), single...)
}
