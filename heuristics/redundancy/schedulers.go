package redundancy

import (
	"context"

	"schedgap/models"
	"schedgap/models/redundancy"
	"schedgap/models/redundancy/sim"
	"schedgap/models/simulation"
)

// The schedulers of the paper, and the same with one copy of a job at most.
var (
	SRPTPlus = scheduler{
		name: "srpt+r", rule: fixed(SRPTRule), proven: srptShape,
		doc: "least remaining work first, machines left over run copies\n\n" +
			"Xu, Lau et al. 2018, Algorithm 1: of n ≥ M jobs the M with least remaining work have a machine each; n < M jobs have " +
			"⌊M/n⌋ machines each, the least the remainder too. (1+ε)-speed O(1/ε)-competitive (Theorem 1).",
		policy: "the jobs with least remaining work run, on several machines each when there are fewer than machines\n\n" +
			"Xu, Lau et al. 2018, Algorithm 1 (SRPT+R).",
	}.declared()
	FairPlus = scheduler{
		name: "fair+r", rule: fixed(FairRule), latest: true, proven: fairShape,
		doc: "equal shares, machines left over run copies, the latest arrival first\n\n" +
			"Xu, Lau et al. 2018, Algorithm 2: of n ≥ M jobs the n mod M oldest wait and the others have 1/⌊n/M⌋ of a machine each; " +
			"n < M jobs have ⌊M/n⌋ machines each, the latest the remainder too. (4+ε)-speed O(1/ε)-competitive (Theorem 2).",
		policy: "all jobs share the machines, the latest first, on several machines each when there are fewer than machines\n\n" +
			"Xu, Lau et al. 2018, Algorithm 2 (Fair+R).",
	}.declared()
	LAPSPlus = scheduler{
		name: "laps+r", rule: LAPSRule, latest: true, beta: true, proven: lapsShape,
		doc: "equal shares among the latest share β of the jobs, machines left over run copies\n\n" +
			"Xu, Lau et al. 2018, section 5.3 and Algorithm 3: the k = ⌈βn⌉ latest arrivals run as under fair+r if k < M or M divides " +
			"k; else each machine has ⌊k/M⌋+1 equal shares, and the latest job has those left over, as copies. (2+2β+2ε)-speed " +
			"O(1/(βε))-competitive (Theorem 3). With remainder=wait the k mod M oldest wait, and nothing is proven.",
		policy: "fair+r among the share β of the jobs that came last\n\n" +
			"Xu, Lau et al. 2018, section 5.3 (LAPS+R(β)); the option remainder is for jobs that an even division leaves " +
			"over.",
	}.declared()
	SRPT = scheduler{
		name: "srpt", rule: single(fixed(SRPTRule)),
		doc:    "least remaining work first, one machine a job\n\nXu, Lau et al. 2018, section 4.2.1 and Lemma 5.",
		policy: "srpt+r with one copy of a job at most\n\nXu, Lau et al. 2018, sections 4.2 and 6.1.",
	}.declared()
	Fair = scheduler{
		name: "fair", rule: single(fixed(FairRule)), latest: true,
		doc: "equal shares of at most one machine a job, the latest arrival first\n\nXu, Lau et al. 2018, Algorithm 2 without " +
			"copies.",
		policy: "fair+r with one copy of a job at most\n\nXu, Lau et al. 2018, section 6.1.",
	}.declared()
	LAPS = scheduler{
		name: "laps", rule: single(LAPSRule), latest: true, beta: true,
		doc: "equal shares of at most one machine a job among the latest share β of the jobs\n\n" +
			"Edmonds and Pruhs 2012; Xu, Lau et al. 2018, section 5.3 without copies.",
		policy: "laps+r with one copy of a job at most\n\nXu, Lau et al. 2018, section 6.1, after Edmonds and Pruhs, ACM TALG 2012.",
	}.declared()
)

// A scheduler makes an algorithm on instances and a policy on workloads.
type scheduler struct {
	name, doc, policy string
	latest            bool // see Discipline
	beta              bool // the name has β behind a colon, and the option remainder counts
	rule              func(beta float64, v models.Values) sim.Rule
	proven            *models.Guarantee
}

// fixed is a rule that no option changes.
func fixed(rule sim.Rule) func(float64, models.Values) sim.Rule {
	return func(float64, models.Values) sim.Rule { return rule }
}

// single is Single of a rule that options may change.
func single(rule func(float64, models.Values) sim.Rule) func(float64, models.Values) sim.Rule {
	return func(beta float64, v models.Values) sim.Rule { return Single(rule(beta, v)) }
}

func (s scheduler) declared() simulation.Scheduler[redundancy.Algorithm, sim.Policy] {
	a := &redundancy.Algorithm{
		Name: s.name, Doc: s.doc, Kind: models.Heuristic, Reference: redundancy.Opt, Guarantee: s.proven,
		Run: func(ctx context.Context, p *redundancy.Pass) (redundancy.Outcome, error) {
			beta := 0.0
			if s.beta {
				var err error
				beta, err = ParseBeta(p.Arg)
				if err != nil {
					return redundancy.Outcome{}, err
				}
			}
			d := Discipline{Rule: s.rule(beta, p.Params), Latest: s.latest}
			solution, err := Schedule(ctx, p.Instance, d, p.Instance.Speed)
			return redundancy.Outcome{Solution: solution, Found: err == nil, Status: models.Feasible}, err
		},
	}
	p := &sim.Policy{
		Policy: models.Policy{Name: s.name, Doc: s.policy}, Latest: s.latest,
		Rule: func(v models.Values) sim.Rule { return s.rule(v.Float("beta"), v) },
	}
	if s.beta {
		a.Arg, a.Params, p.Arg = "BETA", []models.Param{sim.Remainder}, "beta"
		a.Applies = func(_ *redundancy.Instance, arg string) error {
			_, err := ParseBeta(arg)
			return err
		}
	}
	return simulation.Scheduler[redundancy.Algorithm, sim.Policy]{OnInstance: a, OnWorkload: p}
}
