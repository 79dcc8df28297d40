package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"schedgap/bench"
	cloningoracle "schedgap/exact/cloning/oracle"
	flexoracle "schedgap/exact/flex/oracle"
	pocdoracle "schedgap/exact/pocd/oracle"
	redundancyoracle "schedgap/exact/redundancy/oracle"
	speculationoracle "schedgap/exact/speculation/oracle"
	verifyflex "schedgap/exact/verify/flex"
	"schedgap/exact/verify/referee"
	"schedgap/exact/verify/verifytest"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/pocd"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
	"schedgap/models/speculation"
	"schedgap/models/trials"
)

// Forged proofs, of instances in which rounding matters, are refused by all three verifiers, or what they say is true by the oracles.
// checkproof.py, which takes ten times as long as the others, is asked about all of them every night, and else about each fifth.
func TestForgedProofs(t *testing.T) {
	second := func(*bench.Instance, []byte) int { return 3 }
	for _, p := range registry(t).Problems {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			second := second
			if python, err := exec.LookPath("python3"); err == nil {
				second = startSecond(t, python)
			}
			f := &forger{
				t: t, problem: p, rng: trials.Rand(t, 52, uint64(len(p.Name))), second: second, dir: t.TempDir(),
				asked: map[string]int{}, accepted: map[string]int{},
			}
			count := trials.Count(2000)
			f.each = 8
			if !trials.Whole() {
				count, f.each = count/2, 16 // proofs and optima take longer than forgeries
			}
			for f.forged < count {
				f.attack()
			}
			t.Logf("%d forgeries of %d proofs; accepted and true: %v; checkproof.py gave up %d times", f.forged, f.proofs, f.accepted, f.up)
			for verifier, asked := range f.asked {
				if f.accepted[verifier] == 0 || f.accepted[verifier] == asked {
					t.Errorf("%s must refuse forgeries and accept some for this test to say anything", verifier)
				}
			}
		})
	}
}

// A forger changes proofs of one problem.
type forger struct {
	t       *testing.T
	problem *bench.Problem
	rng     *rand.Rand
	second  func(in *bench.Instance, file []byte) int
	dir     string

	forged, proofs, up int
	each               int            // forgeries of one proof
	asked, accepted    map[string]int // by verifier
}

// attack proves the optimum or bound of an instance and changes the proof in several ways.
func (f *forger) attack() {
	in := f.harsh()
	algorithms := map[string][]string{
		"flex": {"opt", "opt", "opt", "lb-price"}, "pocd": {"opt", "opt-all"}, "cloning": {"opt", "opt-nonpreemptive", "lb-heads", "lb-price"},
		"redundancy": {"opt", "opt", "lb-price"}, "speculation": {"opt"},
	}[f.problem.Name]
	r := f.problem.Run(f.t.Context(), in, bench.Request{
		Algorithm: algorithms[f.rng.IntN(len(algorithms))], Seed: 1, Threads: 1, Prove: true,
	}, bench.Observer{})
	f.problem.Prove(f.t.Context(), in, r)
	if len(r.Proof) == 0 {
		return
	}
	rounding := 0.0
	if len(r.Solution) > 0 {
		report, err := in.Check("solution", r.Solution)
		if err != nil {
			f.t.Fatal(err)
		}
		rounding = report.Rounding
	}
	known := map[string]*[2]float64{}
	truth := func(reference string) *[2]float64 { // is asked for when a forgery is accepted: oracles take longer than verifiers
		if _, asked := known[reference]; !asked {
			known[reference] = f.optimum(in, reference)
		}
		return known[reference]
	}
	f.proofs++
	fail.On(f.t, os.WriteFile(f.instance(), in.JSON, 0o600))
	for range f.each {
		f.forged++
		f.judge(in, truth, rounding, f.forge(in, r.Proof))
	}
}

// instance is the file of the instance whose proof is changed.
func (f *forger) instance() string { return filepath.Join(f.dir, "instance.json") }

// judge asks all verifiers about a forgery.
func (f *forger) judge(in *bench.Instance, truth func(reference string) *[2]float64, rounding float64, file []byte) {
	f.t.Helper()
	name := filepath.Join(f.dir, "proof.gz")
	fail.On(f.t, os.WriteFile(name, file, 0o600))
	p, err := proof.Read(file)
	if err != nil {
		return
	}
	_, first := in.Verify(p)
	checked, err := referee.Verify(f.t.Context(), f.instance(), name)
	verdicts := map[string]bool{"verify": first == nil, "schedcheck": err == nil && checked.Verified}
	if trials.Whole() || f.forged%5 == 0 {
		switch code := f.second(in, file); code {
		case 3:
			f.up++
		default:
			verdicts["checkproof.py"] = code == 0
		}
	}
	for verifier, accepts := range verdicts {
		f.asked[verifier]++
		if !accepts {
			continue
		}
		f.accepted[verifier]++
		if lie := f.lie(in, truth, rounding, p.Header); lie != "" {
			f.t.Fatalf("%s accepts %s\n%s\n%s", verifier, lie, in.JSON, verifytest.Unpacked(f.t, file))
		}
	}
}

// lie says what is false in an accepted proof. The optimum lies in a range that is one number unless a job of the optimum ends where a
// float64 cannot say whether it is in time.
func (f *forger) lie(in *bench.Instance, truth func(reference string) *[2]float64, rounding float64, h proof.Header) string {
	optimum := truth(h.Reference)
	if optimum == nil {
		return ""
	}
	sign := float64(f.problem.Sense)
	units := 4 * 0x1p-52 * max(math.Abs(optimum[0]), math.Abs(optimum[1])) // of the oracles' last rounding
	if f.problem.Name == "pocd" {
		units = 1e-12 * math.Abs(optimum[0]) // its oracle adds logarithms
	}
	best, worst := optimum[0], optimum[1]
	if sign*(*h.Bound-max(sign*best, sign*worst)*sign) > units {
		return fmt.Sprintf("the bound %v, the optimum is %v", *h.Bound, *optimum)
	}
	if h.Value == nil {
		return ""
	}
	allowed := models.Accuracy{Least: least(f.t, in), Rounding: 2 * rounding, Whole: f.problem.Name == "cloning"}.Allowed(worst) + units
	if sign*(*h.Value-max(sign*best, sign*worst)*sign) > allowed || sign*(min(sign*best, sign*worst)*sign-*h.Value) > allowed {
		return fmt.Sprintf("the value %v, the optimum is %v, and %v is allowed", *h.Value, *optimum, allowed)
	}
	return ""
}

// forge claims something else, changes lines, or both.
func (f *forger) forge(in *bench.Instance, file []byte) []byte {
	p, err := proof.Read(file)
	if err != nil {
		f.t.Fatal(err)
	}
	lines := make([]any, len(p.Lines))
	for i, text := range p.Lines {
		if err := json.Unmarshal(text, &lines[i]); err != nil {
			f.t.Fatal(err)
		}
	}
	if len(lines) > 0 {
		lines = f.lines(lines)
	}
	h := p.Header
	f.claim(in, &h)
	if f.problem.Name == "flex" && h.Value != nil && f.rng.IntN(4) == 0 {
		f.later(in, &h, lines)
	}
	var out bytes.Buffer
	if err := proof.Write(&out, h, lines); err != nil {
		f.t.Fatal(err)
	}
	return out.Bytes()
}

func (f *forger) lines(lines []any) []any {
	i, j := f.rng.IntN(len(lines)), f.rng.IntN(len(lines))
	switch f.rng.IntN(8) {
	case 0, 1, 2:
		return lines
	case 3:
		lines = slices.Clone(lines)
		lines[i] = lines[j]
	case 4:
		lines = slices.Clone(lines)
		lines[i], lines[j] = lines[j], lines[i]
	case 5:
		lines = slices.Delete(slices.Clone(lines), i, i+1)
	default:
		lines = verifytest.Mutate(f.t, f.rng, lines, 1+f.rng.IntN(3))
	}
	return lines
}

// claim moves value, bound or both by a part of the value between rounding and the whole, mostly to say more than is proven.
func (f *forger) claim(in *bench.Instance, h *proof.Header) {
	sign := float64(f.problem.Sense)
	by := math.Pow(10, -16*f.rng.Float64()) * max(math.Abs(*h.Bound), in.Accuracy.Least, in.Accuracy.Amount)
	if f.problem.Name == "cloning" {
		by = math.Ceil(by)
	}
	more := *h.Bound + sign*by
	switch f.rng.IntN(8) {
	case 0:
		h.Bound = &more
	case 1:
		h.Bound, h.Value = &more, nil
	case 2:
		h.Value = &more
	case 3:
		h.Value, h.Bound = &more, &more
	case 4:
		bound := *h.Bound
		h.Value = &bound
	case 5:
		references := f.problem.References
		h.Reference = references[f.rng.IntN(len(references))].Name
	}
}

// later makes the times of a solution of flex later, and claims what they are worth: a true value of a worse solution.
func (f *forger) later(in *bench.Instance, h *proof.Header, lines []any) {
	if len(lines) == 0 {
		return
	}
	line, _ := lines[0].(map[string]any)
	list, _ := line["times"].([]any)
	by := math.Pow(10, -16*f.rng.Float64())
	var times []float64
	for _, v := range list {
		x, _ := v.(float64)
		if f.rng.IntN(2) == 0 {
			x *= 1 + by
		}
		times = append(times, x)
	}
	value, err := verifyflex.Value(f.read(in), times)
	if err == nil {
		h.Value, lines[0] = &value, map[string]any{"times": times}
	}
}

func (f *forger) read(in *bench.Instance) *flex.Instance {
	f.t.Helper()
	typed, err := flex.Problem.ParseInstance("forged", in.JSON)
	if err != nil {
		f.t.Fatal(err)
	}
	return typed
}

// harsh is a varied instance with weights or works 2^40 apart, dates, terms that cancel, and ends at the edge of being late.
func (f *forger) harsh() *bench.Instance {
	for {
		in := varied(f.t, f.rng, f.problem.Name, 1)
		if harder := f.harden(in.JSON); harder != nil {
			return harder
		}
	}
}

const date = 1_700_000_000

func (f *forger) harden(file []byte) *bench.Instance {
	rare := func() bool { return f.rng.IntN(4) == 0 }
	far := func(v *float64) {
		if rare() {
			*v = math.Ldexp(*v, 40)
		}
	}
	switch f.problem.Name {
	case "flex":
		return again(f.t, flex.Problem, file, func(in *flex.Instance) {
			dates, one := rare(), rare()
			for j := range in.Jobs {
				job := &in.Jobs[j]
				if one { // after another, by the steps of one machine
					job.Min, job.Max = 0, in.Slots
				}
				if in.Objective.Weighted {
					far(&job.Weight)
				}
				if job.Deadline == nil {
					continue
				}
				d := *job.Deadline
				switch {
				case dates:
					d += date
				case rare():
					d = in.Jobs[f.rng.IntN(len(in.Jobs))].Work / float64(job.Max) * (1 + 0x1p-52*float64(f.rng.IntN(5)-2))
				case rare():
					d = -d
				}
				job.Deadline = &d
			}
		})
	case "redundancy":
		return again(f.t, redundancy.Problem, file, func(in *redundancy.Instance) {
			for j := range in.Jobs {
				far(&in.Jobs[j].Work)
			}
			if rare() {
				for r := range in.Speedup {
					in.Speedup[r] = 1 + (in.Speedup[r]-1)*(1-1e-12)
				}
			}
		})
	case "pocd":
		return again(f.t, pocd.Problem, file, func(in *pocd.Instance) {
			for j := range in.Jobs {
				if job := &in.Jobs[j]; rare() {
					job.Elapsed, job.Deadline = job.Elapsed+date, job.Deadline+date
				}
			}
		})
	case "speculation":
		return again(f.t, speculation.Problem, file, func(in *speculation.Instance) {
			if rare() {
				in.EnergyWeight = math.Pow(10, 24*f.rng.Float64()-12)
			}
			begin := date * float64(f.rng.IntN(4)/3)
			for i := range in.Stragglers {
				in.Stragglers[i].Finish += begin
				far(&in.Stragglers[i].Power)
			}
			for j := range in.Slots {
				in.Slots[j].Start += begin
			}
		})
	}
	return again(f.t, cloning.Problem, file, func(*cloning.Instance) {})
}

// again is an instance file with changes, nil where the reader refuses it: some dates cannot tell works apart.
func again[I models.Instance, S any](t *testing.T, p *models.Problem[I, S], data []byte, change func(I)) *bench.Instance {
	t.Helper()
	in, err := p.ParseInstance("forged", data)
	if err != nil {
		t.Fatal(err)
	}
	change(in)
	data, err = p.MarshalInstance(in)
	if err != nil {
		return nil
	}
	if _, err := p.ParseInstance("forged", data); err != nil {
		return nil
	}
	return file(t, p, in)
}

// optimum is a range of the optimal value of a reference, from the oracles; nil: none is known.
func (f *forger) optimum(in *bench.Instance, reference string) *[2]float64 {
	f.t.Helper()
	one := func(v float64) *[2]float64 { return &[2]float64{v, v} }
	switch f.problem.Name + " " + reference {
	case "flex " + flex.Opt:
		flexible := f.read(in)
		return &[2]float64{
			flexoracle.Opt(withTolerance(flexible, flex.Tolerance*(1+4e-6))), flexoracle.Opt(withTolerance(flexible, flex.Tolerance*(1-4e-6))),
		}
	case "redundancy " + redundancy.Opt:
		typed, err := redundancy.Problem.ParseInstance("forged", in.JSON)
		fail.On(f.t, err)
		return one(redundancyoracle.Opt(typed))
	case "pocd " + pocd.Opt, "pocd " + pocd.OptAll:
		typed, err := pocd.Problem.ParseInstance("forged", in.JSON)
		fail.On(f.t, err)
		return one(pocdoracle.Opt(typed, reference == pocd.OptAll))
	case "speculation " + speculation.Opt:
		typed, err := speculation.Problem.ParseInstance("forged", in.JSON)
		fail.On(f.t, err)
		return one(speculationoracle.Opt(typed))
	case "cloning " + cloning.Opt, "cloning " + cloning.OptNonpreemptive:
		typed, err := cloning.Problem.ParseInstance("forged", in.JSON)
		fail.On(f.t, err)
		first := math.MaxInt // flowtimes do not depend on it, and the oracle goes from slot to slot
		for j := range typed.Jobs {
			first = min(first, typed.Jobs[j].Arrival)
		}
		for j := range typed.Jobs {
			typed.Jobs[j].Arrival -= first
		}
		if v := cloningoracle.Opt(typed, reference == cloning.OptNonpreemptive); v >= 0 {
			return one(float64(v))
		}
	}
	return nil
}

// withTolerance is in with later due dates and steps where lateness is a step: the oracle compares exactly.
func withTolerance(in *flex.Instance, tolerance float64) *flex.Instance {
	out := *in
	out.Jobs = slices.Clone(in.Jobs)
	for j := range out.Jobs {
		job := &out.Jobs[j]
		if !in.MetricOf(j).Steps() {
			continue
		}
		if job.Deadline != nil {
			d := *job.Deadline + tolerance*math.Abs(*job.Deadline)
			job.Deadline = &d
		}
		job.Steps = slices.Clone(job.Steps)
		for k := range job.Steps {
			job.Steps[k].At += tolerance * math.Abs(job.Steps[k].At)
		}
	}
	return &out
}
