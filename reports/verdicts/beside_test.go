package verdicts

import (
	"testing"

	"schedgap/datasets/claims"
)

// The replay of the trace beside what generated jobs give: it has numbers and a verdict of its own, is selected by its name, and
// leaves the claim's verdict alone.
func TestBeside(t *testing.T) {
	s, err := Stored()
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	list, err := b.Select("dollymp-replay8")
	if err != nil || len(list) == 0 {
		t.Fatalf("%d claims, %v", len(list), err)
	}
	for _, e := range list {
		if e.Claim.Experiment == "dollymp-replay8" || e.Beside == nil || e.Beside.Name != "dollymp-replay8" {
			t.Fatalf("%s: %+v", e.ID, e.Beside)
		}
		also := e.Record().Also
		if also == nil || also.Verdict == claims.NotMeasured || also.Value == e.Grade.Value {
			t.Errorf("%s: beside it %+v", e.ID, also)
		}
		if own := e.Claim.Grade(e.Experiment.values(e.ID)); own.Verdict != e.Grade.Verdict {
			t.Errorf("%s: %s, by its own experiment %s", e.ID, e.Grade.Verdict, own.Verdict)
		}
	}
}
