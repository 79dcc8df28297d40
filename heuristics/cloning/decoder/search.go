package decoder

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A search changes keys by random moves.
type search struct {
	*decoder
	at, saved Keys // what was kept, and what was saved
	pending   bool
}

func newSearch(m *model, keys Keys) (*search, float64) {
	s := &search{decoder: newDecoder(m)}
	s.at, s.saved = keys.clone(), keys.clone()
	s.set(keys)
	v := s.begin()
	return s, v
}

func (s *search) Move(random *rand.Rand, limit float64) float64 {
	s.undo()
	s.pending = true
	matters := s.draw(random)
	v := s.again(matters, limit)
	s.trial.value = v
	return v
}

func (s *search) undo() {
	if s.pending {
		for _, k := range s.changed {
			s.change(k, s.at.Key[k], s.at.Clones[k])
		}
	}
	s.changed, s.pending = s.changed[:0], false
}

func (s *search) Keep() {
	if s.pending {
		s.keep(s.trial.value)
		for _, k := range s.changed {
			s.at.Key[k], s.at.Clones[k] = s.keys.Key[k], s.keys.Clones[k]
		}
	}
	s.pending = false
}

func (s *search) Save() { s.saved = s.at.clone() }

func (s *search) Restore() {
	s.pending = false
	s.at = s.saved.clone()
	s.set(s.at)
	s.begin()
}

// draw changes keys, and returns the first moment at which that matters.
func (s *search) draw(random *rand.Rand) int {
	moves, first := 1, never
	if random.IntN(4) == 0 {
		moves = 2
	}
	to := func(k int32, key, clones float64) {
		if !slices.Contains(s.changed, k) {
			s.changed = append(s.changed, k)
		}
		first = min(first, s.change(k, key, clones))
	}
	for range moves {
		j := random.IntN(len(s.in.Jobs))
		size := 2 * math.Exp(-4*random.Float64())
		k := s.first[j] + random.Int32N(s.first[j+1]-s.first[j])
		key, clones := s.keys.Key[k], s.keys.Clones[k]
		shift := func(by float64) {
			for q := s.first[j]; q < s.first[j+1]; q++ {
				to(q, s.keys.Key[q]+by, s.keys.Clones[q])
			}
		}
		switch random.IntN(6) {
		case 0: // a job
			shift(random.NormFloat64() * size)
		case 1: // a job, beside another item
			i := s.order[random.IntN(len(s.order))]
			shift(s.key[i] - key + (random.Float64()-0.5)*1e-3)
		case 2: // a phase
			to(k, key+random.NormFloat64()*size, clones)
		case 3: // a phase, by some places
			at, _ := slices.BinarySearchFunc(s.order, s.phases[k].item, s.compare)
			by := 1 + int(math.Expm1(random.Float64()*math.Log(float64(len(s.order)))))
			if random.IntN(2) == 0 {
				by = -by
			}
			at = max(0, min(len(s.order)-1, at+by))
			to(k, s.key[s.order[at]]+math.Copysign(1e-6, float64(by)), clones)
		default: // a phase's clones
			to(k, key, min(1e3, max(1e-3, clones*math.Exp(random.NormFloat64()*size))))
		}
	}
	return first
}
