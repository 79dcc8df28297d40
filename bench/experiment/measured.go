package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

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

// An Interval is a mean over blocks with its 95 % interval by Student's t: a point where the blocks do not differ, and all
// numbers where there is one block of several that matter.
type Interval struct{ Mean, Low, High float64 }

// intervalOf is the interval of values, of which there is at least one.
func intervalOf(values []float64) Interval {
	mean := stat.Mean(values, nil)
	if slices.Min(values) == slices.Max(values) {
		return Interval{values[0], values[0], values[0]}
	}
	n := float64(len(values))
	half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975) * stat.StdErr(stat.StdDev(values, nil), n)
	return Interval{mean, mean - half, mean + half}
}

// Interval returns that of a claim's statistic at a point of the design, of which 0 is the default; false: it was not measured
// there.
func (m *Measured) Interval(id string, point int) (Interval, bool) {
	points := m.Values[id]
	if point < 0 || point >= len(points) || len(points[point]) == 0 {
		return Interval{}, false
	}
	return intervalOf(points[point]), true
}

// maxMeasured bounds a file of what was measured, in bytes.
const maxMeasured = 5 << 20

// Read reads NAME.json of a folder, such as that of bench/catalog/measured. The error wraps fs.ErrNotExist if there is none.
func Read(folder fs.FS, name string) (*Measured, error) {
	file := name + ".json"
	f, err := folder.Open(file)
	if err != nil {
		return nil, fmt.Errorf("what was measured: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxMeasured+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(data) > maxMeasured {
		return nil, fmt.Errorf("%s: has more than %d MiB", file, maxMeasured>>20)
	}
	var m Measured
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&m); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if err := m.validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if m.Experiment != name {
		return nil, fmt.Errorf("%s: experiment: %q must be the file's name", file, m.Experiment)
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
