package kernel_test

import (
	"fmt"
	"strings"
	"testing"

	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
)

// Copies count if they matter: of 1,000 that the instance allows, five here, since the sixth adds nothing. 250 that matter have a space,
// 251 have none.
func TestManyCopies(t *testing.T) {
	for _, c := range []struct{ matter, gains int }{{5, 5}, {250, 250}, {251, 0}} {
		const allowed = 1000
		speedup := make([]string, allowed)
		for r := range speedup {
			speedup[r] = fmt.Sprint(1 + float64(min(r, c.matter-1))/1024)
		}
		file := fmt.Sprintf(`{"problem":"cloning","version":1,"name":"copies","max_copies":%d,"max_copies_per_server":%d,
			"servers":[{"id":"s","cpu":%d,"mem":%d}],"jobs":[{"id":"j","arrival":0,"phases":[
			{"id":"p","parents":[],"tasks":1,"cpu":1,"mem":1,"mean":2000,"sd":0,"speedup":[%s]}]}]}`,
			allowed, allowed, allowed, allowed, strings.Join(speedup, ","))
		in, err := cloning.Problem.ParseInstance("copies.json", []byte(file))
		if err != nil {
			t.Fatal(err)
		}
		space, err := kernel.New(in, false)
		switch {
		case c.gains == 0:
			if err == nil || !strings.Contains(err.Error(), "more than 250 copies that matter") {
				t.Errorf("%d copies that matter: %v", c.matter, err)
			}
		case err != nil:
			t.Errorf("%d copies that matter: %v", c.matter, err)
		case len(space.Phases[0].Gain) != c.gains:
			t.Errorf("%d copies that matter: %d gains", c.matter, len(space.Phases[0].Gain))
		}
	}
}
