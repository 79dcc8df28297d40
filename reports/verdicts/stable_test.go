package verdicts

import (
	"strings"
	"testing"

	"schedgap/datasets/claims"
)

// moved is by how many bands one share is off the other: 0 where the bands that they name overlap.
func moved(a, b *claims.Share) int {
	return max(0, int(a.Least-b.Most), int(b.Least-a.Most))
}

// TestHalfDesign: with either half of the settings of its box no claim moves by two bands, and at most one in twenty by one.
// Settings of a Latin hypercube come in random order, so that those with even numbers are such a half, and so are those with odd
// ones.
func TestHalfDesign(t *testing.T) {
	s, err := Stored()
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	for half := range 2 {
		all, one, words := 0, 0, 0
		for _, e := range b.Entries {
			if e.Grade.Share == nil || e.Grade.Share.Of < 4 {
				continue
			}
			values := e.Experiment.values(e.ID)
			part := values[:1:1]
			for i := 1 + half; i < len(values); i += 2 {
				part = append(part, values[i])
			}
			g := e.Claim.Grade(part)
			all++
			if g.Verdict != e.Grade.Verdict {
				words++
			}
			if n := moved(g.Share, e.Grade.Share); n > 1 {
				t.Errorf("%s: %s, with half of the settings %s", e.ID, e.Grade.Verdict, g.Verdict)
			} else if n == 1 {
				one++
			}
		}
		if 20*one > all || all < 100 {
			t.Errorf("half %d: %d of %d claims move by a band", half+1, one, all)
		}
		t.Logf("half %d: of %d claims %d move by a band, %d have another word for one of the ends", half+1, all, one, words)
	}
}

// TestUnscored: a claim that is marked is graded and counts for nothing; the three against our carbyne are.
func TestUnscored(t *testing.T) {
	s, err := Stored()
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	marked := 0
	for _, e := range b.Entries {
		if e.Unscored == "" {
			continue
		}
		marked++
		if e.counts() || e.Scores() || e.Grade.Share == nil || !strings.HasSuffix(e.verdict(), ", no evidence") ||
			e.Record().Unscored == nil {
			t.Errorf("%s: %s", e.ID, e.verdict())
		}
		if x := TallyOf(e.Experiment.Entries); x.Claims != 0 {
			t.Errorf("%s: %d claims of its experiment count", e.ID, x.Claims)
		}
	}
	if marked != 3 {
		t.Errorf("%d claims are marked", marked)
	}
}

// TestDecoys: over all papers false claims hold in at most a tenth of the cases, and true ones three times as often, where an
// experiment is not marked; and every claim that counts has a decoy.
func TestDecoys(t *testing.T) {
	s, err := Stored()
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	held, decoys, fooled, counted, marked := 0, 0, 0, 0, 0
	by := map[string][2]int{}
	for _, e := range b.Entries {
		if !e.counts() {
			continue
		}
		if len(e.Grade.Decoys) == 0 {
			t.Errorf("%s has no decoy", e.ID)
		}
		for _, d := range e.Grade.Decoys {
			n := by[d.Name]
			n[1]++
			if d.Share.Holding() {
				n[0]++
			}
			by[d.Name] = n
		}
		if e.Experiment.Chance() {
			marked++
			continue
		}
		counted++
		if e.Scores() {
			held++
		}
		for _, d := range e.Grade.Decoys {
			decoys++
			if d.Share.Holding() {
				fooled++
			}
		}
	}
	t.Logf("%d of %d claims hold, %d of %d decoys; %d are in experiments that cannot tell; all decoys by kind: %v", held, counted,
		fooled, decoys, marked, by)
	if 10*fooled > decoys || held*decoys < leastLead*fooled*counted {
		t.Errorf("%d of %d claims hold, and %d of %d decoys", held, counted, fooled, decoys)
	}
}
