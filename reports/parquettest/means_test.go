package parquettest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/reports/internal/fake"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
)

// varied gives instances one of two values of a factor, spt a second seed, which some instances take from it, and flex-ls
// failures on a part of the instances where it is good: a mean over successes alone would put it first. On some instances
// the values of fair and flex differ in their last digits only.
func varied(records []bench.Record) []bench.Record {
	values := map[string]float64{}
	for _, r := range records {
		if r.Algorithm == "flex" && r.Objective != nil {
			values[r.Instance] = *r.Objective
		}
	}
	for i := range records {
		r := &records[i]
		var n int
		_, _ = fmt.Sscanf(r.Instance, "f%d", &n)
		r.Factors = fake.Ptr(fmt.Sprintf(`{"load":%g}`, []float64{0.5, 0.7}[n/4%2]))
		lose := func(r *bench.Record, status bench.Status) {
			r.Status, r.Objective, r.Feasible = string(status), nil, nil
		}
		if value, known := values[r.Instance]; known && r.Algorithm == "fair" && r.Objective != nil && n%4 == 1 {
			r.Objective = fake.Ptr(value * (1 + 1e-12))
		}
		switch {
		case r.Algorithm == "flex-ls" && n%10 < 3, r.Algorithm == "fifo" && n == 5:
			lose(r, bench.Timeout)
		case r.Algorithm == "spt" && r.Seed == 1 && r.Objective != nil:
			again := *r
			again.Seed, again.UnitID, again.Objective = 2, r.UnitID+"/2", fake.Ptr(*r.Objective+math.Abs(*r.Objective)/10)
			if n%8 > 5 {
				lose(&again, bench.Crash)
			}
			records = append(records, again)
		}
	}
	return records
}

// means holds every mean and worst case of every table of a report to the recipes' answers: over all instances, by family and by
// factor, of ratios and of regrets.
func means(t *testing.T, p *summary.Problem, got map[string][]map[string]any) {
	t.Helper()
	asked := map[string]int{}
	infinite := 0
	hold := func(recipe string, is func(row map[string]any) bool, instances, compared, unsolved int, want map[string]float64) {
		t.Helper()
		asked[recipe]++
		rows := slices.DeleteFunc(slices.Clone(got[recipe]), func(row map[string]any) bool { return !is(row) })
		switch {
		case instances == 0 && len(rows) == 0:
			return
		case len(rows) != 1:
			t.Errorf("%s: %d rows for one of the report's, %v", recipe, len(rows), rows)
			return
		}
		row := rows[0]
		if row["instances"] != float64(instances) || row["compared"] != float64(compared) || row["unsolved"] != float64(unsolved) {
			t.Errorf("%s: DuckDB has %v, the report %d instances, %d compared, %d unsolved", recipe, row, instances, compared, unsolved)
		}
		for column, x := range want {
			if math.IsInf(x, 1) {
				infinite++
			}
			if !(math.IsNaN(x) && row[column] == nil) && !near(row[column], x) {
				t.Errorf("%s: DuckDB has %v, the report %s %v", recipe, row, column, x)
			}
		}
	}
	for _, r := range p.Ratios {
		if r.Mark != "" {
			continue // their values leave out a constraint
		}
		of := func(row map[string]any) bool { return row["algorithm"] == r.Label && row["reference"] == r.Reference }
		here := func(row map[string]any) bool { return of(row) && row["regret"] == r.Regret }
		k, n := r.OptimalOf()
		lead, worst := r.Lead(), summary.Worst{Lo: summary.Missing, Hi: summary.Missing}
		if r.Worst != nil {
			worst = *r.Worst
		}
		ends := map[string]float64{"mean_lo": float64(lead.Lo), "mean_hi": float64(lead.Hi)}
		switch {
		case r.By() == "family":
			hold("by family", func(row map[string]any) bool { return here(row) && row["family"] == r.Class.String() }, n, r.Compared, r.Unsolved, ends)
		case r.Regret:
			hold("regret", of, n, r.Compared, r.Unsolved, map[string]float64{
				"regret_lo": float64(r.Mean.Lo), "regret_hi": float64(r.Mean.Hi), "ratio_lo": float64(r.GeoMean.Lo),
				"ratio_hi": float64(r.GeoMean.Hi), "worst_lo": float64(worst.Lo), "worst_hi": float64(worst.Hi),
			})
		default:
			hold("geometric mean ratio", of, n, r.Compared, r.Unsolved, map[string]float64{
				"ratio_lo": float64(r.GeoMean.Lo), "ratio_hi": float64(r.GeoMean.Hi), "arithmetic_lo": float64(r.Mean.Lo),
				"arithmetic_hi": float64(r.Mean.Hi), "worst_lo": float64(worst.Lo), "worst_hi": float64(worst.Hi),
			})
		}
		if r.By() == "" {
			i := slices.IndexFunc(got["optimal"], here)
			asked["optimal"]++
			if i < 0 || got["optimal"][i]["instances"] != float64(n) || got["optimal"][i]["optimal"] != any(float64(k)) && !r.Outside ||
				r.Outside && got["optimal"][i]["optimal"] != nil {
				t.Errorf("%s is optimal to %s on %d of %d (outside: %v), DuckDB has row %d of %v", r.Label, r.Reference, k, n, r.Outside, i,
					got["optimal"])
			}
		}
	}
	for _, v := range p.Views {
		for _, variant := range v.Variants {
			if variant.Mark == "" {
				byFactor(v, variant, func(load string, n, compared, unsolved int, lo, hi float64) {
					hold("by factor", func(row map[string]any) bool {
						return row["algorithm"] == variant.Label && row["reference"] == v.Reference && row["regret"] == v.Regret &&
							row["factor"] == "load" && row["value"] == load
					}, n, compared, unsolved, map[string]float64{"mean_lo": lo, "mean_hi": hi})
				})
			}
		}
	}
	for _, recipe := range []string{"geometric mean ratio", "regret", "by family", "by factor", "optimal"} {
		if asked[recipe] < 8 {
			t.Errorf("%s: only %d rows were held to the report's", recipe, asked[recipe])
		}
	}
	if infinite < 8 {
		t.Errorf("only %d means are infinite", infinite)
	}
	first := got["geometric mean ratio"][0]
	if first["unsolved"] != 0.0 || strings.HasPrefix(first["algorithm"].(string), "flex-ls") {
		t.Errorf("the first is %v", first)
	}
}

// byFactor yields the means of a variant's cells at each value of the factor load.
func byFactor(v *summary.View, variant *summary.Variant, yield func(load string, n, compared, unsolved int, lo, hi float64)) {
	mean := stats.GeoMean
	if v.Regret {
		mean = stats.Mean
	}
	for _, load := range []string{"0.5", "0.7"} {
		var los, his []float64
		n, unsolved := 0, 0
		for _, c := range v.Cells[variant] {
			if fmt.Sprint(c.In.Factors["load"]) != load {
				continue
			}
			n++
			if c.Counted() {
				los, his = append(los, c.Lo), append(his, c.Hi)
				if c.Failed {
					unsolved++
				}
			}
		}
		yield(load, n, len(los)-unsolved, unsolved, mean(los), mean(his))
	}
}
