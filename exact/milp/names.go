package milp

import (
	"fmt"
	"strings"
)

// nameLength keeps names well below the limit of 100 characters that cbc's LP reader has.
const nameLength = 48

// keywords of the MPS and LP formats, which no name may be, in any case.
var keywords = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(`min minimum minimize minimise max maximum maximize maximise subject such st s.t. st. to
		that bound bounds free inf infinity general generals gen integer integers int binary binaries bin semi semis
		semi-continuous sos sos1 sos2 end endata name rows columns rhs range ranges marker objsense objective`) {
		words[w] = true
	}
	return words
}()

// Names returns the names that WriteMPS and WriteLP give to m's columns and rows, in m's order. They are m's own as far
// as both formats allow: other characters than letters, digits, underscores and dots become underscores, a leading
// underscore is put before what could be read as a number or keyword, long names are cut, and repeated names are
// numbered.
func Names(m *Model) (cols, rows []string) {
	f := newFile(m)
	for _, c := range f.Cols[:len(m.Cols)] {
		cols = append(cols, c.Name)
	}
	for _, r := range f.Rows[:len(m.Rows)] {
		rows = append(rows, r.Name)
	}
	return cols, rows
}

// A namer hands out names that both formats accept, each only once.
type namer struct {
	used map[string]bool
	next map[string]int // the next number to try behind a repeated name
}

func newNamer() *namer { return &namer{used: map[string]bool{}, next: map[string]int{}} }

// name returns want without forbidden characters, or fallback if none is left.
func (n *namer) name(want, fallback string) string {
	base := sanitize(want)
	if base == "" {
		base = fallback
	}
	name := base
	for n.used[name] {
		n.next[base] = max(n.next[base], 1) + 1
		name = fmt.Sprintf("%s_%d", base, n.next[base])
	}
	n.used[name] = true
	return name
}

func sanitize(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_':
			if gap {
				b.WriteByte('_')
				gap = false
			}
			b.WriteRune(r)
		default:
			gap = true
		}
		if b.Len() >= nameLength {
			break
		}
	}
	name := b.String()
	switch lower := strings.ToLower(name); {
	case name == "":
		return ""
	case lower[0] == '.', lower[0] >= '0' && lower[0] <= '9', keywords[lower]:
		return "_" + name
	case lower[0] == 'e' && strings.Trim(lower[1:], "e.0123456789") == "": // 2 e3 could be read as the number 2e3
		return "_" + name
	}
	return name
}
