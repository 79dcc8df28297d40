package decoder

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"schedgap/models/cloning"
)

func cpu() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

func TestZZ(t *testing.T) {
	for _, file := range strings.Fields(os.Getenv("ZZ")) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		in, err := cloning.Problem.ParseInstance(file, data)
		if err != nil {
			t.Fatal(err)
		}
		m := New(in)
		d := newDecoder(m)
		c := cpu()
		best := math.Inf(1)
		n := 0
		var bk Keys
		for _, share := range []float64{0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 3} {
			for _, pow := range []float64{1, 2, 4} {
				for _, cl := range []float64{0.6, 0.8, 1, 1.3} {
					x := Index{share, pow, cl}
					d.set(x.Keys(m))
					v := d.value(best)
					n++
					if v < best {
						best = v
						bk = x.Keys(m)
					}
				}
			}
		}
		bk = bk.clone()
		fmt.Println(file, best, n, "cpu", cpu()-c)
		secs, _ := strconv.ParseFloat(os.Getenv("SECS"), 64)
		threads, _ := strconv.Atoi(os.Getenv("THREADS"))
		evals, _ := strconv.Atoi(os.Getenv("EVALS"))
		rng := rand.New(rand.NewPCG(1, 5))
		s, cur := m.Search(bk, threads)
		if cur != best {
			t.Fatal(cur, best)
		}
		c = cpu()
		T0, T1 := 0.05*best/float64(len(in.Jobs)), 0.005*best/float64(len(in.Jobs))
		frac := 0.0
		acc, met, same := 0, 0, 0
		for it := 0; frac < 1; it++ {
			frac = (cpu() - c) / secs
			if evals > 0 {
				frac = float64(it) / float64(evals)
			}
			limit := cur - T0*math.Pow(T1/T0, frac)*math.Log(1-rng.Float64())
			v := s.Move(rng, limit)
			if s.worker(s.moves - 1).trial.same {
				same++
			} else if s.worker(s.moves-1).trial.met >= 0 {
				met++
			}
			if os.Getenv("CHECK") != "" {
				d := newDecoder(m)
				d.set(s.worker(s.moves - 1).keys)
				if w := d.value(math.Inf(1)); !math.IsInf(v, 1) && v != w || v > limit && w <= limit {
					t.Fatal(it, v, w, limit)
				}
			}
			if v <= limit {
				acc++
				cur = v
				s.Keep()
				if v < best {
					best = v
					s.Save()
				}
			}
		}
		c = cpu()
		sol := m.Solution(s.saved)
		c = cpu() - c
		rep := cloning.Problem.Check(in, sol)
		if rep.Objective == nil || *rep.Objective != best || len(rep.Violations) > 0 {
			t.Fatal(rep.Objective, best, rep.Violations)
		}
		fmt.Println("copies", len(sol.Copies), "cpu", c)
		fmt.Println(file, "annealed", best, "evals", s.moves, "accepted", acc, "met", met, "same", same, "cpu", cpu()-c, "memories", len(s.workers[0].line.memories))
	}
}
