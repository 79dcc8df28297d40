package sim

import (
	"fmt"

	"schedgap/models"
	"schedgap/models/simulation"
	"schedgap/models/strict"
)

// external is a policy that a command decides: at every arrival and completion it gets the numbers of active jobs and of
// machines and says how the machines are divided, the latest arrival first, such as
// {"served":2,"first":1,"others":1,"share":1}. It knows as much as Fair+R and LAPS+R know.
func external(name string, ask models.Ask, fail func(error)) *Policy {
	return &Policy{
		Policy: models.Policy{Name: name},
		Latest: true,
		Rule: func(models.Values) Rule {
			return func(n, machines int) Allotment {
				answer, err := ask(fmt.Appendf(nil, `{"problem":"redundancy","jobs":%d,"machines":%d}`, n, machines))
				var a Allotment
				if err == nil {
					_, err = strict.Read("the answer", answer, &a)
				}
				if err == nil {
					err = simulation.AnswerError(a.check(n, machines))
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
