package evaluate

import (
	"fmt"

	"schedgap/bench"
	"schedgap/bench/renaming"
)

// A blind is an instance as the command sees it, see renaming.Shuffled.
type blind struct {
	instance *bench.Instance
	back     renaming.Names
}

func blinded(in *bench.Instance, name string, seed uint64) (*blind, error) {
	file, back, err := renaming.Shuffled(in.JSON, name, seed)
	if err != nil {
		return nil, fmt.Errorf("instance %s: %w", in.Name, err)
	}
	seen, err := in.Problem.ParseInstance(name, file)
	if err != nil {
		return nil, fmt.Errorf("instance %s under other names: %w", in.Name, err)
	}
	return &blind{seen, back}, nil
}
