package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
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
				if got == nil || math.Abs(*got-want) > 1e-9*max(1, math.Abs(want)) {
					t.Errorf("%s: %s is %v, stored is %v", c.in.Name, what, got, want)
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

// TestWorstTable: docs/worst.md has the stored results.
func TestWorstTable(t *testing.T) {
	registry, err := New()
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]string{
		"pairs":      pairsTable(t, registry),
		"theory":     theoryTable(t),
		"conjecture": conjectureTable(t),
	}
	file := filepath.FromSlash("../../docs/worst.md")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for block, table := range tables {
		begin, end := "<!-- generated: "+block+" -->\n", "<!-- end -->"
		before, rest, ok := strings.Cut(text, begin)
		old, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Errorf("%s has no block %q", file, begin)
			continue
		}
		if !*update && old != table {
			t.Errorf("the block %s of %s is not as the results say; go test ./bench/catalog -run WorstTable -update writes it", block,
				file)
		}
		text = before + begin + table + end + after
	}
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func pairsTable(t *testing.T, registry *bench.Registry) string {
	var b strings.Builder
	b.WriteString("\n| problem | algorithm | measure | worst found | evaluations | jobs |\n|---|---|---|--:|--:|--:|\n")
	for _, p := range registry.Problems {
		for _, c := range worstCases(t, p) {
			var found, measure string
			switch {
			case p.Name == "pocd": // a ratio of probabilities that are nearly 0 tells nothing; with alpha = 0 values are their sums
				found, measure = fmt.Sprintf("%.3g for %.3g", c.Objective, c.Optimum), "value for the optimum"
			case c.Ratio != nil:
				found, measure = fmt.Sprintf("%.5g", *c.Ratio), "ratio"
			default:
				found, measure = fmt.Sprintf("%.5g", c.Difference/max(math.Abs(c.Objective), math.Abs(c.Optimum))), "difference"
			}
			fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %d | %d |\n", p.Name, c.Algorithm, measure, found, c.Evaluations, c.in.Size.Jobs)
		}
	}
	b.WriteByte('\n')
	return b.String()
}

func theoryTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("\n| problem | algorithm | setting | printed | worst found | evaluations |\n|---|---|---|---|--:|--:|\n")
	for _, r := range readLines[theoryResult](t, "theory.jsonl") {
		found := "nothing worse than optimal"
		switch {
		case r.Ratio != nil:
			found = fmt.Sprintf("ratio %.4g", *r.Ratio)
		case r.Difference != nil:
			found = fmt.Sprintf("difference %.4g", *r.Difference)
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %s | %d |\n", r.Problem, r.Algorithm, r.Setting, r.Guarantee, found, r.Evaluations)
	}
	b.WriteByte('\n')
	return b.String()
}

func conjectureTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("\n| jobs | in rational numbers | to 1e-9 | largest relative difference | counter-examples " +
		"|\n|--:|--:|--:|--:|--:|\n")
	data, err := os.ReadFile(filepath.Join("worst", "conjecture.json"))
	if err != nil {
		t.Fatal(err)
	}
	var counts []conjectureCount
	if err := json.Unmarshal(data, &counts); err != nil {
		t.Fatal(err)
	}
	exact, floating := 0, 0
	for _, c := range counts {
		counter := 0
		if c.Counter != "" {
			counter = 1
		}
		exact, floating = exact+c.Exact, floating+c.Floating
		fmt.Fprintf(&b, "| %d | %d | %d | %.1g | %d |\n", c.Jobs, c.Exact, c.Floating, c.Largest, counter)
	}
	fmt.Fprintf(&b, "| all | %d | %d | | |\n\n", exact, floating)
	return b.String()
}
