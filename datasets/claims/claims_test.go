package claims

import (
	"fmt"
	"strings"
	"testing"
)

// TestAll: every claim of every paper is there, once and in order.
func TestAll(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, p := range Papers {
		for i := range p.Count {
			want = append(want, fmt.Sprintf("%s-c%02d", p.Prefix, i+1))
		}
	}
	if len(all) != 265 || len(want) != len(all) {
		t.Errorf("%d claims, want %d", len(all), len(want))
	}
	for i := range min(len(all), len(want)) {
		if all[i].ID != want[i] {
			t.Fatalf("claim %d is %s, want %s", i+1, all[i].ID, want[i])
		}
	}
}

// TestFaults: a claim that is not whole is refused with a sentence that names file, claim and field.
func TestFaults(t *testing.T) {
	const head = "- id: shed-c01\n  statement: s\n  source: \"§1\"\n"
	const measured = head + "  kind: number\n  experiment: e\n  statistic: v(\"x\")\n"
	const whole = "  paper: {low: 1, says: w}\n  reading: r\n"
	for _, c := range []struct{ text, says string }{
		{"- statement: s\n", "claim 1 has no id"},
		{head + "  kind: nubmer\n  missing: lost\n", `shed-c01: kind: "nubmer" must be`},
		{head + "  kind: number\n", "one of experiment, argument and missing"},
		{head + "  kind: number\n  argument: a\n  missing: b\n", "one of experiment, argument and missing"},
		{head + "  kind: number\n  mising: b\n", `unknown field "mising"`},
		{head + "  kind: number\n  paper: {low: 2, high: 1}\n  missing: b\n", "low 2 is above high 1"},
		{head + "  kind: number\n  experiment: e\n", "experiment and statistic belong together"},
		{measured + "  reading: r\n", "needs low, high or both"},
		{measured + "  paper: {low: 1}\n  reading: r\n", "says: what is measured needs the paper's words"},
		{measured + "  paper: {low: 1, says: w}\n", "reading"},
		{measured + "  paper: {low: 0, high: 0, says: w}\n  reading: r\n", "no decoy can be formed"},
		{measured + whole + "  also: e\n", "and another one"},
		{head + "  kind: number\n  missing: lost\n  unscored: weak\n", "unscored: only what is measured could be evidence"},
		{measured + whole + "  tolerance: {value: 1}\n", "needs a reason"},
		{measured + whole + "  refutes: true\n", "only a theorem"},
		{head + "  kind: order\n  curve: c\n  argument: a\n", "only numbers that are measured are on one"},
		{head + "  kind: theorem\n  argument: a\n  refutes: true\n", "only a theorem that is measured"},
	} {
		_, err := Parse("pocd.yaml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "pocd.yaml: ") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.text, err, c.says)
		}
	}
	if _, err := Parse("pocd.yaml", []byte(measured+whole)); err != nil {
		t.Error(err)
	}
}
