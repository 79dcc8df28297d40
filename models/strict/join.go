package strict

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Join writes one JSON object of the fields of several values, each of which marshals to an object, the first to one that has
// fields.
func Join(parts ...any) ([]byte, error) {
	var out bytes.Buffer // of bodies, which are large, every copy counts
	enc := json.NewEncoder(&out)
	for i, part := range parts {
		at := out.Len()
		if err := enc.Encode(part); err != nil {
			return nil, err
		}
		fields := out.Bytes()[at:]
		if fields[0] != '{' {
			return nil, fmt.Errorf("%T does not marshal to a JSON object", part)
		}
		out.Truncate(out.Len() - len("}\n"))
		switch {
		case i > 0 && len(fields) == len("{}\n"):
			out.Truncate(at)
		case i > 0:
			fields[0] = ','
		}
	}
	return append(out.Bytes(), '}'), nil
}
