package generate

import (
	"bytes"
	"testing"

	"schedgap/bench"
	"schedgap/bench/toyproblem"
	"schedgap/models"
	"schedgap/models/fail"
)

// TestOne: an instance depends on parameters, seed and index alone, says so in its lineage, and is in canonical form: reading
// its file gives the same file.
func TestOne(t *testing.T) {
	p := toyproblem.Registry().Problems[0]
	instance := func(seed uint64, index int) *bench.Instance {
		t.Helper()
		in, err := One(p, Name(p, index), models.Defaults(p.Generator.Params), seed, index)
		fail.On(t, err)
		return in
	}
	in := instance(7, 12)
	if want := p.Name + "-012"; in.Name != want {
		t.Errorf("name %s, want %s", in.Name, want)
	}
	if want := `"seed":7`; !bytes.Contains(in.Lineage, []byte(want)) || !bytes.Contains(in.Lineage, []byte(`"index":12`)) {
		t.Errorf("lineage %s", in.Lineage)
	}
	again, err := p.ParseInstance("again", in.JSON)
	if err != nil || !bytes.Equal(again.JSON, in.JSON) || again.SHA256 != in.SHA256 {
		t.Errorf("read again: %v\n%s\n%s", err, again.JSON, in.JSON)
	}
	if other := instance(7, 12); other.SHA256 != in.SHA256 {
		t.Error("the same seed and index make another instance")
	}
	for _, other := range []*bench.Instance{instance(8, 12), instance(7, 13)} {
		if other.SHA256 == in.SHA256 {
			t.Errorf("%s is the same as %s", other.Name, in.Name)
		}
	}
}
