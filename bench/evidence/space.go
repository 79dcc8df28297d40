package evidence

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"

	"github.com/klauspost/compress/gzip"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// PoolFile says where the instances of all pools lie.
const PoolFile = "pool.jsonl.gz"

// A point is where an instance of a pool lies among the others, see candidate.
type point struct {
	Problem string    `json:"problem"`
	Lineage drawnFrom `json:"lineage"`
	Far     float64   `json:"far"`
	At      []float64 `json:"at"` // in standard deviations
}

// drawnFrom is what of a lineage tells an instance of a pool from the others.
type drawnFrom struct {
	Seed  uint64 `json:"seed"`
	Index int    `json:"index"`
}

// writePoint writes where an instance lies, by six digits behind the point, which are enough to tell.
func writePoint(w io.Writer, k *candidate) error {
	rounded := func(x float64) float64 { return math.Round(1e6*x) / 1e6 }
	one := point{Problem: k.Problem.Name, Far: rounded(k.far)}
	for _, x := range k.at {
		one.At = append(one.At, rounded(x))
	}
	if err := json.Unmarshal(k.lineage, &one.Lineage); err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(one)
}

// A Space is how well the sets seen and benchmark of a problem stand for the pool that they come from. A distance is from an
// instance of the pool to the nearest one chosen, in standard deviations of the pool.
type Space struct {
	Problem    string
	Mean, Most float64 // distance
	// RandomMean and RandomMost are their means over random choices of as many instances, and Better is how many of these have a
	// smaller Most, which is what the selection makes small.
	RandomMean, RandomMost float64
	Better                 int
	Place                  []float64 // of each of the pool: the first principal component of where it lies
	Far                    []float64 // of each: how far the best heuristic ends from a quick bound
	All, In, Random        []int     // the pool, what was chosen of it, and one random choice
}

// RandomChoices is how many random choices a Space is held against.
const RandomChoices = 200

// Spaces reads the pools of the library in files.
func (c *Collection) Spaces(files fs.FS) (list []Space, err error) {
	data, err := fs.ReadFile(files, PoolFile)
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", PoolFile, err)
	}
	pools := map[string][]point{}
	for d := json.NewDecoder(z); d.More(); {
		var one point
		if err := d.Decode(&one); err != nil {
			return nil, fmt.Errorf("%s: %w", PoolFile, err)
		}
		pools[one.Problem] = append(pools[one.Problem], one)
	}
	for _, p := range c.Registry.Problems {
		pool := pools[p.Name]
		chosen := map[drawnFrom]bool{}
		for _, e := range c.Entries {
			var from drawnFrom
			if e.Problem == p.Name && (e.Set == "seen" || e.Set == "benchmark") {
				if err := json.Unmarshal(e.Lineage, &from); err != nil {
					return nil, fmt.Errorf("%s: lineage: %w", e.ID, err)
				}
				chosen[from] = true
			}
		}
		s := Space{Problem: p.Name}
		for i, one := range pool {
			s.All, s.Far = append(s.All, i), append(s.Far, one.Far)
			if chosen[one.Lineage] {
				s.In = append(s.In, i)
			}
		}
		if len(s.In) > 0 {
			s.measure(pool)
			list = append(list, s)
		}
	}
	return list, nil
}

func (s *Space) measure(pool []point) {
	n, width := len(pool), len(pool[0].At)
	places := mat.NewDense(n, width, nil)
	for i, one := range pool {
		places.SetRow(i, one.At)
	}
	apart := make([][]float64, n)
	for i := range pool {
		apart[i] = make([]float64, n)
		for j := range i {
			apart[i][j] = floats.Distance(pool[i].At, pool[j].At, 2)
			apart[j][i] = apart[i][j]
		}
	}
	cover := func(of []int) (mean, most float64) {
		for i := range n {
			nearest := math.Inf(1)
			for _, j := range of {
				nearest = min(nearest, apart[i][j])
			}
			mean, most = mean+nearest/float64(n), max(most, nearest)
		}
		return mean, most
	}
	s.Mean, s.Most = cover(s.In)
	rng := rand.New(rand.NewPCG(31, 0))
	for range RandomChoices {
		of := rng.Perm(n)[:len(s.In)]
		if s.Random == nil {
			s.Random = of
		}
		mean, most := cover(of)
		s.RandomMean, s.RandomMost = s.RandomMean+mean/RandomChoices, s.RandomMost+most/RandomChoices
		if most < s.Most {
			s.Better++
		}
	}
	var pc stat.PC
	var vectors, first mat.Dense
	if pc.PrincipalComponents(places, nil) {
		pc.VectorsTo(&vectors)
		first.Mul(places, vectors.Slice(0, width, 0, 1))
		s.Place = mat.Col(nil, 0, &first)
	} else {
		s.Place = make([]float64, n)
	}
}
