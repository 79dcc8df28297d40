package pocd

import (
	"schedgap/models"
	"schedgap/models/pocd/sim"
)

// Policies lists the package's rules as policies of the online simulator.
var Policies = []sim.Policy{
	ShedPlusPolicy, ShedPolicy, DollyPolicy, HopperPolicy, HadoopPolicy, NonePolicy, ClairvoyantPolicy,
}

// ShedPlusPolicy is ShedPlus at every check.
var ShedPlusPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "shed+",
		Doc: "copies of stragglers, decided again at ξ of every new job and every θ\n\n" +
			"Alamro et al. 2020, Algorithm 1 and section V: jobs past their deadlines are killed; β by eq. (14); of each task the " +
			"fastest attempt is kept and the copies go on from its progress.",
	},
	Copies: ShedPlusCopies,
	Checks: sim.AtProgress | sim.Periodic,
	Kill:   true, KillLate: true, Resume: true, EstimateBeta: true,
}

// ShedPolicy is Shed whenever a job arrives or starts.
var ShedPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "shed",
		Doc: "as many copies of every task of a job as of the others, decided again when a job arrives\n\n" +
			"Alamro, Xu, Lan and Subramaniam, ICC 2018, as described in Alamro et al. 2020, section I: \"Shed only performs re-optimization upon " +
			"new jobs arrivals\"; β is the workload's (section VI-A). Of each task the fastest attempt is kept, as in Shed+, and " +
			"the copies go on from its progress; nothing says that it kills late jobs, so it does not.",
	},
	Copies: ShedCopies,
	Checks: sim.AtStart,
	Kill:   true, Resume: true, AllTasks: true,
}

// DollyPolicy is Dolly when a job starts.
var DollyPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "dolly",
		Doc: "clones of all tasks of a job from its start on, if all fit\n\n" +
			"Ananthanarayanan et al., NSDI 2013, as set up in Alamro et al. 2020, section VI-A: p is the share of jobs that miss " +
			"their deadlines under hadoop (options miss_rate and miss_level), ε is 5 %. Nothing is killed before the task completes.",
	},
	Clones:   func(s sim.Start) int { return DollyClones(s.LogPoCD, s.Tasks, s.MaxCopies) },
	Baseline: "hadoop",
}

// HopperPolicy is Hopper at every check.
var HopperPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "hopper",
		Doc: "copies of stragglers within the jobs' virtual sizes, the smallest first\n\n" +
			"Ren et al., SIGCOMM 2015, section 4, with the rule of the algorithm hopper at ξ of every new job and every θ. It knows " +
			"no deadlines: a straggler is a task whose estimated remaining time exceeds the mean time of the job's completed tasks. " +
			"β is the workload's; copies start from zero and run until the task completes.",
	},
	Copies: HopperCopies,
	Checks: sim.AtProgress | sim.Periodic,
	Blind:  true,
}

// HadoopPolicy is Hadoop at every check.
var HadoopPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "hadoop",
		Doc: "one copy of each straggler\n\n" +
			"Hadoop's default speculation as in Alamro et al. 2020, section I, at ξ of every new job and every θ. It knows no " +
			"deadlines: a straggler is a task whose estimated remaining time exceeds the mean time of the job's completed tasks; the " +
			"slowest come first. Copies start from zero and run until the task completes.",
	},
	Copies:       HadoopCopies,
	Checks:       sim.AtProgress | sim.Periodic,
	EstimateBeta: true,
	Blind:        true,
}

// NonePolicy leaves every task its one attempt.
var NonePolicy = sim.Policy{
	Policy: models.Policy{Name: "none", Doc: "no extra attempts\n\ndocs/problems/pocd.md#rules."},
}

// ClairvoyantPolicy knows the times of the attempts.
var ClairvoyantPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "clairvoyant",
		Doc: "of each task only the attempt that will take least time among the first and max_copies others\n\n" +
			"What a policy could reach that copies every task when its job starts, at no cost and with foresight; a job that misses " +
			"its deadline even so is dropped when its turn to start comes. It is no proven bound: policies that start copies " +
			"again and again see more attempts than it, and it keeps the order of arrival.",
	},
	Clairvoyant: true,
}
