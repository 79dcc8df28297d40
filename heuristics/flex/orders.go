package flex

import (
	"fmt"
	"slices"
	"strings"

	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/flex/sim"
	"schedgap/models/heap"
)

// Single priority orders through MPS.
var (
	Generic = ordered("flex-generic", "order of completion in the optimal moldable schedule (RAP), through MPS\n\nWolf et al. "+
		"2010, section 3.2.",
		RAPOrder, nil)
	FIFOMin = ordered("fifo-min", "file order through MPS, minima kept\n\nWolf et al. 2010, section 4.", FileOrder, nil)
	SPT     = ordered("spt", "shortest processing time first, through MPS\n\nSmith 1956.", SPTOrder,
		nil)
	WSPT = ordered("wspt", "least work per weight first, through MPS; stretch weighs by 1/W\n\nSmith 1956.",
		WSPTOrder, nil)
	EDD = ordered("edd", "earliest due date first, through MPS; sla goes by the first step\n\nJackson 1955.",
		EDDOrder, needsDueDates)
	MooreHodgson = ordered("moore-hodgson", "Moore and Hodgson's order on one machine of speed S, rejected jobs last in file "+
		"order, through MPS\n\n"+
		"Moore 1968.", MooreHodgsonOrder, needsDueDates)
)

// ordered is an order, on instances and epoch by epoch.
func ordered(
	name, doc string, order func(*flex.Instance) []int, applies func(*flex.Instance, string) error,
) scheduler {
	return scheduler{
		OnInstance: &flex.Algorithm{
			Name: name, Doc: doc, Kind: models.Heuristic, Reference: flex.Opt, Class: flex.OptMPS, Applies: applies,
			Run: packed(func(p *flex.Pass) ([]int, error) { return order(p.Instance), nil }),
		},
		OnWorkload: &sim.Policy{
			Policy: models.Policy{Name: name, Doc: "each epoch the first interval of: " + doc},
			Dated:  applies != nil, // what needs due dates says so where instances may have none
			Targets: func(in *flex.Instance, targets []float64) {
				firstInterval(in, order(in), false, targets)
			},
		},
	}
}

// Given is a priority order of the user's.
var Given = &flex.Algorithm{
	Name: "mps", Arg: "ID,ID,…",
	Doc:  "a given priority order of all jobs, through MPS\n\nWolf et al. 2010, section 3.1, Figure 3.",
	Kind: models.Heuristic, Reference: flex.Opt, Class: flex.OptMPS,
	Applies: func(in *flex.Instance, arg string) error { _, err := GivenOrder(in, arg); return err },
	Run:     packed(func(p *flex.Pass) ([]int, error) { return GivenOrder(p.Instance, p.Arg) }),
}

func needsDueDates(in *flex.Instance, _ string) error {
	for j := range in.Jobs {
		if _, ok := in.DueDate(j); !ok {
			return fmt.Errorf("it needs deadlines, and job %s has none", in.Jobs[j].ID)
		}
	}
	return nil
}

// SPTOrder is by W_j.
func SPTOrder(in *flex.Instance) []int {
	return flex.OrderBy(in, func(j int) float64 { return in.Jobs[j].Work })
}

// WSPTOrder is by W_j/w_j; for stretch, whose weight is 1/W_j, by W_j².
func WSPTOrder(in *flex.Instance) []int {
	return flex.OrderBy(in, func(j int) float64 {
		if in.MetricOf(j) == flex.Stretch {
			return in.Jobs[j].Work * in.Jobs[j].Work
		}
		return in.Jobs[j].Work / in.Jobs[j].Weight
	})
}

// EDDOrder is by due date; every job must have one.
func EDDOrder(in *flex.Instance) []int {
	return flex.OrderBy(in, func(j int) float64 { d, _ := in.DueDate(j); return d })
}

// MooreHodgsonOrder takes the cluster as one machine of speed S: jobs enter by due date, and whenever the last one is late
// the longest so far is rejected. The rejected follow in file order.
func MooreHodgsonOrder(in *flex.Instance) []int {
	last := len(in.Jobs) - 1
	accepted := heap.NewIndexed(len(in.Jobs)) // jobs from the end of the file, that of most work on top
	rejected := make([]bool, len(in.Jobs))
	order := EDDOrder(in)
	end := 0.0
	for _, j := range order {
		accepted.Set(int32(last-j), -in.Jobs[j].Work)
		end += in.Jobs[j].Work / float64(in.Slots)
		if d, _ := in.DueDate(j); flex.After(end, d) {
			out := last - int(accepted.Pop())
			rejected[out] = true
			end -= in.Jobs[out].Work / float64(in.Slots)
		}
	}
	order = slices.DeleteFunc(order, func(j int) bool { return rejected[j] })
	for j, out := range rejected {
		if out {
			order = append(order, j)
		}
	}
	return order
}

// GivenOrder reads a comma separated list that names every job once.
func GivenOrder(in *flex.Instance, list string) ([]int, error) {
	index := make(map[string]int, len(in.Jobs))
	for j := range in.Jobs {
		index[in.Jobs[j].ID] = j
	}
	order := make([]int, 0, len(in.Jobs))
	named := make([]bool, len(in.Jobs))
	for _, id := range strings.Split(list, ",") {
		j, ok := index[id]
		switch {
		case !ok:
			return nil, fmt.Errorf("its order names %q, which is not the id of a job", id)
		case named[j]:
			return nil, fmt.Errorf("its order names job %q twice", id)
		}
		named[j] = true
		order = append(order, j)
	}
	for j, ok := range named {
		if !ok {
			return nil, fmt.Errorf("its order does not name job %q; it must name every job once", in.Jobs[j].ID)
		}
	}
	return order, nil
}
