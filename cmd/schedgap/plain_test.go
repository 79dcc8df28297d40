package main

import (
	"regexp"
	"strings"
	"testing"
)

// idioms are phrases that readers had to read twice, each with what to write instead.
var idioms = []struct {
	phrase  *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?i)\banew\b`), "again"},
	{regexp.MustCompile(`(?i)\b(leaves? away|left away)\b`), "leaves out"},
	{regexp.MustCompile(`(?i)\bthan than\b`), "than"},
	{regexp.MustCompile(`(?i)\bbecame of\b`), "how it ended"},
	{regexp.MustCompile(`(?i)\b(is|are) told\b`), "gets, receives, is called with"},
	{regexp.MustCompile(`(?i)\bone a unit\b`), "one for each unit"},
	{regexp.MustCompile(`(?i)[a-z,] but for (the|its|a|those|what|rounding)\b`), "except for"},
}

// docIdioms are those that help and docs do without; the papers' pages quote claims.
var docIdioms = regexp.MustCompile(`(?i)\b(to be had|says why|(nothing|much) is said of|of one's own|says? what there is|say of a)\b`)

// TestPlainEnglish: code, help and docs do without the phrases that readers stumbled over.
func TestPlainEnglish(t *testing.T) {
	t.Parallel()
	r := repository(t)
	for _, file := range r.texts {
		if file == "cmd/schedgap/plain_test.go" {
			continue
		}
		text := r.read(t, file)
		if docs := strings.HasPrefix(file, "docs/"); docs || file == "README.md" ||
			strings.HasPrefix(file, "cmd/") && !strings.HasSuffix(file, "_test.go") {
			if at := docIdioms.FindString(text); at != "" {
				t.Errorf("%s: %q is no plain English", file, at)
			}
		}
		for _, idiom := range idioms {
			for _, at := range idiom.phrase.FindAllStringIndex(text, -1) {
				t.Errorf("%s:%d: %q; write: %s", file, 1+strings.Count(text[:at[0]], "\n"), text[at[0]:at[1]], idiom.instead)
			}
		}
	}
}
