package trace

import "hash/maphash"

// An index finds jobs by their ids. It keeps no ids, as the jobs have them, and so takes a fraction of a map's memory and time.
type index struct {
	seed  maphash.Seed
	slots []slot // a power of 2, at most half of them in use
	used  int
}

// A slot is empty, or has a place from 1 and the low bits of an id's hash.
type slot struct{ hash, place uint32 }

// find returns the place at which same holds. It is next, from 0, for a new id, which is entered.
func (x *index) find(id string, next int, same func(place int) bool) int {
	if 2*x.used >= len(x.slots) {
		x.grow()
	}
	hash := uint32(maphash.String(x.seed, id))
	for at := int(hash); ; at++ {
		switch s := &x.slots[at&(len(x.slots)-1)]; {
		case s.place == 0:
			*s = slot{hash, uint32(next) + 1}
			x.used++
			return next
		case s.hash == hash && same(int(s.place-1)):
			return int(s.place - 1)
		}
	}
}

func (x *index) grow() {
	old := x.slots
	if old == nil {
		x.seed = maphash.MakeSeed()
	}
	x.slots = make([]slot, max(1024, 4*len(old)))
	for _, s := range old {
		for at := int(s.hash); s.place > 0; at++ {
			if to := &x.slots[at&(len(x.slots)-1)]; to.place == 0 {
				*to, s = s, slot{}
			}
		}
	}
}
