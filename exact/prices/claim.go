package prices

import "schedgap/models/proof"

// Claim returns the best bound's point as a proof, for jobs of the given ids; nil when there is no bound.
func (c *Climb) Claim(ids []string) *proof.Claim {
	if c.Point.Price == nil {
		return nil
	}
	claim := &proof.Claim{Kind: proof.Prices, Lines: []any{proof.Multipliers{Grid: c.At, Price: c.Point.Price}}}
	type set struct{ chain, set int }
	lines := map[set]*proof.Counts{}
	for i, row := range c.Rows {
		if c.Point.Theta[i] == 0 {
			continue
		}
		q := set{row.Chain, row.Set}
		line := lines[q]
		if row.Jobs != nil {
			line = &proof.Counts{}
			for _, j := range row.Jobs {
				line.Jobs = append(line.Jobs, ids[j])
			}
			claim.Lines = append(claim.Lines, line)
		} else if line == nil {
			line = &proof.Counts{}
			for j, first := range c.Relaxation.Chains[row.Chain].First {
				if first <= row.Set {
					line.Jobs = append(line.Jobs, ids[j])
				}
			}
			lines[q] = line
			claim.Lines = append(claim.Lines, line)
		}
		line.Points = append(line.Points, row.Point)
		line.Theta = append(line.Theta, c.Point.Theta[i])
		line.Most = append(line.Most, int(row.Most))
		if row.Proof != nil {
			line.Proofs = append(line.Proofs, *row.Proof)
		}
	}
	return claim
}
