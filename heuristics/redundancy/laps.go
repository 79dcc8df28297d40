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
		"Xu, Lau et al. 2018, section 5.3 and Algorithm 3: the k = ⌈βn⌉ latest arrivals, as under fair+r where M divides k or k < M, " +
		"else ⌊k/M⌋+1 a machine, the latest with the shares left over. (2+2β+2ε)-speed O(1/(βε))-competitive (Theorem 3), unless " +
		"remainder=wait. Without multitasking it runs as long as every share is 1.",
	Kind: models.Heuristic, Reference: redundancy.Opt, Guarantee: lapsShape,
	Arg: betaArg, Applies: hasBeta, Params: []models.Param{sim.Remainder},
	Run: scheduled(func(p *redundancy.Pass) (Discipline, error) {
		beta, err := ParseBeta(p.Arg)
		return Discipline{Rule: LAPSRule(beta, p.Params), Latest: true}, err
	}),
}

// LAPS is LAPSPlus without copies.
var LAPS = &redundancy.Algorithm{
	Name: "laps",
	Doc: "equal shares of at most one machine a job among the latest share β of the jobs\n\n" +
		"Edmonds and Pruhs 2012; Xu, Lau et al. 2018, section 5.3 without copies.",
	Kind: models.Heuristic, Reference: redundancy.Opt,
	Arg: betaArg, Applies: hasBeta, Params: []models.Param{sim.Remainder},
	Run: scheduled(func(p *redundancy.Pass) (Discipline, error) {
		beta, err := ParseBeta(p.Arg)
		return Discipline{Rule: Single(LAPSRule(beta, p.Params)), Latest: true}, err
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
			"Xu, Lau et al. 2018, section 5.3 (LAPS+R(β)); the option remainder says what becomes of jobs that an even division leaves over.",
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
func lapsRule(v models.Values) sim.Rule { return LAPSRule(v.Float("beta"), v) }
