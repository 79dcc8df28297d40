package strict

import "bytes"

// The functions here move through text that is known to be valid JSON.

// space returns the position of the first byte from at on that is not white space.
func space(data []byte, at int) int {
	for at < len(data) && (data[at] == ' ' || data[at] == '\n' || data[at] == '\t' || data[at] == '\r') {
		at++
	}
	return at
}

// skipString returns the position behind the string that begins at at.
func skipString(data []byte, at int) int {
	for at++; at < len(data); at++ {
		switch data[at] {
		case '"':
			return at + 1
		case '\\':
			at++
		}
	}
	return len(data)
}

// skip returns the position behind the value that begins at at.
func skip(data []byte, at int) int {
	switch data[at] {
	case '"':
		return skipString(data, at)
	case '{', '[':
		depth := 0
		for at < len(data) {
			switch data[at] {
			case '"':
				at = skipString(data, at)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
			if at++; depth == 0 {
				break
			}
		}
		return at
	}
	for at < len(data) {
		switch data[at] {
		case ',', ']', '}', ' ', '\n', '\t', '\r':
			return at
		}
		at++
	}
	return at
}

// next returns the position of the element or key that follows the one ending at at, or false when none does.
func next(data []byte, at int) (int, bool) {
	if at = space(data, at); data[at] == ',' {
		return space(data, at+1), true
	}
	return at, false
}

// first returns the position of the first element or key of the array or object that begins at at, or false when it is empty.
func first(data []byte, at int) (int, bool) {
	at = space(data, at+1)
	return at, data[at] != ']' && data[at] != '}'
}

// colon returns the position of the value whose key ends at at.
func colon(data []byte, at int) int { return space(data, space(data, at)+1) }

func escaped(text []byte) bool { return bytes.IndexByte(text, '\\') >= 0 }
