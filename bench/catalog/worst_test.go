package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/models"
)

// A worstCase is an instance of the corpus with what its lineage says.
type worstCase struct {
	in          *bench.Instance
	Algorithm   string   `json:"algorithm"`
	Reference   string   `json:"reference"`
	Ratio       *float64 `json:"ratio"`
	Difference  float64  `json:"difference"`
	Objective   float64  `json:"objective"`
	Optimum     float64  `json:"optimum"`
	Evaluations int      `json:"evaluations"`
	Seed        uint64   `json:"seed"`
}

func worstCases(t *testing.T, p *bench.Problem) []worstCase {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("suites", p.Name, "worst", "*.json"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s has no worst cases: %v", p.Name, err)
	}
	var list []worstCase
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		in, err := p.ParseInstance(name, data)
		if err != nil {
			t.Fatal(err)
		}
		lineage := struct{ Worst worstCase }{}
		if err := json.Unmarshal(in.Lineage, &lineage); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		lineage.Worst.in = in
		list = append(list, lineage.Worst)
	}
	return list
}

// TestWorstCases: on the worst cases of the corpus, where algorithms differ most, exact methods find the stored optimum,
// algorithms their stored value, and bounds are on their side.
func TestWorstCases(t *testing.T) {
	registry, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range registry.Problems {
		for _, c := range worstCases(t, p) {
			if c.in.Size.Jobs > 6 {
				t.Errorf("%s has %d jobs, more than six", c.in.Name, c.in.Size.Jobs)
			}
			value := func(name string) *bench.Result {
				return p.Run(t.Context(), c.in, bench.Request{Algorithm: name, Seed: 1, Threads: 1}, bench.Observer{})
			}
			near := func(what string, got *float64, want float64) {
				if got == nil {
					t.Errorf("%s: %s has no value, stored is %v", c.in.Name, what, want)
				} else if math.Abs(*got-want) > 1e-9*max(1, math.Abs(want)) {
					t.Errorf("%s: %s is %v, stored is %v", c.in.Name, what, *got, want)
				}
			}
			res := value(c.Algorithm)
			near(c.Algorithm, res.Objective, c.Objective)
			for i := range p.Algorithms {
				a := &p.Algorithms[i]
				if a.Reference != c.Reference || a.Arg != "" {
					continue
				}
				switch a.Kind {
				case models.Exact:
					if res := value(a.Name); res.Status == bench.Skipped {
						continue
					} else if res.Status != bench.Optimal {
						t.Errorf("%s: %s ended as %s: %s", c.in.Name, a.Name, res.Status, res.Error)
					} else {
						near(a.Name, res.Objective, c.Optimum)
					}
				case models.Bound:
					if strings.HasSuffix(a.Name, "-price") {
						continue // tested by nightly: it takes its time
					}
					if b := value(a.Name).Bound; b != nil && float64(p.Sense)*(*b-c.Optimum) > 1e-9*max(1, math.Abs(c.Optimum)) {
						t.Errorf("%s: the bound %v of %s is beyond the optimum %v", c.in.Name, *b, a.Name, c.Optimum)
					}
				}
			}
		}
	}
}

// A theoryResult is one line of worst/theory.jsonl: the worst found where a paper states a guarantee.
type theoryResult struct {
	Problem     string   `json:"problem"`
	Algorithm   string   `json:"algorithm"`
	Setting     string   `json:"setting"`
	Guarantee   string   `json:"guarantee"`
	Evaluations int      `json:"evaluations"`
	Ratio       *float64 `json:"ratio"`
	Difference  *float64 `json:"difference"`
}

// A conjectureCount is the evidence for the conjecture of Beaumont et al. of one number of jobs.
type conjectureCount struct {
	Jobs     int     `json:"jobs"`
	Exact    int     `json:"exact"`
	Floating int     `json:"floating"`
	Largest  float64 `json:"largest"`
	Counter  string  `json:"counter"`
}

func readLines[T any](t *testing.T, name string) (list []T) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("worst", name))
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	for dec.More() {
		var v T
		if err := dec.Decode(&v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list = append(list, v)
	}
	return list
}

// TestWorstTable: datasets/answers has the stored results.
func TestWorstTable(t *testing.T) {
	registry, err := New()
	if err != nil {
		t.Fatal(err)
	}
	generatedCSV(t, "worst", pairsTable(t, registry))
	generatedCSV(t, "theory", theoryTable(t))
	generatedCSV(t, "conjecture", conjectureTable(t))
}

func pairsTable(t *testing.T, registry *bench.Registry) [][]string {
	table := [][]string{{"problem", "algorithm", "measure", "worst found", "objective", "optimum", "evaluations", "jobs"}}
	for _, p := range registry.Problems {
		for _, c := range worstCases(t, p) {
			var found, measure string
			switch {
			case p.Name == "pocd": // a ratio of probabilities that are nearly 0 tells nothing; with alpha = 0 values are their sums
				measure = "values"
			case c.Ratio != nil:
				found, measure = fmt.Sprintf("%.5g", *c.Ratio), "ratio"
			default:
				found, measure = fmt.Sprintf("%.5g", c.Difference/max(math.Abs(c.Objective), math.Abs(c.Optimum))), "relative difference"
			}
			table = append(table, []string{
				p.Name, c.Algorithm, measure, found, fmt.Sprintf("%.5g", c.Objective), fmt.Sprintf("%.5g", c.Optimum),
				strconv.Itoa(c.Evaluations), strconv.Itoa(c.in.Size.Jobs),
			})
		}
	}
	return table
}

func theoryTable(t *testing.T) [][]string {
	table := [][]string{{"problem", "algorithm", "setting", "guarantee", "measure", "worst found", "evaluations"}}
	for _, r := range readLines[theoryResult](t, "theory.jsonl") {
		measure, found := "nothing worse than optimal", ""
		switch {
		case r.Ratio != nil:
			measure, found = "ratio", fmt.Sprintf("%.4g", *r.Ratio)
		case r.Difference != nil:
			measure, found = "difference", fmt.Sprintf("%.4g", *r.Difference)
		}
		table = append(table, []string{r.Problem, r.Algorithm, r.Setting, r.Guarantee, measure, found, strconv.Itoa(r.Evaluations)})
	}
	return table
}

func conjectureTable(t *testing.T) [][]string {
	table := [][]string{{"jobs", "in rational numbers", "to 1e-9", "largest relative difference", "counter-examples"}}
	data, err := os.ReadFile(filepath.Join("worst", "conjecture.json"))
	if err != nil {
		t.Fatal(err)
	}
	var counts []conjectureCount
	if err := json.Unmarshal(data, &counts); err != nil {
		t.Fatal(err)
	}
	for _, c := range counts {
		counter := "0"
		if c.Counter != "" {
			counter = "1"
		}
		table = append(table, []string{
			strconv.Itoa(c.Jobs), strconv.Itoa(c.Exact), strconv.Itoa(c.Floating), fmt.Sprintf("%.1g", c.Largest), counter,
		})
	}
	return table
}
