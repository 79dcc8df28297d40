package speculation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/datasets/derive"
	"schedgap/models"
	"schedgap/models/speculation"
)

// Generator makes windows of the paper's cluster: Zhou et al., ICPP 2018, section 6.1.
//
// The paper has nodes on which the same task takes up to `heterogeneity` times as long, contention that makes it up to
// `contention` times as long, a window of 0.2 of the job's fastest task, the time of an attempt as in eq. (1), copies that are
// estimated by the last task of their slot, copies on a node other than the straggler's, tasks that mostly read remote data.
//
// Our choices where it leaves them open:
//
//   - A node's slowness is uniform in [1, heterogeneity], a slot's contention uniform in [1, contention]; an attempt takes
//     a minute times both. A straggler takes 1.5 to 6 times as long, uniformly, and has run for a uniform share of 0.1 to 0.6 of
//     that.
//   - Slots become free at uniform times within the window.
//   - Tasks of several jobs differ in size, by a factor that is uniform in [1, sizes] and holds for copies too.
//   - A copy also loads its input, a tenth of the task's time, unless the pair is local, with probability 0.05.
//   - A slot's power falls with its node's slowness h: 20·((1 + heterogeneity)/(2h))^power_speed watts, times a uniform
//     factor of 0.8 to 1.2. At 1 fast and slow slots take about the same energy for a copy; above 1 fast ones take more, and
//     time and energy are at odds.
//
// Nodes, stragglers, slots and pairs have random streams of their own, so an option leaves all other draws unchanged.
var Generator = &models.Generator[*speculation.Instance]{
	Doc: "stragglers and freed slots of a cluster whose nodes differ in speed and power\n\n" +
		"Zhou, Phan, Ibrahim, He, Energy-Efficient Speculative Execution using Advanced Reservation for Heterogeneous Clusters, " +
		"ICPP 2018, section 6.1: heterogeneity, contention and window; times by eq. (1).",
	Params: slices.Concat([]models.Param{
		models.Between("stragglers", 10, 1, 1e5, "number of stragglers"),
		models.Between("slots", 10, 0, 1e5, "number of freed slots"),
		models.Between("nodes", 20, 1, 1e6, "nodes that they are spread over at random"),
		models.Between("sizes", 1.0, 1, 1e3, "most by which a straggler's task is larger than a minute; 1: the paper's evenly split input"),
		models.Between("heterogeneity", 3.0, 1, 1e3, "time of a task on the slowest node over that on the fastest"),
		models.Between("contention", 2.5, 1, 1e3, "most by which contention makes a task slower"),
		models.Between("window", 0.2, 0, 100, "window over a task's minute; slots become free within it"),
		models.Between("power_speed", 1.5, -10, 10, "exponent by which a slot's power grows with its node's speed"),
	}, snapshotParams()),
	Fixed: models.Fixed{
		"task_time": taskTime, "slowdown_from": leastSlowdown, "slowdown_to": mostSlowdown, "data": remoteData, "locality": locality,
		"power": slotPower,
	},
	Generate: generate,
}

// What the paper leaves open, decided here.
const (
	taskTime      = 60.0 // of a task alone on the fastest node, seconds
	leastSlowdown = 1.5  // by which a straggler is slower: the least that the simulator's threshold detects
	mostSlowdown  = 6.0
	remoteData    = 0.1  // time for loading remote input over that of the task
	locality      = 0.05 // share of the pairs whose input is local
	slotPower     = 20.0 // of a slot on a node of mean speed, watts
)

// A node of the generated cluster.
type node struct{ slowness, power float64 }

func generate(name string, v models.Values, rng *rand.Rand) (*speculation.Instance, error) {
	streams := derive.Streams(rng, 4)
	forNodes, forStragglers, forSlots, forPairs := streams[0], streams[1], streams[2], streams[3]

	nodes := make([]node, v.Int("nodes"))
	for k := range nodes {
		h := derive.Between(1, v.Float("heterogeneity"), forNodes)
		mean := (1 + v.Float("heterogeneity")) / 2
		watts := slotPower * math.Pow(mean/h, v.Float("power_speed"))
		nodes[k] = node{h, derive.RoundTo(watts*derive.Between(0.8, 1.2, forNodes), 2)}
	}
	in := &speculation.Instance{Header: models.Header{Name: name}, EnergyWeight: v.Float("energy_weight")}
	onNode := make([]int, v.Int("stragglers")) // of each straggler
	sizes := make([]float64, len(onNode))
	for i := range onNode {
		onNode[i] = forStragglers.IntN(len(nodes))
		at := nodes[onNode[i]]
		slowdown := derive.Between(1, v.Float("contention"), forStragglers) *
			derive.Between(leastSlowdown, mostSlowdown, forStragglers)
		share := derive.Between(0.1, 0.6, forStragglers)
		sizes[i] = derive.Between(1, v.Float("sizes"), forStragglers)
		duration := taskTime * sizes[i] * at.slowness * slowdown
		in.Stragglers = append(in.Stragglers, running{
			id: fmt.Sprintf("s%d", i+1), elapsed: duration * share, duration: duration, power: at.power,
		}.straggler())
	}
	ofSlot := make([]int, v.Int("slots")) // its node
	times := make([]float64, len(ofSlot)) // of a copy, its input being there
	for j := range ofSlot {
		ofSlot[j] = forSlots.IntN(len(nodes))
		at := nodes[ofSlot[j]]
		times[j] = taskTime * at.slowness * derive.Between(1, v.Float("contention"), forSlots)
		in.Slots = append(in.Slots, speculation.Slot{
			ID: fmt.Sprintf("v%d", j+1), Start: derive.RoundTo(taskTime*derive.Between(0, v.Float("window"), forSlots), 3),
			Power: at.power,
		})
	}
	in.CopyTime = noCopies(in)
	for i, row := range in.CopyTime {
		for j := range row {
			load := remoteData * taskTime
			if forPairs.Float64() < locality {
				load = 0
			}
			if ofSlot[j] != onNode[i] {
				row[j] = seconds(sizes[i] * (times[j] + load))
			}
		}
	}
	return in, nil
}
