package sim

import (
	"encoding/json"
	"fmt"

	"schedgap/models"
)

// external is a policy that a command decides: at every arrival and completion it is told the numbers of active jobs and of
// machines and says how the machines are divided, the latest arrival first. It knows as much as Fair+R and LAPS+R know.
func external(name string, ask models.Ask, fail func(error)) *Policy {
	return &Policy{
		Policy: models.Policy{Name: name},
		Latest: true,
		Rule: func(models.Values) func(n, machines int) Allotment {
			return func(n, machines int) Allotment {
				question := fmt.Sprintf(`{"problem":"redundancy","jobs":%d,"machines":%d}`, n, machines)
				answer, err := ask([]byte(question))
				a := struct {
					Served *int     `json:"served"`
					First  *int     `json:"first"`
					Others *int     `json:"others"`
					Share  *float64 `json:"share"`
				}{}
				if err == nil {
					if err = json.Unmarshal(answer, &a); err != nil {
						err = fmt.Errorf("the answer %.200q: %w", answer, err)
					}
				}
				if err == nil && (a.Served == nil || a.First == nil || a.Others == nil || a.Share == nil) {
					err = fmt.Errorf("the answer %.200q needs served, first, others and share", answer)
				}
				if err != nil {
					fail(err)
					return Allotment{Served: 1, First: 1, Others: 1, Share: 1}
				}
				return Allotment{Served: *a.Served, First: *a.First, Others: *a.Others, Share: *a.Share}
			}
		},
	}
}
