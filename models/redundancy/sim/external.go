package sim

import (
	"fmt"

	"schedgap/models"
	"schedgap/models/strict"
)

// external is a policy that a command decides: at every arrival and completion it is told the numbers of active jobs and of
// machines and says how the machines are divided, the latest arrival first. It knows as much as Fair+R and LAPS+R know.
func external(name string, ask models.Ask, fail func(error)) *Policy {
	return &Policy{
		Policy: models.Policy{Name: name},
		Latest: true,
		Rule: func(models.Values) func(n, machines int) Allotment {
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
	o, err := strict.Parse("the answer", answer)
	if err != nil {
		return a, err
	}
	for _, f := range []struct {
		key  string
		into *int
		most int
	}{{"served", &a.Served, n}, {"first", &a.First, machines}, {"others", &a.Others, machines}} {
		if *f.into, err = o.Int(f.key); err != nil {
			return a, err
		}
		if *f.into < 1 || *f.into > f.most {
			return a, o.Get(f.key).Errorf("%d must be between 1 and %d", *f.into, f.most)
		}
	}
	if a.Share, err = o.Float("share"); err != nil {
		return a, err
	}
	if !(a.Share > 0 && a.Share <= 1) {
		return a, o.Get("share").Errorf("%v must be greater than 0 and at most 1", a.Share)
	}
	return a, o.Done()
}
