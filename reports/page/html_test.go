package page

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

func report(t *testing.T) *summary.Report {
	t.Helper()
	p := fake.Problem()
	set, err := ratio.New(ratio.Input{
		Records:  ratio.Pack([]bench.Record{fake.Optimal(p, "a", "opt", 1), fake.Solved(p, "a", "fair", 2)}),
		Problems: []*bench.Problem{p}, Instance: fake.Instances{}.Find,
	})
	fail.On(t, err)
	return summary.New(set, nil, 1)
}

// The page has the script, unless it has more units than browsers can take, which it says in one sentence.
func TestInteractivePart(t *testing.T) {
	var with, tooMany bytes.Buffer
	fail.On(t, HTML(&with, report(t), Options{}))
	if s := with.String(); !strings.Contains(s, `<script id="data"`) || strings.Count(s, `<script type="module">`) != 1 {
		t.Error("the page has no script")
	}
	many := report(t)
	many.Records = maxRows + 1
	fail.On(t, HTML(&tooMany, many, Options{}))
	if s := tooMany.String(); !strings.Contains(s, "takes at most 250000 units") || strings.Contains(s, "<script") {
		t.Error("the page of too many units does not say so, or has a script")
	}
}

// The script is one module without imports, all of its files are in it, and none of them computes a statistic or ends the element
// that it stands in.
func TestScriptComputesNothing(t *testing.T) {
	text, err := script()
	fail.On(t, err)
	files, err := filepath.Glob("app/*.js")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	total := 0
	for _, file := range append(files, "app/app.css", "page.css") {
		data, err := os.ReadFile(file)
		fail.On(t, err)
		total += bytes.Count(data, []byte("\n"))
		if strings.HasSuffix(file, ".js") && !strings.Contains(string(text), string(data)) {
			t.Errorf("%s is not in the module", file)
		}
	}
	if total > 1500 {
		t.Errorf("%d lines of JavaScript and CSS, at most 1500", total)
	}
	for _, forbidden := range []string{
		`(?m)^(import|export) `, `import\(`, `</script`, `Math\.(log|exp|sqrt|random)`,
		`(?i)bootstrap|quantile|resample|wilcoxon|geomean`,
	} {
		if m := regexp.MustCompile(forbidden).FindString(string(text)); m != "" {
			t.Errorf("the script has %q", m)
		}
	}
}
