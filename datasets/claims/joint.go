package claims

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
)

// Permutations is how many permutations of a figure's curves are tried, and their seed.
const (
	Permutations    = 10_000
	permutationSeed = 27
)

// A Joint is what one setting gives of a figure's claims.
type Joint struct {
	At    int      // the setting that gives most, the first of them; 0 is the default
	Given int      // claims that it gives, by their means
	Of    int      // claims
	P     *float64 // share of permutations of the curves' numbers of which some setting gives as many; nil: nothing can be permuted
}

// A slot is a claim's place in a figure: its statistic, and the paper's value that a permutation puts there.
type slot struct {
	claim  *Claim
	points []Point
}

// Together looks for the one setting that gives most of the claims of one figure, whose grades have the settings of one design,
// at most 64. How good that is tells a permutation test: whole curves of the paper's numbers, that is the numbers of claims with
// the same curve in their order, change places with curves of the same length and units, so that claims of one curve stay
// together.
func Together(list []*Claim, grades []Grade) Joint {
	var slots []slot
	curves := map[string][]int{}
	var names []string
	for i, c := range list {
		if grades[i].Share == nil {
			continue
		}
		if name := c.curve(); c.Kind == Number {
			if curves[name] == nil {
				names = append(names, name)
			}
			curves[name] = append(curves[name], len(slots))
		}
		slots = append(slots, slot{c, grades[i].Points})
	}
	j := Joint{Of: len(slots)}
	if len(slots) == 0 {
		return j
	}
	given := make([]uint64, len(slots)) // settings at which it holds, as bits
	for i, s := range slots {
		given[i] = s.settings(s.claim)
	}
	j.Given, j.At = most(given, len(slots[0].points))
	groups := map[string][]string{} // curves that can change places
	var keys []string
	for _, name := range names {
		var units []string
		for _, i := range curves[name] {
			units = append(units, slots[i].claim.Unit)
		}
		key := strings.Join(units, "|")
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], name)
	}
	keys = slices.DeleteFunc(keys, func(k string) bool { return len(groups[k]) < 2 })
	if len(keys) == 0 {
		return j
	}
	// held[i][k] are the settings at which slot i has the paper's number of slot k.
	held := make([]map[int]uint64, len(slots))
	rng := rand.New(rand.NewPCG(permutationSeed, 0))
	as, permuted := 0, slices.Clone(given)
	for range Permutations {
		for _, key := range keys {
			group := groups[key]
			order := rng.Perm(len(group))
			for to, from := range order {
				for n, i := range curves[group[to]] {
					k := curves[group[from]][n]
					if held[i] == nil {
						held[i] = map[int]uint64{}
					}
					mask, ok := held[i][k]
					if !ok {
						mask = slots[i].settings(slots[k].claim)
						held[i][k] = mask
					}
					permuted[i] = mask
				}
			}
		}
		if n, _ := most(permuted, len(slots[0].points)); n >= j.Given {
			as++
		}
	}
	p := float64(as+1) / (Permutations + 1)
	j.P = &p
	return j
}

// curve is the name of the claim's curve, its own where it is alone.
func (c *Claim) curve() string {
	if c.Curve != "" {
		return c.Curve
	}
	return c.ID
}

// settings are those at which the slot's mean is the paper's value of a claim, as bits.
func (s slot) settings(c *Claim) (mask uint64) {
	b := c.Bounds()
	for i, p := range s.points {
		if p.at().Inside(b) {
			mask |= 1 << i
		}
	}
	return mask
}

// most is the largest number of masks that have one bit in common, and the first such bit below n.
func most(masks []uint64, n int) (count, at int) {
	var counts [64]int
	for _, m := range masks {
		for m != 0 {
			counts[bits.TrailingZeros64(m)]++
			m &= m - 1
		}
	}
	count = slices.Max(counts[:n])
	return count, slices.Index(counts[:n], count)
}
