package catalog

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"schedgap/bench/generate"
	"schedgap/models"
)

// TestGeneratedBytes: what a seed gives does not change from version to version, lineage included, also where arrivals are set by
// dominant shares, which older versions called load.
func TestGeneratedBytes(t *testing.T) {
	for _, c := range []struct {
		problem string
		given   map[string]any
		want    string
	}{
		{"flex", nil, "cd1a29b2e3bd70470b558afa7fd30975d61295a5cf16e3b9edf61ddfaa3e76fb"},
		{"pocd", nil, "3d76b9077d200600c81cc294ea814046541553dda51fc3bbc10a63154d9332d2"},
		{"cloning", nil, "8a958c5a738e59d2bea989bb45f5ef20c18acfc12d751af80a5a41e429741961"},
		{"redundancy", nil, "7650e6e8ffc38d6da214bdd914b39eaca4d3f76d0e7a8b8b8d121ef36ddf5fb7"},
		{"speculation", nil, "2d48b0136fe4d30688b29a9e9e2022e28e59f4285fc2ec5e10848ed117ac1b40"},
		{"cloning", map[string]any{"arrivals": "online"}, "669c5ed8fd48ba04f1a96e80682dd40c09048ab1036d78c25ba418792a69d21f"},
		{
			"cloning",
			map[string]any{"arrivals": "online", "dominant_share_load": 1.5},
			"36e445ed71b19e5a3f4db31c4906d383717fd3fc8013dec6b952b83b1434f193",
		},
	} {
		p, err := registry(t).Problem(c.problem)
		if err != nil {
			t.Fatal(err)
		}
		v, err := models.Resolve(p.Generator.Params, c.given)
		if err != nil {
			t.Fatal(err)
		}
		files := sha256.New()
		for i := range 3 {
			in, err := generate.One(p, generate.Name(p, i), v, 1, i)
			if err != nil {
				t.Fatal(err)
			}
			files.Write(in.JSON)
		}
		if got := fmt.Sprintf("%x", files.Sum(nil)); got != c.want {
			t.Errorf("%s %v: %s, want %s", c.problem, c.given, got, c.want)
		}
	}
}
