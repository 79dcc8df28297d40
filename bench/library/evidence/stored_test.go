package evidence

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"schedgap/bench/catalog"
	"schedgap/datasets/library"
	"schedgap/models/fail"
	"schedgap/models/trials"
)

// TestStored: of the library in this program some entries a problem whose proofs are small, evenly over the list, are what history
// says, by the checker and by two verifiers that share nothing. `schedgap library verify` goes through all, at night and before a
// release.
func TestStored(t *testing.T) {
	l, err := library.Open(library.Files, "the library")
	fail.On(t, err)
	registry, err := catalog.New()
	fail.On(t, err)
	c := &Collection{Library: l, Registry: registry}
	o := VerifyOptions{}
	if python, err := exec.LookPath("python3"); err != nil {
		t.Log("SKIPPED: there is no python3, so the proofs are checked by one program only")
	} else {
		o.Second = []string{python, filepath.Join("..", "..", "..", "scripts", "checkproof.py")}
	}
	const most = 2 << 10 // bytes of a proof
	each := trials.Count(10)
	for _, p := range registry.Problems {
		var small []*library.Entry
		for _, e := range l.Entries {
			if proof, err := l.Proof(e); e.Problem == p.Name && e.Stored && len(proof) < most &&
				slices.Contains(e.VerifiedBy, "checkproof.py") {
				small = append(small, e)
			} else if err != nil {
				t.Error(err)
			}
		}
		for i := range min(each, len(small)) {
			o.Entries = append(o.Entries, small[i*len(small)/each])
		}
	}
	v, err := c.Verify(t.Context(), o)
	if err != nil || len(v.Faults) > 0 || len(v.Skipped) > 0 || v.Proofs != each*len(registry.Problems) || v.Solutions != v.Proofs {
		t.Errorf("%+v, %v", v, err)
	}
	if o.Second != nil && v.Confirmed != v.Proofs {
		t.Errorf("%d proofs are accepted, and %d of them by the second verifier", v.Proofs, v.Confirmed)
	}
}
