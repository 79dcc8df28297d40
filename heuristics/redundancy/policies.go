package redundancy

import (
	"schedgap/models"
	"schedgap/models/redundancy/sim"
)

// Policies lists the package's rules as policies of the stochastic simulator. The β of laps and laps+r is an option of the
// simulation, or follows a colon.
var Policies = []sim.Policy{
	{
		Policy: models.Policy{
			Name: "srpt+r",
			Doc: "the jobs with least remaining work run, on several machines each when there are fewer than machines\n\n" +
				"Xu, Lau et al. 2018, Algorithm 1 (SRPT+R).",
		},
		Rule: fixed(SRPTRule),
	},
	{
		Policy: models.Policy{
			Name: "fair+r",
			Doc: "all jobs share the machines, the latest first, on several machines each when there are fewer than machines\n\n" +
				"Xu, Lau et al. 2018, Algorithm 2 (Fair+R).",
		},
		Latest: true, Rule: fixed(FairRule),
	},
	{
		Policy: models.Policy{
			Name: "laps+r", Arg: "beta",
			Doc: "fair+r among the share β of the jobs that came last\n\n" +
				"Xu, Lau et al. 2018, section 5.3 (LAPS+R(β)); option remainder for the jobs that an even division leaves over.",
		},
		Latest: true, Rule: lapsOption,
	},
	{
		Policy: models.Policy{
			Name: "srpt",
			Doc:  "srpt+r with one copy of a job at most\n\nXu, Lau et al. 2018, sections 4.2 and 6.1.",
		},
		Rule: fixed(Single(SRPTRule)),
	},
	{
		Policy: models.Policy{
			Name: "fair",
			Doc:  "fair+r with one copy of a job at most\n\nXu, Lau et al. 2018, section 6.1.",
		},
		Latest: true, Rule: fixed(Single(FairRule)),
	},
	{
		Policy: models.Policy{
			Name: "laps", Arg: "beta",
			Doc: "laps+r with one copy of a job at most\n\nXu, Lau et al. 2018, section 6.1, after Edmonds and Pruhs, ACM TALG 2012.",
		},
		Latest: true,
		Rule: func(v models.Values) func(n, machines int) sim.Allotment {
			return allotments(Single(lapsRule(v)))
		},
	},
}

func fixed(rule Rule) func(models.Values) func(n, machines int) sim.Allotment {
	return func(models.Values) func(n, machines int) sim.Allotment { return allotments(rule) }
}

func lapsOption(v models.Values) func(n, machines int) sim.Allotment { return allotments(lapsRule(v)) }

// lapsRule reads the options beta and remainder.
func lapsRule(v models.Values) Rule {
	if sim.RemainderShares(v) {
		return LAPSSharedRule(v.Float("beta"))
	}
	return LAPSRule(v.Float("beta"))
}

func allotments(rule Rule) func(n, machines int) sim.Allotment {
	return func(n, machines int) sim.Allotment { return sim.Allotment(rule(n, machines)) }
}
