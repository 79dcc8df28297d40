// Package trials says how many random cases a test tries. SCHEDGAP_TRIALS multiplies the counts: a quarter where it is not set, 1
// every night, 10 before a release. Where it is set, seeds are fresh and printed, and SCHEDGAP_SEED repeats them.
package trials

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
)

// setting is what the environment asks for; seed is 0 where each test has a fixed one.
type setting struct {
	factor float64
	seed   uint64
}

// read takes the variables from the environment.
func read(lookup func(string) (string, bool)) (setting, error) {
	s := setting{factor: 0.25}
	if text, ok := lookup("SCHEDGAP_TRIALS"); ok && text != "" {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || !(f > 0) || f > 1e6 {
			return s, fmt.Errorf("SCHEDGAP_TRIALS: %q is not a number above 0 and of at most 1e6", text)
		}
		s.factor, s.seed = f, 1+rand.Uint64N(math.MaxInt64)
	}
	if text, ok := lookup("SCHEDGAP_SEED"); ok && text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil || n == 0 {
			return s, fmt.Errorf("SCHEDGAP_SEED: %q is not a whole number above 0", text)
		}
		s.seed = n
	}
	return s, nil
}

var current = sync.OnceValue(func() setting {
	s, err := read(os.LookupEnv)
	if err != nil {
		panic(err)
	}
	return s
})

func (s setting) times(full int) int { return max(1, int(math.Ceil(float64(full)*s.factor))) }

// Count is how many cases to try where every night tries full.
func Count(full int) int { return current().times(full) }

// Whole says that tests take their long form, as every night: each case in all ways, where a change has each in one.
func Whole() bool { return current().factor >= 1 }

// Rand is the source of a test's cases: with the two fixed seeds, or with a fresh one, which is printed.
func Rand(t testing.TB, a, b uint64) *rand.Rand {
	t.Helper()
	s := current()
	if s.seed != 0 {
		t.Logf("repeat with SCHEDGAP_TRIALS=%v SCHEDGAP_SEED=%d", s.factor, s.seed)
	}
	return rand.New(rand.NewPCG(s.seed+a, b))
}
