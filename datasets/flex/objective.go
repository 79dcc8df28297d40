package flex

import (
	"schedgap/models"
)

// minimaParams are the options of the guaranteed minima.
func minimaParams() []models.Param {
	return []models.Param{
		models.Between("slack", 0.75, 0, 1, "share of the slots that the minima leave free, up to rounding, maxima and min_floor"),
		models.Between("min_floor", 1, 0, 1, "least minimum of a job: 1, as in the paper, or 0"),
	}
}

// Two treatments of drawn minima.
const (
	minimaScaled = "scaled" // together, to the slack that was asked for
	minimaDrawn  = "drawn"  // each rounded; scaled only where they exceed the slots
)

// guaranteed is how many of the slots the minima take.
func guaranteed(slack float64, slots int) int {
	return int((1-slack)*float64(slots) + 0.5)
}
