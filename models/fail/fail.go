// Package fail ends tests that cannot go on.
package fail

// A Tester is a *testing.T, *testing.B, *testing.F or *rapid.T.
type Tester interface {
	Helper()
	Fatal(args ...any)
}

// On ends a test with an error that it does not expect; nil: it goes on.
func On(t Tester, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
