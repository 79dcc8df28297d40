package page

import (
	"bytes"
	"strings"
	"testing"

	"schedgap/bench"
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
	if err != nil {
		t.Fatal(err)
	}
	return summary.New(set, nil, 1)
}

// A binary without the interactive part writes the static page and says so in one sentence, as does one that has more units
// than browsers can take; else the part is in the page.
func TestInteractivePart(t *testing.T) {
	var without, tooMany, with bytes.Buffer
	if err := html(&without, report(t), Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if s := without.String(); !strings.Contains(s, "static tables and plots alone") || strings.Contains(s, "<script") {
		t.Error("the page without the interactive part does not say so, or has a script")
	}
	many := report(t)
	many.Records = maxRows + 1
	if err := html(&tooMany, many, Options{}, &app{JS: "run()", CSS: "a{}"}); err != nil {
		t.Fatal(err)
	}
	if s := tooMany.String(); !strings.Contains(s, "takes at most 250000 units") || strings.Contains(s, "<script") {
		t.Error("the page of too many units does not say so, or has a script")
	}
	if err := html(&with, report(t), Options{}, &app{JS: "run()", CSS: "a{}"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<script type="module">run()</script>`, "<style>a{}</style>", `<main id="app" hidden>`,
		"<noscript>",
	} {
		if !strings.Contains(with.String(), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
