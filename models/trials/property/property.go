// Package property has rapid try as many random cases as package trials says. It is a package of its own because rapid takes a
// millisecond and a megabyte at the start of every process: a test program that starts itself many times does without.
package property

import (
	"flag"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/trials"
)

// count sets how many cases rapid tries, unless a flag on the command line says it.
var count = sync.OnceValue(func() error {
	explicit := false
	flag.Visit(func(f *flag.Flag) { explicit = explicit || f.Name == "rapid.checks" })
	if explicit {
		return nil
	}
	return flag.Set("rapid.checks", strconv.Itoa(trials.Count(100)))
})

// Check is rapid.Check with as many cases as SCHEDGAP_TRIALS asks for, of 100; rapid prints the seed of a failure itself.
func Check(t *testing.T, holds func(*rapid.T)) {
	t.Helper()
	if err := count(); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, holds)
}
