package ratio_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"schedgap/bench"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

// The rows of instances by hand: who has the value and the bound, the gap between them, and whose proof was accepted. Of factors those
// divide instances of which there are several values, not more than twelve, and in the order of numbers.
func TestInstanceRows(t *testing.T) {
	proven := fake.Optimal(flex, "c", "opt", 8)
	proven.ProofVerified = fake.Ptr(string(bench.ProvenOptimum))
	other := fake.Solved(flex, "b", "fair", 10)
	other.ProofVerified = fake.Ptr(string(bench.ProvenOptimum)) // of a value that is not the optimum
	records := []bench.Record{
		fake.Bounded(flex, "a", "lb", 8, nil), fake.Solved(flex, "a", "fair", 10), fake.Solved(flex, "a", "flex", 12),
		fake.Optimal(flex, "b", "opt", 8), other, proven, fake.Row(flex, "d", "fair", bench.Crash),
		fake.Bounded(flex, "e", "lb", 20, nil), fake.Optimal(flex, "e", "opt", 10),
	}
	for i := range records {
		records[i].NJobs, records[i].NTasks, records[i].NMachines = fake.Ptr(int64(3)), fake.Ptr(int64(5)), fake.Ptr(int64(2))
		records[i].Factors = fake.Ptr(fmt.Sprintf(`{"load":%d,"same":1}`, map[string]int{"a": 10, "b": 9}[records[i].Instance]))
	}
	set := compare(t, nil, records...)
	var file bytes.Buffer
	if err := set.WriteInstances(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	rows, err := parquet.Read[ratio.InstanceRow](bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		if r.Reference != "opt" || *r.NJobs != 3 || *r.NTasks != 5 || *r.NMachines != 2 {
			continue
		}
		text, err := json.Marshal([]any{r.Instance, r.BestValue, r.ValueBy, r.BestBound, r.BoundBy, r.Proven, r.Verified, r.Gap, r.Trouble != nil})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(text))
	}
	want := []string{
		`["a",10,"fair",8,"lb",false,false,0.2,false]`, `["b",8,"opt",8,"opt",true,false,0,false]`,
		`["c",8,"opt",8,"opt",true,true,0,false]`, `["d",null,null,null,null,false,false,null,false]`,
		`["e",null,null,null,null,false,false,null,true]`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"load=0", "load=9", "load=10"}, set.Problems[0].Strata); d != "" {
		t.Error(d)
	}
}
