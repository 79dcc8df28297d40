package models

// A Constraint is one condition that a solution must meet. Violations, waivers, rows of MILP models and the problem's
// page under docs/problems use its name.
type Constraint struct {
	Name      string `json:"name"`      // such as slots
	Statement string `json:"statement"` // the condition in the symbols of the problem's page, one line
	Source    string `json:"source"`    // the paper's section or equation, or the page of docs that settles it
}

// Constraints turns rows of name, statement and source into constraints.
func Constraints(table [][3]string) []Constraint {
	list := make([]Constraint, len(table))
	for i, row := range table {
		list[i] = Constraint{row[0], row[1], row[2]}
	}
	return list
}

// explain adds the problem's statement of the constraint to every violation.
func (p *Problem[I, S]) explain(violations []Violation) {
	for i := range violations {
		for _, c := range p.Constraints {
			if c.Name == violations[i].Constraint {
				violations[i].Statement, violations[i].Source = c.Statement, c.Source
			}
		}
	}
}
