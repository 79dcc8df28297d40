package paper

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"

	"schedgap/bench"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/plots"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

func report(t *testing.T) *summary.Report {
	t.Helper()
	records, instances := fake.Experiment(20, rand.New(rand.NewPCG(1, 2)))
	set, err := ratio.New(ratio.Input{
		Records: ratio.Pack(records), Problems: []*bench.Problem{fake.Problem()},
		Instance: instances.Find,
	})
	fail.On(t, err)
	return summary.New(set, nil, 1)
}

// TestFiles: each ratio stands in the table and in its macro with the same digits, macros have names that TeX takes and no two
// have one name, bold rows are those of all tables, and a narrow column leaves columns out from the end.
func TestFiles(t *testing.T) {
	r := report(t)
	columns, err := Columns("")
	fail.On(t, err)
	files, err := Files(r, Options{Columns: columns}, nil)
	fail.On(t, err)
	macros := map[string]string{}
	for _, m := range regexp.MustCompile(`\\newcommand\{\\([A-Za-z]+)\}\{(.*)\}\n`).FindAllStringSubmatch(string(
		files["numbers.tex"]), -1) {
		if macros[m[1]] != "" {
			t.Errorf("%s is defined twice", m[1])
		}
		macros[m[1]] = m[2]
	}
	if n := strings.Count(string(files["numbers.tex"]), "\\newcommand"); n != len(macros) || n < 20 {
		t.Fatalf("%d macros of %d have a name that TeX takes", len(macros), n)
	}
	table := string(files["tables/flex-opt.tex"])
	for _, row := range r.Problems[0].Table("opt", false) {
		want := macros["flexOpt"+Spell(row.Label)+"Mean"]
		if want == "" {
			want = macros["flexOpt"+Spell(row.Label)+"MeanLo"]
		}
		if row.Compared > 0 && (want == "" || !strings.Contains(table, want)) {
			t.Errorf("%s: %q is not in the table", row.Label, want)
		}
		got := macros["flexOpt"+Spell(row.Label)+"Optimal"]
		if share := words.Percent(row.OptimalOf()) + `\,\%`; got != share && !row.Outside {
			t.Errorf("%s: %q are optimal, want %q as on the page", row.Label, got, share)
		}
		for line := range strings.Lines(table) {
			if strings.Contains(line, row.Label) && strings.Contains(line, want) && strings.Contains(line, `\textbf{`+want) != row.Bold {
				t.Errorf("bold is %v: %s", row.Bold, line)
			}
		}
	}
	if !strings.Contains(string(files["references.bib"]), "wolf2010flex") ||
		!strings.Contains(string(files["page.tex"]), "tables/flex-opt") {
		t.Error("the page or the references lack what the report is about")
	}
	narrow, err := Files(r, Options{Columns: columns, Paper: plots.Paper{Width: 2 * vg.Inch}}, nil)
	fail.On(t, err)
	if s := string(narrow["tables/flex-opt.tex"]); strings.Contains(s, "optimal") || !strings.Contains(s, "mean") {
		t.Errorf("2 inches hold\n%s", s)
	}
	if _, err := Columns("mean,median,mean"); err == nil {
		t.Error("a column named twice is taken")
	}
	if _, err := Columns("average"); err == nil {
		t.Error("an unknown column is taken")
	}
}

// TestEscape: nothing in a name is a command of TeX.
func TestEscape(t *testing.T) {
	if got := Escape("Σ w·C of 任务"); got != `$\Sigma$ w·C of U+4EFBU+52A1` {
		t.Error(got)
	}
	if got := Escape(`a_b%c\input{x}$^~#&µ≤`); got != `a\_b\%c\textbackslash{}input\{x\}\$\textasciicircum{}\textasciitilde{}\#\&\textmu{}$\le$` {
		t.Error(got)
	}
}

// TestSpell: the macro of a name depends on the name alone, and no two names have one.
func TestSpell(t *testing.T) {
	for name, want := range map[string]string{
		"my-heur": "MyDashHeur", "my_heur": "MyUnderHeur", "fifo*": "FifoStar", "lpt2": "LptTwo", "MyHeur": "CapMyCapHeur", "dash": "WordDash",
		"flex (copies=2)": "FlexSpaceOpenCopiesIsTwoClose", "é": "RuneAaaaoj", "shed+": "ShedPlus",
	} {
		if got := Spell(name); got != want {
			t.Errorf("%q is %s, want %s", name, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.StringMatching(`(dash|under|cap|word|two|rune|[aA_\-+2 ])*`))
		a, b := name.Draw(t, "a"), name.Draw(t, "b")
		if !utf8.ValidString(a) || !utf8.ValidString(b) {
			t.Skip()
		}
		if a != b && Spell(a) == Spell(b) || a != "" && !regexp.MustCompile("^[A-Za-z]+$").MatchString(Spell(a)) {
			t.Fatalf("%q and %q are %s and %s", a, b, Spell(a), Spell(b))
		}
	})
}
