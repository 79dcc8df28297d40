package optimatest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	cloningoracle "schedgap/exact/cloning/oracle"
	flexoracle "schedgap/exact/flex/oracle"
	pocdoracle "schedgap/exact/pocd/oracle"
	redundancyoracle "schedgap/exact/redundancy/oracle"
	speculationoracle "schedgap/exact/speculation/oracle"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/pocd"
	"schedgap/models/redundancy"
	"schedgap/models/speculation"
	"schedgap/models/trials"
)

var update = flag.Bool("update", false, "draw the corpus again, which takes minutes, instead of a sample of it")

// size is how many instances a problem has.
const size = 1000

// The corpus has 1,000 instances a problem, and the oracles find the optima of a sample again.
func TestCorpus(t *testing.T) {
	corpus(t, flex.Problem, func(rng *rand.Rand, i int) *flex.Instance { return flexoracle.RandomInstance(rng, 1+i%4) },
		func(in *flex.Instance) map[string]float64 {
			packed, _ := flexoracle.BestMPS(in)
			optima := map[string]float64{"opt": flexoracle.Opt(in), "opt-mps": packed}
			if moldable, ok := flexoracle.Moldable(in); ok {
				optima["opt-moldable"] = moldable
			}
			return optima
		})
	corpus(t, pocd.Problem, func(rng *rand.Rand, i int) *pocd.Instance {
		return pocdoracle.RandomInstance(rng, pocdoracle.Alphas[i%len(pocdoracle.Alphas)])
	}, func(in *pocd.Instance) map[string]float64 {
		return map[string]float64{"opt": pocdoracle.Opt(in, false), "opt-all": pocdoracle.Opt(in, true)}
	})
	corpus(t, cloning.Problem, func(rng *rand.Rand, i int) *cloning.Instance { return cloningoracle.RandomInstance(rng, 4) },
		func(in *cloning.Instance) map[string]float64 {
			return map[string]float64{
				"opt": float64(cloningoracle.Opt(in, false)), "opt-nonpreemptive": float64(cloningoracle.Opt(in, true)),
			}
		})
	corpus(t, redundancy.Problem, func(rng *rand.Rand, i int) *redundancy.Instance {
		return redundancyoracle.RandomInstance(rng, i%2 == 0)
	}, func(in *redundancy.Instance) map[string]float64 {
		return map[string]float64{"opt": redundancyoracle.Opt(in)}
	})
	corpus(t, speculation.Problem, func(rng *rand.Rand, i int) *speculation.Instance {
		return speculationoracle.RandomInstance(rng, speculationoracle.Shapes[i%len(speculationoracle.Shapes)], 4)
	}, func(in *speculation.Instance) map[string]float64 {
		return map[string]float64{"opt": speculationoracle.Opt(in)}
	})
}

func corpus[I models.Instance, S any](t *testing.T, p *models.Problem[I, S], random func(rng *rand.Rand, i int) I,
	optima func(in I) map[string]float64,
) {
	t.Run(p.Name, func(t *testing.T) {
		t.Parallel()
		if *update {
			write(t, p, random, optima)
			return
		}
		if n := len(lines(t, p.Name)); n != size {
			t.Errorf("%d instances", n)
		}
		for _, c := range Some(t, p, trials.Count(40)) {
			if d := cmp.Diff(c.Optima, optima(c.In)); d != "" {
				text, _ := p.MarshalInstance(c.In)
				t.Errorf("-corpus +oracle: %s\n%s", d, text)
			}
		}
	})
}

// write draws a problem's part of the corpus.
func write[I models.Instance, S any](t *testing.T, p *models.Problem[I, S], random func(rng *rand.Rand, i int) I,
	optima func(in I) map[string]float64,
) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	fail.On(t, err)
	rng := rand.New(rand.NewPCG(1, uint64(len(p.Name))))
	for i := range size {
		text, err := p.MarshalInstance(random(rng, i))
		fail.On(t, err)
		in, err := p.ParseInstance(fmt.Sprint(p.Name, " ", i), text) // as it is read, with rounded numbers
		fail.On(t, err)
		entry, err := json.Marshal(line{optima(in), bytes.TrimSpace(text)})
		fail.On(t, err)
		if _, err := z.Write(append(entry, '\n')); err != nil {
			t.Fatal(err)
		}
	}
	fail.On(t, z.Close())
	fail.On(t, os.WriteFile(filepath.FromSlash(file(p.Name)), packed.Bytes(), 0o644))
}
