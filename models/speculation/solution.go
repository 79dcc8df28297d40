package speculation

// A Solution is a matching.
type Solution struct{ Assign Matching }

// A Matching gives each straggler the index of its slot, or None.
type Matching []int

// None is the slot of a straggler without a copy.
const None = -1
