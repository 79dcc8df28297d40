package speculation

// A Solution is a matching or, from algorithms for the Pareto set, a front.
type Solution struct {
	Assign Matching // when Front is nil
	Front  []Point  // ascending by Time; nil: the solution is Assign
}

// A Matching gives each straggler the index of its slot, or None.
type Matching []int

// None is the slot of a straggler without a copy.
const None = -1

// A Point of a front is a matching with what it saves.
type Point struct {
	Time, Energy float64 // ΣΔt and ΣΔE
	Assign       Matching
}
