package redundancy

import (
	"schedgap/models"
	"schedgap/models/redundancy"
	"schedgap/models/redundancy/sim"
)

// LAPSPlus is Fair+R among the latest arrivals.
var LAPSPlus = &redundancy.Algorithm{
	Name: "laps+r",
	Doc: "equal shares among the latest share β of the jobs, machines left over run copies\n\n" +
		"Xu, Lau et al. 2018, section 5.3 and Algorithm 3: fair+r restricted to the k = ⌈βn⌉ latest arrivals. " +
		"(2+2β+2ε)-speed O(1/(βε))-competitive with remainder=share (Theorem 3). Without multitasking it runs as long as every " +
		"share is 1.",
	Kind: models.Heuristic, Reference: redundancy.Opt, Guarantee: lapsShape,
	Arg: betaArg, Applies: hasBeta,
	Params: []models.Param{{
		Name: "remainder", Default: "wait", Choices: []string{"wait", "share"},
		Doc: "the jobs beyond M⌊k/M⌋: wait, as under fair+r, or share, as section 5.3 prints it: ⌊k/M⌋+1 shares a machine, the " +
			"latest arrival has those left over",
	}},
	Run: scheduled(func(p *redundancy.Pass) (Discipline, error) {
		beta, err := ParseBeta(p.Arg)
		rule := LAPSRule(beta)
		if p.Params.Text("remainder") == "share" {
			rule = LAPSSharedRule(beta)
		}
		return Discipline{Rule: rule, Latest: true}, err
	}),
}

// LAPS is LAPSPlus without copies.
var LAPS = &redundancy.Algorithm{
	Name: "laps",
	Doc: "equal shares of at most one machine a job among the latest share β of the jobs\n\n" +
		"Edmonds and Pruhs 2012; Xu, Lau et al. 2018, section 5.3 without copies.",
	Kind: models.Heuristic, Reference: redundancy.Opt,
	Arg: betaArg, Applies: hasBeta,
	Run: scheduled(func(p *redundancy.Pass) (Discipline, error) {
		beta, err := ParseBeta(p.Arg)
		return Discipline{Rule: Single(LAPSRule(beta)), Latest: true}, err
	}),
}

// betaArg names what follows the colon.
const betaArg = "BETA"

func hasBeta(_ *redundancy.Instance, arg string) error {
	_, err := ParseBeta(arg)
	return err
}

// LAPSPlusPolicy is LAPSPlus on a workload.
var LAPSPlusPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "laps+r", Arg: "beta",
		Doc: "fair+r among the share β of the jobs that came last\n\n" +
			"Xu, Lau et al. 2018, section 5.3 (LAPS+R(β)); option remainder for the jobs that an even division leaves over.",
	},
	Latest: true, Rule: lapsRule,
}

// LAPSPolicy is LAPS on a workload.
var LAPSPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "laps", Arg: "beta",
		Doc: "laps+r with one copy of a job at most\n\nXu, Lau et al. 2018, section 6.1, after Edmonds and Pruhs, ACM TALG 2012.",
	},
	Latest: true,
	Rule:   func(v models.Values) sim.Rule { return Single(lapsRule(v)) },
}

// lapsRule reads the options beta and remainder.
func lapsRule(v models.Values) sim.Rule {
	if sim.RemainderShares(v) {
		return LAPSSharedRule(v.Float("beta"))
	}
	return LAPSRule(v.Float("beta"))
}
