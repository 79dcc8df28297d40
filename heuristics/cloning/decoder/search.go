package decoder

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A Search changes keys by random moves and implements anneal.Schedule. Workers evaluate moves ahead, each as if the last one
// were not kept, so the result does not depend on the number of threads.
type Search struct {
	at, saved Keys // of the last kept move, and of the last Save
	value     float64
	workers   []*worker // that of a move is the one of its number modulo theirs
	moves     uint64    // made so far
	ahead     uint64    // moves that are evaluated or being so
	seed      uint64
	gap       float64 // by which limits are above the value, about
}

// A worker evaluates moves.
type worker struct {
	*decoder
	limit, value float64
	done         chan struct{}
}

// Search begins at keys, whose value it returns.
func (m *Model) Search(keys Keys, threads int) (*Search, float64) {
	s := &Search{at: keys.clone(), saved: keys.clone(), gap: math.Inf(1)}
	for range max(1, threads) {
		s.workers = append(s.workers, &worker{decoder: newDecoder(m), done: make(chan struct{}, 1)})
	}
	s.begin()
	return s, s.value
}

// begin evaluates the keys that were kept.
func (s *Search) begin() {
	w := s.workers[0]
	w.set(s.at)
	s.value = w.decoder.value(math.Inf(1))
}

// Move implements anneal.Schedule.
func (s *Search) Move(random *rand.Rand, limit float64) float64 {
	if s.moves == 0 {
		s.seed = random.Uint64()
	}
	i := s.moves
	s.moves++
	own := s.ahead <= i
	s.ahead = max(s.ahead, s.moves)
	for ; s.ahead < i+uint64(len(s.workers)); s.ahead++ {
		w := s.worker(s.ahead)
		w.limit = s.value + 3*s.gap
		seed := s.ahead
		go func() {
			w.evaluate(s.at, rand.New(rand.NewPCG(s.seed, seed)))
			w.done <- struct{}{}
		}()
	}
	w := s.worker(i)
	if !own {
		<-w.done
	}
	if own || w.value > w.limit && limit > w.limit {
		w.limit = limit
		w.evaluate(s.at, rand.New(rand.NewPCG(s.seed, i)))
	}
	if gap := limit - s.value; math.IsInf(s.gap, 1) || math.IsInf(gap, 1) {
		s.gap = gap
	} else {
		s.gap += (gap - s.gap) / 16
	}
	return w.value
}

func (s *Search) worker(move uint64) *worker { return s.workers[move%uint64(len(s.workers))] }

func (w *worker) evaluate(at Keys, random *rand.Rand) {
	w.set(at)
	w.draw(random)
	w.value = w.decoder.value(w.limit)
}

// Keep implements anneal.Schedule.
func (s *Search) Keep() {
	kept := s.worker(s.moves - 1)
	s.Close()
	s.at.set(kept.keys)
	s.value = kept.value
}

// Save implements anneal.Schedule.
func (s *Search) Save() { s.saved.set(s.at) }

// Restore implements anneal.Schedule.
func (s *Search) Restore() {
	s.Close()
	s.at.set(s.saved)
	s.begin()
}

// Close stops the evaluation of moves ahead.
func (s *Search) Close() {
	for ; s.ahead > s.moves; s.ahead-- {
		w := s.worker(s.ahead - 1)
		w.abort.Store(true)
		<-w.done
		w.abort.Store(false)
	}
}

// Saved are the keys that were saved last.
func (s *Search) Saved() Keys { return s.saved }

// draw changes keys.
func (w *worker) draw(random *rand.Rand) {
	moves := 1
	if random.IntN(4) == 0 {
		moves = 2
	}
	for range moves {
		j := random.IntN(len(w.in.Jobs))
		size := 2 * math.Exp(-4*random.Float64())
		k := w.first[j] + random.Int32N(w.first[j+1]-w.first[j])
		key, clones := &w.keys.Key[k], &w.keys.Clones[k]
		shift := func(by float64) {
			for q := w.first[j]; q < w.first[j+1]; q++ {
				w.keys.Key[q] += by
			}
		}
		switch random.IntN(6) {
		case 0: // a job
			shift(random.NormFloat64() * size)
		case 1: // a job, beside another item
			i := w.order[random.IntN(len(w.order))]
			shift(w.key[i] - *key + (random.Float64()-0.5)*1e-3)
		case 2: // a phase
			*key += random.NormFloat64() * size
		case 3: // a phase, by some places
			at, _ := slices.BinarySearchFunc(w.order, w.phases[k].item, w.compare)
			by := 1 + int(math.Expm1(random.Float64()*math.Log(float64(len(w.order)))))
			if random.IntN(2) == 0 {
				by = -by
			}
			at = max(0, min(len(w.order)-1, at+by))
			*key = w.key[w.order[at]] + math.Copysign(1e-6, float64(by))
		default: // a phase's clones
			*clones = min(1e3, max(1e-3, *clones*math.Exp(random.NormFloat64()*size)))
		}
		w.sort()
	}
}
