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
	"schedgap/models/fail"
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
			fail.On(t, f.write(&b))
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
	fail.On(t, err)
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
		"":                                 "must finish with End",
		"x >= 1":                           "line 1: a section",
		"min\n x\nst\n c: x + y\nend":      "line 5: row c: a relation is expected",
		"min\n x\nst\n c: 2 3 x <= 1\nend": `sign is missing before "3", or a relation at "x"`,
		"min\n x\nst\n c: x >= 1\n":        "must finish with End",
		"min\n x\nst\n c: x <=":            "number is expected",
		"min\n x -":                        "a number or a name is expected",
		"min\n x + .":                      "must finish with End",
		"min\n 2e":                         "must finish with End",
		"min\n 1e999 x\nend":               "line 2: the number 1e999 is too large",
		"min\n x + b\nst\n c: b = 1 -> x <= 2\nend":      `line 4: "-" begins a quadratic term or an indicator`,
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
		head + " x obj\nENDATA\n":                             "pairs of a row and a number are expected, not 2 words",
		head + " x obj 1\nBOUNDS\n FR\nENDATA\n":              "a column and perhaps a number are expected, not 1 words",
		head + " x obj 1\nBOUNDS\n UP x\nENDATA\n":            "a column and perhaps a number are expected, not 2 words",
		head + " x obj 1\nBOUNDS\n UP b\nENDATA\n":            "a column and perhaps a number are expected, not 2 words",
		head + " x obj 1\nBOUNDS\n UP b x one\nENDATA\n":      `column x: the bound "one" must be a number`,
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

// TestReadLPForms: what is rarely written, and yet is of the format.
func TestReadLPForms(t *testing.T) {
	inf := milp.Inf
	m, err := milp.ReadLP("m", []byte("min\n 3 * x + .5 À + 1.9e+2 !a + 2e-1 a!b\nst\n -2 <=\n x - À <= 8\n c1: x + 1 >= 3\n"+
		" c2: x <= 1 c3: À <= 2\n c4: x + À <= x + 3\n c5: x >= -1e30 c6: À <= 2\nbounds\n x <= 1e20\n À <= 9e19\n !a >= -1e20\nend\n"))
	fail.On(t, err)
	term := func(j int, c float64) milp.Term { return milp.Term{Col: j, Coef: c} }
	want := &milp.Model{
		Name: "m",
		Cols: []milp.Col{
			{Name: "x", Hi: inf, Cost: 3},
			{Name: "À", Hi: 9e19, Cost: 0.5},
			{Name: "!a", Lo: -inf, Hi: inf, Cost: 190},
			{Name: "a!b", Hi: inf, Cost: 0.2},
		},
		Rows: []milp.Row{
			{Name: "R1", Lo: -2, Hi: 8, Terms: []milp.Term{term(0, 1), term(1, -1)}},
			{Name: "c1", Lo: 2, Hi: inf, Terms: []milp.Term{term(0, 1)}},
			{Name: "c2", Lo: -inf, Hi: 1, Terms: []milp.Term{term(0, 1)}},
			{Name: "c3", Lo: -inf, Hi: 2, Terms: []milp.Term{term(1, 1)}},
			{Name: "c4", Lo: -inf, Hi: 3, Terms: []milp.Term{term(0, 0), term(1, 1)}},
			{Name: "c5", Lo: -inf, Hi: inf, Terms: []milp.Term{term(0, 1)}},
			{Name: "c6", Lo: -inf, Hi: 2, Terms: []milp.Term{term(1, 1)}},
		},
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Error(diff)
	}
}

// TestReadMPSForms: bounds with and without the name of their set, which may be a column's; ranges of all types of rows; a constant.
func TestReadMPSForms(t *testing.T) {
	inf := milp.Inf
	m, err := milp.ReadMPS("m", []byte("NAME\nOBJSENSE\n MAX\nROWS\n N o\n N other\n E e\n E d\n G g\n L l\nCOLUMNS\n x o 2 e 1\n x g 1 other 4\n"+
		" y d 1 l 1\n z l -1\n w l 2\n v l 3\nRHS\n r o -3 e 5\n r g 1 d 4\n l 6\nRANGES\n e -2\n d 2\n r g 4 l -5\nBOUNDS\n UP x 0\n UP x y 4\n"+
		" BV b z 1\n FR w\n UP b v 1e20\n LO v -9e19\nENDATA\n"))
	fail.On(t, err)
	term := func(j int, c float64) milp.Term { return milp.Term{Col: j, Coef: c} }
	want := &milp.Model{
		Name: "m", Maximize: true, Offset: 3,
		Cols: []milp.Col{
			{Name: "x", Cost: 2},
			{Name: "y", Hi: 4},
			{Name: "z", Hi: 1, Integer: true},
			{Name: "w", Lo: -inf, Hi: inf},
			{Name: "v", Lo: -9e19, Hi: inf},
		},
		Rows: []milp.Row{
			{Name: "e", Lo: 3, Hi: 5, Terms: []milp.Term{term(0, 1)}},
			{Name: "d", Lo: 4, Hi: 6, Terms: []milp.Term{term(1, 1)}},
			{Name: "g", Lo: 1, Hi: 5, Terms: []milp.Term{term(0, 1)}},
			{Name: "l", Lo: 1, Hi: 6, Terms: []milp.Term{term(1, 1), term(2, -1), term(3, 2), term(4, 3)}},
		},
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Error(diff)
	}
}
