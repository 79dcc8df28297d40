package referee_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/pocd"
	"schedgap/models/redundancy"
	"schedgap/models/speculation"
)

// frozen has hashes of the schemas, without their descriptions, under models.FormatVersion.
var frozen = map[string]string{
	"cloning instance":     "462d4013895e06fa",
	"cloning solution":     "f6b7ad5c2c40d7fd",
	"flex instance":        "7ffb9670cc13ef80",
	"flex solution":        "df840b946b482ae4",
	"pocd instance":        "aedef1cced22af20",
	"pocd solution":        "5332349212a7d4a0",
	"redundancy instance":  "519d53e5ba120447",
	"redundancy solution":  "069568131a4a526d",
	"speculation instance": "0f18bf693c1e95c0",
	"speculation solution": "6a6f6c544b82024b",
}

// The formats of instances and solutions are frozen under their version: third parties read and write them. Whoever changes one
// raises models.FormatVersion and goes on reading the versions before, or lets a field be absent and changes its hash here.
func TestFormatsAreFrozen(t *testing.T) {
	got := map[string]string{}
	hash := func(name string, file []byte, err error) {
		var schema any
		if err == nil {
			err = json.Unmarshal(file, &schema)
		}
		fail.On(t, err)
		plain, err := json.Marshal(undescribed(schema))
		fail.On(t, err)
		sum := sha256.Sum256(plain)
		got[name] = hex.EncodeToString(sum[:8])
	}
	of(hash, flex.Problem)
	of(hash, pocd.Problem)
	of(hash, cloning.Problem)
	of(hash, redundancy.Problem)
	of(hash, speculation.Problem)
	if models.FormatVersion != 1 || !maps.Equal(got, frozen) {
		for _, name := range slices.Sorted(maps.Keys(got)) {
			t.Errorf("%q: %q, frozen is %q", name, got[name], frozen[name])
		}
	}
}

func of[I models.Instance, S any](hash func(string, []byte, error), p *models.Problem[I, S]) {
	file, err := p.InstanceSchemaFile()
	hash(p.Name+" instance", file, err)
	file, err = p.SolutionSchemaFile()
	hash(p.Name+" solution", file, err)
}

// undescribed leaves out what is said to people.
func undescribed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, e := range v {
			if _, text := e.(string); text && (key == "description" || key == "title") {
				delete(v, key)
			} else {
				undescribed(e)
			}
		}
	case []any:
		for _, e := range v {
			undescribed(e)
		}
	}
	return v
}
