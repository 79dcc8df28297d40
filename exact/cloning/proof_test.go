package cloning

import (
	"bytes"
	"math"
	"testing"

	"schedgap/exact/cloning/oracle"
	"schedgap/exact/cloning/search"
	verifycloning "schedgap/exact/verify/cloning"
	"schedgap/models/cloning"
	"schedgap/models/fail"
	"schedgap/models/proof"
	"schedgap/models/trials"
)

// A claimed is a proof by states of an instance.
type claimed struct {
	in     *cloning.Instance
	header proof.Header
	lines  []any
	opt    float64
}

func (c *claimed) file(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	fail.On(t, proof.Write(&b, c.header, c.lines))
	return b.Bytes()
}

func (c *claimed) check(t *testing.T) error {
	t.Helper()
	p, err := proof.Read(c.file(t))
	fail.On(t, err)
	_, err = verifycloning.Verify(p, c.in, c.header.SHA256)
	return err
}

func ofRegime(fixed bool) *target {
	if fixed {
		return OptNonpreemptive
	}
	return Opt
}

func ofSolution(t *testing.T, in *cloning.Instance, s cloning.Solution, v float64, fixed bool) *claimed {
	t.Helper()
	claim, err := search.Prove(t.Context(), in, s, v, fixed)
	if err != nil || claim == nil {
		t.Fatalf("no proof: %v\n%s", err, oracle.Show(in))
	}
	return &claimed{in, proof.Header{
		Problem: "cloning", Instance: in.Name, SHA256: "x", Reference: ofRegime(fixed).Reference, Kind: claim.Kind, Bound: claim.Bound,
		Value: claim.Value,
	}, claim.Lines, v}
}

// What is proven when a limit ends the search is verified too, and no more than is true. Poor prices leave something to search
// for.
func TestInterruptedProofs(t *testing.T) {
	rng := trials.Rand(t, 16, 3)
	less := 0
	for i := range trials.Count(60) {
		in, fixed := oracle.Clustered(rng, 4, 2, 4), i%2 == 0
		s, opt := solve(t, ofRegime(fixed), in, "", "")
		whole := &ending{t.Context(), math.MaxInt}
		if _, err := search.Prove(whole, in, s, opt+2, fixed); err != nil {
			t.Fatal(err)
		}
		asked := math.MaxInt - whole.left
		claim, err := search.Prove(&ending{t.Context(), rng.IntN(asked + 1)}, in, s, opt+2, fixed)
		fail.On(t, err)
		if claim == nil {
			continue // not even the jobs' states were listed
		}
		c := &claimed{in, proof.Header{
			Problem: "cloning", Instance: in.Name, SHA256: "x", Reference: ofRegime(fixed).Reference, Kind: claim.Kind, Bound: claim.Bound,
			Value: claim.Value,
		}, claim.Lines, opt}
		if err := c.check(t); err != nil || *claim.Bound > opt {
			t.Fatalf("the bound %v, where %v is the optimum: %v\n%s", *claim.Bound, opt, err, oracle.Show(in))
		}
		if *claim.Bound < opt {
			less++
		}
	}
	if less < trials.Count(15) {
		t.Errorf("only %d searches were cut short", less)
	}
}

// The method is not fooled by a schedule that is no optimum: jobs of 2 and 1 slots on one server, in this order.
func TestProveWorse(t *testing.T) {
	in := &cloning.Instance{
		Resources: []string{"cpu"}, MaxCopies: 1, MaxCopiesPerServer: 1, Servers: []cloning.Server{{ID: "s", Capacity: []float64{1}}},
	}
	in.Name = "two"
	var worse cloning.Solution
	for j, id := range []string{"a", "b"} {
		in.Jobs = append(in.Jobs, cloning.Job{ID: id, Phases: []cloning.Phase{
			{ID: "p", Tasks: 1, Demand: []float64{1}, Mean: float64(2 - j), Speedup: []float64{1}},
		}})
		worse.Copies = append(worse.Copies, cloning.Copy{Task: cloning.Task{Job: j}, Start: 2 * j, End: 2 + j})
	}
	for _, fixed := range []bool{false, true} {
		c := ofSolution(t, in, worse, 5, fixed)
		if c.header.Value != nil || *c.header.Bound != 4 {
			t.Errorf("of a schedule of cost 5, %v and %v are claimed; the optimum is 4", c.header.Value, *c.header.Bound)
		}
		if err := c.check(t); err != nil {
			t.Errorf("the bound 4 is refused: %v", err)
		}
	}
}
