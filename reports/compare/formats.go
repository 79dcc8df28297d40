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

// The elements of a JUnit report that programs agree on.
type (
	junitSuite struct {
		XMLName  xml.Name    `xml:"testsuite"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Failure *junitMessage `xml:"failure"`
		Skipped *junitMessage `xml:"skipped"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
	}
)

// JUnit writes a test case for each algorithm and gate that is on. What the samples are not enough for is skipped.
func (r *Report) JUnit(w io.Writer) error {
	s := junitSuite{Name: r.Head.Name + " against " + r.Base.Name}
	failures := map[[3]string]string{} // by gate, problem and algorithm
	for _, g := range r.Regressions {
		key := [3]string{g.Gate, g.Problem, g.Algorithm}
		failures[key] = strings.TrimPrefix(failures[key]+"; "+g.Text, "; ")
	}
	add := func(gate, problem, algorithm string, unsure bool) {
		c := junitCase{Class: "schedgap." + problem + "." + algorithm, Name: gate}
		key := [3]string{gate, problem, algorithm}
		if text, failed := failures[key]; failed {
			c.Failure = &junitMessage{text}
			s.Failures++
			delete(failures, key)
		} else if unsure {
			c.Skipped = &junitMessage{string(NotEnough)}
			s.Skipped++
		}
		s.Cases = append(s.Cases, c)
	}
	for i := range r.Algorithms {
		a := &r.Algorithms[i]
		if r.Gates.Correctness {
			add("correctness", a.Problem, a.Algorithm, false)
		}
		if r.Gates.Ratio != nil {
			add("ratio", a.Problem, a.Algorithm, false)
		}
		if r.Gates.Time != nil {
			add("time", a.Problem, a.Algorithm, a.Time.Verdict == NotEnough)
		}
	}
	for _, g := range r.Regressions { // of algorithms that only one side has
		if _, left := failures[[3]string{g.Gate, g.Problem, g.Algorithm}]; left {
			add(g.Gate, g.Problem, g.Algorithm, false)
		}
	}
	s.Tests = len(s.Cases)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(s); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
