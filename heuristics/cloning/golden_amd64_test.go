package cloning_test

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	heuristics "schedgap/heuristics/cloning"
	"schedgap/models"
	"schedgap/models/cloning/sim"
	"schedgap/models/fail"
)

// Schedules stay what they are, copy for copy and in the order in which copies end, on instances too large for TestLiteral: the
// digests are of the engine before it grouped entries by demand. Only on one architecture, as others may round otherwise.
func TestGolden(t *testing.T) {
	golden := map[string]uint64{
		"dollymp0":        0x794bdd0616cec3b6,
		"dollymp1":        0x6c3b35b78b5925c5,
		"dollymp2":        0xcac699426660ad1f,
		"dollymp3":        0x3c501808daa464e4,
		"dollymp-careful": 0xf6861c30ced2d88,
		"tetris":          0xcef5c733694a2e56,
		"drf":             0x9f9bebfafd0c572f,
		"capacity":        0xb0544fe76f0720c,
		"carbyne":         0x126c0b3b1efd33c6,
		"graphene":        0x4928d18643042390,
		"srpt":            0xd6acd27315464313,
		"svf":             0x892ff22e083cc184,
		"hrdf":            0x892ff22e083cc184,
		"fifo":            0xba218c10be5ed0c3,
		"random":          0x12d3f1b944ea52a5,
		"index":           0xa2ba8f88b0ed1eb5,
	}
	simulator := sim.New(heuristics.Policies, sim.Source{})
	replayed := workload(4000, 0.9*150/30_000)
	replayed.Cluster = sim.Scale(googleMix(), 150)
	for i := range heuristics.Policies {
		p := &heuristics.Policies[i]
		h := fnv.New64a()
		add := func(values ...uint64) {
			for _, v := range values {
				_ = binary.Write(h, binary.LittleEndian, v) // a hash takes everything
			}
		}
		for seed := range uint64(4) {
			share := []float64{0, 0.3}[seed%2]
			given := map[string]any{}
			for _, q := range p.Params {
				if q.Name == "clone_share" {
					given[q.Name] = share
				}
			}
			v, err := models.Resolve(p.Params, given)
			fail.On(t, err)
			in := crowded(seed, 1+int(seed+1)%3, 1+int(seed)/2)
			s, err := sim.Schedule(context.Background(), in, p, v, 1, rand.New(rand.NewPCG(seed, 0)))
			fail.On(t, err)
			for _, c := range s.Copies {
				add(uint64(c.Task.Job), uint64(c.Task.Phase), uint64(c.Task.Index), uint64(c.Server), uint64(c.Start), uint64(c.End))
			}
			if seed > 1 {
				continue
			}
			v, err = models.Resolve(simulator.Params, map[string]any{"max_copies_per_server": 1 + int(seed), "clone_share": share})
			fail.On(t, err)
			r := models.SimRequest{Workload: replayed, Policy: p.Name, Params: v, Seed: seed}
			got, rest := map[string]float64{}, false
			err = simulator.Run(t.Context(), r, func(m models.Metric) {
				rest = rest || m.Name == "load"                    // what follows from the schedule, and was not measured then
				if !rest && !strings.HasSuffix(m.Name, "_bound") { // no part of the schedule either
					add(math.Float64bits(m.Value))
					got[m.Name] = m.Value
				}
			})
			fail.On(t, err)
			add(math.Float64bits(got["usage"] / (150 * 2) / got["makespan"])) // which was
		}
		if got := h.Sum64(); got != golden[p.Name] {
			t.Errorf("%s: the digest is %#x, was %#x", p.Name, got, golden[p.Name])
		}
	}
}
