package ratio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A Found is the result of a search for worst cases, in the lineage of the instance that it found.
type Found struct {
	Algorithm   string   `json:"algorithm"`
	Reference   string   `json:"reference"`
	Ratio       *float64 `json:"ratio"`      // nil: it is undefined
	Regret      *float64 `json:"regret"`     // nil: the search went by ratio or, in older versions, by difference
	Difference  float64  `json:"difference"` // at least 0
	Evaluations int      `json:"evaluations"`
}

// A Published is the optimum of an instance in the literature, as it stands in the instance's lineage.
type Published struct {
	Value     float64 `json:"value"`     // in the problem's own objective
	Reference string  `json:"reference"` // the class of solutions that it is the optimum of
	Source    string  `json:"source"`    // where it is published
}

// origin reads a search for worst cases and a published optimum from a lineage; nil means that it has none.
func origin(lineage json.RawMessage) (*Found, *Published) {
	if !bytes.Contains(lineage, []byte(`"worst"`)) && !bytes.Contains(lineage, []byte(`"published"`)) { // most need no reading
		return nil, nil
	}
	var l struct {
		Worst     *Found     `json:"worst"`
		Published *Published `json:"published"`
	}
	if json.Unmarshal(lineage, &l) != nil {
		return nil, nil
	}
	return l.Worst, l.Published
}

// draw is the seed and the number of an instance that a generator made or that was derived from a trace.
func draw(lineage json.RawMessage, name string) string {
	var l struct {
		Generator, Format string
		Seed              json.Number
		Index             *int
	}
	if len(lineage) == 0 || json.Unmarshal(lineage, &l) != nil || l.Generator == "" && l.Format == "" {
		return ""
	}
	number := name[strings.LastIndexByte(name, '-')+1:] // of a derived instance
	if l.Index != nil {
		number = strconv.Itoa(*l.Index)
	}
	return fmt.Sprint(l.Generator, l.Format, " ", l.Seed, " ", number)
}
