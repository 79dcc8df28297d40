package pocd

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models"
)

// The tasks' copies are laid end to end; a task without extra copies has no bar.
func TestChart(t *testing.T) {
	in := &Instance{Jobs: []Job{{ID: "a", Tasks: []Task{{ID: "0"}, {ID: "1"}, {ID: "2"}}}}}
	want := models.Chart{Axis: "extra copies", Bars: []models.Bar{
		{Lane: "a", Label: "task 0", Start: 0, End: 2, Amount: 1},
		{Lane: "a", Label: "task 2", Start: 2, End: 3, Amount: 1},
	}}
	if d := cmp.Diff(want, chart(in, Copies{{2, 0, 1}})); d != "" {
		t.Error(d)
	}
}
