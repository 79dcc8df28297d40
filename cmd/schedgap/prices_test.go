package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"schedgap/bench"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

const pricesSuite = `name: known
problem: redundancy
instances: [{files: "*.json"}]
algorithms: [opt, {name: opt, copies: 1}, {name: opt, without: [copies, sharing]}, fair+r, srpt+r]
limits: {time: 60s}
`

// TestPrices: the price of having no copies is known by hand, and all prices of a report follow from the raw rows. Two jobs run one
// after the other on two machines, which run the copies of a job at the rate h(2) together: without copies each takes its work,
// with copies its work over h(2).
func TestPrices(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, h string) {
		write(t, dir, name+".json", `{"problem":"redundancy","version":1,"name":"`+name+`","machines":2,"multitasking":true,"speed":1,"speedup":[1,`+h+
			`],"jobs":[{"id":"a","arrival":0,"work":2},{"id":"b","arrival":10,"work":2}]}`)
	}
	file("linear", "2")
	file("worthless", "1")
	file("concave", "1.6")
	suite := write(t, dir, "known.yaml", pricesSuite)
	results := filepath.Join(dir, "results")
	succeed(t, "run", suite, "-o", results)
	succeed(t, "report", results)

	raw := map[string]map[string]float64{} // optimum by instance and class, as the rows have it
	files, err := filepath.Glob(filepath.Join(results, "runs", "*.parquet"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, f := range files {
		rows, err := parquet.ReadFile[bench.Record](f)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if r.Status == string(bench.Optimal) {
				if raw[r.Instance] == nil {
					raw[r.Instance] = map[string]float64{}
				}
				raw[r.Instance][r.Reference] = *r.Objective
			}
		}
	}
	prices, err := parquet.ReadFile[ratio.PriceRow](filepath.Join(results, "report", "prices.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]float64{"linear": 2, "worthless": 1, "concave": 1.6}
	product := 1.0
	for _, row := range prices {
		want := raw[row.Instance][row.Restricted] / raw[row.Instance][row.Reference]
		if row.Reference == "opt" && !ratio.Equal(want, known[row.Instance]) {
			t.Errorf("%s: rows say %v, by hand it is %v", row.Instance, want, known[row.Instance])
		}
		if !ratio.Equal(*row.PriceLo, want) || !ratio.Equal(*row.PriceHi, want) || !row.Exact || *row.Free != (want == 1) {
			t.Errorf("%s, %s: %+v, want %v", row.Instance, row.Restricted, row, want)
		}
		if row.Restricted == "opt@copies=1" {
			product *= want
		}
	}
	if len(prices) != 3*3 {
		t.Errorf("%d prices, want 9: two classes against opt, and the smaller against the other", len(prices))
	}
	data, err := os.ReadFile(filepath.Join(results, "report", "summary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r summary.Report
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	p := r.Problems[0].Prices[0]
	if p.Restricted != "opt@copies=1" || math.Abs(float64(p.GeoMean.Lo)-math.Cbrt(product)) > 1e-9 || p.FreeLo != 1 || p.FreeHi != 1 ||
		p.Worst.Instance != "linear" || p.Proven != 3 {
		t.Errorf("summary: %+v, worst %+v", p, p.Worst)
	}
	if b := r.Problems[0].NotKnowing; len(b) != 1 || b[0].Rule != "fair+r" || b[0].Knowing != "srpt+r" {
		t.Errorf("not knowing: %+v", b)
	}
	for _, name := range []string{"summary.md", "index.html", "tables/redundancy-prices.tex"} {
		text, err := os.ReadFile(filepath.Join(results, "report", name))
		if err != nil || !strings.Contains(string(text), "opt@copies=1") {
			t.Errorf("%s does not have the prices: %v", name, err)
		}
	}
	for field, want := range map[string]string{
		"copies: 0": "copies", "without: [coffee]": "coffee", "preemption: maybe": "maybe", "preemption: no": "preemption",
	} {
		bad := write(t, dir, "bad.yaml", strings.Replace(pricesSuite, "copies: 1", field, 1))
		if e := schedgap(t, "run", bad, "-o", filepath.Join(dir, "none")); e.code != exitUsage || !strings.Contains(e.stderr, want) ||
			strings.Count(e.stderr, "\n") != 1 {
			t.Errorf("%s: %+v", field, e)
		}
	}
}
