package external

// A span is the place of a JSON value in a command's output.
type span struct{ from, to int64 }

// A sequence finds the ends of the objects in a sequence of JSON values, reading the bytes once and in order. It does not check
// the values; their reader does.
type sequence struct {
	at      int64 // of the next byte
	from    int64 // of the object that is open
	depth   int   // of open brackets
	quoted  bool  // inside a string
	escaped bool  // after a backslash
	foreign bool  // there is something else than objects
	values  int   // complete ones
	last    span  // of them
}

// see takes the next bytes and calls complete with every object that ends in them.
func (s *sequence) see(b []byte, complete func(span)) {
	for _, c := range b {
		s.at++
		if s.quoted {
			switch {
			case s.escaped:
				s.escaped = false
			case c == '\\':
				s.escaped = true
			case c == '"':
				s.quoted = false
			}
			continue
		}
		switch c {
		case '{', '[':
			if s.depth == 0 {
				s.from = s.at - 1
				s.foreign = s.foreign || c == '['
			}
			s.depth++
		case '}', ']':
			s.depth--
			if s.depth < 0 {
				s.depth, s.foreign = 0, true
			} else if s.depth == 0 {
				s.last = span{s.from, s.at}
				s.values++
				complete(s.last)
			}
		case ' ', '\t', '\n', '\r':
		default:
			s.quoted = c == '"'
			s.foreign = s.foreign || s.depth == 0
		}
	}
}
