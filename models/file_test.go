package models_test

import (
	"bytes"
	"testing"

	"schedgap/models/fail"
	"schedgap/models/flex"
)

// An instance file that was read and written again is the same file: keys sorted in the lineage, 64-bit numbers kept.
func TestInstanceFileRoundTrip(t *testing.T) {
	file := []byte(`{"problem":"flex","version":1,"name":"x","lineage":{"a":[1,2.5],"seed":18446744073709551615},` +
		`"slots":2,"objective":{"metric":"response","aggregate":"sum","weighted":false},` +
		`"jobs":[{"id":"a","work":2,"min":0,"max":2,"weight":1}]}` + "\n")
	in, err := flex.Problem.ParseInstance("x.json", file)
	fail.On(t, err)
	again, err := flex.Problem.MarshalInstance(in)
	fail.On(t, err)
	if !bytes.Equal(again, file) {
		t.Errorf("got  %s\nwant %s", again, file)
	}
}
