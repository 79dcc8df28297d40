package verdicts

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"

	"schedgap/datasets/claims"
	"schedgap/reports/stats"
	"schedgap/reports/words"
)

// A Page is a generated file, or one with generated parts.
type Page struct {
	Path string // from the root of the repository
	Text []byte
}

// Where pages lie, and what encloses their generated parts.
const (
	folder  = "docs/claims/"
	summary = folder + "README.md"
	begin   = "<!-- generated: %s -->\n"
	end     = "<!-- end -->"
)

//go:embed texts.tmpl
var texts string

// templates are those of the table of papers, that of bands, a paper's page, and all that there is to one claim.
var templates = template.Must(template.New("texts").Funcs(template.FuncMap{
	"directions": directions, "sizes": sizes, "lost": lost, "tally": TallyOf, "percent": percent, "number": words.Significant,
	"within": within, "box": box, "paper": (*Entry).paper, "verdict": (*Entry).verdict, "values": (*Entry).values,
	"split": (*Entry).split, "together": (*Experiment).together, "join": strings.Join, "trim": strings.TrimSpace,
	"chance": func(p *float64) string { return words.Known(stats.Value(p), "%.2g") },
	"stop":   func(s string) string { return strings.TrimSuffix(s, ".") },
	"brief":  func(id string) string { return id[strings.LastIndexByte(id, '-')+1:] },
	"cell":   func(s string) string { return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", "\\|") },
	"line": func(what, text string) string {
		if text == "" {
			return ""
		}
		return fmt.Sprintf("%-11s %s\n", what, text)
	},
}).Parse(texts))

// A report is what a paper's page says.
type report struct {
	claims.Paper
	Entries        []*Entry
	Experiments    []*Experiment
	Contradictions []claims.Contradiction
	Introduction   string
	Digest         string // changes with every stored number, so that a page follows from one state of them only
}

func (b *Book) report(p claims.Paper) (r *report, err error) {
	r = &report{Paper: p, Entries: b.Of(p)}
	r.Experiments = ExperimentsOf(r.Entries)
	r.Contradictions = slices.DeleteFunc(slices.Clone(b.Contradictions), func(c claims.Contradiction) bool {
		return c.Paper != p.Prefix
	})
	h := sha256.New()
	for _, x := range r.Experiments {
		if err := json.NewEncoder(h).Encode(x.Measured); err != nil {
			return nil, fmt.Errorf("%s: %w", x.Name, err)
		}
	}
	r.Digest = fmt.Sprintf("%x", h.Sum(nil)[:8])
	r.Introduction, err = claims.Introduction(p)
	return r, err
}

// Pages are the pages of all papers, and the first page with its two tables, whose other text is that which is there.
func (b *Book) Pages(files Files) ([]Page, error) {
	var pages []Page
	var papers []*report
	for _, p := range claims.Papers {
		r, err := b.report(p)
		if err != nil {
			return nil, err
		}
		if papers = append(papers, r); len(r.Entries) == 0 {
			continue
		}
		var text bytes.Buffer
		if err := templates.ExecuteTemplate(&text, "paper", r); err != nil {
			return nil, err
		}
		pages = append(pages, Page{folder + p.Problem + ".md", text.Bytes()})
	}
	first, err := files(summary)
	if err != nil {
		return nil, err
	}
	for name, data := range map[string]any{"papers": papers, "bands": TallyOf(b.Entries)} {
		before, rest, ok := bytes.Cut(first, fmt.Appendf(nil, begin, name))
		_, after, closed := bytes.Cut(rest, []byte(end))
		if !ok || !closed {
			return nil, fmt.Errorf("%s: it has no place for the table of %s", summary, name)
		}
		text := bytes.NewBuffer(fmt.Appendf(slices.Clone(before), begin, name))
		if err := templates.ExecuteTemplate(text, name, data); err != nil {
			return nil, err
		}
		first = fmt.Append(text.Bytes(), end+string(after))
	}
	return append(pages, Page{summary, first}), nil
}

// most reports whether a count is at least two thirds.
func most(n, of int) bool { return 3*n >= 2*of }

// directions says how many claims with a direction surely have it at two thirds of the settings, where chance can be told.
func directions(entries []*Entry) string {
	all, sure, off := 0, 0, 0
	for _, e := range entries {
		if d := e.Grade.Direction; d != nil && e.counts() && !e.Experiment.Chance() {
			all++
			if most(d.Sure, d.Of) {
				sure++
			} else if most(d.Off, d.Of) {
				off++
			}
		}
	}
	return fmt.Sprintf("surely in %d of %d claims, surely not in %d", sure, all, off)
}

// sizes says how many numbers hold, and which figures are better than chance.
func sizes(entries []*Entry) string {
	numbers := slices.DeleteFunc(slices.Clone(entries), func(e *Entry) bool { return e.Kind != claims.Number })
	held := 0
	for _, e := range numbers {
		if e.Scores() {
			held++
		}
	}
	t := TallyOf(numbers)
	var better []string
	tested := 0
	for _, x := range ExperimentsOf(numbers) {
		if p := x.Joint().P; len(x.Entries) > 0 && p != nil {
			if tested++; *p <= mostLuck {
				better = append(better, fmt.Sprintf("%s, p %.2g", x.figure(), *p))
			}
		}
	}
	text := fmt.Sprintf("%d of %d numbers do (of false ones %s)", held, t.Claims, percent(t.Fooled, t.Decoys))
	switch {
	case len(better) > 0:
		text += fmt.Sprintf("; together better than chance: %d of %s (%s)", len(better), words.Count(tested, "figure"),
			strings.Join(better, "; "))
	case tested > 0:
		text += fmt.Sprintf("; together better than chance: none of %s", words.Count(tested, "figure"))
	}
	return text
}

// mostLuck is the largest p of a joint setting that is better than chance.
const mostLuck = 0.05

// figure is the experiment's place in the paper, in short.
func (e *Experiment) figure() string {
	for _, part := range strings.Split(e.Source, ", ") {
		if strings.HasPrefix(part, "Figure") || strings.HasPrefix(part, "Table") {
			return part
		}
	}
	return e.Name
}

// Contradicted counts what the paper says against itself, and its theorems with a counter-example.
func (p *report) Contradicted() string {
	refuted := 0
	for _, e := range p.Entries {
		if e.Grade.Verdict == claims.Refuted {
			refuted++
		}
	}
	return fmt.Sprintf("%d of its own words; %s refuted", len(p.Contradictions), words.Count(refuted, "theorem"))
}

// lost counts what cannot be measured, and what the experiments had to assume.
func lost(entries []*Entry) string {
	claimed, open := 0, map[string]bool{}
	for _, e := range entries {
		if e.Missing != "" {
			claimed++
		}
	}
	for _, x := range ExperimentsOf(entries) {
		for _, f := range x.Untold {
			open[f.Name] = true
		}
	}
	return fmt.Sprintf("%s not measurable; %s not told", words.Count(claimed, "claim"), words.Count(len(open), "parameter"))
}

// Verdicts are those of some claim or decoy, the best first.
func (t Tally) Verdicts() []string {
	rank := func(v string) int {
		for i, word := range []string{claims.OffEverywhere, claims.TooNoisy} {
			if v == word {
				return i - 2
			}
		}
		first, last, two := strings.Cut(v, " to ")
		if !two {
			last = first
		}
		return 10*slices.Index(claims.Bands, first) + slices.Index(claims.Bands, last)
	}
	all := maps.Clone(t.By)
	maps.Copy(all, t.ByDecoys)
	return slices.SortedFunc(maps.Keys(all), func(a, b string) int { return cmp.Compare(rank(b), rank(a)) })
}

// Boxed reports whether some claim of the experiment counts, and it was measured at several settings.
func (e *Experiment) Boxed() bool { return e.Joint().Of > 0 && len(e.Measured.Design) > 1 }

// together says what one setting gives of the experiment's claims; empty: there is no claim, or one setting.
func (e *Experiment) together() string {
	j := e.Joint()
	if !e.Boxed() {
		return ""
	}
	text := fmt.Sprintf("one setting gives %d of %d claims, %s", j.Given, j.Of, e.setting(j.At))
	if j.P != nil {
		text += fmt.Sprintf("; by chance with p %.2g", *j.P)
	}
	return text
}
