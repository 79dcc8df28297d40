package sim

import (
	"math"

	"schedgap/models"
	"schedgap/models/simulation"
)

// Params are the options of a run. The degrees, the ratio and the window have the defaults of section 6.1 of the paper.
//
// It does not describe its cluster: nodes, slots (cores) and network are as in OpenCloud, the cluster of its trace (Ren et
// al., VLDB 2013).
var Params = []models.Param{
	models.Between("nodes", 64, 1, 1<<17, "nodes of the cluster"),
	models.Between("slots", 8, 1, 64, "slots of a node, one a core"),
	models.Choice("scheduler", "fair", []string{"fair", "hopper"},
		"job scheduler: fair gives a slot to the job with least running attempts, hopper to the smallest virtual size"),
	models.Between("hopper_beta", 1.5, 0.1, 2, "hopper's β: a job's virtual size is 2/β times its remaining tasks"),
	models.Between("heterogeneity", 3.0, 1, 1e3, "time of a task on the slowest node over that on the fastest"),
	models.Between("contention", 2.5, 1, 1e3, "time of a task on a full node over that on an empty one"),
	models.Choice("contention_law", "load", ContentionLaws,
		"whether a node's contention grows with its busy slots (load), or nodes differ in it from 1 to contention, whatever "+
			"runs (nodes)"),
	models.Between("stragglers", 0.2, 0, 1, "share of attempts that straggle"),
	models.Between("slowdown", 10.0, 1.5, 1e6, "most by which an attempt that straggles is slower"),
	models.Choice("slowdown_law", Mantri, SlowdownLaws,
		"how much slower: mantri's outliers up to slowdown, evenly from 1.5 to slowdown, or slowdown times all of them (fixed)"),
	{Name: "copies_straggle", Default: true, Doc: "whether copies straggle like first attempts, or never"},
	models.Between("replicas", 3, 0, 1<<20, "nodes that have a task's input"),
	models.Between("bandwidth", 1250.0, 1e-3, 1e9, "MB/s of a node's network, shared evenly by its slots"),
	models.Choice("window_slots", "job", []string{"job", "cluster"},
		"whose slots that become free within its window a job may reserve: those of its own attempts, or of all jobs' in "+
			"the cluster, at most as many as the job scheduler gives it"),
	models.Between("k", 3, 0, 1e6,
		"stragglers that Algorithm 1 considers for rescheduling, in window and hete-aware (section 5.2.4); 0: no rescheduling"),
	models.Between("window", 0.2, 1e-3, 10, "window's window over the time of the job's fastest task"),
	simulation.Load,
	models.Between("power_heterogeneity", 1.5, 1, 1e3,
		"core power of the node where it is largest over that where it is least; unrelated to the nodes' speeds"),
	models.Flag("book_idle",
		"whether the energy of a job contains the free slots' share of the static power, divided evenly among the active jobs"),
	models.Choice("execution_from", "first-attempt", []string{"first-attempt", "arrival"},
		"when a job's execution begins: with its first attempt, or when it arrives"),
}

// The paper does not tell its powers. Static and core power are round numbers such that a busy node draws some 270 W and an idle one
// a little more than half of it, in the range of what SPECpower_ssj2008 reports of two-socket quad-core servers of that time;
// memory takes the 70 pJ/bit of DDR3 (Malladi et al., ISCA 2012), the network the energy of a 10 Gb/s card of 10 W at full rate.
const (
	StaticPower   = 150.0 // W of a node whatever runs
	CorePower     = 15.0  // W of a busy core, P_dyna of eq. (4), on average over the nodes
	MemoryEnergy  = 0.56  // J for a GB moved from or to memory
	NetworkEnergy = 8.0   // J for a GB loaded from another node
)

// What policies go by. Mantri calls a task a straggler from 1.5 times the median on (Ananthanarayanan et al., OSDI 2010); the rest is
// decided here.
const (
	threshold    = 1.5  // a straggler's estimated time over the mean of the job's completed tasks
	leastRun     = 0.2  // that it must have run to be judged, over the same mean
	heartbeat    = 0.2  // time between two detections of stragglers over the time of the job's fastest task, where no window says it
	energyWeight = 0.01 // of the instances that policies decide on, seconds per joule
)

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
	CorePowers     float64 `param:"power_heterogeneity"` // largest over least
	BookIdle       bool    `param:"book_idle"`           // with the jobs
	FromArrival    bool    `param:"execution_from=arrival"`

	static   float64                 // power of a slot
	alone    float64                 // Stretch at load 0
	slowdown func(u float64) float64 // its u-quantile
}

func readOptions(v models.Values) (o options) {
	v.Read(&o)
	slots := float64(o.PerNode)
	o.Virtual, o.Bandwidth = 2/o.Virtual, o.Bandwidth/slots
	o.static = StaticPower / slots
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
