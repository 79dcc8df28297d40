package renaming

import (
	"strings"
	"testing"
)

// TestBetween: parts that refer to others, and phases of different jobs by the same names, differ by what they are; words
// that are no names, and numbers in an order that means something, are not exchanged.
func TestBetween(t *testing.T) {
	const graph = `{"problem":"cloning","version":1,"name":"x","max_copies":2,"speeds":[1,2],"kind":"a","jobs":[
 {"id":"a","phases":[{"id":"p","parents":[],"w":1},{"id":"q","parents":["p"],"w":1},{"id":"r","parents":["p","q"],"w":1}]},
 {"id":"b","phases":[{"id":"q","parents":[],"w":1},{"id":"p","parents":["q"],"w":1},{"id":"r","parents":["q"],"w":1}]}]}`
	const same = `{"problem":"cloning","version":1,"name":"y","max_copies":2,"speeds":[1,2],"kind":"a","jobs":[
 {"id":"z","phases":[{"id":"r","parents":["p"],"w":1},{"id":"p","parents":[],"w":1},{"id":"q","parents":["p"],"w":1}]},
 {"id":"a","phases":[{"id":"1","parents":["2","3"],"w":1},{"id":"3","parents":["2"],"w":1},{"id":"2","parents":[],"w":1}]}]}`
	n, err := Between([]byte(graph), []byte(same))
	if err != nil || n == nil {
		t.Fatalf("not found: %v", err)
	}
	got, err := n.Solution([]byte(`{"instance":"x","copies":[{"task":["a","q",1]},{"task":["b","q",0]}],
 "by":{"a":{"p":2},"b":{"q":1}}}`), "y")
	const want = `{"by":{"a":{"2":2},"z":{"p":1}},"copies":[{"task":["a","3",1]},{"task":["z","p",0]}],"instance":"y"}`
	if err != nil || string(got) != want {
		t.Errorf("%s, want %s (%v)", got, want, err)
	}
	for _, change := range [][2]string{
		{`"kind":"a"`, `"kind":"b"`},
		{`"speeds":[1,2]`, `"speeds":[2,1]`},
		{`["2","3"]`, `["3"]`},
		{`"max_copies":2`, `"max_copies":3`},
		{`"parents":[],"w":1},{"id":"q"`, `"parents":[],"w":2},{"id":"q"`},
	} {
		if n, err := Between([]byte(graph), []byte(strings.Replace(same, change[0], change[1], 1))); n != nil || err != nil {
			t.Errorf("with %s it is taken for the same: %v", change[1], err)
		}
	}
}

// TestBetweenKeys: names that are keys are exchanged as well, and only where they are names.
func TestBetweenKeys(t *testing.T) {
	const pairs = `{"name":"x","stragglers":[{"id":"a","finish":1},{"id":"b","finish":2}],
 "slots":[{"id":"u","start":1},{"id":"v","start":2}],
 "metric":"a","resources":["a","b"],"copy_time":{"a":{"u":3},"b":{"u":4,"v":5}}}`
	const same = `{"name":"y","stragglers":[{"id":"v","finish":2},{"id":"u","finish":1}],
 "slots":[{"id":"q","start":1},{"id":"p","start":2}],
 "metric":"a","resources":["a","b"],"copy_time":{"u":{"q":3},"v":{"p":5,"q":4}}}`
	n, err := Between([]byte(pairs), []byte(same))
	if err != nil || n == nil {
		t.Fatalf("not found: %v", err)
	}
	got, err := n.Solution([]byte(`{"instance":"x","objective":1,"assign":{"a":"u","b":"v"}}`), "y", "objective")
	if want := `{"assign":{"u":"q","v":"p"},"instance":"y"}`; err != nil || string(got) != want {
		t.Errorf("%s, want %s (%v)", got, want, err)
	}
	for _, change := range [][2]string{
		{`"u":{"q":3}`, `"u":{"p":3}`},
		{`"metric":"a"`, `"metric":"u"`},
		{`["a","b"]`, `["u","v"]`},
	} {
		if n, err := Between([]byte(pairs), []byte(strings.Replace(same, change[0], change[1], 1))); n != nil || err != nil {
			t.Errorf("with %s it is taken for the same: %v", change[1], err)
		}
	}
}
