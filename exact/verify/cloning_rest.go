package verify

import "slices"

// spaceScratch is what bounds are computed in.
type spaceScratch struct {
	ends    []int64 // by phase, then by open job
	volumes []int64 // by phase
	release []int64 // by open job
	first   []int64
	work    []int64
	left    []int64
}

func newSpaceScratch(sp *CloningSpace) *spaceScratch {
	n := len(sp.jobs)
	return &spaceScratch{
		ends: make([]int64, len(sp.phases)), volumes: make([]int64, len(sp.phases)),
		release: make([]int64, 0, n), first: make([]int64, 0, n), work: make([]int64, 0, n), left: make([]int64, 0, n),
	}
}

// Bound is at most the cost of every schedule that begins with st, by prices of copies by slot where there are any; done says that st is
// one.
func (sp *CloningSpace) Bound(st *CloningState) (bound int, done bool) {
	if sp.tariff == nil {
		return sp.gauged(st)
	}
	if sp.fixed {
		var ok bool
		if st.nodes, ok = sp.nodesOf(st, st.nodes[:0]); !ok {
			return sp.gauged(st)
		}
	}
	done = true
	for j, s := range st.nodes {
		done = done && s == sp.graphs[j].end
	}
	if done {
		return st.Cost, true
	}
	units := sp.tariff.bound(st.nodes, st.At, st.Cost)
	return int((units + tariffUnit - 1) >> 12), false
}

// gauged is the bound without prices. The k-th completion from now on is no
// earlier than the k-th least critical path, nor than the k-th completion of shortest remaining time on one machine of a
// gauge's capacity, to which a task brings as many copies times slots as it has left at the greatest progress by copy.
func (sp *CloningSpace) gauged(st *CloningState) (bound int, done bool) {
	s := sp.rest
	now := int64(st.At)
	for _, k := range sp.order {
		ph := &sp.phases[k]
		at := max(now, int64(sp.jobs[ph.job].arrival))
		for _, p := range ph.parents {
			at = max(at, s.ends[p])
		}
		s.volumes[k] = 0
		if left := ph.need - st.Progress[ph.to-1]; left > 0 {
			for i := ph.to - 1; i >= ph.from && st.Progress[i] < ph.need; i-- {
				s.volumes[k] += slots(ph.need-st.Progress[i], ph.rate)
			}
			span := slots(left, ph.gain[len(ph.gain)-1])
			for g := range sp.gauges {
				span = max(span, slots(sp.gauges[g].weight[k]*s.volumes[k], sp.gauges[g].capacity))
			}
			at += span
		}
		s.ends[k] = at
	}
	s.release, s.first = s.release[:0], s.first[:0]
	spent := int64(0)
	for _, job := range sp.jobs {
		end, open := int64(0), false
		for k := job.from; k < job.to; k++ {
			end = max(end, s.ends[k])
			open = open || s.volumes[k] > 0
		}
		if open {
			from := max(now, int64(job.arrival))
			s.release, s.first = append(s.release, from), append(s.first, end)
			spent += from
		}
	}
	if len(s.first) == 0 {
		return st.Cost, true
	}
	slices.Sort(s.first)
	for g := range sp.gauges {
		s.work = s.work[:0]
		for _, job := range sp.jobs {
			w, open := int64(0), false
			for k := job.from; k < job.to; k++ {
				w += sp.gauges[g].weight[k] * s.volumes[k]
				open = open || s.volumes[k] > 0
			}
			if open {
				s.work = append(s.work, w)
			}
		}
		s.srpt(now, sp.gauges[g].capacity)
	}
	sum := -spent
	for _, end := range s.first {
		sum += end
	}
	return st.Cost + int(sum), false
}

// srpt raises s.first to the completions of shortest remaining time on a machine that does capacity units a slot. It has at every moment the
// most jobs done. Time is in units, too.
func (s *spaceScratch) srpt(now, capacity int64) {
	s.left = append(s.left[:0], s.work...)
	at := now * capacity
	for done := 0; done < len(s.left); {
		least, next := -1, int64(-1)
		for i, left := range s.left {
			if left < 0 {
				continue
			}
			if r := s.release[i] * capacity; r > at {
				if next < 0 || r < next {
					next = r
				}
			} else if least < 0 || left < s.left[least] {
				least = i
			}
		}
		switch {
		case least < 0:
			at = next
		case next >= 0 && at+s.left[least] > next:
			s.left[least] -= next - at
			at = next
		default:
			at += s.left[least]
			s.left[least] = -1
			s.first[done] = max(s.first[done], slots(at, capacity))
			done++
		}
	}
}
