package flex_test

import (
	"fmt"
	"testing"

	verifyflex "schedgap/exact/verify/flex"
	"schedgap/exact/verify/verifytest"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

// farApart are instances in which a heavy job is in time, or exactly on its due date, by 2^40 times the value of the others.
var farApart = map[string]string{
	"tardiness": `{"problem":"flex","version":1,"name":"far","slots":3,
		"objective":{"metric":"tardiness","aggregate":"sum","weighted":true},"jobs":[
		{"id":"a","work":15,"weight":1024,"deadline":5.5},{"id":"b","work":27,"weight":1024,"deadline":10},
		{"id":"c","work":24,"weight":%v,"deadline":8}]}`,
	"lateness": `{"problem":"flex","version":1,"name":"far","slots":1,
		"objective":{"metric":"lateness","aggregate":"sum","weighted":true},"jobs":[
		{"id":"a","work":1,"weight":1,"deadline":0},{"id":"b","work":9,"weight":1,"deadline":0},
		{"id":"c","work":8,"weight":%v,"deadline":8}]}`,
}

// TestWeightsFarApart: the genuine proof proves the optimum to the last digit, whatever the heavy job weighs. Neither a worse
// solution with the bound of an empty leaf or any other bound is accepted, nor one in which the heavy job is late by its last digit.
func TestWeightsFarApart(t *testing.T) {
	for metric, text := range farApart {
		want, forged := 19968.0, [][]float64{{22, 17, 8}, {22.00000000000002, 17.00000000000001, 8.000000000000009}}
		if metric == "lateness" {
			want, forged = 27, [][]float64{{18, 17, 8}, {18.0000000001, 17.0000000001, 8}, {18.0000001, 17.0000001, 8.000000000000009}}
		}
		for _, weight := range []float64{0x1p40, 0x1p60, 1e30, 1e100} {
			in, err := flex.Problem.ParseInstance("far", fmt.Appendf(nil, text, weight))
			fail.On(t, err)
			_, value, c := optimum(t, in)
			if err := c.Check(verifytest.Read(t, c.File(t))); err != nil || value != want || c.Header.Value == nil || *c.Header.Value != want ||
				*c.Header.Bound != want {
				t.Errorf("%s, weight %v: %v, value %v, %+v", metric, weight, err, value, c.Header)
			}
			for _, times := range forged {
				worth, err := verifyflex.Value(in, times)
				fail.On(t, err)
				for _, bound := range []float64{10, 0.9 * want, want} {
					c.Header.Value, c.Header.Bound, c.Lines[0] = &worth, &bound, proof.Completions{Times: times}
					if err := c.Check(verifytest.Read(t, c.File(t))); err == nil {
						t.Errorf("%s, weight %v: %v is accepted with the bound %v", metric, weight, worth, bound)
					}
				}
			}
		}
	}
}
