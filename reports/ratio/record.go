package ratio

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/store"
	"schedgap/models"
	"schedgap/reports/words"
)

// A Record holds the fields of a bench.Record that reports need, in a quarter of its memory: its fields have the same names, and
// records share what many of them have in common.
type Record struct {
	*Place
	*Setup
	models.Findings
	models.Work
	UnitID      string
	Set         int // which of several sets of results that are compared the record is of, from 0
	Seed        int64
	NJobs       *int64
	NTasks      *int64
	NMachines   *int64
	WallSeconds *float64 // nil: not known, or no time that there is
	StartedAt   time.Time
	Error       *string
}

// A Place is where a unit was run: an instance. Records share it; it must not be changed.
type Place struct{ Problem, Instance, InstanceSHA256 string }

// A Setup holds the fields in which few units differ: algorithm, parameters, limits and outcome. Records share it; it must not
// be changed.
type Setup struct {
	RunID, Suite, Source         string
	Params, Algorithm, Kind      string
	Reference, Waived            string
	Augmentation                 float64
	Model, Solver, SolverVersion *string
	Status, Sense                string
	Faulty                       bool // it is an error of the problem, see bench.Faulty
	TimeLimitSeconds             *float64
	CPULimitSeconds              *float64
	MemoryLimitBytes             *int64
	ProofVerified                *string
	Host, CPUModel               string
	NCPUs                        int64
	GoVersion, BinaryVersion     string
	CommandSHA256, BuildSHA256   *string
	Factors, Label, Commit       *string
}

// Proved reports whether the unit ended with a proof: of an optimum, or that there is no solution.
func (s *Setup) Proved() bool {
	return bench.Status(s.Status) == bench.Optimal || bench.Status(s.Status) == bench.Infeasible
}

// A Packer makes Records that share equal setups and places. The zero value is ready.
type Packer struct {
	places  shared[Place]
	setups  shared[Setup]
	strings shared[string]
	floats  shared[float64]
	ints    shared[int64]
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
		known = new(T) // and not x, which would be made again for every record
		*known = *x
		(*s)[*x] = known
	}
	return known
}

// Record packs a record, which it neither keeps nor changes, except for what its pointers point to.
func (p *Packer) Record(r *bench.Record) Record {
	return Record{
		Place: p.places.keep(&Place{r.Problem, r.Instance, r.InstanceSHA256}),
		Setup: p.setups.keep(&Setup{
			RunID: r.RunID, Suite: r.Suite, Source: r.Source, Params: r.Params, Algorithm: r.Algorithm, Kind: r.Kind,
			Reference: r.Reference, Waived: r.Waived, Augmentation: r.Augmentation, Model: p.strings.keep(r.Model),
			Solver: p.strings.keep(r.Solver), SolverVersion: p.strings.keep(r.SolverVersion), Status: r.Status, Sense: r.Sense, Faulty: r.Faulty(),
			TimeLimitSeconds: p.floats.keep(seconds(r.TimeLimitSeconds)), CPULimitSeconds: p.floats.keep(seconds(r.CPULimitSeconds)),
			MemoryLimitBytes: p.ints.keep(r.MemoryLimitBytes), ProofVerified: p.strings.keep(r.ProofVerified), Host: r.Host,
			CPUModel: r.CPUModel, NCPUs: r.NCPUs, GoVersion: r.GoVersion, BinaryVersion: r.BinaryVersion,
			CommandSHA256: p.strings.keep(r.CommandSHA256), BuildSHA256: p.strings.keep(r.BuildSHA256),
			Factors: p.strings.keep(r.Factors), Label: p.strings.keep(r.Label), Commit: p.strings.keep(r.Commit),
		}),
		Findings: r.Findings, Work: r.Work, UnitID: r.UnitID, Seed: r.Seed, NJobs: r.NJobs, NTasks: p.ints.keep(r.NTasks),
		NMachines: p.ints.keep(r.NMachines), WallSeconds: seconds(r.WallSeconds),
		StartedAt: r.StartedAt, Error: r.Error,
	}
}

// seconds is nil for a number that is no time: negative, infinite or not a number.
func seconds(x *float64) *float64 {
	if infinite(x) || x != nil && *x < 0 {
		return nil
	}
	return x
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

// Read reads the records of all units of a folder, one for each unit, in no particular order. Files that cannot be read are
// listed, and their records are missing.
func Read(ctx context.Context, d *store.Dir) ([]Record, []*store.FileError, error) {
	var p Packer
	records := make([]Record, 0, d.Rows())
	bad, err := d.EachUnit(ctx, func(r *bench.Record) { records = append(records, p.Record(r)) })
	return records, bad, err
}

// sorted puts records in canonical order: by instance, algorithm and the rest of the unit key, those of one unit with the latest
// first. There are far more records than places and setups, so these are sorted by themselves and records by their numbers.
func sorted(records []*Record) {
	places := ranks(records, func(r *Record) *Place { return r.Place }, func(a, b *Place) int {
		return cmp.Or(cmp.Compare(a.Problem, b.Problem), cmp.Compare(a.Instance, b.Instance),
			cmp.Compare(a.InstanceSHA256, b.InstanceSHA256))
	})
	setups := ranks(records, func(r *Record) *Setup { return r.Setup }, func(a, b *Setup) int {
		return cmp.Or(cmp.Compare(a.Algorithm, b.Algorithm), cmp.Compare(a.Params, b.Params),
			cmp.Compare(words.Text(a.Model), words.Text(b.Model)), cmp.Compare(words.Text(a.Solver), words.Text(b.Solver)))
	})
	type ranked struct {
		place, setup, at int32
		*Record
	}
	list := make([]ranked, len(records))
	for i, r := range records {
		list[i] = ranked{places[r.Place], setups[r.Setup], int32(i), r}
	}
	slices.SortFunc(list, func(a, b ranked) int {
		if c := cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.setup, b.setup)); c != 0 {
			return c
		}
		if c := cmp.Or(cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Set, b.Set), cmp.Compare(a.UnitID, b.UnitID)); c != 0 {
			return c
		}
		return cmp.Or(b.StartedAt.Compare(a.StartedAt), cmp.Compare(a.at, b.at))
	})
	for i := range list {
		records[i] = list[i].Record
	}
}

// ranks numbers what records share by its order; equals have the same number.
func ranks[T any](records []*Record, of func(r *Record) *T, order func(a, b *T) int) map[*T]int32 {
	rank := map[*T]int32{}
	for _, r := range records {
		rank[of(r)] = 0
	}
	list := slices.SortedFunc(maps.Keys(rank), order)
	for i, x := range list[min(1, len(list)):] {
		rank[x] = rank[list[i]]
		if order(list[i], x) != 0 {
			rank[x]++
		}
	}
	return rank
}
