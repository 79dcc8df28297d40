package nearest

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/trials/property"
)

func TestName(t *testing.T) {
	problems := []string{"flex", "pocd", "cloning", "redundancy", "speculation"}
	for _, c := range []struct {
		given, want string
		known       []string
	}{
		{"flux", "flex", problems},
		{"Flex", "flex", problems},
		{"flxe", "flex", problems},
		{"clonning", "cloning", problems},
		{"redundency", "redundancy", problems},
		{"spec", "speculation", problems},
		{"xx", "", problems},
		{"", "", problems},
		{"bitbrains", "", problems},
		{"a", "", []string{"b"}},
		{"slow", "", []string{"quick", "paper-flex"}},
		{"paper-flx", "paper-flex", []string{"quick", "paper-flex", "paper-flex-small"}},
		{"fifomin", "fifo-min", []string{"fair", "fifo", "fifo-min"}},
		{"rport", "report", []string{"run", "report"}},
		{"jbs", "jobs", []string{"jobs", "slots"}},
	} {
		if got := Name(c.given, c.known); got != c.want {
			t.Errorf("Name(%q) = %q, want %q", c.given, got, c.want)
		}
	}
}

// TestDistance: of all texts over a small alphabet, what a search over single edits reaches first is the distance where no
// swapped letter is edited again, and never less than it.
func TestDistance(t *testing.T) {
	text := rapid.SliceOfN(rapid.RuneFrom([]rune("ab")), 0, 4)
	property.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		d := distance(a, b)
		if d != distance(b, a) {
			t.Errorf("distance(%q, %q) = %d, the other way %d", string(a), string(b), d, distance(b, a))
		}
		if least := edits(a, b); d < least || d > max(len(a), len(b)) || (d == 0) != slices.Equal(a, b) || (d == 1) != (least == 1) {
			t.Errorf("distance(%q, %q) = %d, the least number of edits is %d", string(a), string(b), d, least)
		}
	})
}

// edits searches breadth first for the least number of edits from a to b.
func edits(a, b []rune) int {
	seen := map[string]bool{string(a): true}
	front := []string{string(a)}
	for n := 0; ; n++ {
		if slices.Contains(front, string(b)) {
			return n
		}
		var next []string
		add := func(parts ...[]rune) {
			s := string(slices.Concat(parts...))
			if !seen[s] && len(s) <= 5 {
				seen[s] = true
				next = append(next, s)
			}
		}
		for _, s := range front {
			r := []rune(s)
			for i := range len(r) + 1 {
				for _, l := range "ab" {
					add(r[:i], []rune{l}, r[i:])
					if i < len(r) {
						add(r[:i], []rune{l}, r[i+1:])
					}
				}
				if i < len(r) {
					add(r[:i], r[i+1:])
				}
				if i+1 < len(r) {
					add(r[:i], []rune{r[i+1], r[i]}, r[i+2:])
				}
			}
		}
		front = next
	}
}

// A text of megabytes, as a foreign row or a damaged file may have for a name, is like no name, which is seen without measuring
// it.
func TestLongText(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	if allocated := testing.AllocsPerRun(1, func() {
		if got := Name(long, []string{"flex", "flex-ls", "fair"}); got != "" {
			t.Errorf("near %q", got)
		}
	}); allocated > 100 {
		t.Errorf("%v allocations", allocated)
	}
}

// TestUnknown: of many names an error shows the five nearest, of few all.
func TestUnknown(t *testing.T) {
	var many []string
	for a := 'a'; a <= 'h'; a++ {
		for b := 'a'; b <= 'h'; b++ {
			many = append(many, "suite-of-"+strings.Repeat(string([]rune{a, b}), 6))
		}
	}
	for known, want := range map[int]string{3: "known: " + strings.Join(many[:3], ", "), 64: "(the nearest of 64)"} {
		text := Unknown("suite", "zzzz", many[:known]).Error()
		if !strings.HasSuffix(text, want) || strings.Count(text, "suite-of-") != min(known, 5) {
			t.Errorf("%d names: %s", known, text)
		}
	}
	if near := few("suite-of-ccccccccccc", many); len(near) != 5 || near[0] != "suite-of-cccccccccccc" {
		t.Errorf("%q", near)
	}
}
