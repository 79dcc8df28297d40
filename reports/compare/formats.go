package compare

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// escapeCommand is how GitHub's workflow commands take the signs that end a property or a line.
var escapeCommand = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")

// GitHub writes the regressions, warnings and improvements as workflow commands, which a pull request shows as annotations.
func (r *Report) GitHub(w io.Writer) error {
	var b strings.Builder
	line := func(level, title, text string) {
		fmt.Fprintf(&b, "::%s title=%s::%s\n", level, escapeCommand.Replace(title),
			strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text))
	}
	for _, g := range r.Regressions {
		line("error", strings.TrimSpace(g.Gate+": "+g.Problem+" "+g.Algorithm), g.Text)
	}
	for _, text := range r.Warnings {
		line("warning", "compare", text)
	}
	for _, i := range r.Improvements {
		line("notice", "better: "+i.Problem+" "+i.Algorithm, i.Text)
	}
	line("notice", "compare", r.verdict())
	_, err := io.WriteString(w, b.String())
	return err
}

// JUnit writes a test case for each algorithm and gate that is on. What the samples are not enough for is skipped.
func (r *Report) JUnit(w io.Writer) error {
	type message struct {
		Message string `xml:"message,attr"`
	}
	type testCase struct {
		Class   string   `xml:"classname,attr"`
		Name    string   `xml:"name,attr"`
		Failure *message `xml:"failure"`
		Skipped *message `xml:"skipped"`
	}
	s := struct {
		XMLName  xml.Name   `xml:"testsuite"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Cases    []testCase `xml:"testcase"`
	}{Name: r.Head.Name + " against " + r.Base.Name}
	failures := map[testCase]string{}
	of := func(gate, problem, algorithm string) testCase {
		return testCase{Class: "schedgap." + problem + "." + algorithm, Name: gate}
	}
	for _, g := range r.Regressions {
		key := of(g.Gate, g.Problem, g.Algorithm)
		failures[key] = strings.TrimPrefix(failures[key]+"; "+g.Text, "; ")
	}
	add := func(c testCase, unsure bool) {
		if text, failed := failures[c]; failed {
			delete(failures, c)
			c.Failure = &message{text}
			s.Failures++
		} else if unsure {
			c.Skipped = &message{string(NotEnough)}
			s.Skipped++
		}
		s.Cases = append(s.Cases, c)
	}
	for i := range r.Algorithms {
		a := &r.Algorithms[i]
		if r.Gates.Correctness {
			add(of("correctness", a.Problem, a.Algorithm), false)
		}
		if r.Gates.Ratio != nil {
			add(of("ratio", a.Problem, a.Algorithm), false)
		}
		if r.Gates.Time != nil {
			add(of("time", a.Problem, a.Algorithm), a.Time.Verdict == NotEnough)
		}
	}
	for _, g := range r.Regressions { // of algorithms that only one side has
		if c := of(g.Gate, g.Problem, g.Algorithm); failures[c] != "" {
			add(c, false)
		}
	}
	s.Tests = len(s.Cases)
	data, err := xml.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, data)
	return err
}
