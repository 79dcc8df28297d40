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
func decodeAllotment(answer []byte, n, machines int) (Allotment, error) {
	var a struct {
		Served int     `json:"served"`
		First  int     `json:"first"`
		Others int     `json:"others"`
		Share  float64 `json:"share" is:">0 <=1"`
	}
	f, err := strict.Read("the answer", answer, &a)
	if err != nil {
		return Allotment{}, err
	}
	for _, x := range [...]struct {
		path        string
		value, most int
	}{{"served", a.Served, n}, {"first", a.First, machines}, {"others", a.Others, machines}} {
		if x.value < 1 || x.value > x.most {
			f.Fail(x.path, "%d must be between 1 and %d", x.value, x.most)
		}
	}
	return Allotment{Served: a.Served, First: a.First, Others: a.Others, Share: a.Share}, f.Err()
}
