package sim

import (
	"context"
	"fmt"
	"math"

	"schedgap/models"
	"schedgap/models/speculation"
)

// A Policy decides on copies of stragglers.
type Policy struct {
	models.Policy

	// Assign decides on copies; nil: there are none. Runs may call it concurrently.
	Assign Assign
	// ForRun, where it is not nil, makes an Assign for a single run, by values of Params, that keeps its memory between
	// decisions. With their defaults it decides the same.
	ForRun func(v models.Values) Assign
	// Gains promises that Assign gives copies only where they end before their stragglers. It is not asked about stragglers
	// that end before a copy on any slot on offer would (section 5.1).
	Gains bool
	// Window makes a job decide while it has unlaunched tasks too, at the beginning of every window, and offers Assign
	// the slots that attempts leave within it, the job's own or all (window_slots), which are then reserved. Otherwise copies
	// come at the job's end, once all its tasks have been launched, and on free slots.
	Window bool
}

// An Assign decides which stragglers of a job get a copy, and on which slots. The instance has the job's stragglers without a
// copy in file order and the slots on offer by start time, without ids; times count from the present. A pair is not allowed
// where the copy would run beside its straggler. in is valid during the call only, the result until the next one; it may depend
// on in alone.
type Assign func(ctx context.Context, in *speculation.Instance) speculation.Matching

// checkMatching returns the fault of a policy's decision, if any, with stragglers and slots named as in requests to commands.
func checkMatching(in *speculation.Instance, m speculation.Matching) error {
	if len(m) != len(in.Stragglers) {
		return fmt.Errorf("slots of %d stragglers, not %d", len(m), len(in.Stragglers))
	}
	holder := make([]int, len(in.Slots))
	for i, j := range m {
		switch {
		case j == speculation.None:
		case j < 0 || j >= len(in.Slots):
			return fmt.Errorf("assign.s%d: slot %d of %d", i+1, j, len(in.Slots))
		case holder[j] > 0:
			return fmt.Errorf("assign.s%d: slot \"v%d\" has the copy of \"s%d\" already", i+1, j+1, holder[j])
		case math.IsNaN(in.CopyTime[i][j]):
			return fmt.Errorf("assign.s%d: the copy may not be on slot \"v%d\"", i+1, j+1)
		default:
			holder[j] = i + 1
		}
	}
	return nil
}
