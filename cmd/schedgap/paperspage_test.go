package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"schedgap/reports/papers"
	"schedgap/reports/words"
)

var heads = []string{
	"where", "the paper says", "measured at our defaults, 95 % interval", "lowest … highest mean over settings", "moved most by", "entry",
}

// papersPage is docs/papers.md.
func papersPage(t *testing.T, b *papers.Catalogue, printed []papers.Printed, rows []papers.Row) []byte {
	t.Helper()
	page := &strings.Builder{}
	page.WriteString(repository(t).read(t, "reports/papers/intro.md"))
	for _, p := range b.Papers {
		fmt.Fprintf(page, "\n## %s\n\n%s.\n\n", p.Title, p.Source)
		papersTable(page, heads, papersRows(b, p.ID, rows, false))
		page.WriteString("\n")
		for _, e := range b.Of(p.ID) {
			if e.Draw != nil && e.Draw.Page {
				fmt.Fprintf(page, "![%s: %s](images/%s.svg)\n", e.Source, e.Title, e.ID)
			}
		}
		for _, s := range []struct {
			title string
			list  []string
		}{
			{"Left open by the paper, with the values tried", []string{strings.Join(leftOpen(b, p.ID), "; ") + "."}},
			{"The paper against itself", p.Contradictions},
			{"Smaller than printed", papers.Smaller(b, p.ID, printed)},
			{"Not tested", p.Untested},
			{"Notes", p.Notes},
		} {
			if len(s.list) == 0 {
				continue
			}
			fmt.Fprintf(page, "\n%s:\n\n* %s\n", s.title, strings.Join(s.list, "\n* "))
		}
	}
	return []byte(page.String())
}

// ends are what README leaves out of a range.
var ends = regexp.MustCompile(` \[[^]]*\]|, \d+ settings`)

// papersSummary is the table of README.
func papersSummary(b *papers.Catalogue, rows []papers.Row) string {
	t := &strings.Builder{}
	var list [][]string
	n := 0
	for _, p := range b.Papers {
		for _, cells := range papersRows(b, p.ID, rows, true) {
			command := "`schedgap paper " + strings.Trim(cells[5], "`") + "`"
			list = append(list, []string{p.Title + ", " + cells[0], cells[1], cells[2], strings.ReplaceAll(ends.ReplaceAllString(cells[3], ""), " … ", "…"), command})
		}
		n += len(papersRows(b, p.ID, rows, false))
	}
	papersTable(t, []string{"paper, where", heads[1], heads[2], "range over settings", "command"}, list)
	fmt.Fprintf(t, "\n[All %d statements](docs/papers.md)\n", n)
	return t.String()
}

func papersRows(b *papers.Catalogue, paper string, rows []papers.Row, headlines bool) (list [][]string) {
	for _, e := range b.Of(paper) {
		for i, s := range e.Statements {
			if s.Headline || !headlines {
				list = append(list, e.Cells(i+1, rows))
			}
		}
	}
	return list
}

func papersTable(t *strings.Builder, head []string, rows [][]string) {
	for _, row := range slices.Concat([][]string{head, slices.Repeat([]string{"---"}, len(head))}, rows) {
		t.WriteString(words.MarkdownRow(row))
	}
}

// leftOpen lists the settings that a paper leaves open, each name once, with all values that its entries try.
func leftOpen(b *papers.Catalogue, paper string) (list []string) {
	for _, e := range b.Of(paper) {
		for _, f := range e.Open {
			text := strings.ReplaceAll(strings.Trim(fmt.Sprint(f.Choices), "[]"), " ", "/")
			if len(f.Choices) == 0 {
				text = words.Significant(*f.Low) + "…" + words.Significant(*f.High)
			}
			i := slices.IndexFunc(list, func(s string) bool { return strings.HasPrefix(s, f.Name+" ") })
			switch {
			case i < 0:
				list = append(list, f.Name+" "+text)
			case !strings.Contains(list[i], text):
				list[i] += ", " + text
			}
		}
	}
	return list
}
