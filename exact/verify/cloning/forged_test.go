package cloning_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	verifycloning "schedgap/exact/verify/cloning"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/exact/verify/verifytest"
	"schedgap/models/cloning"
	"schedgap/models/proof"
)

// phase is one of single tasks that take all of one resource.
func phase(mean float64, speedup ...float64) cloning.Phase {
	return cloning.Phase{ID: "p", Tasks: 1, Demand: []float64{1}, Mean: mean, Speedup: speedup}
}

// onOne is jobs on one server that holds 1 of one resource.
func onOne(copies int, jobs ...cloning.Job) *cloning.Instance {
	in := &cloning.Instance{
		Resources: []string{"cpu"}, MaxCopies: copies, MaxCopiesPerServer: copies,
		Servers: []cloning.Server{{ID: "s", Capacity: []float64{1}}}, Jobs: jobs,
	}
	in.Name = "forged"
	for j := range in.Jobs {
		in.Jobs[j].ID = fmt.Sprint("j", j)
	}
	return in
}

func jobOf(arrival int, phases ...cloning.Phase) cloning.Job {
	return cloning.Job{Arrival: arrival, Phases: phases}
}

// linear is h(r) = r for a number of copies.
func linear(copies int) []float64 {
	h := make([]float64, copies)
	for r := range h {
		h[r] = float64(r + 1)
	}
	return h
}

func zeros(rows int) [][]int64 {
	list := make([][]int64, rows)
	for i := range list {
		list[i] = []int64{0}
	}
	return list
}

// byPrices is a bound by prices of the one resource, by interval.
func byPrices(bound float64, bits int, grid []int, price ...int64) (proof.Header, []any) {
	p := verifycloning.Prices{Bits: bits, Grid: grid}
	p.Classes = []verifycloning.Class{{Servers: [][]float64{{1}}, Largest: []float64{1}, Surrogates: []verifycloning.Surrogate{{}}}}
	for _, v := range price {
		p.Surrogates = append(p.Surrogates, []int64{v})
	}
	return proof.Header{Kind: proof.Prices, Bound: &bound}, []any{p}
}

// byStates is an optimum, or of a nil solution a bound, with prices of nothing.
func byStates(bound float64, solution [][6]int, in *cloning.Instance, moments ...verifycloning.Moment) (proof.Header, []any) {
	h := proof.Header{Kind: verifycloning.States, Bound: &bound}
	if solution != nil {
		h.Value = &bound
	}
	guide := verifycloning.Guide{Prices: [][][]int64{nil}}
	for _, job := range in.Jobs {
		guide.Prices[0] = append(guide.Prices[0], zeros(len(job.Phases))...)
		guide.States = append(guide.States, [][]int64{make([]int64, len(job.Phases))})
	}
	lines := []any{verifycloning.Schedule{Copies: solution}, guide}
	for _, m := range moments {
		lines = append(lines, m)
	}
	return h, lines
}

// Proofs that were made to fool the verifier, by someone who has read it: each claims more than is true, and its twin, where
// there is one, the truth.
func TestForgedCloningProofs(t *testing.T) {
	for name, forge := range map[string]func() (in *cloning.Instance, truth float64, make func(bound float64) (proof.Header, []any)){
		"a table concave to 1e-9":                concaveTo1e9,
		"copies without demand":                  withoutDemand,
		"phases 0 and 64":                        collidingPhases,
		"phases 0 and 64 of one job":             collidingParents,
		"subtractions that are lost":             lostSubtractions,
		"a state of negative cost":               negativeCost,
		"a bound beyond 2^51":                    hugeBound,
		"a schedule of cost 2^64":                wrappedCost,
		"free slots times copies beyond 2^63":    wrappedSlots,
		"tails that add up to more than 2^63":    wrappedTails,
		"earnings that add up to more than 2^63": wrappedEarnings,
	} {
		t.Run(name, func(t *testing.T) {
			in, truth, forged := forge()
			check := func(bound float64) error {
				h, lines := forged(bound)
				h.Problem, h.Instance, h.SHA256, h.Reference = "cloning", in.Name, "x", cmp.Or(h.Reference, cloning.Opt)
				c := verifytest.Claimed{Header: h, Lines: lines}
				return verifytest.Refusal(verifycloning.Verify(verifytest.Read(t, c.File(t)), in, "x"))
			}
			more := truth + 1
			if name == "a bound beyond 2^51" {
				more = 1 << 52
			}
			if err := check(more); err == nil {
				t.Errorf("the bound %v is verified, the truth is %v", more, truth)
			} else {
				t.Log(err)
			}
			if err := check(truth); err != nil && cloningTwins[name] {
				t.Errorf("the bound %v is refused: %v", truth, err)
			}
		})
	}
}

// cloningTwins names the forgeries whose proof is one of the truth, too. That of lost subtractions has a grid of more points than a
// proof may have.
var cloningTwins = map[string]bool{
	"a table concave to 1e-9": true, "copies without demand": true, "phases 0 and 64": true,
}

type cloningForgery = func(bound float64) (proof.Header, []any)

// Two copies for one slot bring 2.000000001.
func concaveTo1e9() (*cloning.Instance, float64, cloningForgery) {
	ph := phase(2.0000000015, 1, 2.000000001)
	ph.Demand[0] = 0.5
	in := onOne(2, jobOf(0, ph))
	return in, 1, func(bound float64) (proof.Header, []any) {
		return byPrices(bound, 30, []int{0, 5}, 0)
	}
}

// 10^7 tasks in 10^4 copies each, which all run in the first slot.
func withoutDemand() (*cloning.Instance, float64, cloningForgery) {
	ph := phase(10_000, linear(10_000)...)
	ph.Demand[0], ph.Tasks = 0, 10_000_000
	in := onOne(10_000, jobOf(0, ph))
	return in, 1, func(bound float64) (proof.Header, []any) {
		return byPrices(bound, 0, []int{0, 1}, 0)
	}
}

// The first two phases do not fit beside each other, those 64 places later do: 2 + 1, and 62 of the job in between, which comes
// last.
func collidingPhases() (*cloning.Instance, float64, cloningForgery) {
	half, next := phase(1, 1), phase(1, 1)
	half.Demand = []float64{0.5}
	between := jobOf(3, next)
	for k := range 61 {
		next.Parents = []int{k}
		between.Phases = append(between.Phases, next)
	}
	in := onOne(1, jobOf(0, phase(1, 1), phase(1, 1)), between, jobOf(2, half, half))
	return in, 65, func(bound float64) (proof.Header, []any) { return byStates(bound, nil, in) }
}

// A chain of 65 phases. That the first one has ended does not show while the last one is open, so that the second one would have
// to begin as soon as there is room, which is before it may.
func collidingParents() (*cloning.Instance, float64, cloningForgery) {
	const phases = 65
	var chain []cloning.Phase
	for k := range phases {
		ph := phase(1, 1)
		ph.Demand[0] = 0.5
		if k > 0 {
			ph.Parents = []int{k - 1}
		}
		chain = append(chain, ph)
	}
	in := onOne(1, jobOf(0, chain...))
	return in, phases, func(bound float64) (proof.Header, []any) {
		sp, err := kernel.New(in, true)
		if err != nil {
			panic(err)
		}
		first := make([]int64, 2*phases) // progress by phase, then copies that run
		second := slices.Clone(first)
		second[0] = sp.Phases[0].Need
		guide := verifycloning.Guide{Prices: [][][]int64{zeros(phases)}, States: [][][]int64{{first, second}}}
		return proof.Header{Kind: verifycloning.States, Bound: &bound, Reference: cloning.OptNonpreemptive}, []any{
			verifycloning.Schedule{},
			guide,
			verifycloning.Moment{Keep: [][]int{{0, 0}}},
			verifycloning.Moment{At: 1, Keep: [][]int{{0, 1}}},
		}
	}
}

// A job alone takes as many slots as it has to, and pays for each what the server earns there. Beside a sum of 2^54, 1 is lost.
func lostSubtractions() (*cloning.Instance, float64, cloningForgery) {
	const slots, dear = 20_000, 9 << 40 / 10
	in := onOne(1, jobOf(0, phase(slots, 1)))
	return in, slots, func(bound float64) (proof.Header, []any) {
		var grid []int
		var price []int64
		for t := range slots + 1 {
			grid, price = append(grid, t), append(price, dear-1)
		}
		price = price[:slots]
		price[slots-1] = dear
		return byPrices(bound, 40, grid, price...)
	}
}

// Two jobs of 1 slot on one server: 1 + 2. The state that all are covered by costs −3·2^50, which in 2^-12 slots is 2^62.
func negativeCost() (*cloning.Instance, float64, cloningForgery) {
	in := onOne(1, jobOf(0, phase(1, 1)), jobOf(0, phase(1, 1)))
	return in, 3, func(bound float64) (proof.Header, []any) {
		return byStates(bound, nil, in, verifycloning.Moment{Keep: [][]int{{0, -3 << 50, 0, 0}}})
	}
}

// In 2^-12 slots a bound of 2^52 is 2^64.
func hugeBound() (*cloning.Instance, float64, cloningForgery) {
	in := onOne(1, jobOf(0, phase(1, 1)), jobOf(0, phase(1, 1)))
	return in, 3, func(bound float64) (proof.Header, []any) {
		return byStates(bound, nil, in, verifycloning.Moment{Keep: [][]int{{0, 0, 0, 0}}})
	}
}

// Jobs of 1 slot, one after the other, far in the future: the sum of their flowtimes is 2^64 more than their number, which is a
// bound.
func wrappedCost() (*cloning.Instance, float64, cloningForgery) {
	const jobs = 4096
	var list []cloning.Job
	for range jobs {
		list = append(list, jobOf(0, phase(1, 1)))
	}
	var solution [][6]int
	for j := range jobs {
		end := 1<<64/jobs + j - jobs/2 + 1
		if j == jobs-1 {
			end += jobs / 2
		}
		solution = append(solution, [6]int{j, 0, 0, 0, end - 1, end})
	}
	in := onOne(1, list...)
	return in, jobs - 1, func(bound float64) (proof.Header, []any) { return byStates(bound, solution, in) }
}

// A phase of a few slots beside one of 2^50: slots that are free times 10^4 copies are more than 2^63.
func wrappedSlots() (*cloning.Instance, float64, cloningForgery) {
	const long = 1 << 50
	slow, quick := phase(long, append([]float64{1}, repeat(1, 9_999)...)...), phase(10_000, linear(10_000)...)
	slow.Demand[0], quick.Demand[0], quick.Tasks = 0, 1e-4, 10
	in := onOne(10_000, jobOf(0, slow, quick))
	return in, long, func(bound float64) (proof.Header, []any) {
		return byPrices(bound, 0, []int{0, 1 << 20}, 10_000)
	}
}

func repeat(v float64, n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = v
	}
	return list
}

// Two phases that do not fit beside each other, then a chain whose tails add up to more than 2^63. By the earliest end of the
// chain both must have paid for the same slots.
func wrappedTails() (*cloning.Instance, float64, cloningForgery) {
	const chain, length, first = 30_000, 30_000_000_000, 1 << 30
	phases := []cloning.Phase{phase(first, 1), phase(first, 1)}
	for k := range chain {
		ph := phase(length, 1)
		ph.Parents = []int{k + 1}
		if k == 0 {
			ph.Parents = []int{0, 1}
		}
		phases = append(phases, ph)
	}
	in := onOne(1, jobOf(0, phases...))
	return in, 2*first + chain*length, func(bound float64) (proof.Header, []any) {
		return byPrices(bound, 0, []int{0, first}, 1<<20)
	}
}

// 275,000 servers could each hold all copies of two tasks, at 2^23 a copy in each of 2^13 slots.
func wrappedEarnings() (*cloning.Instance, float64, cloningForgery) {
	h := make([]float64, 249)
	for r := range h {
		h[r] = 1 + float64(r)*0.002
	}
	ph := phase(1.49, h...)
	ph.Demand[0] = 0
	in := onOne(249, jobOf(0, ph), jobOf(0, ph))
	for len(in.Servers) < 275_000 {
		in.Servers = append(in.Servers, in.Servers[0])
	}
	return in, 2, func(bound float64) (proof.Header, []any) {
		row := make([]int64, 1<<13)
		for t := range row {
			row[t] = 1 << 23
		}
		h, lines := byStates(bound, nil, in)
		guide := lines[1].(verifycloning.Guide)
		guide.Prices[0] = [][]int64{row, row}
		return h, lines
	}
}

// What a solution costs is said of schedules that no server holds too much of, not even by what the checker forgives.
func TestCloningScheduleWithinCapacity(t *testing.T) {
	in := onOne(1, jobOf(0, phase(1, 1)), jobOf(0, phase(1, 1)))
	s := verifycloning.Schedule{Copies: [][6]int{{0, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 1}}}
	for demand, fits := range map[float64]bool{0.5: true, 0.5 + 1e-10: true, 0.5 + 4e-9: false, 0.5 + 4e-7: false, 0.6: false} {
		for j := range in.Jobs {
			in.Jobs[j].Phases[0].Demand = []float64{0.5}
		}
		in.Jobs[1].Phases[0].Demand[0] = demand
		for _, fixed := range []bool{false, true} {
			if cost, err := s.Cost(in, fixed); fits != (err == nil) || fits && cost != 2 {
				t.Errorf("0.5 and %v of 1, fixed %v: cost %d, %v", demand, fixed, cost, err)
			}
		}
	}
}
