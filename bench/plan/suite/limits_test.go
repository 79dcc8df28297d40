package suite_test

import (
	"fmt"
	"strings"
	"testing"

	"schedgap/bench/plan/suite"
	"schedgap/bench/plan/suite/suitetest"
	"schedgap/models/fail"
)

// Text that would keep the YAML parser busy for minutes, or fill the memory, is refused with a sentence that names the line
// and the limit.
func TestLimitsOfText(t *testing.T) {
	laughs := "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
	merges := "a: &a {k: 1}\n"
	for c := 'b'; c < 'k'; c++ {
		alias := fmt.Sprintf("*%c", c-1)
		laughs += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.Repeat(alias+", ", 8)+alias)
		merges += fmt.Sprintf("%c: &%c {k1: %s, k2: %[3]s, k3: %[3]s, k4: %[3]s, <<: %[3]s}\n", c, c, alias)
	}
	var keys strings.Builder
	for i := range 10_001 {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
	}
	for name, c := range map[string]struct{ text, want string }{
		"aliases of aliases": {laughs, "f: line 1: the aliases stand for more than 100000 values"},
		"merged mappings":    {merges, "f: line 1: the aliases stand for more than 100000 values"},
		"a long list": {
			"seeds:\n" + strings.Repeat("- 1\n", 60_000),
			"f: line 50001: the file has more than 100000 words and signs",
		},
		"many keys":      {keys.String(), "f: line 10001: the file has more than 10000 keys"},
		"many documents": {strings.Repeat("---\na: 1\n", 6000), "f: line 10001: the file has more than 10000 keys"},
		"brackets":       {"a: " + strings.Repeat("[", 65), "f: line 1: nested deeper than 64 levels"},
		"dashes":         {strings.Repeat("- ", 65) + "1", "f: line 1: nested deeper than 64 levels"},
		"size":           {strings.Repeat("#", 1<<20+1), "f: has more than 1 MiB, which is as much as is read of a suite"},
	} {
		if _, err := suite.ParseAll("f", []byte(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// Aliases are for people who write suites by hand.
func TestAliases(t *testing.T) {
	s, err := suitetest.Parse("f", []byte(`
name: a
problem: flex
instances:
  - generate: &g {n: 1, params: &p {jobs: 3}}
  - generate: {<<: *g, seed: 2}
algorithms: [{name: flex-ls, params: *p}]
`))
	fail.On(t, err)
	if g := s.Instances[1].Generate; g.N != 1 || g.Seed != 2 || len(s.Algorithms[0].Params) != 1 {
		t.Errorf("%+v %v", g, s.Algorithms[0].Params)
	}
}

// TestMarkAndTags: the byte order mark of some editors is read over, and tags of YAML are refused.
func TestMarkAndTags(t *testing.T) {
	const text = "name: y\nproblem: flex\ninstances: [{files: a.json}]\nalgorithms: [fifo]\n"
	if suites, err := suite.ParseAll("s.yaml", []byte("\ufeff"+text)); err != nil || len(suites) != 1 || suites[0].Name != "y" {
		t.Errorf("%+v, %v", suites, err)
	}
	for _, tag := range []string{"!!python/object:os.system", "!!str", "!own"} {
		_, err := suite.ParseAll("s.yaml", []byte(strings.Replace(text, "y", tag+" y", 1)))
		if want := "s.yaml: line 1: \"" + tag + "\" is a tag of YAML, which suites do not have"; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
