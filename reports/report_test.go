package reports_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"schedgap/bench"
	"schedgap/bench/run/store"
	"schedgap/models/fail"
	"schedgap/reports"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

var update = flag.Bool("update", false, "rewrite testdata")

// experiment is the input of most tests: made-up results with every kind of trouble but a contradiction.
func experiment(n int) reports.Input {
	records, instances := fake.Experiment(n, rand.New(rand.NewPCG(1, 2)))
	return reports.Input{
		Records: ratio.Pack(records), Problems: []*bench.Problem{fake.Problem()}, Instance: instances.Find,
		InstanceLinks: "../instances",
		GeneratedAt:   time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Version: "v0.1.0",
	}
}

func write(t *testing.T, in reports.Input) (dir string, r *reports.Report, err error) {
	t.Helper()
	dir = t.TempDir()
	r, err = reports.Write(context.Background(), in, dir)
	return dir, r, err
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	fail.On(t, err)
	return string(data)
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(dir, path)
			all[filepath.ToSlash(name)] = read(t, path)
		}
		return err
	})
	fail.On(t, err)
	return all
}

var written struct {
	sync.Once
	files  map[string]string
	report *reports.Report
}

// whole is the report of an experiment, written once for all tests.
func whole(t *testing.T) (map[string]string, *reports.Report) {
	t.Helper()
	written.Do(func() {
		dir, r, err := write(t, experiment(60))
		fail.On(t, err)
		written.files, written.report = files(t, dir), r
	})
	return written.files, written.report
}

// The numbers of the tables stay what they are; -update rewrites them after a look at what changed.
func TestGolden(t *testing.T) {
	all, _ := whole(t)
	for _, name := range []string{"summary.md", "tables/flex-opt.tex", "tables/figures.tex"} {
		got := all[name]
		golden := filepath.Join("testdata", filepath.Base(name))
		if *update {
			fail.On(t, os.WriteFile(golden, []byte(got), 0o644))
		}
		if d := cmp.Diff(read(t, golden), got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// The same results in another order, at another time and by another version give the same bytes in every file, apart from the
// provenance, also where longer files of these names are; no other file is left.
func TestReproducible(t *testing.T) {
	a, _ := whole(t)
	in := experiment(60)
	slices.Reverse(in.Records)
	in.GeneratedAt, in.Version = in.GeneratedAt.Add(time.Hour), "v0.2.0"
	dir := t.TempDir()
	for name, text := range a {
		fail.On(t, store.WriteFile(filepath.Join(dir, name), []byte(text+"old")))
	}
	_, err := reports.Write(t.Context(), in, dir)
	fail.On(t, err)
	b := files(t, dir)
	if len(a) < 30 || len(a) != len(b) {
		t.Fatalf("%d and %d files", len(a), len(b))
	}
	provenance := regexp.MustCompile(`(?s)Generated at [^\n<]*|"provenance": \{[^}]*\}`)
	for name := range a {
		if provenance.ReplaceAllString(a[name], "") != provenance.ReplaceAllString(b[name], "") {
			t.Errorf("%s differs in more than the provenance", name)
		}
	}
}

// own is what the interactive part adds to a page: its own script, styles and data.
var own = regexp.MustCompile(`(?s)<style>\[hidden\].*?</style>|<script>document\.documentElement.*?</script>|<script id="data" type="text/plain">[\w+/=]*</script>|<script type="module">.*?</script>`)

// The page stands alone: no script but its own, nothing loaded, no absolute address; its links lead to files that exist or to
// the instances; every table and figure is in it.
func TestPage(t *testing.T) {
	all, r := whole(t)
	page := own.ReplaceAllString(all["index.html"], "")
	for _, forbidden := range []string{"<script", " src=", "@import", "url(", "<link", "ZgotmplZ", "NaN", "%!"} {
		if strings.Contains(page, forbidden) {
			t.Errorf("the page contains %s", forbidden)
		}
	}
	if rest := strings.ReplaceAll(strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""), "http://www.w3.org/1999/xlink",
		""); strings.Contains(rest, "//") {
		t.Error("the page contains an absolute address")
	}
	for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		switch target := m[1]; {
		case strings.HasPrefix(target, "#"):
			if !strings.Contains(page, `id="`+target[1:]+`"`) {
				t.Errorf("no %s on the page", target)
			}
		case !strings.HasPrefix(target, "../instances/"):
			if all[target] == "" && (!strings.HasSuffix(target, "/") || !slices.ContainsFunc(slices.Collect(maps.Keys(all)),
				func(name string) bool { return strings.HasPrefix(name, target) })) {
				t.Errorf("broken link: %s", target)
			}
		}
	}
	if n := len(r.Problems[0].Figures); n < 10 || strings.Count(page, "<svg ") != n {
		t.Errorf("%d figures, %d on the page", n, strings.Count(page, "<svg "))
	}
	if strings.Count(page, "schedgap solve instances/") < 100 {
		t.Error("the page lacks commands")
	}
}

// A contradiction is an error that names instance and rows; the report is there all the same, says so first, and has no
// ratio for that instance.
func TestContradiction(t *testing.T) {
	p := fake.Problem()
	in := reports.Input{
		Records: ratio.Pack([]bench.Record{
			fake.Optimal(p, "good", "opt", 10), fake.Solved(p, "good", "fair", 15),
			fake.Optimal(p, "bad", "opt", 10), fake.Solved(p, "bad", "fair", 5),
		}),
		Problems: []*bench.Problem{p}, Instance: fake.Instances{}.Find,
	}
	dir, r, err := write(t, in)
	var contradiction ratio.ContradictionError
	if !errors.As(err, &contradiction) || len(contradiction) != 1 {
		t.Fatal(err)
	}
	for _, want := range []string{"instance bad", "unit bad/opt", "unit bad/fair"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not name %s", err, want)
		}
	}
	page := read(t, dir, "index.html")
	alarm, trouble := strings.Index(page, `role="alert"`), strings.Index(page, `id="trouble"`)
	if alarm < 0 || alarm > trouble || !strings.Contains(page, "unit bad/fair") {
		t.Error("the page does not say so first")
	}
	if md := read(t, dir, "summary.md"); !strings.HasPrefix(md, "# schedgap report\n\n## CONTRADICTIONS\n") {
		t.Errorf("summary.md begins with %.80q", md)
	}
	for _, row := range r.Problems[0].Ratios {
		if row.Label == "fair" && (row.Compared != 1 || row.Untrusted != 1 || row.Mean.Hi != 1.5) {
			t.Errorf("%+v", row)
		}
	}
}

// Nothing to report is a report, too, and so are results without a single value.
func TestNothing(t *testing.T) {
	p := fake.Problem()
	for name, records := range map[string][]bench.Record{
		"There are no results.": nil,
		"no solution":           {fake.Row(p, "a", "fair", bench.Crash), fake.Row(p, "a", "opt", bench.Timeout)},
	} {
		dir, _, err := write(t, reports.Input{
			Records: ratio.Pack(records), Problems: []*bench.Problem{p},
			Instance: fake.Instances{}.Find,
		})
		fail.On(t, err)
		if !strings.Contains(read(t, dir, "index.html"), name) || !strings.Contains(read(t, dir, "summary.md"), name) {
			t.Errorf("the report does not say %q", name)
		}
		if !json.Valid([]byte(read(t, dir, "summary.json"))) {
			t.Error("summary.json is not JSON")
		}
	}
}

// Names come from users; none of them becomes markup.
func TestHostileNames(t *testing.T) {
	p := fake.Problem()
	const name = `<script>alert("x")</script>|_$%&\`
	r := fake.Row(p, name, name, bench.Error)
	r.Error, r.Suite, r.Host = fake.Ptr(name), name, name
	dir, _, err := write(t, reports.Input{
		Records:  ratio.Pack([]bench.Record{r, fake.Optimal(p, name, "opt", 1), fake.Solved(p, name, "fair", 2)}),
		Problems: []*bench.Problem{p}, Instance: fake.Instances{}.Find, Warnings: []string{name},
	})
	fail.On(t, err)
	for file, text := range files(t, dir) {
		if ext := filepath.Ext(file); (ext == ".html" || ext == ".md" || ext == ".svg") &&
			strings.Contains(strings.ReplaceAll(own.ReplaceAllString(text, ""), `\<`, ""), "<script") {
			t.Errorf("%s contains the name as markup", file)
		}
	}
	tex := read(t, dir, "tables", "flex-outcomes.tex")
	if want := `\textless{}script\textgreater{}alert("x")\textless{}/script\textgreater{}|\_\$\%\&\textbackslash{} & external`; !strings.Contains(tex, want) {
		t.Errorf("LaTeX: %s", tex)
	}
}

// A cancelled report says so and leaves no half-written file.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	if _, err := reports.Write(ctx, experiment(10), dir); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if got := files(t, dir); len(got) != 0 {
		t.Errorf("%d files", len(got))
	}
}

// The seed changes intervals and nothing else.
func TestSeed(t *testing.T) {
	in := experiment(60)
	set, err := ratio.New(ratio.Input{Records: in.Records, Problems: in.Problems, Instance: in.Instance})
	fail.On(t, err)
	_, one := whole(t)
	a, b := one.Problems[0].Ratios, summary.New(set, nil, 7).Problems[0].Ratios
	changed := false
	for i := range a {
		changed = changed || (a[i].Mean.CILo.Known() && a[i].Mean.CILo != b[i].Mean.CILo)
		if a[i].Mean.Lo.Known() && a[i].Mean.Lo != b[i].Mean.Lo {
			t.Errorf("%s: mean %v, with another seed %v", a[i].Label, a[i].Mean.Lo, b[i].Mean.Lo)
		}
	}
	if !changed {
		t.Error("another seed gives the same intervals")
	}
}

// The JSON is the report that Write returns.
func TestJSON(t *testing.T) {
	all, r := whole(t)
	var want bytes.Buffer
	e := json.NewEncoder(&want)
	e.SetIndent("", "  ")
	fail.On(t, e.Encode(r))
	if all["summary.json"] != want.String() {
		t.Error("summary.json is not the report")
	}
}

// BenchmarkWrite measures a report on 10⁵ rows: go test -bench Write -benchtime 1x.
func BenchmarkWrite(b *testing.B) {
	in := experiment(10_000)
	b.ReportMetric(float64(len(in.Records)), "rows")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := reports.Write(context.Background(), in, b.TempDir()); err != nil {
			b.Fatal(err)
		}
	}
}
