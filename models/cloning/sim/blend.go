package sim

import (
	"cmp"
	"slices"
)

// A blend is the part that Blend adds to the best fit. Its ε and its greatest key are over the entries that still fit on the
// present server or a later one. Servers already passed do not change, so an entry counts until the last server with room for it
// is passed or its tasks have started.
type blend struct {
	members []*entry // in the queue's order; nil: does not count any more
	leaving []uint64 // members that have not left by it, each behind the last server that has room for it
	left    int      // of leaving
	count   int      // of members that count
	most    int      // the last of these, or one behind it
	worth   []sum    // by resource: of their weights times demands
	keys    sum      // of their keys
	given   float64  // ε; 0: by the means
	epsilon float64  // on the present server
	longest float64  // the greatest key
}

// begin makes a blend of no entries.
func (b *blend) begin(width int, given float64) {
	clear(b.members)
	*b = blend{members: b.members[:0], leaving: b.leaving[:0], worth: slices.Grow(b.worth[:0], width)[:width], given: given}
	clear(b.worth)
}

// add has an entry count up to the last server with room for it.
func (b *blend) add(n *entry, last int) {
	b.leaving = append(b.leaving, uint64(last)<<32|uint64(len(b.members)))
	b.most, b.members = len(b.members), append(b.members, n)
	b.book(n, 1)
}

func (b *blend) book(n *entry, by float64) {
	b.count += int(by)
	b.keys.add(by * n.key)
	for r, d := range n.demand {
		b.worth[r].add(by * n.weight * d)
	}
}

// remove has the entry of that place in the queue's order count no more.
func (b *blend) remove(order int) {
	if n := b.members[order]; n != nil {
		b.members[order] = nil
		b.book(n, -1)
	}
}

// reach removes the entries that no server from one on has room for.
func (b *blend) reach(server int) {
	for ; b.left < len(b.leaving) && int(b.leaving[b.left]>>32) < server; b.left++ {
		b.remove(int(uint32(b.leaving[b.left])))
	}
}

// renew finds ε and the greatest key, given the weight of a unit of each resource.
func (b *blend) renew(weights []float64) {
	if b.count == 0 {
		return
	}
	for b.members[b.most] == nil {
		b.most--
	}
	b.longest = b.members[b.most].key
	b.epsilon = b.given
	if b.given > 0 {
		return
	}
	// The mean of the fits over the mean of 1 − key/longest; when all keys are alike the second term decides nothing.
	n, fits := float64(b.count), 0.0
	for r, w := range weights {
		fits += w * b.worth[r].value()
	}
	if short := n - b.keys.value()/cmp.Or(b.longest, 1); short > 1e-12*n {
		b.epsilon = fits / short
	}
}

// prefer is the second term of an entry with that key.
func (b *blend) prefer(key float64) float64 {
	if b.longest > 0 {
		return b.epsilon * (1 - key/b.longest)
	}
	return 0
}

// A sum is one that terms may leave again without a trace of their rounding errors (Neumaier 1974).
type sum struct{ high, low float64 }

func (s *sum) add(x float64) {
	high := s.high + x
	y := high - s.high
	s.low += (s.high - (high - y)) + (x - y)
	s.high = high
}

func (s *sum) value() float64 { return s.high + s.low }
