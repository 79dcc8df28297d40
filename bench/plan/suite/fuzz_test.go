package suite_test

import (
	"strings"
	"testing"

	"schedgap/bench/plan/suite"
	"schedgap/bench/plan/suite/suitetest"
)

// FuzzParseAll: any text is a list of suites or an error that names the file in one line, and what a suite writes of itself is
// read back as the same suite.
func FuzzParseAll(f *testing.F) {
	f.Add("name: a\nproblem: flex\ninstances:\n  - generate: {n: 2, seed: 3, params: {jobs: 4}}\nalgorithms: [opt, {name: mine, " +
		"command: [x]}]\n")
	f.Add("name: a\nproblem: pocd\ninstances:\n  - trace: {format: swim, dir: $X/y, window: [1s, 2m], n: 3}\n  - files: '*.json'\n" +
		"algorithms: ['*']\nsolvers: [highs]\nseeds: [1, 2]\nlimits: {time: 1h, memory: 4GiB, threads: 2}\npin_cpus: true\n")
	f.Add("---\nname: a\n---\nname: b\n")
	f.Add("a: &x [*x]\n")
	f.Fuzz(func(t *testing.T, text string) {
		suites, err := suite.ParseAll("f.yaml", []byte(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.yaml") {
				t.Errorf("the error names no file: %v", err)
			}
			return
		}
		for _, s := range suites {
			doc, err := s.YAML()
			if err != nil {
				t.Fatalf("a suite that was read cannot be written: %v", err)
			}
			again, err := suitetest.Parse("f.yaml", doc)
			if err != nil {
				t.Fatalf("%s\nis not read back: %v", doc, err)
			}
			if twice, err := again.YAML(); err != nil || string(twice) != string(doc) {
				t.Errorf("%s\nis read back as\n%s (%v)", doc, twice, err)
			}
		}
	})
}
