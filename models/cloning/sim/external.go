package sim

import (
	"encoding/json"
	"math/rand/v2"

	"schedgap/models"
	"schedgap/models/strict"
)

// A question is sent to a command whenever a job arrives or a task ends. It lists the unfinished jobs, by arrival, with the phases
// whose parents are done. Times are in slots.
type question struct {
	Problem  string     `json:"problem"`
	Now      int        `json:"now"`
	Capacity []float64  `json:"capacity"` // of the whole cluster, by resource
	Jobs     []askedJob `json:"jobs"`
}

type askedJob struct {
	ID      string       `json:"id"`
	Arrival int          `json:"arrival"`
	Phases  []askedPhase `json:"phases"`
}

type askedPhase struct {
	Phase   int       `json:"phase"`   // index in the job
	Waiting int       `json:"waiting"` // tasks without a copy
	Running int       `json:"running"` // tasks with one
	Copies  int       `json:"copies"`  // that run
	Demand  []float64 `json:"demand"`  // of a copy, by resource
	Mean    float64   `json:"mean"`
	SD      float64   `json:"sd"`
}

// external is a policy that a command decides.
func external(name string, ask models.Ask, fail func(error)) *Policy {
	return &Policy{
		Policy: models.Policy{Name: name},
		New: func(s *State, _ models.Values, _ *rand.Rand) Rules {
			c := &commanded{state: s, ask: ask, fail: fail, index: map[string]int{}, at: -1}
			for j := range s.in.Jobs {
				c.index[s.in.Jobs[j].ID] = j
			}
			return Rules{Rank: c.rank, MaxCopies: s.in.MaxCopies, Pack: FirstFit, Changes: OnArrival | OnProgress}
		},
	}
}

// A commanded policy remembers its command's last answer.
type commanded struct {
	state  *State
	ask    models.Ask
	fail   func(error)
	index  map[string]int  // jobs by id
	told   map[[2]int]bool // phases that the last question spoke of
	places map[[2]int]request
	at     int // slot of the last question
}

type request struct{ at, copies int }

// rank asks again in every slot in which the engine wants to know, after arrivals for all jobs, after the end of a task for its
// job, and within a slot about phases that the last question did not know.
func (c *commanded) rank(job, phase, copies int) (Rank, bool) {
	if c.at != c.state.now || !c.told[[2]int{job, phase}] {
		c.at = c.state.now
		if err := c.decide(); err != nil {
			c.fail(err)
			c.places = nil
		}
	}
	p, ok := c.places[[2]int{job, phase}]
	if !ok || copies >= p.copies {
		return Rank{}, false
	}
	return Rank{Group: copies, Key: float64(p.at)}, true
}

func (c *commanded) decide() error {
	c.told = map[[2]int]bool{}
	q := question{Problem: "cloning", Now: c.state.now, Capacity: c.state.total, Jobs: []askedJob{}}
	for j := range c.state.Active {
		job := &c.state.Instance().Jobs[j]
		a := askedJob{ID: job.ID, Arrival: job.Arrival, Phases: []askedPhase{}}
		for k := range job.Phases {
			ph, st := &job.Phases[k], &c.state.jobs[j].phases[k]
			if st.waits > 0 || st.left == 0 {
				continue
			}
			c.told[[2]int{j, k}] = true
			waiting := ph.Tasks - int(st.started)
			a.Phases = append(a.Phases, askedPhase{
				Phase: k, Waiting: waiting, Running: int(st.left) - waiting, Copies: int(st.copies), Demand: ph.Demand, Mean: ph.Mean,
				SD: ph.SD,
			})
		}
		q.Jobs = append(q.Jobs, a)
	}
	line, err := json.Marshal(q)
	if err != nil {
		return err
	}
	line, err = c.ask(line)
	if err != nil {
		return err
	}
	c.places, err = c.decode(line)
	return err
}

// An answer is such as {"serve":[{"job":"a","phase":0,"copies":2}]}: phases that the question spoke of in the order of service,
// each at most once with how many copies, all counted, its tasks may have. First copies of all listed phases go before second
// ones, and so on. Phases that are not listed get no copies.
type answer struct {
	Serve strict.List[served] `json:"serve"`
}

type served struct {
	Job    string `json:"job"`
	Phase  int    `json:"phase"`
	Copies int    `json:"copies" is:">=1" default:"1"`
}

func (c *commanded) decode(line []byte) (map[[2]int]request, error) {
	f, err := strict.Open("the answer", line)
	if err != nil {
		return nil, err
	}
	places := make(map[[2]int]request)
	var a answer
	a.Serve.Each = func(i int, s *served) {
		j, ok := c.index[s.Job]
		if !ok {
			f.Fail(strict.At("serve", i, "job"), "%q is not the id of a job", s.Job)
		}
		at := [2]int{j, s.Phase}
		if !c.told[at] {
			f.Fail(strict.At("serve", i, "phase"), "phase %d of job %q is not among those that may run now", s.Phase, s.Job)
		}
		if before, twice := places[at]; twice {
			f.Fail(strict.At("serve", i), "phase %d of job %q has a place already, serve[%d]", s.Phase, s.Job, before.at)
		}
		places[at] = request{i, s.Copies}
	}
	f.Read(&a)
	return places, f.Err()
}
