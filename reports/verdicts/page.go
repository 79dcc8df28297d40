package verdicts

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"schedgap/datasets/claims"
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

// Pages are the pages of all papers, and the first page with its two tables, whose other text is that which is there.
func (b *Book) Pages(files Files) ([]Page, error) {
	var pages []Page
	for _, p := range claims.Papers {
		if len(b.Of(p)) == 0 {
			continue
		}
		intro, err := claims.Introduction(p)
		if err != nil {
			return nil, err
		}
		text, err := b.page(p, intro)
		if err != nil {
			return nil, err
		}
		pages = append(pages, Page{folder + p.Problem + ".md", []byte(text)})
	}
	data, err := files(summary)
	first := string(data)
	for _, part := range []struct{ name, text string }{{"papers", b.five()}, {"bands", bands(b.Entries)}} {
		mark := fmt.Sprintf(begin, part.name)
		before, rest, ok := strings.Cut(first, mark)
		_, after, closed := strings.Cut(rest, end)
		if err == nil && (!ok || !closed) {
			err = fmt.Errorf("%s: it has no place for the table of %s", summary, part.name)
		}
		first = before + mark + part.text + end + after
	}
	return append(pages, Page{summary, []byte(first)}), err
}

// five is a row a paper: whether it holds.
func (b *Book) five() string {
	var s strings.Builder
	s.WriteString("| paper | does its direction hold? | do its sizes, and better than chance? | contradictions | what is lost " +
		"|\n|---|---|---|---|---|\n")
	for _, p := range claims.Papers {
		entries := b.Of(p)
		fmt.Fprintf(&s, "| [%s](%s.md) | %s | %s | %s | %s |\n", p.Title, p.Problem, directions(entries), sizes(entries),
			b.contradicted(p), lost(entries))
	}
	return s.String()
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

func (b *Book) contradicted(p claims.Paper) string {
	own, refuted := 0, 0
	for _, c := range b.Contradictions {
		if c.Paper == p.Prefix {
			own++
		}
	}
	for _, e := range b.Of(p) {
		if e.Grade.Verdict == claims.Refuted {
			refuted++
		}
	}
	return fmt.Sprintf("%d of its own words; %s refuted", own, words.Count(refuted, "theorem"))
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

// bands counts the claims that count, and their decoys, by verdict.
func bands(entries []*Entry) string {
	t := TallyOf(entries)
	var s strings.Builder
	fmt.Fprintf(&s, "| verdict | claims | of %d | decoys | of %d |\n|---|---|---|---|---|\n", t.Claims, t.Decoys)
	rank := func(v string) int { // the worse the later
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
	for _, v := range slices.SortedFunc(maps.Keys(all), func(a, b string) int { return cmp.Compare(rank(b), rank(a)) }) {
		fmt.Fprintf(&s, "| %s | %d | %s | %d | %s |\n", v, t.By[v], percent(t.By[v], t.Claims), t.ByDecoys[v],
			percent(t.ByDecoys[v], t.Decoys))
	}
	fmt.Fprintf(&s, "| **mostly or everywhere for certain** | %d | %s | %d | %s |\n", t.Holding, percent(t.Holding, t.Claims),
		t.Fooled, percent(t.Fooled, t.Decoys))
	return s.String()
}

// page is the page of a paper.
func (b *Book) page(p claims.Paper, intro string) (string, error) {
	entries := b.Of(p)
	h := sha256.New() // changes with every stored number, so that a page follows from one state of them only
	for _, x := range ExperimentsOf(entries) {
		if err := json.NewEncoder(h).Encode(x.Measured); err != nil {
			return "", fmt.Errorf("%s: %w", x.Name, err)
		}
	}
	var s strings.Builder
	fmt.Fprintf(&s, "<!-- Generated from datasets/claims and bench/catalog: go test ./cmd/schedgap -run ClaimPages -update. "+
		"Statistics %x -->\n", h.Sum(nil)[:8])
	fmt.Fprintf(&s, "# Does the %s paper hold?\n\n", p.Title)
	fmt.Fprintf(&s, "* Direction: %s.\n* Sizes: %s.\n* Contradictions: %s.\n* Lost: %s.\n\n", directions(entries), sizes(entries),
		b.contradicted(p), lost(entries))
	b.figures(&s, entries)
	head := "\n## What the paper says against itself\n\n"
	for _, c := range b.Contradictions {
		if c.Paper == p.Prefix {
			fmt.Fprintf(&s, "%s* “%s”: %s\n", head, strings.Join(c.Says, "”, and “"), strings.TrimSpace(c.Why))
			head = ""
		}
	}
	s.WriteString("\n## Claim by claim\n\n")
	fmt.Fprintf(&s, "`schedgap reproduce %s` prints this table, `schedgap reproduce %s` all there is to one claim; "+
		"[README.md](README.md) says what the words mean.\n\n", p.Prefix, entries[0].ID)
	s.WriteString("| claim | statement | paper | ours | verdict |\n|---|---|---|---|---|\n")
	for _, e := range entries {
		fmt.Fprintf(&s, "| %s | %s (%s) | %s | %s | %s |\n", e.ID[strings.LastIndexByte(e.ID, '-')+1:],
			cell(strings.TrimSuffix(e.Statement, ".")), cell(e.Source),
			cell(paper(e.Claim)), e.values()[0], cell(e.verdict()))
	}
	s.WriteString("\n")
	if intro != "" {
		s.WriteString(strings.TrimSpace(intro) + "\n\n")
	}
	s.WriteString("## In detail\n")
	for _, x := range ExperimentsOf(entries) {
		x.section(&s)
	}
	s.WriteString("\n<details><summary>Arguments, and what cannot be measured</summary>\n\n")
	for _, e := range entries {
		if e.Argument != "" {
			fmt.Fprintf(&s, "* %s: %s\n", e.ID, strings.TrimSpace(e.Argument))
		} else if e.Missing != "" {
			fmt.Fprintf(&s, "* %s: not measurable: %s\n", e.ID, strings.TrimSpace(e.Missing))
		}
	}
	s.WriteString("\n</details>\n")
	return s.String(), nil
}

// figures is a row for each experiment with a box: what one setting gives, and how its claims do beside false ones.
func (b *Book) figures(s *strings.Builder, entries []*Entry) {
	s.WriteString("| experiment | one setting gives | chance, p | claims that hold | decoys that do | |\n|---|---|---|---|---|---|\n")
	for _, x := range ExperimentsOf(entries) {
		j := x.Joint()
		if j.Of == 0 || len(x.Measured.Design) == 1 {
			continue
		}
		p, mark := words.None, ""
		if j.P != nil {
			p = fmt.Sprintf("%.2g", *j.P)
		}
		if x.Chance() {
			mark = "cannot tell from chance"
		}
		t := TallyOf(x.Entries)
		fmt.Fprintf(s, "| [%s](#%s) | %d of %d | %s | %d of %d | %d of %d | %s |\n", x.Name, x.Name, j.Given, j.Of, p, t.Holding,
			t.Claims, t.Fooled, t.Decoys, mark)
	}
}

// cell is a text in a cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", "\\|")
}

// together says what one setting gives of the experiment's claims; empty: there is no claim, or one setting.
func (e *Experiment) together() string {
	j := e.Joint()
	if j.Of == 0 || len(e.Measured.Design) == 1 {
		return ""
	}
	text := fmt.Sprintf("one setting gives %d of %d claims, %s", j.Given, j.Of, e.setting(j.At))
	if j.P != nil {
		text += fmt.Sprintf("; by chance with p %.2g", *j.P)
	}
	return text
}

// section says of an experiment what the paper tells, what it does not, and how its claims are read.
func (e *Experiment) section(s *strings.Builder) {
	fmt.Fprintf(s, "\n### %s\n\n%s (%s).", e.Name, e.Title, e.Source)
	if text := e.together(); text != "" {
		fmt.Fprintf(s, " Together: %s.", text)
	}
	s.WriteString("\n\n<details><summary>What the paper says and what it does not, and how its claims are read</summary>\n\n")
	for _, t := range e.Told {
		fmt.Fprintf(s, "* The paper: %s (%s).\n", strings.TrimSuffix(t.What, "."), t.Source)
	}
	if len(e.Untold) == 0 {
		s.WriteString("* Nothing that decides it is left open.\n")
	}
	for _, f := range e.Untold {
		fmt.Fprintf(s, "* Open: `%s`, %s, default %v: %s.", f.Name, box(f), f.Default, strings.TrimSuffix(f.Reason, "."))
		if len(f.From) > 0 {
			fmt.Fprintf(s, " Drawn from what is to be tested: %s, no evidence.", strings.Join(f.From, ", "))
		}
		s.WriteString("\n")
	}
	for _, entry := range e.Others {
		fmt.Fprintf(s, "* Shown beside %s, with the same statistic: %s, by itself %s.\n", entry.ID,
			words.Significant(entry.Beside.Grade.Value), entry.Beside.Grade.Verdict)
	}
	for _, entry := range e.Entries {
		entry.detail(s)
	}
	s.WriteString("\n</details>\n")
}

// detail says of a claim what the paper says, how it is read, and how it and its decoys did.
func (e *Entry) detail(s *strings.Builder) {
	fmt.Fprintf(s, "* **%s** “%s” %s", e.ID, e.Paper.Says, strings.TrimSpace(e.Reading+" "+e.Unscored))
	if e.Tolerance.Reason != "" {
		fmt.Fprintf(s, " Tolerance: %s.", strings.TrimSuffix(e.Tolerance.Reason, "."))
	}
	fmt.Fprintf(s, " Ours: %s, interval %s, over the box %s.", words.Significant(e.Grade.Value), within(e.Grade.Interval),
		within(e.Grade.Envelope))
	if d := e.Grade.Direction; d != nil && d.Of > 1 {
		fmt.Fprintf(s, " Direction: surely at %d of %d settings, surely not at %d.", d.Sure, d.Of, d.Off)
	}
	for _, d := range e.Grade.Decoys {
		fmt.Fprintf(s, " Its %s: %s, %d of %d.", d.Name, d.Share.Verdict(), d.Share.Held, d.Share.Of)
	}
	if text := e.split(); text != "" {
		fmt.Fprintf(s, " It holds %s.", text)
	}
	if e.Authors != "" {
		fmt.Fprintf(s, " The authors would say: %s", strings.TrimSpace(e.Authors))
	}
	s.WriteString("\n")
}
