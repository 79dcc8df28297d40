package ratio

import (
	"cmp"
	"context"
	"slices"
	"time"

	"schedgap/bench"
	"schedgap/bench/store"
	"schedgap/models"
)

// A Record is what reports need of a bench.Record, in a quarter of its memory: its fields have the same names, and
// records share what many of them have in common.
type Record struct {
	*Place
	*Setup
	models.Work
	UnitID      string
	Seed        int64
	NJobs       *int64
	NTasks      *int64
	NMachines   *int64
	Objective   *float64
	Bound       *float64
	WallSeconds *float64 // nil: not known, or no time that there is
	StartedAt   time.Time
	Error       *string
}

// A Place is where a unit was run: an instance. Records share it; it must not be changed.
type Place struct{ Problem, Instance, InstanceSHA256 string }

// A Setup is what was run there, how and with which outcome, as far as few units differ in it. Records share it; it must not
// be changed.
type Setup struct {
	RunID, Suite, Source         string
	Params, Algorithm, Kind      string
	Reference, Waived            string
	Augmentation                 float64
	Model, Solver, SolverVersion *string
	Status, Sense                string
	Feasible                     *bool
	TimeLimitSeconds             *float64
	MemoryLimitBytes             *int64
	ProofVerified                *string
	Host, CPUModel               string
	NCPUs                        int64
	GoVersion, BinaryVersion     string
	CommandSHA256, BuildSHA256   *string
	Factors                      *string
}

// Proved reports whether the unit ended with a proof: of an optimum, or that there is no solution.
func (s *Setup) Proved() bool {
	return bench.Status(s.Status) == bench.Optimal || bench.Status(s.Status) == bench.Infeasible
}

// A Packer makes Records that share what they have in common. The zero value is ready.
type Packer struct {
	places  map[Place]*Place
	place   *Place // the last
	setups  map[Setup]*Setup
	strings shared[string]
	floats  shared[float64]
	ints    shared[int64]
	bools   shared[bool]
}

// shared keeps one pointer to each value, so that structures with equal values are equal.
type shared[T comparable] map[T]*T

func (s *shared[T]) keep(x *T) *T {
	if x == nil {
		return nil
	}
	known := (*s)[*x]
	if known == nil {
		if *s == nil {
			*s = shared[T]{}
		}
		known = new(T)
		*known = *x
		(*s)[*x] = known
	}
	return known
}

// Record packs a record, which it neither keeps nor changes, except for what its pointers point to.
func (p *Packer) Record(r *bench.Record) Record {
	return Record{
		Place: p.placeOf(r), Setup: p.setupOf(r), Work: r.Work, UnitID: r.UnitID, Seed: r.Seed, NJobs: r.NJobs,
		NTasks: p.ints.keep(r.NTasks), NMachines: p.ints.keep(r.NMachines),
		Objective: r.Objective, Bound: r.Bound, WallSeconds: seconds(r.WallSeconds), StartedAt: r.StartedAt, Error: r.Error,
	}
}

// seconds is nil for what is no time: negative, infinite or not a number.
func seconds(x *float64) *float64 {
	if infinite(x) || x != nil && *x < 0 {
		return nil
	}
	return x
}

func (p *Packer) placeOf(r *bench.Record) *Place {
	at := Place{r.Problem, r.Instance, r.InstanceSHA256}
	if p.place != nil && *p.place == at { // neighbours often are on one instance
		return p.place
	}
	p.place = p.places[at]
	if p.place == nil {
		if p.places == nil {
			p.places = map[Place]*Place{}
		}
		p.place = new(Place)
		*p.place = at
		p.places[at] = p.place
	}
	return p.place
}

func (p *Packer) setupOf(r *bench.Record) *Setup {
	s := Setup{
		RunID: r.RunID, Suite: r.Suite, Source: r.Source, Params: r.Params, Algorithm: r.Algorithm, Kind: r.Kind,
		Reference: r.Reference, Waived: r.Waived, Augmentation: r.Augmentation, Model: p.strings.keep(r.Model),
		Solver: p.strings.keep(r.Solver), SolverVersion: p.strings.keep(r.SolverVersion), Status: r.Status, Sense: r.Sense,
		Feasible: p.bools.keep(r.Feasible), TimeLimitSeconds: p.floats.keep(seconds(r.TimeLimitSeconds)),
		MemoryLimitBytes: p.ints.keep(r.MemoryLimitBytes), ProofVerified: p.strings.keep(r.ProofVerified), Host: r.Host,
		CPUModel: r.CPUModel, NCPUs: r.NCPUs,
		GoVersion: r.GoVersion, BinaryVersion: r.BinaryVersion,
		CommandSHA256: p.strings.keep(r.CommandSHA256), BuildSHA256: p.strings.keep(r.BuildSHA256), Factors: p.strings.keep(r.Factors),
	}
	known := p.setups[s]
	if known == nil {
		if p.setups == nil {
			p.setups = map[Setup]*Setup{}
		}
		known = new(Setup) // and not &s, which would be made again for every record
		*known = s
		p.setups[s] = known
	}
	return known
}

// Pack packs records in their order.
func Pack(records []bench.Record) []Record {
	var p Packer
	packed := make([]Record, len(records))
	for i := range records {
		packed[i] = p.Record(&records[i])
	}
	return packed
}

// Read reads the records of all units of a folder, one for each unit, sorted by instance and algorithm. Files that cannot be read
// are listed, and their records are missing.
func Read(ctx context.Context, d *store.Dir) ([]Record, []*store.FileError, error) {
	const together = 8192
	var p Packer
	var block []Record // full ones are found by list
	var list []*Record
	bad, err := d.EachUnit(ctx, func(r *bench.Record) {
		if len(block) == cap(block) {
			block = make([]Record, 0, together)
		}
		block = append(block, p.Record(r))
		list = append(list, &block[len(block)-1])
	})
	if err != nil {
		return nil, bad, err
	}
	order := sorted(list,
		func(a, b *Place) int { return cmp.Compare(a.Instance, b.Instance) },
		func(a, b *Setup) int { return cmp.Compare(a.Algorithm, b.Algorithm) },
	)
	records := make([]Record, len(list))
	for to, from := range order {
		records[to] = *list[from]
	}
	return records, bad, nil
}

// sorted is the stable order of records by place, setup, seed and unit ID: what is first, what is second and so on. There are
// far more records than places and setups, so these are sorted by themselves and records by numbers.
func sorted(records []*Record, place func(a, b *Place) int, setup func(a, b *Setup) int) []int32 {
	rank, places := ranks(records, func(r *Record) *Place { return r.Place }, place)
	setups, _ := ranks(records, func(r *Record) *Setup { return r.Setup }, setup)
	start := make([]int32, places+1) // by place, in order
	for _, k := range rank {
		start[k+1]++
	}
	for k := range places {
		start[k+1] += start[k]
	}
	order, next := make([]int32, len(records)), slices.Clone(start)
	for i, k := range rank {
		order[next[k]] = int32(i)
		next[k]++
	}
	for k := range places {
		slices.SortStableFunc(order[start[k]:start[k+1]], func(i, j int32) int {
			if c := cmp.Compare(setups[i], setups[j]); c != 0 {
				return c
			}
			a, b := records[i], records[j]
			return cmp.Or(cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.UnitID, b.UnitID))
		})
	}
	return order
}

// ranks numbers records by the order of something that they share, from 0 to n − 1; equals have the same number.
func ranks[T any](records []*Record, of func(r *Record) *T, order func(a, b *T) int) (rank []int32, n int) {
	at := map[*T]int32{}
	var list []*T
	rank = make([]int32, len(records))
	for i, r := range records {
		x := of(r)
		k, ok := at[x]
		if !ok {
			k = int32(len(list))
			at[x] = k
			list = append(list, x)
		}
		rank[i] = k
	}
	byOrder := slices.Clone(list)
	slices.SortFunc(byOrder, order)
	numbers := make([]int32, len(list))
	for i, x := range byOrder {
		if i > 0 && order(byOrder[i-1], x) != 0 {
			n++
		}
		numbers[at[x]] = int32(n)
	}
	for i, k := range rank {
		rank[i] = numbers[k]
	}
	return rank, n + 1
}
