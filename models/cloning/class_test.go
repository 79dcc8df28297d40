package cloning_test

import (
	"fmt"
	"slices"
	"testing"

	"schedgap/models/cloning"
	"schedgap/models/fail"
)

// A solution that states the nonpreemptive regime is of its class; one that states none fits it if no copy stops early.
func TestClassOfSolutions(t *testing.T) {
	in, err := cloning.Problem.ParseInstance("i", []byte(`{"problem":"cloning","version":1,"name":"i","max_copies":1,
		"max_copies_per_server":1,"servers":[{"id":"s","cpu":1,"mem":1}],"jobs":[{"id":"j","arrival":0,
		"phases":[{"id":"p","parents":[],"tasks":1,"cpu":1,"mem":1,"mean":2,"sd":0}]}]}`))
	fail.On(t, err)
	const copies, halves = `{"task":["j","p",0],"server":"s","start":0,"end":2}`,
		`{"task":["j","p",0],"server":"s","start":0,"end":1},{"task":["j","p",0],"server":"s","start":2,"end":3}`
	for _, c := range []struct {
		regime, copies, class string
		fits                  bool
	}{
		{`"regime":"nonpreemptive",`, copies, cloning.OptNonpreemptive, true},
		{"", copies, "", true},
		{"", halves, "", false},
	} {
		s, err := cloning.Problem.ParseSolution("s", fmt.Appendf(nil, `{"problem":"cloning","instance":"i","algorithm":"a",%s"copies":[%s]}`,
			c.regime, c.copies), in)
		fail.On(t, err)
		rep := cloning.Problem.Check(in, s.Solution)
		if rep.Class != c.class || slices.Contains(rep.Fits, cloning.OptNonpreemptive) != c.fits || len(rep.Violations) > 0 {
			t.Errorf("%s%s: %+v", c.regime, c.copies, rep)
		}
	}
}
