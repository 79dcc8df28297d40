package sim

// An event is the end of an attempt, or the moment at which a job's progress reaches ξ.
type event struct {
	at float64
	// ref is the VM of the attempt, or −1−k for job k.
	ref int32
}

// events is a heap, the first to come on top. Four children a node keep it shallow. An attempt's VM knows its place, so that
// the ends of killed attempts do not stay.
type events struct {
	heap []event
	vms  *[]attempt
}

func (h *events) put(i int, ev event) {
	h.heap[i] = ev
	if ev.ref >= 0 {
		(*h.vms)[ev.ref].place = int32(i)
	}
}

func (h *events) push(ev event) {
	h.heap = append(h.heap, ev)
	h.rise(len(h.heap)-1, ev)
}

func (h *events) rise(i int, ev event) {
	for i > 0 {
		parent := (i - 1) / 4
		if h.heap[parent].at <= ev.at {
			break
		}
		h.put(i, h.heap[parent])
		i = parent
	}
	h.put(i, ev)
}

// remove takes the event at place i away.
func (h *events) remove(i int) {
	last := len(h.heap) - 1
	ev := h.heap[last]
	h.heap = h.heap[:last]
	if i == last {
		return
	}
	if i > 0 && ev.at < h.heap[(i-1)/4].at {
		h.rise(i, ev)
		return
	}
	for {
		child := 4*i + 1
		if child >= last {
			break
		}
		for c, end := child+1, min(child+4, last); c < end; c++ {
			if h.heap[c].at < h.heap[child].at {
				child = c
			}
		}
		if h.heap[child].at >= ev.at {
			break
		}
		h.put(i, h.heap[child])
		i = child
	}
	h.put(i, ev)
}
