package alibaba

import (
	"slices"
	"testing"
)

// Names of tasks say what they wait for, or that they belong to no DAG.
func TestDependencies(t *testing.T) {
	for _, tc := range []struct {
		name    string
		number  int32
		parents []int32
		dag     bool
	}{
		{"M1", 1, nil, true},
		{"R4_1_2_3", 4, []int32{1, 2, 3}, true},
		{"J2_1_4", 2, []int32{1, 4}, true},
		{"R2_1_Stg8", 2, []int32{1}, true},
		{"L5_Stg12", 5, nil, true},
		{"J30_4_25_", 30, []int32{4, 25}, true}, // cut off by the publisher
		{"task_Nzg3", -1, nil, false},
		{"MergeTask", -1, nil, false},
		{"M1_x", -1, nil, false},
		{"1_2", -1, nil, false},
		{"", -1, nil, false},
		{"_1", -1, nil, false},
		{"M99999999999", -1, nil, false},
		{"M1_-2", -1, nil, false},
	} {
		number, parents, dag := dependencies(tc.name)
		if number != tc.number || !slices.Equal(parents, tc.parents) || dag != tc.dag {
			t.Errorf("%q: %d, %v, %v; want %d, %v, %v", tc.name, number, parents, dag, tc.number, tc.parents, tc.dag)
		}
	}
}
