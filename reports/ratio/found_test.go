package ratio

import (
	"encoding/json"
	"math"
	"testing"

	"schedgap/bench"
)

// What a lineage says of its instance, and nothing where it says nothing.
func TestLineages(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "{": "", `{"seed":7}`: "", `{"generator":"g","seed":7}`: "g 7 12", `{"format":"f","seed":7}`: "f 7 12",
		`{"generator":"g","seed":18446744073709551615,"index":3}`: "g 18446744073709551615 3",
	} {
		if got := draw(json.RawMessage(text), "x-y-12"); got != want {
			t.Errorf("%s: drawn as %q, want %q", text, got, want)
		}
	}
	if worst, published := origin(json.RawMessage(`{"worst":{"algorithm":"a"},"published":{"value":5}}`)); worst == nil ||
		worst.Algorithm != "a" || published == nil || published.Value != 5 {
		t.Errorf("%+v, %+v", worst, published)
	}
	if worst, published := origin(json.RawMessage(`{"worst":{"algorithm":"a"},"published":7}`)); worst != nil || published != nil {
		t.Errorf("of a lineage that cannot be read: %+v, %+v", worst, published)
	}
	for x, want := range map[float64]bool{0: true, 1: true, -1: false, math.Inf(1): false, math.Inf(-1): false} {
		if got := seconds(&x); (got != nil) != want || want && *got != x {
			t.Errorf("%v seconds are %v", x, got)
		}
	}
	if seconds(nil) != nil {
		t.Error("no time is one")
	}
	for status, want := range map[bench.Status]bool{bench.Optimal: true, bench.Infeasible: true, bench.Feasible: false, bench.Timeout: false} {
		if got := (&Setup{Status: string(status)}).Proved(); got != want {
			t.Errorf("a unit that ended %s has a proof: %v", status, got)
		}
	}
}
