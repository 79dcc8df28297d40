package proof_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"schedgap/models/fail"
	"schedgap/models/proof"
)

const header = `{"format":"schedgap-proof","version":1,"problem":"p","instance":"i","instance_sha256":"s","reference":"r","kind":"k","value":null,"bound":1}`

// packed is the gzip of lines, the last of them again and again.
func packed(tb testing.TB, again int, lines ...string) []byte {
	tb.Helper()
	var file bytes.Buffer
	z := gzip.NewWriter(&file)
	for i, line := range lines {
		text := line + "\n"
		if i == len(lines)-1 {
			text = strings.Repeat(text, again)
		}
		if _, err := z.Write([]byte(text)); err != nil {
			tb.Fatal(err)
		}
	}
	fail.On(tb, z.Close())
	return file.Bytes()
}

// What is no proof is refused in one sentence that names the line and the value; fields are known by their exact names and come
// once.
func TestRead(t *testing.T) {
	changed := func(from, to string) string { return strings.Replace(header, from, to, 1) }
	for want, file := range map[string][]byte{
		"":                             packed(t, 1, header, `{"a":[1]}`),
		"ends too early":               packed(t, 1, ""),
		"line 2: is not JSON":          packed(t, 1, header, "", "{}"),
		`Bound: unknown field`:         packed(t, 1, changed(`"kind"`, `"Bound":2,"kind"`)),
		`duplicate key "bound"`:        packed(t, 1, changed(`"kind"`, `"bound":2,"kind"`)),
		"1e400 is not a finite number": packed(t, 1, changed(`"bound":1`, `"bound":1e400`)),
		"version: 1.5 is no integer":   packed(t, 1, changed(`"version":1`, `"version":1.5`)),
		"kind: required":               packed(t, 1, changed(`"kind":"k",`, ``)),
		"not compressed":               []byte(header),
		"no header of a proof":         packed(t, 1, changed(`"k"`, `"`+strings.Repeat("k", 1<<20)+`"`)),
	} {
		p, err := proof.Read(file)
		if want == "" && (err != nil || len(p.Lines) != 1) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A few kilobytes that gzip makes of many short lines take no more memory than their text would.
func TestReadOfBomb(t *testing.T) {
	file := packed(t, 1<<24, header, "")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := proof.Read(file)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "lines") {
		t.Error(err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 16<<20 {
		t.Errorf("%d bytes of memory for a file of %d", taken, len(file))
	}
}

// A line is read into lists that are as long as it says, and integers keep all their digits.
func TestDecode(t *testing.T) {
	type inner struct {
		Pairs [][2]int `json:"pairs"`
		More  []int64  `json:"more,omitempty"`
	}
	var to struct {
		In *inner `json:"in"`
		Of []bool `json:"of"`
	}
	if err := proof.Decode([]byte(`{"in":{"pairs":[[1,2]],"more":[9007199254740993]},"of":null}`), &to); err != nil ||
		to.In.Pairs[0] != [2]int{1, 2} ||
		to.In.More[0] != 1<<53+1 || to.Of != nil {
		t.Errorf("%v, %+v", err, to)
	}
	for want, line := range map[string]string{
		"in.pairs[0]: must have 2 elements, not 3": `{"in":{"pairs":[[1,2,3]]},"of":[]}`,
		"in.pairs[0][1]: must be an integer":       `{"in":{"pairs":[[1,"2"]]},"of":[]}`,
		"of: required field is missing":            `{"in":null}`,
		"in.less: unknown field":                   `{"in":{"pairs":[],"less":1},"of":[]}`,
	} {
		if err := proof.Decode([]byte(line), &to); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}
