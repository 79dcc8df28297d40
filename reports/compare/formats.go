package compare

import (
	"bytes"
	_ "embed"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"text/template"

	"schedgap/reports/words"
)

//go:embed formats.tmpl
var texts string

var formats = template.Must(template.New("formats").Funcs(template.FuncMap{
	"md": words.Markdown.Replace, "row": words.MarkdownRow, "join": strings.Join, "command": workflowCommand,
	"xml": func(s string) (string, error) {
		var b bytes.Buffer
		err := xml.EscapeText(&b, []byte(s))
		return b.String(), err
	},
}).Parse(texts))

// A view is what the formats take besides the report's own fields.
type view struct {
	*Report
	Verdict           string
	Blocks            []block
	Cases             []testCase
	Failures, Skipped int
}

func (r *Report) write(w io.Writer, format string, v view) error {
	var b bytes.Buffer
	v.Report, v.Verdict = r, r.verdict()
	if err := formats.ExecuteTemplate(&b, format, v); err != nil {
		return fmt.Errorf("compare: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Markdown writes the report for a pull request or a job's summary.
func (r *Report) Markdown(w io.Writer) error {
	return r.write(w, "markdown", view{Blocks: r.blocks(true)})
}

// GitHub writes the regressions, warnings and improvements as workflow commands, which a pull request shows as annotations.
func (r *Report) GitHub(w io.Writer) error { return r.write(w, "github", view{}) }

// workflowCommand escapes the signs that end a line, and in the title those that end a property.
func workflowCommand(level, title, text string) string {
	line := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	title = strings.NewReplacer(":", "%3A", ",", "%2C").Replace(line.Replace(strings.TrimSpace(title)))
	return fmt.Sprintf("::%s title=%s::%s", level, title, line.Replace(text))
}

// A testCase of JUnit is an algorithm and a gate, failed with the texts of its regressions, or skipped with the reason.
type testCase struct {
	Regression
	Failed bool
}

// JUnit writes a test case for each algorithm and gate that is on. What the samples are not enough for is skipped.
func (r *Report) JUnit(w io.Writer) error {
	var v view
	failures := map[Regression]string{}
	for _, g := range r.Regressions {
		key := Regression{g.Gate, g.Problem, g.Algorithm, ""}
		failures[key] = strings.TrimPrefix(failures[key]+"; "+g.Text, "; ")
	}
	add := func(c Regression, unsure bool) {
		text, failed := failures[c]
		delete(failures, c)
		switch c.Text = text; {
		case failed:
			v.Failures++
		case unsure:
			c.Text = string(NotEnough)
			v.Skipped++
		}
		v.Cases = append(v.Cases, testCase{c, failed})
	}
	for i := range r.Algorithms {
		a := &r.Algorithms[i]
		if r.Gates.Correctness {
			add(Regression{"correctness", a.Problem, a.Algorithm, ""}, false)
		}
		if r.Gates.Ratio != nil {
			add(Regression{"ratio", a.Problem, a.Algorithm, ""}, false)
		}
		if r.Gates.Time != nil {
			add(Regression{"time", a.Problem, a.Algorithm, ""}, a.Time.Verdict == NotEnough)
		}
	}
	for _, g := range r.Regressions { // of algorithms that only one side has
		if g.Text = ""; failures[g] != "" {
			add(g, false)
		}
	}
	return r.write(w, "junit", v)
}
