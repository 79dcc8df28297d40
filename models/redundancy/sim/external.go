package sim

import (
	"fmt"

	"schedgap/models"
	"schedgap/models/strict"
)

// external is a policy that a command decides: at every arrival and completion it gets the numbers of active jobs and of
// machines and says how the machines are divided, the latest arrival first. It knows as much as Fair+R and LAPS+R know.
func external(name string, ask models.Ask, fail func(error)) *Policy {
	return &Policy{
		Policy: models.Policy{Name: name},
		Latest: true,
		Rule: func(models.Values) Rule {
			return func(n, machines int) Allotment {
				answer, err := ask(fmt.Appendf(nil, `{"problem":"redundancy","jobs":%d,"machines":%d}`, n, machines))
				var a Allotment
				if err == nil {
					a, err = decodeAllotment(answer, n, machines)
				}
				if err != nil {
					fail(err)
					return Allotment{Served: 1, First: 1, Others: 1, Share: 1}
				}
				return a
			}
		},
	}
}

// decodeAllotment reads an answer such as {"served":2,"first":1,"others":1,"share":1}. What the fields say together is the
// simulator's to check, of every policy.
func decodeAllotment(answer []byte, n, machines int) (a Allotment, err error) {
	f, err := strict.Parse("the answer", answer)
	if err != nil {
		return a, err
	}
	jobs, most := strict.Between(1, float64(n)), strict.Between(1, float64(machines))
	a = Allotment{
		Served: f.Int("served", jobs), First: f.Int("first", most), Others: f.Int("others", most),
		Share: f.Float("share", strict.Above(0).And(strict.AtMost(1))),
	}
	return a, f.Done()
}
