package environ_test

import (
	"slices"
	"testing"

	"schedgap/models/environ"
)

// Only the short list, what is asked for and what the variable lets through is passed on.
func TestShort(t *testing.T) {
	for _, name := range []string{"PATH", "SCHEDGAP_SEED", "ASKED_FOR", "LET_THROUGH", "SECRET_TOKEN", "PATHS"} {
		t.Setenv(name, "x")
	}
	t.Setenv(environ.Variable, "LET_THROUGH")
	env := environ.Short("ASKED_FOR")
	for name, want := range map[string]bool{
		"PATH": true, "SCHEDGAP_SEED": true, "ASKED_FOR": true, "LET_THROUGH": true, "SECRET_TOKEN": false, "PATHS": false,
	} {
		if got := slices.Contains(env, name+"=x"); got != want {
			t.Errorf("%s: passed on %t, want %t", name, got, want)
		}
	}
	if got := environ.Let([]string{"B", "A", "B"}); got != environ.Variable+"=A,B,LET_THROUGH" {
		t.Error(got)
	}
}
