package cloning

import (
	"slices"

	"schedgap/models"
)

// Restrictions narrow instances.
var Restrictions = []*models.Restriction[*Instance, Solution]{{
	Name: "copies", Doc: "running copies of a task",
	Narrow: func(in *Instance, most int) *Instance {
		narrow := *in
		narrow.MaxCopies = min(in.MaxCopies, most)
		narrow.MaxCopiesPerServer = min(in.MaxCopiesPerServer, narrow.MaxCopies)
		narrow.Jobs = slices.Clone(in.Jobs)
		for j := range narrow.Jobs {
			phases := slices.Clone(narrow.Jobs[j].Phases)
			for i := range phases {
				phases[i].Speedup = phases[i].Speedup[:narrow.MaxCopies]
			}
			narrow.Jobs[j].Phases = phases
		}
		return &narrow
	},
}}

// Augmentation gives algorithms servers of larger capacity.
var Augmentation = &models.Augmentation[*Instance]{
	Param: "capacity_factor",
	Equal: func(in *Instance, factor float64) *Instance {
		larger := *in
		larger.Servers = slices.Clone(in.Servers)
		for i := range larger.Servers {
			capacity := slices.Clone(larger.Servers[i].Capacity)
			for r := range capacity {
				capacity[r] *= factor
			}
			larger.Servers[i].Capacity = capacity
		}
		return &larger
	},
}
