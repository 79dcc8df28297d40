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
	// Lo and Hi are the distance in these results, a ratio where Found has one, else a difference: from the best known value and
	// from the best bound. Null where the algorithm or the reference was not run.
	Lo Number `json:"lo"`
	Hi Number `json:"hi"`
}

// worstCases lists the found instances among a problem's, the furthest first: ratios, then differences.
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
			c.Lo, c.Hi = Number(d.DifferenceLo), Number(d.DifferenceHi)
			if c.Ratio != nil {
				c.Lo, c.Hi = Number(d.RatioLo), Number(d.RatioHi)
			}
		}
		list = append(list, c)
	}
	far := func(c WorstCase) float64 {
		if c.Ratio != nil {
			return *c.Ratio
		}
		return c.Difference
	}
	slices.SortStableFunc(list, func(a, b WorstCase) int {
		if byRatio := a.Ratio != nil; byRatio != (b.Ratio != nil) {
			return map[bool]int{true: -1, false: 1}[byRatio]
		}
		return cmp.Compare(far(b), far(a))
	})
	return list
}
