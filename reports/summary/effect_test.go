package summary

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"schedgap/bench"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

// TestEffects: values of a factor are compared on instances that differ in nothing else, and algorithms that never differ are
// named. Two jobs and three differ, copies 2 and 3 decide nothing, 1 and 2 decide something though the optimum is the same; an
// instance with another seed has no twin.
func TestEffects(t *testing.T) {
	p, in := fake.Problem(), fake.Instances{}
	var records []bench.Record
	lineages := map[string]string{}
	for k := range 2 {
		for jobs := 2; jobs <= 3; jobs++ {
			for copies := 1; copies <= 3; copies++ {
				name := fmt.Sprint("i", jobs, copies, k)
				best, fair := float64(10*jobs+k), float64(20*jobs+k)
				if copies == 1 && k == 0 {
					fair++
				}
				for algorithm, v := range map[string]float64{"opt": best, "fair": fair, "spt": fair} {
					r := fake.Solved(p, name, algorithm, v)
					if algorithm == "opt" {
						r = fake.Optimal(p, name, algorithm, v)
					}
					r.UnitID = name + algorithm
					factors := fmt.Sprintf(`{"jobs":%d,"max_copies":%d}`, jobs, copies)
					r.Factors, r.Source = &factors, "generate"
					records = append(records, r)
				}
				seed := 1
				if jobs == 3 && copies == 3 && k == 1 {
					seed = 2
				}
				lineages[name] = fmt.Sprintf(`{"generator":"flex","index":%d,"seed":%d}`, k, seed)
			}
		}
	}
	find := func(sha string) (*bench.Instance, error) {
		i, err := in.Find(sha)
		if err == nil {
			for _, r := range records {
				if r.InstanceSHA256 == sha {
					i.Lineage = json.RawMessage(lineages[r.Instance])
				}
			}
		}
		return i, err
	}
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: find})
	fail.On(t, err)
	levels, same := Effects(set.Problems[0])
	var got []string
	for _, l := range levels {
		got = append(got, l.Sentence())
	}
	for _, s := range same {
		got = append(got, s.Sentence())
	}
	want := []string{
		"jobs 2 and 3: differ on 5 of 5",
		"max_copies 1 and 2: algorithms differ on 2 of 4, but the optimum is equal on 4 of 4",
		"max_copies 2 and 3: equal on 3 of 3: this factor decides nothing here",
		"fair and spt never differ, on 12 instances",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if r := New(set, nil, 1).Problems[0]; len(r.Levels) != 3 || len(r.Same) != 1 {
		t.Errorf("the summary has %d pairs of levels and %d groups", len(r.Levels), len(r.Same))
	}
}
