package sim

import (
	"math"

	"schedgap/models"
	"schedgap/models/simulation"
)

// Params are the options of a run. The degrees, the ratio and the window have the defaults of section 6.1 of the paper.
//
// It does not describe its cluster: nodes, slots (cores) and network are those of OpenCloud, the cluster of its trace (Ren et
// al., VLDB 2013). Nor its powers: static and core power are round numbers such that a busy node draws some 270 W and an idle one
// a little more than half of it, in the range of what SPECpower_ssj2008 reports of two-socket quad-core servers of that time;
// memory takes the 70 pJ/bit of DDR3 (Malladi et al., ISCA 2012), the network what a 10 Gb/s card of 10 W takes at full rate.
var Params = []models.Param{
	{Name: "nodes", Default: 64, Min: 1, Max: 1 << 17, Doc: "nodes of the cluster"},
	{Name: "slots", Default: 8, Min: 1, Max: 64, Doc: "slots of a node, one a core"},
	{
		Name: "scheduler", Default: "fair", Choices: []string{"fair", "hopper"},
		Doc: "job scheduler: fair gives a slot to the job with least running attempts, hopper to the smallest virtual size",
	},
	{
		Name: "hopper_beta", Default: 1.5, Min: 0.1, Max: 2,
		Doc: "hopper's β: a job's virtual size is 2/β times its remaining tasks",
	},
	{Name: "heterogeneity", Default: 3.0, Min: 1, Max: 1e3, Doc: "time of a task on the slowest node over that on the fastest"},
	{Name: "contention", Default: 2.5, Min: 1, Max: 1e3, Doc: "time of a task on a full node over that on an empty one"},
	{
		Name: "contention_law", Default: "load", Choices: ContentionLaws,
		Doc: "whether a node's contention grows with its busy slots (load), or nodes differ in it from 1 to contention, whatever " +
			"runs (nodes)",
	},
	{Name: "stragglers", Default: 0.2, Min: 0, Max: 1, Doc: "share of attempts that straggle"},
	{Name: "slowdown", Default: 10.0, Min: 1.5, Max: 1e6, Doc: "most by which an attempt that straggles is slower"},
	{
		Name: "slowdown_law", Default: Mantri, Choices: SlowdownLaws,
		Doc: "how much slower: mantri's outliers up to slowdown, evenly from 1.5 to slowdown, or slowdown times all of them (fixed)",
	},
	{Name: "copies_straggle", Default: true, Doc: "whether copies straggle like first attempts, or never"},
	{Name: "replicas", Default: 3, Min: 0, Max: 1 << 20, Doc: "nodes that have a task's input"},
	{Name: "bandwidth", Default: 1250.0, Min: 1e-3, Max: 1e9, Doc: "MB/s of a node's network, shared evenly by its slots"},
	{
		Name: "window_slots", Default: "job", Choices: []string{"job", "cluster"},
		Doc: "whose slots that become free within its window a job may reserve: those of its own attempts, or of all jobs' in the " +
			"cluster, at most as many as the job scheduler gives it",
	},
	{
		Name: "k", Default: 3, Min: 0, Max: 1e6,
		Doc: "stragglers that Algorithm 1 considers for rescheduling, in window and hete-aware (section 5.2.4); 0: no rescheduling",
	},
	{Name: "window", Default: 0.2, Min: 1e-3, Max: 10, Doc: "window's window over the time of the job's fastest task"},
	{
		Name: "heartbeat", Default: 0.2, Min: 1e-3, Max: 10,
		Doc: "the same for the other policies: time between two detections of stragglers",
	},
	{
		Name: "threshold", Default: 1.5, Min: 1, Max: 1e3,
		Doc: "a straggler's estimated time is more than this over the mean of the job's completed tasks",
	},
	{Name: "observe", Default: 0.2, Min: 1e-3, Max: 10, Doc: "how long it must have run to be judged, over the same mean"},
	simulation.Noise,
	{Name: "energy_weight", Default: 0.01, Min: 0, Max: 1e6, Doc: "energy_weight of the instances that policies decide on"},
	{Name: "static_power", Default: 150.0, Min: 0, Max: 1e6, Doc: "W of a node whatever runs"},
	{Name: "core_power", Default: 15.0, Min: 0, Max: 1e6, Doc: "W of a busy core, P_dyna of eq. (4), on average over the nodes"},
	{
		Name: "power_heterogeneity", Default: 1.5, Min: 1, Max: 1e3,
		Doc: "core power of the node where it is largest over that where it is least; unrelated to the nodes' speeds",
	},
	{Name: "memory_energy", Default: 0.56, Min: 0, Max: 1e6, Doc: "J for a GB moved from or to memory"},
	{Name: "network_energy", Default: 8.0, Min: 0, Max: 1e6, Doc: "J for a GB loaded from another node"},
	{
		Name: "book_idle", Default: false,
		Doc: "whether the energy of a job contains the free slots' share of the static power, divided evenly among the active jobs",
	},
	{
		Name: "execution_from", Default: "first-attempt", Choices: []string{"first-attempt", "arrival"},
		Doc: "when a job's execution begins: with its first attempt, or when it arrives",
	},
}

// ContentionLaws are the values of contention_law, the default first.
var ContentionLaws = []string{"load", ByNode}

// ByNode has contention make nodes unequal.
const ByNode = "nodes"

type options struct {
	NodeCount      int     `param:"nodes"`
	PerNode        int     `param:"slots"`
	Hopper         bool    `param:"scheduler=hopper"`
	Virtual        float64 `param:"hopper_beta"` // size of a job over its remaining tasks, 2/β
	Heterogeneity  float64 `param:"heterogeneity"`
	Contention     float64 `param:"contention"`
	ByNode         bool    `param:"contention_law=nodes"`
	Ratio          float64 `param:"stragglers"`
	CopiesStraggle bool    `param:"copies_straggle"`
	Replicas       int     `param:"replicas"`
	Bandwidth      float64 `param:"bandwidth"` // of a slot, MB/s
	WindowLength   float64 `param:"window"`
	OfCluster      bool    `param:"window_slots=cluster"`
	Heartbeat      float64 `param:"heartbeat"`
	Threshold      float64 `param:"threshold"`
	LeastRun       float64 `param:"observe"` // over the mean
	EnergyWeight   float64 `param:"energy_weight"`
	Noise          float64 `param:"noise"`        // of the times of copies
	StaticPower    float64 `param:"static_power"` // of a slot
	CorePower      float64 `param:"core_power"`
	CorePowers     float64 `param:"power_heterogeneity"` // largest over least
	MemoryEnergy   float64 `param:"memory_energy"`
	NetworkEnergy  float64 `param:"network_energy"` // J/MB
	BookIdle       bool    `param:"book_idle"`      // with the jobs
	FromArrival    bool    `param:"execution_from=arrival"`

	alone    float64                 // Stretch at load 0
	slowdown func(u float64) float64 // its u-quantile
}

func readOptions(v models.Values) (o options) {
	v.Read(&o)
	slots := float64(o.PerNode)
	o.Virtual, o.Bandwidth, o.StaticPower, o.NetworkEnergy = 2/o.Virtual, o.Bandwidth/slots, o.StaticPower/slots, o.NetworkEnergy/1000
	o.alone, o.slowdown = Stretch(v, 0), Slowdown(v.Text("slowdown_law"), v.Float("slowdown"))
	return o
}

// Stretch is the mean time of an attempt over its task's size, loading left aside: by stragglers and their mean slowdown; by the
// nodes, where the number of tasks that each takes in is the larger the faster it is, so that the harmonic mean of slowness
// counts; and by contention, where the share load of a node's other slots is busy, or where it makes nodes unequal too.
func Stretch(v models.Values, load float64) float64 {
	contention := 1 + (v.Float("contention")-1)*min(1, load)
	if v.Text("contention_law") == ByNode {
		contention = harmonic(v.Float("contention"))
	}
	slowdown := MeanSlowdown(v.Text("slowdown_law"), v.Float("slowdown"))
	return (1 + v.Float("stragglers")*(slowdown-1)) * harmonic(v.Float("heterogeneity")) * contention
}

// harmonic is the harmonic mean of values spread evenly from 1 to most.
func harmonic(most float64) float64 {
	if most > 1 {
		return (most - 1) / math.Log(most)
	}
	return 1
}

// work is the slot time of tasks of the given sizes, summed, that come in a time that offers so much slot time: contention grows
// with the load, and the load with contention.
func (o *options) work(size, offered float64) float64 {
	alone := size * o.alone
	if o.ByNode {
		return alone
	}
	if rest := 1 - alone/offered*(o.Contention-1); alone < offered*rest {
		return alone / rest
	}
	return alone * o.Contention
}
