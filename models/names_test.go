package models_test

import (
	"strings"
	"testing"

	"schedgap/models"
)

// Names that print and nothing else are names, whatever the script.
func TestCheckName(t *testing.T) {
	for name, ok := range map[string]bool{
		"opt": true, "shed+": true, "größer 2": true, "算法": true, `a\b`: true, "a,b*": true, strings.Repeat("x", 200): true,
		"": false, " a": false, "a\n\\input{x}": false, "\x1b[2J": false, "a\u202eb": false, "a\u200bb": false, "\xff": false,
		"a\r":                    false,
		strings.Repeat("x", 201): false, "a\u2028b": false, "a\u0085b": false,
	} {
		if err := models.CheckName(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
		if shown := models.Printable(name, false); ok && shown != name || strings.ContainsAny(shown, "\n\r\x1b\u202e\u200b\u2028") {
			t.Errorf("%q is shown as %q", name, shown)
		}
	}
	if got := models.Printable("a\n\tb\x1b", true); got != "a\n\tb\\x1b" {
		t.Errorf("%q", got)
	}
	for id, ok := range map[string]bool{
		strings.Repeat("0f", 16): true, strings.Repeat("0F", 16): false, "../../settings": false, strings.Repeat("0f", 15): false,
	} {
		if models.IsHex(id, 32) != ok {
			t.Errorf("%q", id)
		}
	}
}
