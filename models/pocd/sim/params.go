package sim

import (
	"schedgap/models"
	"schedgap/models/simulation"
)

// Params are the options of a run; the defaults come from section VI-A of the paper.
var Params = []models.Param{
	{Name: "slaves", Default: 138, Min: 1, Max: 1 << 20, Doc: "nodes that run tasks and masters of jobs"},
	{Name: "slots", Default: 1, Min: 1, Max: 1 << 10, Doc: "VMs of a node; one in the paper's cluster"},
	{Name: "lambda", Default: 1.0, Min: 0, Max: 1, Doc: "λ, share of the VMs that may be used"},
	{Name: "xi", Default: 0.1, Min: 0, Max: 1, Doc: "ξ, a job's progress, the mean of its tasks', at which it is first checked"},
	{Name: "theta", Default: 0.05, Min: 0, Max: 1e3, Doc: "θ', see interval"},
	{
		Name: "interval", Default: eq17, Choices: []string{eq17, ofDeadline},
		Doc: "time between two checks, D being the mean deadline of the running jobs: eq17 is θ = (D − t_avg)·θ' + t_avg, " +
			"deadline is the θ = θ'·D of Table II; never less than 10 ms",
	},
	simulation.Noise,
	{Name: "t_avg", Default: 60.0, Min: 0, Max: 1e6, Doc: "average launch time in eq. (17), seconds"},
	{Name: "launch", Default: 60.0, Min: 0, Max: 1e6, Doc: "launch time of an attempt, seconds; t_FP − t_lau of eq. (15)"},
	{
		Name: "launch_cv", Default: 0.0, Min: 0, Max: 10,
		Doc: "coefficient of variation of the launch times, which are lognormal with mean launch",
	},
	{
		Name: "launch_within", Default: false,
		Doc: "the workload's times of attempts contain a launch of mean length, so that what is processed takes so much less",
	},
	{
		Name: "speed_every", Default: 0.0, Min: 0, Max: 1e9,
		Doc: "mean seconds, exponentially distributed, between changes of an attempt's speed, each to a new draw of the workload's " +
			"distribution; 0: it never changes",
	},
	{Name: "max_copies", Default: 5, Min: 0, Max: 1e4, Doc: "MAX, the most extra attempts of a task at a time"},
	{
		Name: "kill", Default: killLosers, Choices: []string{killLosers, killSurplus},
		Doc: "attempts that a check of shed+ or shed kills: losers is the paper's, all of a task but the fastest; surplus spares " +
			"attempts that would be started again at once, unless a job waits for their VMs",
	},
	{
		Name: "clone", Default: cloneAll, Choices: []string{cloneAll, cloneStraggling},
		Doc: "jobs whose tasks all get copies under shed: all jobs, or straggling ones, those with a straggler when it decides",
	},
	{
		Name: "resume", Default: byPolicy, Choices: []string{byPolicy, "always", "never"},
		Doc: "whether new attempts go on from the straggler's progress (eq. 16) or start from zero",
	},
	{Name: "keep_late", Default: false, Doc: "let jobs run on after their deadlines under policies that would kill them"},
	{
		Name: "miss_rate", Default: 0.0, Min: 0, Max: 0.999999,
		Doc: "dolly's p, the share of jobs that miss their deadlines under hadoop; 0: measured on the same workload and seed",
	},
	{
		Name: "miss_level", Default: levelJob, Choices: []string{levelJob, levelTask},
		Doc: "dolly's p: job is the paper's, the jobs' miss rate used for a task; task is what makes N tasks miss at that rate, " +
			"1 − (1 − p)^(1/N)",
	},
}

const (
	eq17            = "eq17"
	ofDeadline      = "deadline"
	killLosers      = "losers"
	killSurplus     = "surplus"
	byPolicy        = "policy"
	levelJob        = "job"
	cloneAll        = "all"
	cloneStraggling = "straggling"
	levelTask       = "task"
)

type options struct {
	capacity   int // ⌊λ·m⌋ VMs
	maxCopies  int
	xi         float64
	theta      float64
	eq17       bool
	tAvg       float64
	launch     float64
	noise      float64
	launchCV   float64
	speedEvery float64
	within     bool
	surplus    bool
	resume     string
	straggling bool
	keepLate   bool
	missRate   float64
	taskLevel  bool
}

// Capacity is the VMs that the options of a run leave for tasks and masters, ⌊λ·m⌋. A job needs one a task and one for its
// master.
func Capacity(v models.Values) int {
	return int(v.Float("lambda")*float64(v.Int("slaves")*v.Int("slots")) + 1e-9)
}

func readOptions(v models.Values) options {
	return options{
		capacity:   Capacity(v),
		maxCopies:  v.Int("max_copies"),
		xi:         v.Float("xi"),
		theta:      v.Float("theta"),
		eq17:       v.Text("interval") == eq17,
		tAvg:       v.Float("t_avg"),
		launch:     v.Float("launch"),
		noise:      v.Float("noise"),
		launchCV:   v.Float("launch_cv"),
		speedEvery: v.Float("speed_every"),
		within:     v.Bool("launch_within"),
		surplus:    v.Text("kill") == killSurplus,
		resume:     v.Text("resume"),
		straggling: v.Text("clone") == cloneStraggling,
		keepLate:   v.Bool("keep_late"),
		missRate:   v.Float("miss_rate"),
		taskLevel:  v.Text("miss_level") == levelTask,
	}
}

// interval is θ for jobs of mean deadline d.
func (o *options) interval(d float64) float64 {
	theta := o.theta * d
	if o.eq17 {
		theta = (d-o.tAvg)*o.theta + o.tAvg
	}
	return max(theta, 0.01)
}
