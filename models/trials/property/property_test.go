package property_test

import (
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/trials"
	"schedgap/models/trials/property"
)

// As many cases are tried as package trials says.
func TestCheck(t *testing.T) {
	n := 0
	property.Check(t, func(*rapid.T) { n++ })
	if n != trials.Count(100) {
		t.Errorf("%d cases, want %d", n, trials.Count(100))
	}
}
