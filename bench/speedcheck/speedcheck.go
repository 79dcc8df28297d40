// Package speedcheck watches whether a machine keeps its speed during a run: the same piece of work, the reference unit, is
// timed now and then and the times are kept beside the results, DIR/drift/*.jsonl. Where they differ much, so do the units'
// times for reasons that are not the algorithms'.
package speedcheck

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"schedgap/models/input"
)

// A Sample is one timing of the reference unit.
type Sample struct {
	RunID   string    `json:"run_id"`
	Host    string    `json:"host"`
	At      time.Time `json:"at"`
	Seconds float64   `json:"seconds"`
}

// Every is the time between two samples of one run.
const Every = time.Minute

// Measure runs the reference unit: some 20 ms of integer, floating-point and memory work on one core. It returns its seconds.
func Measure() float64 {
	began := time.Now()
	if work() == 0 {
		return 0 // never: it only keeps the work from being optimised away
	}
	return time.Since(began).Seconds()
}

// work sorts pseudo-random numbers, which takes comparisons, branches and memory, and sums their inverses.
func work() float64 {
	xs := make([]float64, 1<<17)
	state := uint64(1)
	for i := range xs {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		xs[i] = float64(state>>11) + 1
	}
	slices.Sort(xs)
	sum := 0.0
	for _, x := range xs {
		sum += 1 / x
	}
	return sum
}

// A Recorder takes the samples of one run. It may be used by several goroutines.
type Recorder struct {
	path     string
	runID    string
	host     string
	mu       sync.Mutex
	next     time.Time
	measured bool
}

// NewRecorder returns a recorder for the results folder dir.
func NewRecorder(dir, shard, runID, host string) *Recorder {
	return &Recorder{path: filepath.Join(dir, "drift", shard+"-"+runID+".jsonl"), runID: runID, host: host}
}

// Sample takes a sample when it is time for one.
func (r *Recorder) Sample() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if now.Before(r.next) {
		return nil
	}
	r.next = now.Add(Every)
	if !r.measured {
		r.measured = true
		Measure() // the first one warms the caches up
	}
	line, err := json.Marshal(Sample{r.runID, r.host, now.UTC(), Measure()})
	if err != nil {
		return fmt.Errorf("encoding a drift sample: %w", err)
	}
	err = os.MkdirAll(filepath.Dir(r.path), 0o777)
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(r.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666); err == nil {
			_, err = f.Write(append(line, '\n'))
			err = errors.Join(err, f.Close())
		}
	}
	if err != nil {
		return fmt.Errorf("keeping a drift sample: %w", err)
	}
	return nil
}

// Read returns the samples of a results folder, oldest first; a last line that a killed run left half written is no sample.
func Read(dir string) ([]Sample, error) {
	files, err := input.Glob(filepath.Join(dir, "drift"), "*.jsonl")
	if err != nil {
		return nil, fmt.Errorf("reading drift samples: %w", err)
	}
	var samples []Sample
	for _, file := range files {
		f, _, err := input.Open(file, input.MaxData)
		if err != nil {
			return nil, fmt.Errorf("reading drift samples: %w", err)
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			var s Sample
			if json.Unmarshal(lines.Bytes(), &s) == nil && s.Seconds > 0 {
				samples = append(samples, s)
			}
		}
		err = lines.Err()
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	slices.SortStableFunc(samples, func(a, b Sample) int { return a.At.Compare(b.At) })
	return samples, nil
}

// tolerated is the spread of a host's samples up to which its times count as comparable.
const tolerated = 0.1

// Warnings says, one sentence a host, whose speed changed by more than a tenth: the 5th against the 95th percentile, so that
// one interruption does not count.
func Warnings(samples []Sample) []string {
	byHost := map[string][]float64{}
	var hosts []string
	for _, s := range samples {
		if byHost[s.Host] == nil {
			hosts = append(hosts, s.Host)
		}
		byHost[s.Host] = append(byHost[s.Host], s.Seconds)
	}
	slices.Sort(hosts)
	var warnings []string
	for _, host := range hosts {
		xs := byHost[host]
		slices.Sort(xs)
		lo, hi := xs[len(xs)/20], xs[len(xs)-1-len(xs)/20]
		if hi > lo*(1+tolerated) {
			warnings = append(warnings, fmt.Sprintf("the speed of %s changed during the runs: the reference unit took %.3g to %.3g ms "+
				"(%d samples), so times differ by up to %.0f %% for reasons that are not the algorithms'", host, lo*1e3, hi*1e3, len(xs),
				100*(hi/lo-1)))
		}
	}
	return warnings
}
