package verdicts_test

import (
	"slices"
	"testing"

	"schedgap/bench/experiment"
	"schedgap/datasets/claims"
)

// A fit may ask for claims of several experiments only if their designs go through the same settings: a parameter that both of
// them leave open has the same value at every point.
func TestFitsShareSettings(t *testing.T) {
	all, err := claims.All()
	if err != nil {
		t.Fatal(err)
	}
	fits, err := claims.Fits()
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]string{}
	for _, c := range all {
		of[c.ID] = c.Experiment
	}
	for _, f := range fits {
		e, err := experiment.Find(f.Experiment)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range slices.Concat(f.Fitted, f.Tested) {
			if of[id] == f.Experiment {
				continue
			}
			other, err := experiment.Find(of[id])
			if err != nil {
				t.Fatalf("fit %s: %s: %v", f.Name, id, err)
			}
			shared := 0
			for k, p := range e.Design() {
				for name, v := range p.At {
					if w, ok := other.Design()[k].At[name]; ok {
						shared++
						if v != w {
							t.Errorf("fit %s: at point %d %s is %v in %s and %v in %s, which measures %s", f.Name, k, name, v, e.Name, w, other.Name, id)
						}
					}
				}
			}
			if shared == 0 {
				t.Errorf("fit %s: %s, which measures %s, leaves nothing open that %s does", f.Name, other.Name, id, e.Name)
			}
		}
	}
}
