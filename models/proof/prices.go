package proof

// Multipliers is the second line of a proof by prices: price[i] is the price of a unit of capacity from grid[i] to grid[i+1];
// later ones are 0. Times count from the first arrival.
type Multipliers struct {
	Grid  []float64 `json:"grid"`
	Price []float64 `json:"price"`
}

// Counts are the further lines: at most Most[i] of the jobs complete strictly before grid[Points[i]], and Theta[i] is the
// multiplier of that.
type Counts struct {
	Jobs   []string     `json:"jobs"`
	Points []int        `json:"points"`
	Theta  []float64    `json:"theta"`
	Most   []int        `json:"most"`
	Proofs []CountProof `json:"proofs,omitempty"` // where the instance does not say by itself: one a point
}

// A CountProof has the prices under which one job more could not pay for what all would buy until the last point of Grid.
type CountProof struct {
	Grid  []float64 `json:"grid"`
	Price []float64 `json:"price"`
}
