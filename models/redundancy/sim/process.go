package sim

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// A law says how machines behave.
type law struct{ kinds [2]kind }

// The kinds of periods.
const (
	available = iota
	unavailable
)

// A kind of period has a Gamma distributed length and a uniform speed.
type kind struct{ shape, scale, low, high float64 }

func (k kind) meanLength() float64 { return k.shape * k.scale }

// cycle is the mean length of an available period with the unavailable one after it.
func (l *law) cycle() float64 {
	return l.kinds[available].meanLength() + l.kinds[unavailable].meanLength()
}

// meanSpeed is the long-run mean of a machine's speed.
func (l *law) meanSpeed() float64 {
	sum := 0.0
	for _, k := range l.kinds {
		sum += k.meanLength() * (k.low + k.high) / 2
	}
	return sum / l.cycle()
}

// A process is one machine's service, generated on demand. Gamma distributed lengths of small shape are often tiny; such periods
// cost a step each.
type process struct {
	law     *law
	source  rand.Source
	rng     *rand.Rand
	current int     // kind of the last of ahead
	at      float64 // service before is consumed
	ahead   []period
	head    int     // the period of ahead that at lies in
	since   float64 // spent has the periods before
	spent   *speeds // nil: not counted
}

// A period ends where the next one starts.
type period struct{ end, speed float64 }

// newProcess returns a machine that is stationary from start on.
func newProcess(l *law, source rand.Source, start float64) process {
	p := process{law: l, source: source, rng: rand.New(source), at: start, since: start}
	// At any moment a machine is in a period of a kind with a probability in proportion to the kind's mean length; that
	// period's length has the density of the kind's weighted by itself, Gamma with one more in shape, and a uniform part of
	// it is left.
	if p.rng.Float64()*l.cycle() >= l.kinds[available].meanLength() {
		p.current = unavailable
	}
	k := l.kinds[p.current]
	p.append(start, p.rng.Float64()*p.gamma(k.shape+1, k.scale))
	return p
}

func (p *process) gamma(shape, scale float64) float64 {
	return distuv.Gamma{Alpha: shape, Beta: 1 / scale, Src: p.source}.Rand()
}

func (p *process) append(start, length float64) {
	k := p.law.kinds[p.current]
	p.ahead = append(p.ahead, period{start + length, k.low + (k.high-k.low)*p.rng.Float64()})
}

// period returns period i of ahead, which exists or is the next to be drawn.
func (p *process) period(i int) period {
	if i == len(p.ahead) {
		p.current = 1 - p.current
		k := p.law.kinds[p.current]
		p.append(p.ahead[i-1].end, p.gamma(k.shape, k.scale))
	}
	return p.ahead[i]
}

// reach returns the time at which the machine has given the service from now on, if that is not after until.
func (p *process) reach(service, until float64) (float64, bool) {
	if service <= 0 {
		return p.at, p.at <= until
	}
	at := p.at
	for i := p.head; ; i++ {
		next := p.period(i)
		end := min(next.end, until)
		if gain := next.speed * (end - at); gain >= service {
			return min(at+service/next.speed, end), true
		} else if next.end >= until {
			return until, false
		} else {
			service -= gain
		}
		at = end
	}
}

// settle counts the current period up to now.
func (p *process) settle() {
	if p.spent != nil {
		p.spent.add(p.ahead[p.head].speed, p.at-p.since)
		p.since = p.at
	}
}

// advance consumes the service up to a time and returns it.
func (p *process) advance(to float64) float64 {
	service := 0.0
	next := p.period(p.head)
	for next.end <= to {
		service += next.speed * (next.end - p.at)
		p.at = next.end
		p.settle()
		p.head++
		next = p.period(p.head)
	}
	service += next.speed * (to - p.at)
	p.at = to
	if p.head > 32 && 2*p.head > len(p.ahead) { // forget past periods
		p.ahead = p.ahead[:copy(p.ahead, p.ahead[p.head:])]
		p.head = 0
	}
	return service
}
