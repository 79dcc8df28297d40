package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"schedgap/bench/store"
)

// Measured is what an experiment gave.
type Measured struct {
	Experiment string   `json:"experiment"`
	SHA256     string   `json:"sha256"`  // Hash of the experiment and the statistics
	Version    string   `json:"version"` // of the program
	Untold     []string `json:"untold"`  // the factors' names
	Design     []Point  `json:"design"`  // the default first
	// Values has each claim's statistic, by point of the design, then by block.
	Values  map[string][][]float64 `json:"values"`
	Series  []Mark                 `json:"series"`
	Reduced map[string][]float64   `json:"reduced"` // as Reduced gives them
	Seconds float64                `json:"seconds"` // of processor time, of the run that ended it
}

// A Mark is a place of a figure: Y with its interval, at the default point. In a cdf X is the metric's value and Y the share of
// jobs of at most that.
type Mark struct {
	Figure string  `json:"figure"`
	X      float64 `json:"x"`
	Policy string  `json:"policy"`
	Metric string  `json:"metric"`
	Mean   float64 `json:"mean"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// Read reads NAME.json of a folder, such as that of bench/catalog/measured. The error wraps fs.ErrNotExist if there is none.
func Read(folder fs.FS, name string) (*Measured, error) {
	file := name + ".json"
	data, err := fs.ReadFile(folder, file)
	if err != nil {
		return nil, fmt.Errorf("what was measured: %w", err)
	}
	var m Measured
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err = dec.Decode(&m); err == nil {
		err = m.validate()
	}
	if err == nil && m.Experiment != name {
		err = fmt.Errorf("experiment: %q must be the file's name", m.Experiment)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &m, nil
}

func (m *Measured) validate() error {
	if len(m.Design) == 0 || !m.Design[0].Default {
		return errors.New("design: the first point must be the default")
	}
	for id, points := range m.Values {
		if len(points) != len(m.Design) {
			return fmt.Errorf("values.%s: %d points, but the design has %d", id, len(points), len(m.Design))
		}
		for i, blocks := range points {
			if len(blocks) == 0 {
				return fmt.Errorf("values.%s[%d]: no blocks", id, i)
			}
		}
	}
	return nil
}

// WriteMeasured writes m to NAME.json in a folder, whole or not at all: the same bytes for the same numbers.
func WriteMeasured(folder string, m *Measured) error {
	data, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Experiment, err)
	}
	return store.WriteFile(filepath.Join(folder, m.Experiment+".json"), append(data, '\n'))
}

// stored rounds to the digits that are stored.
func stored(v float64) float64 {
	if v == math.Trunc(v) {
		return v
	}
	return digits(v, 10)
}
