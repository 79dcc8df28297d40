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
	for _, ids := range []struct {
		prefix string
		count  int
	}{{"flex", 41}, {"shed", 72}, {"dollymp", 53}, {"redundancy", 31}, {"window", 54}} {
		for i := range ids.count {
			want = append(want, fmt.Sprintf("%s-c%02d", ids.prefix, i+1))
		}
	}
	if len(all) != 251 || len(want) != 251 {
		t.Errorf("%d claims, want %d", len(all), len(want))
	}
	for i := range min(len(all), len(want)) {
		if all[i].ID != want[i] {
			t.Fatalf("claim %d is %s, want %s", i+1, all[i].ID, want[i])
		}
		if all[i].Todo {
			t.Errorf("%s is still to be worked out", all[i].ID)
		}
	}
}

// TestFaults: a claim that is not whole is refused with a sentence that names file, claim and field.
func TestFaults(t *testing.T) {
	const head = "- id: shed-c01\n  statement: s\n  source: \"§1\"\n"
	const measured = head + "  kind: number\n  experiment: e\n  statistic: v(\"x\")\n"
	for _, c := range []struct{ text, says string }{
		{"- statement: s\n", "claim 1 has no id"},
		{head + "  kind: nubmer\n  missing: lost\n", `shed-c01: kind: "nubmer" must be`},
		{head + "  kind: number\n", "one of experiment, argument and missing"},
		{head + "  kind: number\n  argument: a\n  missing: b\n", "one of experiment, argument and missing"},
		{head + "  kind: number\n  mising: b\n", `unknown field "mising"`},
		{head + "  kind: number\n  paper: {low: 2, high: 1}\n  missing: b\n", "low 2 is above high 1"},
		{head + "  kind: number\n  experiment: e\n", "experiment and statistic belong together"},
		{measured + "  reading: r\n", "needs low, high or both"},
		{measured + "  paper: {low: 1}\n", "reading"},
		{measured + "  paper: {low: 1}\n  reading: r\n  also: e\n", "and another one"},
		{measured + "  paper: {low: 1}\n  reading: r\n  tolerance: {value: 1}\n", "needs a reason"},
		{measured + "  paper: {low: 1}\n  reading: r\n  refutes: true\n", "only a theorem"},
		{head + "  kind: theorem\n  argument: a\n  refutes: true\n", "only a theorem that is measured"},
	} {
		_, err := Parse("pocd.yaml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.HasPrefix(err.Error(), "pocd.yaml: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.text, err, c.says)
		}
	}
	if _, err := Parse("pocd.yaml", []byte(measured+"  paper: {low: 1}\n  reading: r\n")); err != nil {
		t.Error(err)
	}
}
