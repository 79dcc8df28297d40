package main

import (
	"regexp"
	"strings"
	"testing"
)

// times are the last column of algorithm check.
var times = regexp.MustCompile(`\d\.\d{3}`)

// TestOldNames: what commands were called once prints the same on stdout and ends with the same code; the new name is on stderr.
func TestOldNames(t *testing.T) {
	for _, c := range []struct{ old, today string }{
		{"suite show quick", "list suites quick"},
		{"new-algorithm flex --lang python", "algorithm new flex --lang python"},
		{"new-algorithm flx --lang python", "algorithm new flx --lang python"},
		{"check-algorithm flex --instance one-job -- false", "algorithm check flex --instance one-job -- false"},
	} {
		old, today := schedgap(t, strings.Fields(c.old)...), schedgap(t, strings.Fields(c.today)...)
		mask := func(s string) string { return times.ReplaceAllString(s, "") }
		if mask(old.stdout) != mask(today.stdout) || old.code != today.code {
			t.Errorf("%s: exit %d, %s\n%s: exit %d, %s", c.old, old.code, old.stdout, c.today, today.code, today.stdout)
		}
		command, _, _ := strings.Cut(c.today, " flex")
		if command, _, _ = strings.Cut(command, " quick"); old.code == 0 && !strings.Contains(old.stderr, "today=\"schedgap "+command) {
			t.Errorf("%s: %s", c.old, old.stderr)
		}
	}
	if e := schedgap(t, "version"); e.code != 0 || !strings.HasPrefix(e.stdout, "schedgap ") ||
		!strings.Contains(e.stderr, "schedgap doctor") {
		t.Errorf("version: %+v", e)
	}
}
