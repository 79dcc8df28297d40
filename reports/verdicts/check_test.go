package verdicts

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"schedgap/bench/catalog"
	"schedgap/bench/catalog/measure"
	"schedgap/bench/catalog/sweeps"
	"schedgap/bench/experiment"
	"schedgap/datasets/claims"
)

// A state is what a check sees of one experiment: its file, its claims, what was measured and the pages, all in memory.
type state struct {
	file, text string
	claims     []claims.Claim
	measured   *experiment.Measured
	pages      map[string]string
}

// stateOf is the experiment and its claims as they are in the repository, with the reduced form for all that was measured, so
// that the state holds together whatever is stored.
func stateOf(t *testing.T, name string) *state {
	t.Helper()
	real, err := Stored()
	if err != nil {
		t.Fatal(err)
	}
	s := &state{file: name + ".yaml", pages: map[string]string{}}
	s.pages[summary] = fmt.Sprintf(begin, "papers") + end + fmt.Sprintf(begin, "bands") + end
	data, err := fs.ReadFile(sweeps.Files, s.file)
	if err != nil {
		t.Fatal(err)
	}
	s.text = string(data)
	s.claims = slices.DeleteFunc(slices.Clone(real.Claims), func(c claims.Claim) bool { return c.Experiment != name })
	e, err := experiment.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range e.Untold { // what the box was drawn from is there, and nothing else of it
		for _, id := range f.From {
			if !slices.ContainsFunc(s.claims, func(c claims.Claim) bool { return c.ID == id }) {
				s.claims = append(s.claims, claims.Claim{ID: id, Statement: "s", Source: "s", Kind: claims.Number, Argument: "a"})
			}
		}
	}
	s.measured = &experiment.Measured{Experiment: name, Design: e.Design()[:1], Values: map[string][][]float64{}}
	statistics := map[string]string{}
	for _, c := range s.claims {
		if c.Experiment != "" {
			statistics[c.ID] = c.Statistic
		}
	}
	if s.measured.Reduced, err = experiment.Reduced(t.Context(), e, statistics); err != nil {
		t.Fatal(err)
	}
	for id, values := range s.measured.Reduced {
		s.measured.Values[id] = [][]float64{values[:1]}
	}
	s.forge(t)
	book, err := New(s.sources(t))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := book.Pages(s.files)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		s.pages[p.Path] = string(p.Text)
	}
	return s
}

func (s *state) files(path string) ([]byte, error) {
	text, ok := s.pages[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

func (s *state) sources(t *testing.T) Sources {
	t.Helper()
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	list, err := experiment.Load(fstest.MapFS{s.file: {Data: []byte(s.text)}}, registry, measure.All())
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(s.measured)
	if err != nil {
		t.Fatal(err)
	}
	return Sources{Claims: s.claims, Experiments: list, Measured: fstest.MapFS{list[0].Name + ".json": {Data: data}}}
}

// forge makes the stored digest that of the experiment as it now is, so that only measuring again can tell.
func (s *state) forge(t *testing.T) {
	t.Helper()
	book, err := New(s.sources(t))
	if err != nil {
		t.Fatal(err)
	}
	if s.measured.SHA256, err = book.Experiments[0].Hash(book.Experiments[0].Statistics()); err != nil {
		t.Fatal(err)
	}
}

func (s *state) check(t *testing.T) []string {
	t.Helper()
	stale, err := Check(t.Context(), s.sources(t), CheckOptions{Pages: s.files, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return stale
}

// change replaces a text, which must be there.
func change(t *testing.T, text *string, old, with string) {
	t.Helper()
	if !strings.Contains(*text, old) {
		t.Fatalf("there is no %q to change", old)
	}
	*text = strings.Replace(*text, old, with, 1)
}

// TestCheckSees plants, in memory, each change that once left all tests green, and each that would make a page, a value or a
// verdict stale: the check names what is stale. Where what is measured changes it does so by measuring, too, whatever the stored
// digest says.
func TestCheckSees(t *testing.T) {
	const loads, deadline, small = "dollymp-fig4", "shed-fig6", "dollymp-long-job"
	page := folder + "cloning" + ".md"
	for _, m := range []struct {
		name, experiment, says string
		forged                 bool
		plant                  func(t *testing.T, s *state)
	}{
		{"nothing", loads, "", false, func(*testing.T, *state) {}},
		{"nothing", deadline, "", false, func(*testing.T, *state) {}},
		{"cloning's loads", loads, "not the one that was measured", false, func(t *testing.T, s *state) {
			change(t, &s.text, "requested_load: 0.1", "requested_load: 0.12")
		}},
		{"cloning's loads", loads, "the reduced form gives", true, func(t *testing.T, s *state) {
			change(t, &s.text, "requested_load: 0.1", "requested_load: 0.12")
		}},
		{"pocd's deadline", deadline, "not the one that was measured", false, func(t *testing.T, s *state) {
			change(t, &s.text, "set: workload.deadline, default: 1.0", "set: workload.deadline, default: 1.3")
		}},
		{"pocd's deadline", deadline, "the reduced form gives", true, func(t *testing.T, s *state) {
			change(t, &s.text, "set: workload.deadline, default: 1.0", "set: workload.deadline, default: 1.3")
		}},
		{"an experiment's default", deadline, "the reduced form gives", true, func(t *testing.T, s *state) {
			change(t, &s.text, "set: params.launch_cv, default: 0.3", "set: params.launch_cv, default: 0.6")
		}},
		{"a statistic", deadline, "the reduced form gives", true, func(t *testing.T, s *state) {
			change(t, &s.claims[0].Statistic, `"shed+"`, `"hadoop"`)
		}},
		{"a statistic", small, "not the one that was measured", false, func(t *testing.T,
			s *state,
		) {
			s.claims[0].Statistic += " + 0"
		}},
		{"a page's cell", small, page, false, func(t *testing.T, s *state) {
			text := s.pages[page]
			change(t, &text, "| 99 |", "| 98 |")
			s.pages[page] = text
		}},
		{"a verdict", small, page, false, func(t *testing.T, s *state) {
			text := s.pages[page]
			change(t, &text, "| refuted |", "| proven |")
			s.pages[page] = text
		}},
		{"the first page", small, summary, false, func(t *testing.T, s *state) {
			text := s.pages[summary]
			change(t, &text, "1 theorem refuted", "0 theorems refuted")
			s.pages[summary] = text
		}},
		{"a paper's value", small, page, false, func(_ *testing.T, s *state) { two := 2.; s.claims[0].Paper.High = &two }},
		{"a tolerance", small, page, false, func(_ *testing.T, s *state) {
			s.claims[0].Tolerance = claims.Tolerance{Value: 0.3, Reason: "generosity"}
		}},
		{"a stored value", small, page, false, func(_ *testing.T, s *state) { s.measured.Values[s.claims[0].ID][0][0] += 1e-9 }},
		{"a stored value of the reduced form", small, "the reduced form gives", false, func(_ *testing.T, s *state) {
			s.measured.Reduced[s.claims[0].ID][0] *= 1.00001
		}},
		{
			"a claim whose experiment is gone", small, "there is no experiment", false,
			func(_ *testing.T, s *state) { s.claims[0].Experiment = "shed-gone" },
		},
		{
			"a parameter that is drawn from no claim", deadline, "untold loads: from: there is no claim", false,
			func(t *testing.T, s *state) {
				change(t, &s.text, "from: [shed-c02", "from: [shed-c99")
			},
		},
		{"a counter-example that is none", small, "refutes nothing", false, func(_ *testing.T, s *state) {
			large := 1000.
			s.claims[0].Paper.High = &large
		}},
		{
			"a theorem that is contradicted in silence", small, "is not marked as its counter-example", false,
			func(_ *testing.T, s *state) {
				s.claims[0].Refutes = false
			},
		},
	} {
		s := stateOf(t, m.experiment)
		m.plant(t, s)
		if m.forged {
			s.forge(t)
		}
		stale := strings.Join(s.check(t), "\n")
		if m.says == "" && stale != "" || !strings.Contains(stale, m.says) {
			t.Errorf("%s of %s: %q, want %q", m.name, m.experiment, stale, m.says)
		}
	}
}
