package flex

import (
	"schedgap/models"
)

// OrderBy returns the jobs by key, the least first, ties in file order.
func OrderBy(in *Instance, key func(j int) float64) []int {
	return models.OrderBy(len(in.Jobs), key)
}
