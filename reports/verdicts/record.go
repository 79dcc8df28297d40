package verdicts

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"schedgap/datasets/claims"
	"schedgap/reports/stats"
	"schedgap/reports/words"
)

// A Record is a claim's verdict as it is printed in JSON. Its keys are stable; what is not defined is null.
type Record struct {
	ID             string      `json:"id"`
	Statement      string      `json:"statement"`
	Paper          Paper       `json:"paper"`
	Value          *float64    `json:"value"`           // at the default
	Interval       *[2]float64 `json:"interval"`        // 95 % over the blocks; null where infinite, too
	Envelope       *[2]float64 `json:"envelope"`        // over the box of what the paper does not tell
	Verdict        string      `json:"verdict"`         // the band's word, or the theorem's
	Share          *float64    `json:"share"`           // of the settings of the box at which it holds
	DirectionShare *float64    `json:"direction_share"` // at which its direction surely does
	Band           *Band       `json:"band"`
	Decoys         []Decoy     `json:"decoys"`
	Joint          *Joint      `json:"joint"` // of its experiment
	P              *float64    `json:"p"`     // of the joint setting, by permutation
	Circular       []string    `json:"circular"`
	Unscored       *string     `json:"unscored"`       // why it is no evidence; null: it is
	Experiment     *string     `json:"experiment"`     // null: it has none
	Also           *Also       `json:"also,omitempty"` // what another experiment gives; not there: none does
	Told           []Told      `json:"told"`
	Untold         []Untold    `json:"untold"`
}

// A Band is the share's interval of 95 % with the words for its ends.
type Band struct {
	Share [2]float64 `json:"share"`
	Least string     `json:"least"`
	Most  string     `json:"most"`
}

// A Decoy is a false claim that was judged in the same way.
type Decoy struct {
	Name    string  `json:"name"`
	Share   float64 `json:"share"`
	Verdict string  `json:"verdict"`
}

// A Joint is the one setting that gives most of an experiment's claims.
type Joint struct {
	At    map[string]any `json:"at"`
	Given int            `json:"given"`
	Of    int            `json:"of"`
}

// A Paper is the paper's value with its tolerance and its words.
type Paper struct {
	claims.Range
	Tolerance claims.Tolerance `json:"tolerance"`
}

// Also is what another experiment gives for the claim, and what the verdict would be by it.
type Also struct {
	Experiment string      `json:"experiment"`
	Value      float64     `json:"value"`
	Interval   *[2]float64 `json:"interval"`
	Envelope   *[2]float64 `json:"envelope"`
	Verdict    string      `json:"verdict"`
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
	From    []string `json:"from"` // claims that the reason was drawn from
}

// Record is the entry in JSON.
func (e *Entry) Record() Record {
	g := e.Grade
	r := Record{
		ID: e.ID, Statement: e.Statement, Paper: Paper{e.Paper, e.Tolerance}, Interval: pair(g.Interval), Envelope: pair(g.Envelope),
		Verdict: g.Verdict, Decoys: []Decoy{}, Circular: slices.Concat([]string{}, e.Circular), Told: []Told{}, Untold: []Untold{},
	}
	if g.Measured() {
		r.Value = &g.Value
	}
	if s := g.Share; s != nil {
		share := s.Value()
		r.Share, r.Band = &share, &Band{[2]float64{s.Within.Low, s.Within.High}, s.Least.String(), s.Most.String()}
	}
	if d := g.Direction; d != nil {
		sure := float64(d.Sure) / float64(d.Of)
		r.DirectionShare = &sure
	}
	if e.Unscored != "" {
		r.Unscored = &e.Unscored
	}
	for _, d := range g.Decoys {
		r.Decoys = append(r.Decoys, Decoy{d.Name, d.Share.Value(), d.Share.Verdict()})
	}
	if b := e.Beside; b != nil && b.Grade.Measured() {
		r.Also = &Also{b.Name, b.Grade.Value, pair(b.Grade.Interval), pair(b.Grade.Envelope), b.Grade.Verdict}
	}
	x := e.Experiment
	if x == nil {
		return r
	}
	r.Experiment = &e.Claim.Experiment
	if j := x.Joint(); j.Of > 0 {
		r.Joint, r.P = &Joint{x.Measured.Design[j.At].At, j.Given, j.Of}, j.P
	}
	for _, t := range x.Told {
		r.Told = append(r.Told, Told{t.What, t.Source})
	}
	for _, f := range x.Untold {
		r.Untold = append(r.Untold, Untold{f.Name, f.Default, f.Low, f.High, f.Choices, f.Factor, f.Reason, f.From})
	}
	return r
}

func pair(b claims.Bounds) *[2]float64 {
	if !stats.IsFinite(b.Low) || !stats.IsFinite(b.High) {
		return nil
	}
	return &[2]float64{b.Low, b.High}
}

// Write prints verdicts for readers: a table, or of one claim all that there is to it.
func Write(w io.Writer, entries []*Entry) error {
	if len(entries) == 1 {
		return templates.ExecuteTemplate(w, "claim", entries[0])
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "CLAIM\tPAPER\tOURS\tINTERVAL\tDIRECTION\tVERDICT")
	for _, e := range entries {
		fmt.Fprintln(t, strings.Join(append([]string{e.ID, e.paper()}, append(e.values(), e.verdict())...), "\t"))
	}
	return t.Flush()
}

// values are value, interval and the share of settings with the direction in words.
func (e *Entry) values() []string {
	g := e.Grade
	if !g.Measured() {
		return []string{words.None, words.None, words.None}
	}
	direction := words.None
	if g.Direction != nil {
		direction = fmt.Sprintf("%d of %d", g.Direction.Sure, g.Direction.Of)
	}
	return []string{words.Significant(g.Value), within(g.Interval), direction}
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
