package worst

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"schedgap/bench"
	"schedgap/models"
)

// digits is how many significant digits the numbers of a search have.
const digits = 3

// round rounds x to n significant digits.
func round(x float64, n int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', n, 64), 64)
	if err != nil {
		return x
	}
	return r
}

// put sets a number to the value closest to x that it may have.
func put(n *models.Number, x float64) {
	if math.IsNaN(x) {
		return
	}
	if n.Integer {
		x = math.Round(x)
	}
	n.Set(round(max(n.Least, min(n.Most, x)), digits))
}

// changed is in under a name, changed by do; nil: do wants none, or what came out is no valid instance.
func changed(in *bench.Instance, name string, do func(d *bench.Draft) bool) *bench.Instance {
	d, err := in.Draft(name)
	if err != nil || !do(d) {
		return nil
	}
	out, err := d.Instance()
	if err != nil {
		return nil
	}
	return out
}

// vary makes an instance out of in by one to several moves; nil: what came out was no valid instance.
func (s *search) vary(in *bench.Instance, rng *rand.Rand, more float64) *bench.Instance {
	return changed(in, in.Name, func(d *bench.Draft) bool {
		for again := true; again; again = rng.Float64() < more {
			s.move(d, rng)
		}
		d.Mend()
		return true
	})
}

func (s *search) move(d *bench.Draft, rng *rand.Rand) {
	p := d.Parts()
	p.Numbers = slices.DeleteFunc(p.Numbers, func(n models.Number) bool { return n.Idle })
	s.box.narrow(p.Numbers)
	switch kind := rng.IntN(20); {
	case kind < 4 && len(p.Lists) > 0:
		s.list(p.Lists, rng)
	case kind < 7 && len(p.Changes) > 0:
		p.Changes[rng.IntN(len(p.Changes))].Do(rng)
	case len(p.Numbers) > 0:
		number(p.Numbers, rng)
	}
}

// list adds, drops, splits, merges or moves elements of a list.
func (s *search) list(lists []models.List, rng *rand.Rand) {
	at := rng.IntN(len(lists))
	if rng.IntN(2) == 0 {
		at = 0 // the jobs
	}
	l, most := &lists[at], 8
	if at == 0 {
		most = s.o.Jobs
	}
	n := l.Len()
	if n == 0 {
		return
	}
	i := rng.IntN(n)
	j := rng.IntN(n)
	switch kind := rng.IntN(6); {
	case kind == 0 && n > 1:
		l.Drop(i)
	case kind == 1 && n > 1 && i != j && l.Merge != nil:
		l.Merge(min(i, j), max(i, j))
	case kind == 2 && n < most && l.Split != nil:
		l.Split(i, [...]float64{0.5, 0.25, 0.1, 0.75, 0.9}[rng.IntN(5)])
	case kind <= 4 && n < most && l.Copy != nil:
		l.Copy(i)
	case i != j:
		l.Swap(i, j)
	}
}

// number changes one number, or two or more of one kind.
func number(all []models.Number, rng *rand.Rand) {
	n := &all[rng.IntN(len(all))]
	v := n.Get()
	var alike []*models.Number // of its kind
	for i := range all {
		if o := &all[i]; o.Kind == n.Kind {
			alike = append(alike, o)
		}
	}
	other := alike[rng.IntN(len(alike))]
	switch rng.IntN(12) {
	case 0, 1, 2: // a little
		if n.Integer {
			v += float64(1 - 2*rng.IntN(2))
		} else {
			v *= math.Exp(0.1 * rng.NormFloat64())
		}
	case 3, 4: // a lot
		v *= math.Exp(rng.NormFloat64())
	case 5:
		v *= [...]float64{0.1, 0.5, 2, 10}[rng.IntN(4)]
	case 6:
		w := other.Get()
		put(other, v)
		v = w
	case 7:
		v = other.Get()
	case 8: // to a rounder one, or an end of its range
		v = [...]float64{n.Least, n.Most, round(v, 1), round(v, 1)}[rng.IntN(4)]
	case 9: // onto a moment or an amount that another number makes
		o := &all[rng.IntN(len(all))]
		v += [...]float64{-1, -0.5, 0.5, 1}[rng.IntN(4)] * o.Get()
	case 10: // all of a kind together
		f := math.Exp(0.5 * rng.NormFloat64())
		for _, o := range alike {
			put(o, o.Get()*f)
		}
		return
	case 11: // all of a kind alike
		for _, o := range alike {
			put(o, v)
		}
		return
	}
	put(n, v)
}
