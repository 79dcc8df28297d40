package verdicts

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedgap/datasets/claims"
	"schedgap/reports/words"
)

// A Page is a generated file.
type Page struct {
	Path string // from the root of the repository
	Text []byte
}

// Where pages and what they are made of lie.
const (
	folder   = "docs/claims/"
	pictures = "docs/images/claims-"
	summary  = folder + "README.md"
	begin    = "<!-- generated: verdicts -->\n"
	end      = "<!-- end -->"
)

// Pages are the pages of all papers with their pictures, and the table of verdicts in the first page, whose other text is that which
// is there.
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
		svg, err := Picture(p.Title, b.Of(p)).SVG()
		if err != nil {
			return nil, err
		}
		text, err := b.page(p, intro)
		if err != nil {
			return nil, err
		}
		pages = append(pages, Page{folder + p.Problem + ".md", []byte(text)}, Page{pictures + p.Problem + ".svg", svg})
	}
	first, err := files(summary)
	if err != nil {
		return nil, err
	}
	before, rest, ok := strings.Cut(string(first), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return nil, fmt.Errorf("%s: it has no place for the table of verdicts", summary)
	}
	return append(pages, Page{summary, []byte(before + begin + b.table() + end + after)}), nil
}

// table counts the verdicts of each paper.
func (b *Book) table() string {
	var s strings.Builder
	shown := slices.DeleteFunc(slices.Clone(claims.Verdicts), func(v claims.Verdict) bool { return b.count(b.Entries, v) == 0 })
	row := func(name string, entries []*Entry) {
		fmt.Fprintf(&s, "| %s | %d |", name, len(entries))
		for _, v := range shown {
			fmt.Fprintf(&s, " %d |", b.count(entries, v))
		}
		s.WriteString("\n")
	}
	s.WriteString("| paper | claims |")
	for _, v := range shown {
		fmt.Fprintf(&s, " %s |", v)
	}
	fmt.Fprintf(&s, "\n|%s\n", strings.Repeat("---|", len(shown)+2))
	for _, p := range claims.Papers {
		row(fmt.Sprintf("[%s](%s.md), %s", p.Title, p.Problem, p.Problem), b.Of(p))
	}
	row("all", b.Entries)
	return s.String()
}

func (b *Book) count(entries []*Entry, v claims.Verdict) int {
	n := 0
	for _, e := range entries {
		if e.Grade.Verdict == v {
			n++
		}
	}
	return n
}

// page is the page of a paper.
func (b *Book) page(p claims.Paper, intro string) (string, error) {
	entries := b.Of(p)
	digest, err := b.digest(p)
	if err != nil {
		return "", err
	}
	var s strings.Builder
	fmt.Fprintf(&s, "<!-- Generated from datasets/claims and bench/catalog: go test ./cmd/schedgap -run ClaimPages -update. Statistics %s -->\n", digest)
	fmt.Fprintf(&s, "# What the %s paper claims, and what is measured\n\n", p.Title)
	fmt.Fprintf(&s, "![Every claim of the paper: ours beside the paper's value, by verdict](../images/claims-%s.svg)\n\n", p.Problem)
	s.WriteString("A dot is our value at the default setting, the thick line its interval of 95 %, the thin line all that the box of untold\n" +
		"parameters allows, grey the paper's value with its tolerance. A cross lies beyond the axis. ")
	fmt.Fprintf(&s, "%s.\n\n", b.tally(entries))
	if intro != "" {
		s.WriteString(strings.TrimSpace(intro) + "\n\n")
	}
	s.WriteString("## Claim by claim\n\n")
	fmt.Fprintf(&s, "`schedgap reproduce %s` prints this table, `schedgap reproduce %s` all there is to one claim; [README.md](README.md) says what verdicts mean.\n\n", p.Prefix, entries[0].ID)
	s.WriteString("| claim | statement | paper | ours | over the box | verdict | measured by |\n|---|---|---|---|---|---|---|\n")
	for _, e := range entries {
		s.WriteString(e.row())
	}
	b.fits(&s, p)
	s.WriteString("\n## What stands for what\n")
	for _, x := range b.ofPaper(p) {
		x.section(&s)
	}
	unmeasured(&s, entries)
	return s.String(), nil
}

// tally is how many claims have each verdict, in words.
func (b *Book) tally(entries []*Entry) string {
	var list []string
	for _, v := range claims.Verdicts {
		if n := b.count(entries, v); n > 0 {
			list = append(list, fmt.Sprintf("%s %d", v, n))
		}
	}
	return fmt.Sprintf("Of %d claims: %s", len(entries), strings.Join(list, ", "))
}

// digest changes with every stored number of a paper, so that a page follows from one state of them only.
func (b *Book) digest(p claims.Paper) (string, error) {
	h := sha256.New()
	for _, x := range b.ofPaper(p) {
		if err := json.NewEncoder(h).Encode(x.Measured); err != nil {
			return "", fmt.Errorf("%s: %w", x.Name, err)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8]), nil
}

// cell is a text in a cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", "\\|")
}

func (e *Entry) row() string {
	v := e.values()
	ours := v[0]
	if e.Grade.Measured() {
		if i := e.Grade.Interval; i.Low != i.High || math.IsNaN(i.Low) {
			ours += " (" + v[1] + ")"
		}
	}
	over, verdict := v[2], e.verdict()
	if b := e.Beside; b != nil && b.Grade.Measured() {
		also := fmt.Sprintf("<br>[%s](#%s): ", b.Name, b.Name)
		ours, over, verdict = ours+also+words.Significant(b.Grade.Value), over+also+within(b.Grade.Envelope),
			verdict+also+string(b.Grade.Verdict)
	}
	by := words.None
	if e.Claim.Experiment != "" {
		by = fmt.Sprintf("[%s](#%s)", e.Claim.Experiment, e.Claim.Experiment)
	}
	if e.Experiment == nil {
		by = words.None
	}
	short := e.ID[strings.LastIndexByte(e.ID, '-')+1:]
	return fmt.Sprintf("| %s | %s (%s) | %s | %s | %s | %s | %s |\n", short, cell(strings.TrimSuffix(e.Statement, ".")), cell(e.Source), cell(paper(e.Claim)), cell(ours), cell(over), cell(verdict), by)
}

// section says of an experiment what the paper tells, what it does not, and how its claims are read.
func (e *Experiment) section(s *strings.Builder) {
	fmt.Fprintf(s, "\n### %s\n\n%s (%s).", e.Name, e.Title, e.Source)
	if most, at, all := e.together(); all > 1 {
		fmt.Fprintf(s, " Together: of its %d claims one setting gives at most %d, at %s.", all, most, e.setting(at, nil))
	}
	s.WriteString("\n\n")
	for _, t := range e.Told {
		fmt.Fprintf(s, "* The paper: %s (%s).\n", strings.TrimSuffix(t.What, "."), t.Source)
	}
	if len(e.Untold) == 0 {
		s.WriteString("* Nothing that decides it is left open.\n")
	}
	for _, f := range e.Untold {
		fmt.Fprintf(s, "* Open: `%s`, %s, default %v: %s.\n", f.Name, box(f), f.Default, strings.TrimSuffix(f.Reason, "."))
	}
	if len(e.Others) > 0 {
		s.WriteString("* Shown beside, with the same statistic:")
		for _, entry := range e.Others {
			fmt.Fprintf(s, " %s", entry.ID)
		}
		s.WriteString(".\n")
	}
	for _, entry := range e.Entries {
		fmt.Fprintf(s, "* %s: %s", entry.ID, strings.TrimSpace(entry.Reading))
		if entry.Tolerance.Reason != "" {
			fmt.Fprintf(s, " Tolerance: %s.", strings.TrimSuffix(entry.Tolerance.Reason, "."))
		}
		if entry.Grade.Verdict == claims.InPart {
			inside, at := entry.inside(), "settings"
			if len(inside) == 1 {
				at = "setting"
			}
			fmt.Fprintf(s, " The paper's value comes out at %s %s of the stored ones; 0 is the default.", at, numbers(inside))
		}
		if entry.Authors != "" {
			fmt.Fprintf(s, " The authors would say: %s", strings.TrimSpace(entry.Authors))
		}
		s.WriteString("\n")
	}
}

// unmeasured lists the claims that have an argument or cannot be measured.
func unmeasured(s *strings.Builder, entries []*Entry) {
	head := "\n### Arguments, and what cannot be measured\n\n"
	for _, e := range entries {
		text := e.Argument
		if text == "" && e.Missing != "" {
			text = "not measurable: " + e.Missing
		}
		if text == "" {
			continue
		}
		fmt.Fprintf(s, "%s* %s: %s\n", head, e.ID, strings.TrimSpace(text))
		head = ""
	}
}

// fits writes the fits of a paper: what was chosen by which claims, and how the others came out.
func (b *Book) fits(s *strings.Builder, p claims.Paper) {
	head := "\n## What fits, and what then follows\n\nThe open parameters are chosen by some of the paper's numbers among the settings that were measured; the others test the choice.\n"
	for _, f := range b.Fits {
		if !strings.HasPrefix(f.Experiment, p.Prefix+"-") {
			continue
		}
		fmt.Fprintf(s, "%s\n### Fit %s\n\n%s Chosen on `%s`: %s.\n\n", head, f.Name, strings.TrimSpace(f.Reading), f.Experiment, f.Of.setting(f.Chosen, f.Parameters))
		head = ""
		s.WriteString("| claim | for | paper | at the default | at the fit | gives it |\n|---|---|---|---|---|---|\n")
		for _, r := range f.Rows {
			use := "test"
			if r.Fitted {
				use = "fit"
			}
			before, after := r.Gives()
			fmt.Fprintf(s, "| %s | %s | %s | %s | %s | %s |\n", r.Claim.ID, use, cell(paper(r.Claim)),
				words.Significant(r.Default.Mean), words.Significant(r.Chosen.Mean), gains(before, after))
		}
		unit := ", as a share of the paper's values"
		if f.Absolute {
			unit = ""
		}
		fmt.Fprintf(s, "\nRoot mean square distance%s: fitted claims %s at the default, %s at the fit; tested claims %s and %s.", unit,
			words.Significant(f.FitDefault), words.Significant(f.FitChosen), words.Significant(f.TestDefault),
			words.Significant(f.TestChosen))
		if len(f.All) == 0 {
			fmt.Fprintf(s, " No single setting of the %d gives all %d; the most is %d, at %s.\n", len(f.Of.Measured.Design), len(f.Rows), f.Most, f.Of.setting(f.MostAt, f.Parameters))
		} else {
			fmt.Fprintf(s, " %d of the %d settings give all, such as %s.\n", len(f.All), len(f.Of.Measured.Design), f.Of.setting(f.All[0], f.Parameters))
		}
	}
}

// gains says whether the default and the fit give the paper's value.
func gains(before, after bool) string {
	switch {
	case before && after:
		return "both"
	case after:
		return "the fit"
	case before:
		return "the default"
	}
	return "neither"
}
