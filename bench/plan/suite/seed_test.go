package suite_test

import (
	"fmt"
	"strings"
	"testing"

	"schedgap/bench/plan/suite"
	"schedgap/models/fail"
)

// TestSeedsExact: seeds are whole numbers up to 2^63 − 1, to the last digit, read and written again.
func TestSeedsExact(t *testing.T) {
	const text = "name: s\nproblem: toy\ninstances: [{generate: {n: 1, seed: %s}}]\nalgorithms: [a]\nseeds: [%[1]s]\n"
	for _, seed := range []string{"0", "9007199254740993", "9223372036854775807"} {
		list, err := suite.ParseAll("s.yaml", fmt.Appendf(nil, text, seed))
		fail.On(t, err)
		s := list[0]
		if got := fmt.Sprint(s.Instances[0].Generate.Seed, s.Seeds[0]); got != seed+" "+seed {
			t.Errorf("%s: %s", seed, got)
		}
		again, err := s.YAML()
		if err != nil || strings.Count(string(again), seed) < 2 {
			t.Errorf("%s: %v: %s", seed, err, again)
		}
	}
	for _, seed := range []string{"9223372036854775808", "18446744073709551616", "-1", "0.5"} {
		if _, err := suite.ParseAll("s.yaml", fmt.Appendf(nil, text, seed)); err == nil || !strings.Contains(err.Error(), "seed") {
			t.Errorf("%s: %v", seed, err)
		}
	}
}
