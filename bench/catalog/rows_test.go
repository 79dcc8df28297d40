package catalog

import (
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/exact"
	exactcloning "schedgap/exact/cloning"
	exactflex "schedgap/exact/flex"
	exactpocd "schedgap/exact/pocd"
	exactredundancy "schedgap/exact/redundancy"
	exactspeculation "schedgap/exact/speculation"
	"schedgap/models"
)

// TestRows: the families of rows of every MILP model are those that the model declares, and a family of each constraint that is
// not met by construction bears the constraint's name.
func TestRows(t *testing.T) {
	milps, err := solvers()
	if err != nil {
		t.Fatal(err)
	}
	rowsOf(t, flexDefinition(milps), exactflex.Opt)
	rowsOf(t, pocdDefinition(milps), exactpocd.Opt, exactpocd.OptAll)
	rowsOf(t, cloningDefinition(milps), exactcloning.Opt, exactcloning.OptNonpreemptive)
	rowsOf(t, redundancyDefinition(milps), exactredundancy.Opt)
	rowsOf(t, speculationDefinition(milps), exactspeculation.Opt)
}

// byConstruction are the constraints that models of a problem, or one of them, meet with columns and decoding, without rows of
// their own.
var byConstruction = map[string]string{
	"flex":           "contiguity objective",
	"pocd":           "straggler objective",
	"cloning":        "arrival copies copies_per_server after_completion regime objective",
	"cloning strong": "parent work",
	"redundancy":     "speed objective",
	"speculation":    "pair objective",
}

func rowsOf[I models.Instance, S any](t *testing.T, d bench.Definition[I, S], targets ...*exact.Target[I, S]) {
	p := d.Problem
	instances := smallInstances(t, d)
	for _, target := range targets {
		for _, f := range target.Formulations {
			name := p.Name + " " + target.Name + " " + f.Name
			declared, built := map[string]bool{}, map[string]bool{}
			for _, r := range f.Rows {
				if declared[r.Name] || r.Statement == "" {
					t.Errorf("%s: row %+v is declared twice or states nothing", name, r)
				}
				declared[r.Name] = true
			}
			for _, in := range instances {
				if f.Applies != nil && f.Applies(in) != nil {
					continue
				}
				b, err := f.Build(in, exact.BuildOptions{})
				if err != nil {
					t.Fatalf("%s of %s: %v", name, in.Head().Name, err)
				}
				rows := b.Model.Rows
				if b.Relaxation != nil {
					rows = slices.Concat(rows, b.Relaxation.Rows)
				}
				for _, r := range rows {
					family, _, _ := strings.Cut(r.Name, "[")
					built[family] = true
				}
			}
			if want, got := slices.Sorted(maps.Keys(declared)), slices.Sorted(maps.Keys(built)); !slices.Equal(want, got) {
				t.Errorf("%s has rows %v, declared are %v", name, got, want)
			}
			for _, c := range p.Constraints {
				if !declared[c.Name] && !slices.Contains(strings.Fields(byConstruction[p.Name]+" "+byConstruction[p.Name+" "+f.Name]), c.Name) {
					t.Errorf("%s has no rows called %s", name, c.Name)
				}
			}
		}
	}
}

// further are instances with what no example has: a job with several last phases, and slots with many fillings of servers.
var further = map[string][]string{"cloning": {`{"problem":"cloning","version":1,"name":"further","max_copies":1,"max_copies_per_server":1,
	"servers":[{"id":"s1","cpu":1,"mem":1},{"id":"s2","cpu":1,"mem":1}],"jobs":[{"id":"J1","arrival":0,"phases":[
	{"id":"p0","parents":[],"tasks":2,"cpu":0.07,"mem":0.2,"mean":2,"sd":0},
	{"id":"p1","parents":[],"tasks":2,"cpu":0.1,"mem":0.18,"mean":2,"sd":0},
	{"id":"p2","parents":[],"tasks":2,"cpu":0.13,"mem":0.16,"mean":2,"sd":0}]},{"id":"J2","arrival":0,"phases":[
	{"id":"p3","parents":[],"tasks":2,"cpu":0.16,"mem":0.14,"mean":2,"sd":0},
	{"id":"p4","parents":[],"tasks":2,"cpu":0.19,"mem":0.12,"mean":2,"sd":0},
	{"id":"p5","parents":[],"tasks":2,"cpu":0.22,"mem":0.1,"mean":2,"sd":0}]}]}`, `{"problem":"cloning","version":1,"name":"sinks","max_copies":1,"max_copies_per_server":1,
	"servers":[{"id":"s1","cpu":1,"mem":1}],"jobs":[
	{"id":"J1","arrival":0,"phases":[{"id":"p0","parents":[],"tasks":2,"cpu":0.6,"mem":0.1,"mean":2,"sd":0},
		{"id":"p1","parents":[],"tasks":1,"cpu":0.6,"mem":0.1,"mean":3,"sd":0}]},
	{"id":"J2","arrival":0,"phases":[{"id":"p0","parents":[],"tasks":2,"cpu":0.6,"mem":0.1,"mean":3,"sd":0}]}]}`}}

// smallInstances are the problem's examples and some that are generated, as far as models of them are small.
func smallInstances[I models.Instance, S any](t *testing.T, d bench.Definition[I, S]) []I {
	var list []I
	add := func(in I) {
		if d.Problem.Size(in).Jobs <= 8 {
			list = append(list, in)
		}
	}
	files, err := fs.Glob(d.Problem.Examples, "examples/*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := fs.ReadFile(d.Problem.Examples, file)
		if err != nil {
			t.Fatal(err)
		}
		in, err := d.Problem.ParseInstance(path.Base(file), data)
		if err != nil {
			t.Fatal(err)
		}
		add(in)
	}
	for _, text := range further[d.Problem.Name] {
		in, err := d.Problem.ParseInstance("further", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		add(in)
	}
	jobs := "jobs"
	if d.Problem.Name == "speculation" {
		jobs = "stragglers"
	}
	values, err := models.Resolve(d.Generator.Params, map[string]any{jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		in, err := d.Generator.Generate("generated", values, rand.New(rand.NewPCG(uint64(i), 0)))
		if err != nil {
			t.Fatal(err)
		}
		add(in)
	}
	return list
}
