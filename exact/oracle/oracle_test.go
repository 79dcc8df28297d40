package oracle

import (
	"testing"

	"schedgap/models/flex"
)

// The packing scheme completes j1 with j2, 7e-10 of a slot before it has done all its work: by that it is in time.
func TestMergedCompletions(t *testing.T) {
	optima, err := Optima("flex", []byte(`{"problem":"flex","version":1,"name":"merged","slots":6,
 "objective":{"metric":"sla","aggregate":"sum","weighted":false},"jobs":[
 {"id":"j1","work":1355.5300446378274,"min":2,"max":5,"weight":5,"steps":[{"at":677.7650216406968,"penalty":1}]},
 {"id":"j2","work":1355.5300446391827,"min":0,"max":4,"weight":4,"steps":[{"at":311.2840993455166,"penalty":22884},
  {"at":609.9885200866156,"penalty":45768},{"at":762.4856501082695,"penalty":68652}]},
 {"id":"j3","work":1355.5300446337608,"min":1,"max":3,"weight":4,"steps":[{"at":451.8433482112536,"penalty":22884},
  {"at":492.99976533247326,"penalty":45768},{"at":616.2497066655916,"penalty":68652}]}]}`))
	if err != nil || optima[flex.OptMPS] != (Optimum{45768, 45769}) || optima[flex.Opt] != (Optimum{45768, 45768}) {
		t.Errorf("%v, %v", optima, err)
	}
}
