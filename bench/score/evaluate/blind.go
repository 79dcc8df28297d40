package evaluate

import (
	"bytes"
	"fmt"

	"schedgap/bench"
	"schedgap/bench/library/renaming"
)

// anonymized is an instance as the command sees it, see renaming.Shuffled.
type anonymized struct {
	instance *bench.Instance
	back     renaming.Names
}

// blinded renames and shuffles an instance. Of one of a folder's problem only the name changes: what its lists and texts mean is not known.
func blinded(in *bench.Instance, name string, seed uint64) (*anonymized, error) {
	if in.Problem.Folder != nil {
		file := bytes.Replace(in.JSON, fmt.Appendf(nil, `"name":%q`, in.Name), fmt.Appendf(nil, `"name":%q`, name), 1)
		file = bytes.Replace(file, append(append([]byte(`"lineage":`), in.Lineage...), ','), nil, 1)
		seen, err := in.Problem.ParseInstance(name, file)
		return &anonymized{seen, renaming.Names{}}, err
	}
	file, back, err := renaming.Shuffled(in.JSON, name, seed)
	if err != nil {
		return nil, fmt.Errorf("instance %s: %w", in.Name, err)
	}
	seen, err := in.Problem.ParseInstance(name, file)
	if err != nil {
		return nil, fmt.Errorf("instance %s under other names: %w", in.Name, err)
	}
	return &anonymized{seen, back}, nil
}
