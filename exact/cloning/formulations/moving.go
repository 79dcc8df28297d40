package formulations

import (
	"schedgap/exact"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
)

// A Formulation is a MILP model of cloning.
type Formulation = exact.Formulation[*cloning.Instance, cloning.Solution]

// Of are those of a regime, on the instance with time counted from its first arrival.
func Of(fixed bool) []*Formulation {
	return []*Formulation{moving(literalOf(fixed)), moving(strongOf(fixed))}
}

// moving has a formulation state the moved instance.
func moving(f *Formulation) *Formulation {
	m := *f
	m.Applies = func(in *cloning.Instance) error {
		in, _ = kernel.FromFirst(in)
		return f.Applies(in)
	}
	m.Build = func(in *cloning.Instance, as exact.BuildOptions) (*exact.BuiltModel[cloning.Solution], error) {
		in, origin := kernel.FromFirst(in)
		built, err := f.Build(in, as)
		if err != nil || origin == 0 {
			return built, err
		}
		decode, encode := built.Decode, built.Encode
		built.Decode = func(x []float64) (cloning.Solution, error) {
			s, err := decode(x)
			return kernel.Later(s, origin), err
		}
		built.Encode = func(s cloning.Solution) ([]float64, error) { return encode(kernel.Later(s, -origin)) }
		return built, nil
	}
	return &m
}
