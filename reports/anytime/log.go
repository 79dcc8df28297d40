package anytime

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"schedgap/bench"
	"schedgap/bench/run/store"
	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/words"
)

// An Event is an incumbent's checked value, or a bound, that a unit knew before its end.
type Event struct {
	Point
	Bound bool
}

// A Log holds what units knew before their ends, by their IDs, in the order of time.
type Log map[string][]Event

// Read reads the values and bounds that the units of records knew before their ends. Events of other runs of a unit are left out.
// Files that cannot be read are listed, and their events are missing.
func Read(ctx context.Context, d *store.Dir, records []ratio.Record) (Log, []*store.FileError, error) {
	log := Log{}
	var run map[string]string // by unit; most folders of simulations and heuristics never need it
	bad, err := d.EachProgress(ctx, func(rows []bench.ProgressRecord) {
		if run == nil {
			run = make(map[string]string, len(records))
			for i := range records {
				run[records[i].UnitID] = records[i].RunID
			}
		}
		for _, r := range rows {
			if id, known := run[r.UnitID]; !known || id != r.RunID || !(r.WallSeconds >= 0) || math.IsInf(r.WallSeconds, 1) {
				continue // of another run, or at no time
			}
			switch {
			case r.Objective != nil:
				log[r.UnitID] = append(log[r.UnitID], Event{Point{r.WallSeconds, *r.Objective}, false})
			case r.Bound != nil:
				log[r.UnitID] = append(log[r.UnitID], Event{Point{r.WallSeconds, *r.Bound}, true})
			}
		}
	})
	return log, bad, err
}

// Values are those of a unit's incumbents over time, its end included. A value handed back when the unit was stopped counts at
// the limit.
func (l Log) Values(u *ratio.Unit) (values []Point) {
	end := 0.0
	if u.WallSeconds != nil {
		end = *u.WallSeconds
	}
	if limit := u.TimeLimitSeconds; limit != nil {
		end = min(end, *limit)
	}
	for _, e := range l[u.UnitID] {
		if !e.Bound {
			values = append(values, Point{min(e.Seconds, end), e.Value})
		}
	}
	if u.Value != nil {
		values = append(values, Point{end, *u.Value})
	}
	return values
}

// A Cut says what Cut did.
type Cut struct {
	Stopped map[string]bool // the IDs of units that would have run into the limit
	Shorter int             // units that ran into a limit of their own that was shorter: their further course is not known
}

func (c Cut) String() string {
	s := words.Count(len(c.Stopped), "unit") + " would have run into it"
	if c.Shorter > 0 {
		s += fmt.Sprintf("; %s with a shorter limit ran into it and stay as they are", words.Count(c.Shorter, "unit"))
	}
	return s
}

// Cut returns the records as they would be if the time limit had been that many seconds, and what of the log lies before it: a
// unit that took longer is a timeout with the last value and the last bound that it knew by then. The records and the log stay as
// they are. A solver that adapts to its limit might have done otherwise.
func (l Log) Cut(records []ratio.Record, limit float64) ([]ratio.Record, Log, Cut) {
	c := Cut{Stopped: map[string]bool{}}
	out, log := slices.Clone(records), maps.Clone(l)
	type as struct {
		*ratio.Setup
		stopped bool
	}
	setups := map[as]*ratio.Setup{} // as they are with the limit
	for i := range out {
		r := &out[i]
		if own := r.TimeLimitSeconds; own != nil && *own <= limit {
			if *own < limit && r.Status == string(bench.Timeout) {
				c.Shorter++
			}
			continue
		}
		now := as{r.Setup, r.WallSeconds != nil && *r.WallSeconds > limit}
		if now.stopped {
			c.Stopped[r.UnitID] = true
			r.Findings, r.Error, r.Work, r.WallSeconds = models.Findings{}, nil, models.Work{}, &limit
			events := log[r.UnitID]
			if n := slices.IndexFunc(events, func(e Event) bool { return e.Seconds > limit }); n >= 0 {
				events = slices.Clip(events[:n])
			}
			for k := range events {
				if e := &events[k]; e.Bound {
					r.Bound = &e.Value
				} else {
					r.Objective, r.Feasible = &e.Value, new(true)
				}
			}
			log[r.UnitID] = events
			if len(events) == 0 {
				delete(log, r.UnitID)
			}
		}
		if setups[now] == nil {
			s := *r.Setup
			s.TimeLimitSeconds = &limit
			if now.stopped {
				s.Status = string(bench.Timeout)
			}
			setups[now] = &s
		}
		r.Setup = setups[now]
	}
	return out, log, c
}
