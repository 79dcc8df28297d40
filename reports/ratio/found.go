package ratio

import (
	"bytes"
	"encoding/json"
)

// A Found says what a search for worst cases found an instance for, as it stands in the instance's lineage.
type Found struct {
	Algorithm   string   `json:"algorithm"`
	Reference   string   `json:"reference"`
	Ratio       *float64 `json:"ratio"`      // nil: it is undefined
	Regret      *float64 `json:"regret"`     // nil: the search went by ratio or, in older versions, by difference
	Difference  float64  `json:"difference"` // at least 0
	Evaluations int      `json:"evaluations"`
}

// found is nil for a lineage that says nothing of a search.
func found(lineage json.RawMessage) *Found {
	if !bytes.Contains(lineage, []byte(`"worst"`)) { // few are read for nothing
		return nil
	}
	var l struct {
		Worst *Found `json:"worst"`
	}
	if json.Unmarshal(lineage, &l) != nil {
		return nil
	}
	return l.Worst
}
