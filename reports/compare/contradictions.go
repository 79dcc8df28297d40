package compare

import (
	"schedgap/reports/ratio"
)

// A Contradiction is a value of one side beyond a bound proven on the same or on another side. Its claims name
// the side: base, head, or a night.
type Contradiction struct {
	ratio.Contradiction
	Before bool `json:"before"` // the other sides contradict each other on the instance, so that head may not be to blame
}

// contradictions compares the proofs of all sides with the values of all.
func (c *comparison) contradictions() []Contradiction {
	if len(c.set.Contradictions) == 0 {
		return nil
	}
	earlier := c.in
	earlier.Sides = earlier.Sides[:len(earlier.Sides)-1]
	before := map[string]bool{}
	if set, err := pool(earlier); err == nil { // it has no problem that the whole set does not have
		for _, of := range set.set.Contradictions {
			before[of.Problem+of.SHA256] = true
		}
	}
	var out []Contradiction
	for _, of := range c.set.Contradictions {
		for _, claim := range []*ratio.Claim{&of.Proof, &of.Value} {
			claim.Side = c.side(claim.Set)
		}
		out = append(out, Contradiction{of, before[of.Problem+of.SHA256]})
	}
	return out
}

// side names a side.
func (c *comparison) side(k int) string {
	if c.in.Nights {
		return c.in.Sides[k].Name
	}
	return [...]string{"base", "head"}[k]
}
