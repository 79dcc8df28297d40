package catalog

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"schedgap/bench"
	cloningoracle "schedgap/exact/cloning/oracle"
	flexoracle "schedgap/exact/flex/oracle"
	pocdoracle "schedgap/exact/pocd/oracle"
	redundancyoracle "schedgap/exact/redundancy/oracle"
	speculationoracle "schedgap/exact/speculation/oracle"
	"schedgap/exact/verify/verifytest"
	"schedgap/models/cloning"
	"schedgap/models/flex"
	"schedgap/models/pocd"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
	"schedgap/models/speculation"
	"schedgap/models/trials"
)

// strange are names that JSON writes in several ways.
var strange = []string{"a", "<&>", "é", "\"", "\\", "😀", "0", "-", "A", "_"}

// varied is a random instance of a problem with all of its fields varied: names, order, dates, sizes of many decades, ties, one
// job, and, in the first of cloning, 65 phases.
func varied(t *testing.T, rng *rand.Rand, problem string, i int) *bench.Instance {
	t.Helper()
	name := strange[rng.IntN(len(strange))] + []string{"", " ", "."}[rng.IntN(3)] + "x"
	unit := []float64{1, 1, 1e-8, 1e-4, 1. / 3, 1e6, 1e12}[rng.IntN(7)]
	begin := []int{0, 0, 1, 5, 1000, 1_750_000_000}[rng.IntN(6)]
	one := rng.IntN(8) == 0
	switch problem {
	case "flex":
		in := flexoracle.RandomInstance(rng, 1+rng.IntN(4))
		in.Name = name
		if one {
			in.Jobs = in.Jobs[:1]
		}
		rng.Shuffle(len(in.Jobs), func(a, b int) { in.Jobs[a], in.Jobs[b] = in.Jobs[b], in.Jobs[a] })
		machine := rng.IntN(3) == 0
		for j := range in.Jobs {
			job := &in.Jobs[j]
			if machine {
				job.Min, job.Max = 0, in.Slots
			}
			job.ID = fmt.Sprint(strange[j], j)
			job.Work *= unit
			job.Weight *= []float64{1, 1, 1e-8, 1e12}[rng.IntN(4)]
			if job.Deadline != nil {
				d := *job.Deadline * unit * []float64{1, 1, 1 + 1e-9, -1}[rng.IntN(4)]
				job.Deadline = &d
			}
			for k := range job.Steps {
				job.Steps[k].At *= unit
			}
		}
		return file(t, flex.Problem, in)
	case "redundancy":
		in := redundancyoracle.RandomInstance(rng, rng.IntN(2) == 0)
		in.Name = name
		if one {
			in.Jobs = in.Jobs[:1]
		}
		rng.Shuffle(len(in.Jobs), func(a, b int) { in.Jobs[a], in.Jobs[b] = in.Jobs[b], in.Jobs[a] })
		for j := range in.Jobs {
			in.Jobs[j].ID = fmt.Sprint(strange[j], j)
			in.Jobs[j].Work *= unit
			in.Jobs[j].Arrival = (in.Jobs[j].Arrival + float64(begin)) * unit
		}
		return file(t, redundancy.Problem, in)
	case "pocd":
		in := pocdoracle.RandomInstance(rng, pocdoracle.Alphas[rng.IntN(len(pocdoracle.Alphas))])
		in.Name = name
		if one {
			in.Jobs = in.Jobs[:1]
		}
		rng.Shuffle(len(in.Jobs), func(a, b int) { in.Jobs[a], in.Jobs[b] = in.Jobs[b], in.Jobs[a] })
		for j := range in.Jobs {
			job := &in.Jobs[j]
			job.ID = fmt.Sprint(strange[j], j)
			job.Elapsed, job.Deadline = job.Elapsed*unit, job.Deadline*unit
			job.Tasks = append([]pocd.Task(nil), job.Tasks...) // twins have theirs in common
			for k := range job.Tasks {
				job.Tasks[k].ID = fmt.Sprint(strange[k], k)
				job.Tasks[k].TMin *= unit
			}
			if left := job.Deadline*(1-1e-9) - job.Elapsed; left > 0 && rng.IntN(4) == 0 {
				job.Tasks[0].TMin, job.Tasks[0].Progress = onEdge(job, rng)
			}
		}
		return file(t, pocd.Problem, in)
	case "cloning":
		draw := cloningoracle.RandomInstance
		if rng.IntN(2) == 0 {
			draw = cloningoracle.ExtremeInstance
		}
		in := draw(rng, 4)
		in.Name = name
		if one {
			in.Jobs = in.Jobs[:1]
		}
		if i == 0 {
			phase := in.Jobs[0].Phases[0]
			in.Jobs = in.Jobs[:1]
			in.Jobs[0].Phases = nil
			for k := range 65 {
				phase.ID, phase.Parents = fmt.Sprint("p", k), []int{}
				in.Jobs[0].Phases = append(in.Jobs[0].Phases, phase)
			}
		}
		rng.Shuffle(len(in.Jobs), func(a, b int) { in.Jobs[a], in.Jobs[b] = in.Jobs[b], in.Jobs[a] })
		for j := range in.Jobs {
			in.Jobs[j].ID = fmt.Sprint(strange[j], j)
			in.Jobs[j].Arrival += begin
			for k := range in.Jobs[j].Phases {
				for r, d := range in.Jobs[j].Phases[k].Demand {
					in.Jobs[j].Phases[k].Demand[r] = min(d, 1e100)
				}
			}
		}
		if data, err := cloning.Problem.MarshalInstance(in); err != nil {
			t.Fatal(err)
		} else if _, err := cloning.Problem.ParseInstance("extreme", data); err != nil {
			return varied(t, rng, problem, i) // some tables are concave to 1e-9 and a little
		}
		return file(t, cloning.Problem, in)
	}
	in := speculationoracle.RandomInstance(rng, speculationoracle.Shapes[rng.IntN(len(speculationoracle.Shapes))], 4)
	in.Name = name
	for i := range in.Stragglers {
		in.Stragglers[i].ID = fmt.Sprint(strange[i], i)
		in.Stragglers[i].Finish *= unit
		for j := range in.Slots {
			in.CopyTime[i][j] *= unit
		}
	}
	for j := range in.Slots {
		in.Slots[j].ID = fmt.Sprint(strange[j], j)
		in.Slots[j].Start *= unit
	}
	for i := range in.Stragglers { // copies that save nothing but a few units in the last place
		for j, s := range in.Slots {
			if gap := in.Stragglers[i].Finish * 6e-15 * rng.Float64(); in.CopyTime[i][j] > 0 && rng.IntN(4) == 0 {
				in.CopyTime[i][j] = cmp.Or(max(0, in.Stragglers[i].Finish-s.Start-gap), in.CopyTime[i][j])
			}
		}
	}
	return file(t, speculation.Problem, in)
}

// onEdge is a task that just meets the deadline of its job, or just misses it, by as little as products of float64s differ.
func onEdge(job *pocd.Job, rng *rand.Rand) (tMin, progress float64) {
	need := new(big.Rat).Mul(rational(job.Deadline), big.NewRat(999_999_999, 1_000_000_000))
	need.Sub(need, rational(job.Elapsed))
	tMin, _ = need.Float64()
	for rational(tMin).Cmp(need) < 0 {
		tMin = math.Nextafter(tMin, math.Inf(1))
	}
	progress, _ = new(big.Rat).Sub(big.NewRat(1, 1), need.Quo(need, rational(tMin))).Float64()
	return tMin, max(0, progress*(1+(rng.Float64()-0.5)*math.Pow(10, -6-10*rng.Float64())))
}

// told are instances on which the verifiers once disagreed: tasks that are done within the tolerance before they run, and a
// server that one phase must leave to the next.
var told = map[string][]string{"cloning": {
	`{"problem":"cloning","version":1,"name":"A x","max_copies":1,"max_copies_per_server":1,"servers":[{"id":"s1","cpu":3,"mem":3}],
"jobs":[{"id":"a","arrival":1,"phases":[{"id":"p1","parents":[],"tasks":1,"cpu":0,"mem":0,"mean":1e-9,"sd":0,"speedup":[1]}]},
{"id":"b","arrival":1,"phases":[{"id":"p1","parents":[],"tasks":1,"cpu":0,"mem":0,"mean":1e-9,"sd":0,"speedup":[1]}]}]}`,
	`{"problem":"cloning","version":1,"name":"_ x","max_copies":3,"max_copies_per_server":3,"servers":[{"id":"s1","cpu":2,"mem":2},
{"id":"s2","cpu":3,"mem":3}],"jobs":[{"id":"a0","arrival":3,"phases":[{"id":"p1","parents":[],"tasks":1,"cpu":0.5,"mem":0.75,
"mean":0.5,"sd":0,"speedup":[1,1,1]},
{"id":"p2","parents":["p1"],"tasks":1,"cpu":3,"mem":1.125,"mean":4,"sd":0,"speedup":[1,2,2.5]}]}]}`,
}}

// Both verifiers, which share nothing, accept fresh proofs of all problems, and neither accepts them with a better bound, a
// better value or another date in the solution than the other. The checker's value is not better than the bound.
func TestVerifiersAgree(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: there is no python3, so proofs are checked by one program only")
	}
	count := trials.Count(320) // in every problem
	if count <= 80 {
		count = 40
	}
	r := registry(t)
	for _, p := range r.Problems {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			rng, second := trials.Rand(t, 41, uint64(len(p.Name))), startSecond(t, python)
			proofs, late, up := 0, 0, 0
			var before *bench.Instance
			algorithms := append([]string{"opt"}, map[string][]string{
				"flex": {"opt", "opt", "lb-price"}, "pocd": {"opt-all"}, "cloning": {"opt-nonpreemptive"},
				"redundancy": {"opt", "opt", "lb-price"},
			}[p.Name]...)
			for i := range count + len(told[p.Name])*len(algorithms) {
				algorithm := algorithms[rng.IntN(len(algorithms))]
				var in *bench.Instance
				if i < count {
					in = varied(t, rng, p.Name, i)
				} else {
					algorithm = algorithms[i%len(algorithms)]
					in, err = p.ParseInstance("told", []byte(told[p.Name][(i-count)/len(algorithms)]))
					if err != nil {
						t.Fatal(err)
					}
				}
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				res := p.Run(ctx, in, bench.Request{
					Algorithm: algorithm, Seed: 1, Threads: 1, Prove: true,
				}, bench.Observer{})
				if res.Status == bench.Error || res.Status == bench.Invalid {
					t.Errorf("%s: %s\n%s", res.Status, res.Error, in.JSON)
				}
				p.Prove(ctx, in, res)
				cancel()
				if len(res.Proof) == 0 {
					continue
				}
				proofs++
				for k, edit := range []func(header map[string]any){
					nil,
					func(header map[string]any) {
						header["bound"], header["value"] = better(p, header["bound"].(float64)), nil
					},
					func(header map[string]any) { header["value"] = header["bound"] },
					func(header map[string]any) { header["reference"] = "another" },
				} {
					if k > 0 && i%8 > 0 && i < count {
						continue
					}
					file := verifytest.Altered(t, res.Proof, edit)
					pf, err := proof.Read(file)
					if err != nil {
						t.Fatal(err)
					}
					code := second(in, file)
					_, first := in.Verify(pf)
					if v := res.Objective; k == 0 && first == nil && v != nil && res.Augmentation == 1 &&
						!(float64(p.Sense)*(*pf.Header.Bound-*v) <= 1e-9*math.Abs(*v)+in.Accuracy.Rounding) {
						t.Errorf("the value %v is better than the bound %v\n%s", *v, *pf.Header.Bound, in.JSON)
					}
					if code == 3 { // it gives up
						up++
						continue
					}
					if (first == nil) != (code == 0) || edit == nil && first != nil || k == 3 && first == nil {
						t.Errorf("exit %d, %v\n%s\n%s", code, first, in.JSON, verifytest.Unpacked(t, file))
					}
				}
				if before != nil && i%8 == 0 && second(before, res.Proof) != 1 {
					t.Errorf("accepted as a proof of another instance: %s", in.JSON)
				}
				before = in
				if bytes.Contains(in.JSON, []byte(`"arrival"`)) && !bytes.Contains(in.JSON, []byte(`"arrival":0,`)) {
					late++
				}
			}
			t.Logf("%d instances, %d proofs, %d of instances that begin late; checkproof.py gave up %d times", count, proofs, late, up)
			if proofs < count*8/10 || up > count/2 || late == 0 && (p.Name == "cloning" || p.Name == "redundancy") {
				t.Error("too few proofs to say anything")
			}
		})
	}
}

// Time before the first point of a count's grid is free, so the count here says nothing, for both verifiers.
func TestCountsThatBeginLate(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: there is no python3, so proofs are checked by one program only")
	}
	p, _ := registry(t).Problem("redundancy")
	in, err := p.ParseInstance("one", []byte(`{"problem":"redundancy","version":1,"name":"one","machines":1,"multitasking":false,`+
		`"speed":1,"speedup":[1],"jobs":[{"id":"a","arrival":0,"work":1}]}`))
	if err != nil {
		t.Fatal(err)
	}
	second := startSecond(t, python)
	for bound, code := range map[int]int{0: 0, 5: 1} { // the optimum is 1
		lines := fmt.Sprintf(`{"format":"schedgap-proof","version":1,"problem":"redundancy","instance":"one","instance_sha256":"%x",`+
			`"reference":"opt","kind":"prices","value":null,"bound":%d}`+"\n"+`{"grid":[0,5],"price":[0]}`+"\n", sha256.Sum256(in.JSON), bound)
		if bound > 0 {
			lines += `{"jobs":["a"],"points":[1],"theta":[1000],"most":[0],"proofs":[{"grid":[4.5,5],"price":[1]}]}` + "\n"
		}
		var file bytes.Buffer
		w := gzip.NewWriter(&file)
		if _, err := w.Write([]byte(lines)); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		pf, err := proof.Read(file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		_, first := in.Verify(pf)
		if second := second(in, file.Bytes()); (first == nil) != (code == 0) || second != code {
			t.Errorf("bound %d: %v, exit %d", bound, first, second)
		}
	}
}

// better is a bound that says a little more.
func better(p *bench.Problem, bound float64) float64 {
	if p.Name == "cloning" {
		return bound + 1
	}
	return bound + float64(p.Sense)*max(1e-6*math.Abs(bound), 1e-300)
}

// startSecond starts the second verifier, once for all proofs, and returns a function of its exit codes.
func startSecond(t *testing.T, python string) func(in *bench.Instance, file []byte) int {
	t.Helper()
	command, dir := exec.Command(python, "-B", "-c", `import contextlib, io, sys
sys.path.insert(0, sys.argv[1])
import checkproof
for line in sys.stdin:
    with contextlib.redirect_stdout(io.StringIO()):
        code = checkproof.main(sys.argv[2:])
    print(code, flush=True)`, filepath.Join("..", "..", "scripts")), t.TempDir()
	names := []string{filepath.Join(dir, "instance.json"), filepath.Join(dir, "proof.gz")}
	command.Args = append(command.Args, names...)
	var said bytes.Buffer
	command.Stderr = &said
	in, err1 := command.StdinPipe()
	out, err2 := command.StdoutPipe()
	if err := errors.Join(err1, err2, command.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(in.Close(), command.Wait()); err != nil {
			t.Errorf("%v\n%s", err, said.Bytes())
		}
	})
	return func(instance *bench.Instance, file []byte) (code int) {
		err := errors.Join(os.WriteFile(names[0], instance.JSON, 0o600), os.WriteFile(names[1], file, 0o600))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprintln(in); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fscan(out, &code); err != nil || code == 2 {
			t.Fatalf("%d, %v\n%s\n%s", code, err, said.Bytes(), instance.JSON)
		}
		return code
	}
}
