package claims

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the digests of the papers' words")

const digests = "says.sha256"

// TestSays: the papers' words are those that were compared with the papers when their digests were written, letter by letter.
func TestSays(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	contradictions, err := Contradictions()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	line := func(name, says string) {
		lines = append(lines, fmt.Sprintf("%x  %s", sha256.Sum256([]byte(says)), name))
	}
	for _, c := range all {
		if c.Paper.Says != "" {
			line(c.ID, c.Paper.Says)
		}
	}
	for i, c := range contradictions {
		line(fmt.Sprintf("%s contradiction %d", c.Paper, i+1), strings.Join(c.Says, "\n"))
	}
	text := strings.Join(lines, "\n") + "\n"
	if *update {
		if err := os.WriteFile(digests, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(digests)
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Split(string(kept), "\n")
	for _, l := range lines {
		if !slices.Contains(known, l) {
			t.Errorf("%s: its words are not those that were compared with the paper", l[66:])
		}
	}
	if text != string(kept) {
		t.Error("compare the words with the paper, then: go test ./datasets/claims -run Says -update")
	}
}
