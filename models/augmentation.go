package models

// An Augmentation is how algorithms of a problem are given more than the optimum: faster machines or larger ones, by a factor.
type Augmentation[I Instance] struct {
	Param string                       // the parameter of algorithms that has the factor; empty: it is in the instance
	Set   func(in I, factor float64) I // the instance with the factor in it; nil where Param has it
	Equal func(in I, factor float64) I // the instance on which the optimum has as much
}
