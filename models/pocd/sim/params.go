package sim

import (
	"schedgap/models"
	"schedgap/models/simulation"
)

// Params are the options of a run; the defaults come from section VI-A of the paper.
var Params = []models.Param{
	models.Between("slaves", 138, 1, 1<<20, "nodes that run tasks and masters of jobs"),
	models.Between("slots", 1, 1, 1<<10, "VMs of a node; one in the paper's cluster"),
	models.Between("lambda", 1.0, 0, 1, "λ, share of the VMs that may be used"),
	models.Between("xi", 0.1, 0, 1, "ξ, a job's progress, the mean of its tasks', at which it is first checked"),
	models.Between("theta", 0.05, 0, 1e3, "θ', see interval"),
	models.Choice("interval", "eq17", []string{"eq17", "deadline"},
		"time between two checks, D being the mean deadline of the running jobs: eq17 is θ = (D − t_avg)·θ' + t_avg, "+
			"deadline is the θ = θ'·D of Table II; never less than 10 ms"),
	simulation.Load,
	models.Between("t_avg", 60.0, 0, 1e6, "average launch time in eq. (17), seconds"),
	models.Between("launch", 60.0, 0, 1e6, "launch time of an attempt, seconds; t_FP − t_lau of eq. (15)"),
	models.Between("launch_cv", 0.0, 0, 10, "coefficient of variation of the launch times, which are lognormal with mean launch"),
	models.Flag("launch_within",
		"the workload's times of attempts contain a launch of mean length, so processing takes so much less"),
	models.Between("speed_every", 0.0, 0, 1e9,
		"mean seconds, exponentially distributed, between changes of an attempt's speed, each to a new draw of the "+
			"workload's distribution; 0: it never changes"),
	models.Between("max_copies", 5, 0, 1e4, "MAX, the most extra attempts of a task at a time"),
	models.Choice("kill", "losers", []string{"losers", "surplus"},
		"attempts that a check of shed+ or shed kills: losers is the paper's, all of a task but the fastest; surplus spares "+
			"attempts that would be started again at once, unless a job waits for their VMs"),
	models.Choice("clone", "all", []string{"all", "straggling"},
		"jobs whose tasks all get copies under shed: all jobs, or straggling ones, those with a straggler when it decides"),
	models.Between("miss_rate", 0.0, 0, 0.999999,
		"dolly's p, the share of jobs that miss their deadlines under hadoop; 0: measured on the same workload and seed"),
	models.Choice("miss_level", "job", []string{"job", "task"},
		"dolly's p: job is the paper's, the jobs' miss rate used for a task; task is the rate at which N tasks miss so often, "+
			"1 − (1 − p)^(1/N)"),
}

type options struct {
	capacity   int     // ⌊λ·m⌋ VMs
	MaxCopies  int     `param:"max_copies"`
	XI         float64 `param:"xi"`
	Theta      float64 `param:"theta"`
	Eq17       bool    `param:"interval=eq17"`
	TAvg       float64 `param:"t_avg"`
	Launch     float64 `param:"launch"`
	LaunchCV   float64 `param:"launch_cv"`
	SpeedEvery float64 `param:"speed_every"`
	Within     bool    `param:"launch_within"`
	Surplus    bool    `param:"kill=surplus"`
	Straggling bool    `param:"clone=straggling"`
	MissRate   float64 `param:"miss_rate"`
	TaskLevel  bool    `param:"miss_level=task"`
}

// Capacity is the VMs that the options of a run leave for tasks and masters, ⌊λ·m⌋. A job needs one a task and one for its
// master.
func Capacity(v models.Values) int {
	return int(v.Float("lambda")*float64(v.Int("slaves")*v.Int("slots")) + 1e-9)
}

func readOptions(v models.Values) (o options) {
	v.Read(&o)
	o.capacity = Capacity(v)
	return o
}

// interval is θ for jobs of mean deadline d.
func (o *options) interval(d float64) float64 {
	theta := o.Theta * d
	if o.Eq17 {
		theta = (d-o.TAvg)*o.Theta + o.TAvg
	}
	return max(theta, 0.01)
}
