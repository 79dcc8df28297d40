package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/models/input"

	"github.com/parquet-go/parquet-go"
)

// The files of a results folder that say what was asked for.
const (
	SuiteFile = "suite.yaml"
	PlanFile  = "plan.json"
)

// A Plan is what was asked for of a results folder: the union over all suites that were run into it, each in its latest full form,
// and over the commands that were added to them. Filters and shards never narrow it. Rows of other units are left out by readers.
type Plan struct {
	Suites        []Requested `json:"suites"`
	UserAlgorithm string      `json:"yours,omitempty"` // the command that bench ran last, which reports are on; empty: none

	old     bool            // from before plans were unions: the filtered units of the last run, which leave no row out
	derived bool            // from rows
	has     map[string]bool // by unit
}

// Requested is the units of a suite, or of a command that was added to one.
type Requested struct {
	Problem string  `json:"problem"`
	Suite   string  `json:"suite"`
	With    string  `json:"with,omitempty"` // the name of the added command; empty: the suite itself
	YAML    string  `json:"yaml"`           // documents that ask for the units
	Units   []Units `json:"units"`          // by algorithm
	// Notes say which instances the suite asks for and does not have, such as those that a trace does not give.
	Notes []string `json:"notes,omitempty"`
	// Partial: not all of the suite could be resolved, such as a trace that is not there. What was asked for before stays.
	Partial bool `json:"-"`
}

// Units are those of an algorithm.
type Units struct {
	Algorithm string   `json:"algorithm"`
	IDs       []string `json:"unit_ids"`
}

// Add adds a unit.
func (a *Requested) Add(algorithm, id string) {
	i := slices.IndexFunc(a.Units, func(u Units) bool { return u.Algorithm == algorithm })
	if i < 0 {
		i, a.Units = len(a.Units), append(a.Units, Units{Algorithm: algorithm})
	}
	a.Units[i].IDs = append(a.Units[i].IDs, id)
}

// same reports whether two are one suite, or one added command.
func (a Requested) same(b Requested) bool {
	return a.Problem == b.Problem && a.Suite == b.Suite && a.With == b.With
}

// unite adds what b asks for.
func (a *Requested) unite(b *Requested) {
	for _, u := range b.Units {
		for _, id := range u.IDs {
			a.Add(u.Algorithm, id)
		}
	}
	for i := range a.Units {
		ids := &a.Units[i].IDs
		slices.Sort(*ids)
		*ids = slices.Compact(*ids)
	}
	for _, note := range b.Notes {
		if !slices.Contains(a.Notes, note) {
			a.Notes = append(a.Notes, note)
		}
	}
	for doc := range strings.SplitSeq(b.YAML, document) {
		if doc != "" && !slices.Contains(strings.Split(a.YAML, document), doc) {
			a.YAML = strings.TrimPrefix(a.YAML+document+doc, document)
		}
	}
}

// document is between two suites of a file.
const document = "---\n"

// Has reports whether a unit is asked for; without a plan all are.
func (p *Plan) Has(unitID string) bool {
	if p == nil || p.old {
		return true
	}
	if p.has == nil {
		p.has = map[string]bool{}
		for _, units := range p.ByAlgorithm() {
			for _, id := range units {
				p.has[id] = true
			}
		}
	}
	return p.has[unitID]
}

// ByAlgorithm lists the units, each once.
func (p *Plan) ByAlgorithm() map[string][]string {
	all := map[string][]string{}
	for _, a := range p.Suites {
		for _, u := range a.Units {
			all[u.Algorithm] = append(all[u.Algorithm], u.IDs...)
		}
	}
	for name, ids := range all {
		slices.Sort(ids)
		all[name] = slices.Compact(ids)
	}
	return all
}

// Plan reads the folder's plan; nil: it has none.
func (d *Dir) Plan() (*Plan, error) {
	path := filepath.Join(d.path, PlanFile)
	data, err := input.Read(path, input.MaxData)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the plan: %w", err)
	}
	p := &Plan{}
	var old map[string][]string // the units by algorithm
	if json.Unmarshal(data, &old) == nil {
		p.old = true
		a := Requested{}
		for _, name := range slices.Sorted(maps.Keys(old)) {
			a.Units = append(a.Units, Units{name, old[name]})
		}
		p.Suites = []Requested{a}
		return p, nil
	}
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// PutPlan takes what was asked for into the folder's plan, each suite and added command in place of what it was before. A folder that
// has rows and no plan of today keeps those of other suites.
func (d *Dir) PutPlan(ctx context.Context, asked []Requested) error {
	unlock, err := d.Lock("plan")
	if err != nil {
		return err
	}
	defer unlock()
	p, err := d.planToUpdate(ctx, asked)
	if err != nil {
		return err
	}
	for k := range asked {
		a := &asked[k]
		if i := slices.IndexFunc(p.Suites, a.same); i >= 0 && !a.Partial {
			p.Suites = slices.Delete(p.Suites, i, i+1)
		}
	}
	return d.writePlan(p.Unite(asked))
}

// SetUserAlgorithm makes reports of the folder be on a command. A folder without a plan, which holds nothing yet, stays as it is.
func (d *Dir) SetUserAlgorithm(name string) error {
	if p, err := d.Plan(); err != nil || p == nil { // the lock would make the folder
		return err
	}
	unlock, err := d.Lock("plan")
	if err != nil {
		return err
	}
	defer unlock()
	p, err := d.Plan()
	if err != nil || p == nil || p.old || p.UserAlgorithm == name {
		return err
	}
	p.UserAlgorithm = name
	return d.writePlan(p)
}

// Unite adds what was asked for elsewhere; it returns the plan.
func (p *Plan) Unite(asked []Requested) *Plan {
	for _, a := range asked {
		i := slices.IndexFunc(p.Suites, a.same)
		if i < 0 {
			i, p.Suites = len(p.Suites), append(p.Suites, Requested{Problem: a.Problem, Suite: a.Suite, With: a.With})
		}
		p.Suites[i].unite(&a)
	}
	return p
}

// Replace makes p the folder's plan.
func (d *Dir) Replace(p *Plan) error {
	unlock, err := d.Lock("plan")
	if err != nil {
		return err
	}
	defer unlock()
	return d.writePlan(p)
}

func (d *Dir) writePlan(p *Plan) error {
	slices.SortFunc(p.Suites, func(a, b Requested) int {
		return cmp.Or(cmp.Compare(a.Problem, b.Problem), cmp.Compare(a.Suite, b.Suite), cmp.Compare(a.With, b.With))
	})
	var docs []string
	for _, a := range p.Suites {
		if a.YAML != "" {
			docs = append(docs, a.YAML)
		}
	}
	data, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("encoding the plan: %w", err)
	}
	return errors.Join(WriteFile(filepath.Join(d.path, SuiteFile), []byte(strings.Join(docs, document))),
		WriteFile(filepath.Join(d.path, PlanFile), data))
}

// planToUpdate is the folder's plan, to be changed. Without a current plan it is derived from the rows of all other suites.
func (d *Dir) planToUpdate(ctx context.Context, asked []Requested) (*Plan, error) {
	p, err := d.PlanOrDerived(ctx)
	if err == nil && p.derived {
		p.Suites = slices.DeleteFunc(p.Suites, func(r Requested) bool {
			return slices.ContainsFunc(asked, func(a Requested) bool { return a.Problem == r.Problem && a.Suite == r.Suite })
		})
	}
	return p, err
}

// PlanOrDerived is the folder's plan or, where it has none or one of an older version, one that asks for all units that have rows.
func (d *Dir) PlanOrDerived(ctx context.Context) (*Plan, error) {
	old, err := d.Plan()
	if err != nil || old != nil && !old.old {
		return old, err
	}
	type row struct {
		UnitID    string `parquet:"unit_id"`
		Problem   string `parquet:"problem,dict"`
		Suite     string `parquet:"suite,dict"`
		Algorithm string `parquet:"algorithm,dict"`
	}
	p := &Plan{derived: true}
	seen := map[string]bool{}
	_, err = scan[bench.Record](ctx, d, runs, func(rows []row) { // files that cannot be read have no units
		for _, r := range rows {
			if seen[r.UnitID] {
				continue
			}
			seen[r.UnitID] = true
			a := Requested{Problem: r.Problem, Suite: r.Suite}
			i := slices.IndexFunc(p.Suites, a.same)
			if i < 0 {
				i, p.Suites = len(p.Suites), append(p.Suites, a)
			}
			p.Suites[i].Add(r.Algorithm, r.UnitID)
		}
	})
	if err != nil || old == nil {
		return p, err
	}
	if len(p.Suites) == 0 {
		p.Suites = []Requested{{}}
	}
	data, err := input.Read(filepath.Join(d.path, SuiteFile), input.MaxData)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading a suite: %w", err)
	}
	old.Suites[0].YAML = string(data)
	p.Suites[0].unite(&old.Suites[0])
	return p, nil
}

// WithUnplannedRows is the folder with the rows that its plan does not ask for.
func (d *Dir) WithUnplannedRows() *Dir {
	whole := Open(d.path)
	whole.whole = true
	return whole
}

// asked is the plan that rows are held to; nil: none.
func (d *Dir) asked() (*Plan, error) {
	if d.whole {
		return nil, nil
	}
	return d.Plan()
}

// Notes are those of all suites of the plan; nil has none.
func (p *Plan) Notes() (notes []string) {
	if p == nil {
		return nil
	}
	for _, a := range p.Suites {
		notes = append(notes, a.Notes...)
	}
	return notes
}

// LeftOut says how many units' rows are left out since the plan of a results folder does not ask for them; empty: none.
func LeftOut(n int, path string) string {
	if n == 0 {
		return ""
	}
	rows := "1 row of an earlier plan is"
	if n > 1 {
		rows = fmt.Sprintf("%d rows of an earlier plan are", n)
	}
	return fmt.Sprintf("%s left out: schedgap status %s --all", rows, path)
}

// LeftOut says, after rows were read, how many were left out; empty: none.
func (d *Dir) LeftOut() string { return LeftOut(int(d.outside.Load()), d.path) }

// Forget deletes the rows that match, however old, with their proofs, and asks no more for these added commands. It
// returns how many units it deleted. No run may be writing.
func (d *Dir) Forget(ctx context.Context, match func(r *bench.Record) bool, commands map[string]bool) (int, error) {
	files, err := d.files(runs)
	if err != nil {
		return 0, err
	}
	locked := map[string]bool{}
	for _, f := range files {
		if locked[f.shard] || !f.named {
			continue
		}
		unlock, err := d.Lock(f.shard)
		if err != nil {
			return 0, err
		}
		defer unlock()
		locked[f.shard] = true
	}
	gone := map[string]bool{}
	schema := parquet.SchemaOf(new(bench.Record))
	for _, f := range files { // all are read before one is changed
		rows, err := readFile[bench.Record](f, schema)
		if err != nil {
			return 0, err
		}
		for i := range rows {
			gone[rows[i].UnitID] = gone[rows[i].UnitID] || match(&rows[i])
		}
	}
	maps.DeleteFunc(gone, func(_ string, is bool) bool { return !is })
	encode := Sorted[bench.Record]("instance", "algorithm")
	for _, f := range files {
		rows, err := readFile[bench.Record](f, schema)
		if err != nil {
			return 0, err
		}
		kept := slices.DeleteFunc(slices.Clone(rows), func(r bench.Record) bool { return gone[r.UnitID] })
		switch {
		case ctx.Err() != nil:
			return 0, ctx.Err()
		case len(kept) == len(rows):
			continue
		case len(kept) == 0:
			err = os.Remove(f.path)
		default:
			var data []byte
			data, err = encode(kept)
			if err == nil {
				err = WriteFile(f.path, data)
			}
		}
		if err != nil {
			return 0, fmt.Errorf("forgetting rows: %w", err)
		}
	}
	for id := range gone {
		if err := os.Remove(d.ProofPath(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, fmt.Errorf("forgetting a proof: %w", err)
		}
	}
	p, err := d.Plan()
	if err != nil || p == nil || p.old {
		return len(gone), err
	}
	p.Suites = slices.DeleteFunc(p.Suites, func(a Requested) bool { return a.With != "" && commands[a.With] })
	if commands[p.UserAlgorithm] {
		p.UserAlgorithm = ""
	}
	return len(gone), d.writePlan(p)
}
