package models

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the largest number of bytes in the name of a suite, an algorithm or an instance.
const maxName = 200

// CheckName refuses names that would tear the output apart, or show as something else than they are: those that are empty or
// longer than 200 bytes, begin or end with a space, or have control characters, line breaks or marks that change the direction
// of writing.
func CheckName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("%q must not be empty", name)
	case len(name) > maxName:
		return fmt.Errorf("a name of %d bytes; at most %d are allowed", len(name), maxName)
	case strings.TrimSpace(name) != name:
		return fmt.Errorf("%q must not begin or end with white space", name)
	case !plain(name):
		return fmt.Errorf("%q must not have control characters or others that do not print", name)
	}
	return nil
}

// plain reports whether all of s prints.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !printable(r) })
		}
	}
	return true
}

// printable has, beyond strconv.IsPrint, the spaces of other widths.
func printable(r rune) bool { return strconv.IsPrint(r) || unicode.Is(unicode.Zs, r) }

// Printable returns s with everything that does not print, such as control characters and marks that change the direction of
// writing, as Go escapes. Line breaks and tabs stay where lines is true.
func Printable(s string, lines bool) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case printable(r), lines && (r == '\n' || r == '\t'):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		i += n
	}
	return b.String()
}

// IsHex reports whether id consists of that many lower-case hexadecimal digits, as the ids of units (32) and the hashes of
// instances (64) do.
func IsHex(id string, digits int) bool {
	return len(id) == digits && strings.Trim(id, "0123456789abcdef") == ""
}
