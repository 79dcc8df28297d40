package summary

import (
	"cmp"
	"math"
	"slices"

	"schedgap/reports/ratio"
)

// A WorstCase is an instance that a search found for an algorithm, with what that algorithm does on it in these results.
type WorstCase struct {
	Instance string `json:"instance"`
	SHA256   string `json:"instance_sha256"`
	Jobs     int64  `json:"jobs"` // 0: not known
	ratio.Found
	// Lo and Hi are the distance in these results by the measure of the search, from the best known value and from the best
	// bound. Null where the algorithm or the reference was not run.
	Lo Number `json:"lo"`
	Hi Number `json:"hi"`
}

// As is the measure of the search, with the distance from the optimum then.
func (c *WorstCase) As() (measure string, then float64) {
	switch {
	case c.Regret != nil:
		return "regret", *c.Regret
	case c.Ratio != nil:
		return "ratio", *c.Ratio
	}
	return "difference", c.Difference
}

// worstCases lists the found instances among a problem's, the furthest first: ratios, then regrets, then differences.
func worstCases(p *ratio.Problem) []WorstCase {
	list := []WorstCase{}
	for _, in := range p.Instances {
		if in.Found == nil {
			continue
		}
		c := WorstCase{Instance: in.Name, SHA256: in.SHA256, Found: *in.Found, Lo: Number(math.NaN()), Hi: Number(math.NaN())}
		for _, u := range in.Units {
			if u.NJobs != nil {
				c.Jobs = *u.NJobs
			}
			if u.Algorithm != c.Algorithm || u.Value == nil || !u.Related(c.Reference) {
				continue
			}
			d := p.Distance(u, c.Reference)
			switch measure, _ := c.As(); measure {
			case "ratio":
				c.Lo, c.Hi = Number(d.RatioLo), Number(d.RatioHi)
			case "regret":
				c.Lo, c.Hi = Number(d.DifferenceLo/d.Scale), Number(d.DifferenceHi/d.Scale)
			default:
				c.Lo, c.Hi = Number(d.DifferenceLo), Number(d.DifferenceHi)
			}
		}
		list = append(list, c)
	}
	rank := []string{"ratio", "regret", "difference"}
	slices.SortStableFunc(list, func(a, b WorstCase) int {
		x, far := a.As()
		y, further := b.As()
		return cmp.Or(cmp.Compare(slices.Index(rank, x), slices.Index(rank, y)), cmp.Compare(further, far))
	})
	return list
}
