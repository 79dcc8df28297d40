// Package generate makes the instances of `schedgap generate`.
package generate

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"schedgap/bench"
	"schedgap/models"
)

// lineage says how to make an instance again.
type lineage struct {
	Generator string        `json:"generator"`
	Params    models.Values `json:"params"`
	Seed      uint64        `json:"seed"`
	Index     int           `json:"index"`
}

// Name returns the default name of the instance of an index.
func Name(p *bench.Problem, index int) string { return fmt.Sprintf("%s-%03d", p.Name, index) }

// One makes the instance of an index. It depends on the resolved parameters, the seed and the index only, except for its name,
// and says in its lineage where it comes from.
func One(p *bench.Problem, name string, v models.Values, seed uint64, index int) (*bench.Instance, error) {
	rng := rand.New(rand.NewPCG(seed, uint64(index)))
	var in *bench.Instance
	var err error
	if p.Folder != nil && index == 0 { // the command alone, given the same seed, makes the same
		in, err = p.Folder.Generate(name, v, seed)
	} else {
		in, err = p.Generate(name, v, rng)
	}
	if err != nil {
		return nil, fmt.Errorf("generator of %s: %w", p.Name, err)
	}
	if in.Lineage != nil {
		return in, nil
	}
	l, err := json.Marshal(lineage{p.Name, p.Generator.Recorded(v), seed, index})
	if err != nil {
		return nil, fmt.Errorf("lineage of %s: %w", in.Name, err)
	}
	// Reading the file puts it into canonical form again.
	file := append(append([]byte(`{"lineage":`), l...), ',')
	return p.ParseInstance(in.Name, append(file, in.JSON[1:]...))
}
