package strict_test

import (
	"testing"

	"schedgap/models/strict"
)

type part struct {
	id    string
	share float64
	count int
}

func decodePart(f strict.Fields) part {
	return part{
		id: f.ID("id"), share: f.Float("share", strict.AtLeast(0).And(strict.Below(1))),
		count: f.IntOr("count", 7, strict.AtLeast(1), strict.AtMost(1_000_000_000)),
	}
}

func decodeOwner(f strict.Fields) []part {
	return strict.List(f, "parts", decodePart, strict.NotEmpty, strict.Unique)
}

// Of several mistakes the first one in the order of reading is named; what follows it reads as zero.
func TestFields(t *testing.T) {
	for text, want := range map[string]string{
		`{"owners":[{"parts":[{"id":"a","share":0.5},{"id":"b","share":0,"count":2.0}]}],"names":{"x":[1,2]}}`: "",

		`{"owners":[],"names":{"x":[]}}`:                                        "",
		`{"owners":[],"names":{"x":[1,"2",0]}}`:                                 `f: names.x[1]: must be a number, not "2"`,
		`{"owners":[],"names":{"x":[1,0,"2"]}}`:                                 "f: names.x[1]: 0 must be between 1 and 1e+100",
		`{"owners":[],"names":[]}`:                                              "f: names: must be a JSON object, not an array",
		`{"owners":[],"names":{},"more":1}`:                                     "f: more: unknown field (value 1)",
		`{"names":{"x":1},"owners":1}`:                                          "f: owners: must be an array, not 1",
		`{"names":{"x":1}}`:                                                     "f: owners: required field is missing",
		`{"owners":[{"parts":[]}]}`:                                             "f: owners[0].parts: the list of parts must not be empty",
		`{"owners":[{"parts":[{"id":"a","share":1}]}]}`:                         "f: owners[0].parts[0].share: 1 must be at least 0 and less than 1",
		`{"owners":[{"parts":[{"id":"a","share":0,"count":0}]}]}`:               "f: owners[0].parts[0].count: 0 must be at least 1",
		`{"owners":[{"parts":[{"id":"a","share":0,"count":1000000001}]}]}`:      "f: owners[0].parts[0].count: 1000000001 must be at most 1000000000",
		`{"owners":[{"parts":[{"id":"a","share":0,"counts":1}],"x":2}]}`:        "f: owners[0].parts[0].counts: unknown field (value 1)",
		`{"owners":[{"parts":[{"id":"a","share":0}],"x":2},{}]}`:                "f: owners[0].x: unknown field (value 2)",
		`{"owners":[{"parts":[{"id":"a","share":0},{"id":"a","share":0}]}]}`:    `f: owners[0].parts[1].id: "a" is also the id of parts[0] of this owner`,
		`{"owners":[{"parts":[{"id":"a","share":0},{"id":"a","share":true}]}]}`: "f: owners[0].parts[1].share: must be a number, not true",
		`{"owners":[{"parts":[{"id":"a:b","share":2}]}],"names":1}`: `f: owners[0].parts[0].id: "a:b" is not an identifier: ` +
			"it must be non-empty and free of commas, colons and white space",
	} {
		f, err := strict.Parse("f", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		owners := strict.List(f, "owners", decodeOwner)
		var sum float64
		for _, list := range f.Map("names") {
			for _, v := range list.Array().All() {
				sum += v.Float(strict.Between(1, 1e100))
			}
		}
		err = f.Done()
		if err != nil {
			if err.Error() != want {
				t.Errorf("%s:\n got %v\nwant %s", text, err, want)
			}
			if f.Int("count") != 0 || f.TextOr("names", "") != "" || strict.Nested(f.Item("names"), decodePart) != (part{count: 7}) || f.Done() != err {
				t.Errorf("%s: read on after %v", text, err)
			}
		} else if want != "" {
			t.Errorf("%s: accepted, want %s", text, want)
		} else if len(owners) > 0 && (owners[0][0].count != 7 || owners[0][1] != part{"b", 0, 2} || sum != 3) {
			t.Errorf("%s: read as %v, %v", text, owners, sum)
		}
	}
}
