package milp_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/exact/milp"
)

// random is a model with columns and rows of every kind, whose names both formats take.
func random(rng *rand.Rand) *milp.Model {
	m := &milp.Model{Name: "m"}
	ends := []float64{-milp.Inf, -3, 0, 0.5, 4, milp.Inf}
	interval := func() (lo, hi float64) {
		lo, hi = ends[rng.IntN(5)], ends[1+rng.IntN(5)]
		if lo > hi {
			lo, hi = hi, lo
		}
		return lo, hi
	}
	for j := range 1 + rng.IntN(6) {
		c := milp.Col{Name: fmt.Sprintf("x_%d", j), Cost: float64(rng.IntN(7)-3) / 4, Integer: rng.IntN(2) == 0}
		c.Lo, c.Hi = interval()
		if c.Integer {
			c.Lo, c.Hi = math.Ceil(c.Lo), math.Ceil(c.Hi)
		}
		m.AddCol(c)
	}
	for i := range rng.IntN(5) {
		var terms []milp.Term
		for j := range m.Cols {
			if rng.IntN(2) == 0 {
				terms = append(terms, milp.Term{Col: j, Coef: float64(1+rng.IntN(9)) * (0.5 - float64(rng.IntN(2)))})
			}
		}
		lo, hi := interval()
		if terms != nil && !(math.IsInf(lo, -1) && math.IsInf(hi, 1)) {
			m.AddRow(fmt.Sprintf("r_%d", i), lo, hi, terms...)
		}
	}
	return m
}

// TestReadBack: what the writers write is read as the same model. In LP a ranged row comes back as two, whose intervals are joined here.
func TestReadBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		want := random(rng)
		for format, f := range map[string]struct {
			write func(b *bytes.Buffer) error
			read  func(string, []byte) (*milp.Model, error)
		}{
			"lp":  {func(b *bytes.Buffer) error { return milp.WriteLP(b, want) }, milp.ReadLP},
			"mps": {func(b *bytes.Buffer) error { return milp.WriteMPS(b, want) }, milp.ReadMPS},
		} {
			var b bytes.Buffer
			if err := f.write(&b); err != nil {
				t.Fatal(err)
			}
			got, err := f.read("m", b.Bytes())
			if err != nil {
				t.Fatalf("%s: %v\n%s", format, err, &b)
			}
			var rows []milp.Row
			for _, r := range got.Rows {
				if n := len(rows); strings.HasSuffix(r.Name, "_hi") {
					rows[n-1].Hi = r.Hi
				} else if r.Name != "none" {
					rows = append(rows, r)
				}
			}
			got.Rows = rows
			if len(got.Cols) != len(want.Cols) || !cmp.Equal(got, want) {
				t.Fatalf("%s: %s\n%s", format, cmp.Diff(want, got), &b)
			}
		}
	}
}

// TestReadLP reads what programs and people write.
func TestReadLP(t *testing.T) {
	inf := milp.Inf
	_, err := milp.ReadLP("m", []byte(`\ a comment
MAXIMIZE
 profit: 3x + 2.5e0 y - z + 7
subject to
 c1: x + y
     + 2 z <= 10
 -2 <= x - y <= 8 \ a range without a name
 c3: x => 1
 - x + z >= -5
 c5: x + 1 <= 2 y + 4
 5 >= z
bounds
 y <= 4
 -infinity <= z <= 1e30
 -3 <= w2
Generals
 x
Binaries
 b
End
`))
	if err == nil || !strings.Contains(err.Error(), `no row and no objective has the column at "w2"`) || !strings.HasPrefix(err.Error(), "line 15:") {
		t.Errorf("%v", err)
	}
	m, err := milp.ReadLP("m", []byte("max\n 3x + 2.5e0 y - z + 7 + b\nst\n c1: x + y\n + 2 z <= 10\n -2 <= x - y <= 8\n c3: x => 1\n"+
		" - x + z >= -5\n c5: x + 1 <= 2 y + 4\n 5 >= z\nbounds\n y <= 4\n -infinity <= z <= 1e30\n x free\nint\n x\nbin\n b\nend\n"))
	if err != nil {
		t.Fatal(err)
	}
	term := func(j int, c float64) milp.Term { return milp.Term{Col: j, Coef: c} }
	want := &milp.Model{
		Name: "m", Maximize: true, Offset: 7,
		Cols: []milp.Col{
			{Name: "x", Lo: -inf, Hi: inf, Cost: 3, Integer: true},
			{Name: "y", Hi: 4, Cost: 2.5},
			{Name: "z", Lo: -inf, Hi: inf, Cost: -1},
			{Name: "b", Hi: 1, Cost: 1, Integer: true},
		},
		Rows: []milp.Row{
			{Name: "c1", Lo: -inf, Hi: 10, Terms: []milp.Term{term(0, 1), term(1, 1), term(2, 2)}},
			{Name: "R2", Lo: -2, Hi: 8, Terms: []milp.Term{term(0, 1), term(1, -1)}},
			{Name: "c3", Lo: 1, Hi: inf, Terms: []milp.Term{term(0, 1)}},
			{Name: "R4", Lo: -5, Hi: inf, Terms: []milp.Term{term(0, -1), term(2, 1)}},
			{Name: "c5", Lo: -inf, Hi: 3, Terms: []milp.Term{term(0, 1), term(1, -2)}},
			{Name: "R6", Lo: -inf, Hi: 5, Terms: []milp.Term{term(2, 1)}},
		},
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Error(diff)
	}
}

// TestReadRefuses: each mistake is a sentence with its line.
func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                               "must finish with End",
		"x >= 1":                                         "line 1: a section",
		"min\n x\nst\n c: x + y\nend":                    "line 5: row c: a relation is expected",
		"min\n x\nst\n c: 2 3 x <= 1\nend":               "sign is missing",
		"min\n x\nst\n c: x <= \nend":                    "number is expected",
		"min\n x\nst\n c: [ x * y ] <= 1\nend":           "quadratic",
		"min\n x\nst\n c: x >= 1\nsos\n":                 "not read",
		"min\n x\nst\n c: x >= 1\nbin\n q\nend":          `line 6: the name of a column`,
		"min\n x\nst\n c: x >= 1\nbounds\n x <= -1\nend": "bounds [0, -1]",
		"min\n x\nst\n c: x == 1\nend":                   "no relation",
	} {
		if _, err := milp.ReadLP("m", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	const head = "NAME m\nROWS\n N obj\n L c\nCOLUMNS\n"
	for text, want := range map[string]string{
		"": "ENDATA", "NAME m\nROWS\n L c\nENDATA\n": "no row of type N",
		head + " x obj 1 d 2\nENDATA\n":                       `line 6: the row "d" is not declared`,
		head + " x obj one\nENDATA\n":                         `"one" must be a number`,
		head + " M 'MARKER' 'INTORG'\n x obj 1 c 1\nENDATA\n": "integer column x has no bound",
		head + " x obj 1 c 1\nBOUNDS\n UP b x -1\nENDATA\n":   "negative upper bound",
		head + " x obj 1 c 1\nBOUNDS\n SC b x 1\nENDATA\n":    `type "SC"`,
		head + " x obj 1 c 1\nBOUNDS\n UP b y 1\nENDATA\n":    `column "y"`,
		head + " x obj 1\nSOS\nENDATA\n":                      `section "SOS"`,
		"NAME m\nOBJSENSE\n least\nROWS\n N o\nENDATA\n":      `"least" must be`,
	} {
		if _, err := milp.ReadMPS("m", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	m, err := milp.ReadMPS("m", []byte("NAME\nOBJSENSE MAX\nROWS\n N o\n N other\n E e\n G g\nCOLUMNS\n x o 2 e 1\n x g 1 other 4\nRHS\n r o -3 e 5\n g 1\nRANGES\n e -2\n"+
		"r g 4\nBOUNDS\n UP x 9\nENDATA\n"))
	if err == nil || !strings.Contains(err.Error(), "section \"r\"") {
		t.Errorf("%v %v", m, err)
	}
}
