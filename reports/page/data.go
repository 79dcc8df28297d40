package page

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"schedgap/models"
	"schedgap/reports/plots"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// A header holds strips of dots and the details of instances, which the page's script shows besides the report. All numbers are
// texts already, so that the page cannot write them in another way than the tables.
type header struct {
	Problems []*problemData `json:"problems"`
	Links    string         `json:"links"` // to the folder of instances; empty: none
}

type problemData struct {
	Name       string                   `json:"name"`
	Algorithms []string                 `json:"algorithms"` // as tables have them
	Strips     map[string]*plots.Layout `json:"strips"`     // by figure
	Instances  []string                 `json:"instances"`  // names
	Hashes     []string                 `json:"hashes"`     // their SHA-256
	Quoted     []string                 `json:"quoted"`     // their names as arguments of -i
	Facts      []*texts                 `json:"facts"`      // by instance
	Known      []known                  `json:"known"`
	Instance   []int                    `json:"instance"` // by unit
	Units      []*texts                 `json:"units"`
	Charts     map[int]string           `json:"charts"` // SVG by instance
}

// known holds the best values and bounds of a reference.
type known struct {
	Reference string   `json:"reference"`
	Columns   []*texts `json:"columns"` // by instance
}

// Texts is a column of texts, each of them once.
type texts struct {
	Head  string   `json:"head"`
	Words []string `json:"words"`
	At    []int    `json:"at"` // in Words, by row
}

func newTexts(head string, n int, text func(i int) string) *texts {
	c := &texts{Head: head, Words: []string{}, At: make([]int, n)}
	places := map[string]int{}
	for i := range n {
		word := text(i)
		k, seen := places[word]
		if !seen {
			k = len(c.Words)
			places[word], c.Words = k, append(c.Words, word)
		}
		c.At[i] = k
	}
	return c
}

// data packs the headers for the page's script: in base64, a zlib stream of JSON.
func data(r *summary.Report, o Options) (string, error) {
	h := header{Problems: []*problemData{}, Links: o.Links}
	for _, p := range r.Problems {
		h.Problems = append(h.Problems, newProblemData(p, o))
	}
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	if err := json.NewEncoder(z).Encode(h); err != nil {
		return "", fmt.Errorf("data of the page: %w", err)
	}
	if err := z.Close(); err != nil {
		return "", fmt.Errorf("data of the page: %w", err)
	}
	return base64.StdEncoding.EncodeToString(packed.Bytes()), nil
}

func newProblemData(p *summary.Problem, o Options) *problemData {
	results := p.Views[0].Problem
	d := &problemData{Name: p.Name, Algorithms: []string{}, Strips: map[string]*plots.Layout{}, Charts: map[int]string{}}
	for _, outcome := range p.Outcomes {
		d.Algorithms = append(d.Algorithms, p.Marked(outcome.Label))
	}
	for _, f := range p.Figures {
		if layout := o.Strips[f.Name]; layout != nil {
			d.Strips[f.Name] = layout
		}
	}
	for i, in := range results.Instances {
		d.Instances, d.Hashes = append(d.Instances, in.Name), append(d.Hashes, in.SHA256)
		d.Quoted = append(d.Quoted, summary.QuoteName(in.Name))
		if svg, drawn := o.Charts[in]; drawn {
			d.Charts[i] = svg
		}
	}
	d.describe(p, results)
	d.addUnits(p, results)
	return d
}

// describe adds the facts about instances.
func (d *problemData) describe(p *summary.Problem, results *ratio.Problem) {
	n := len(results.Instances)
	in := func(i int) *ratio.Instance { return results.Instances[i] }
	fact := func(head string, text func(in *ratio.Instance) string) {
		d.Facts = append(d.Facts, newTexts(head, n, func(i int) string { return text(in(i)) }))
	}
	fact("source", func(in *ratio.Instance) string { return in.Source })
	fact("suite", func(in *ratio.Instance) string { return strings.Join(in.Suites, ", ") })
	fact("jobs", func(in *ratio.Instance) string { return words.Known(in.Jobs(), "%.0f") })
	numeric := results.Axes()
	for _, name := range slices.Sorted(maps.Keys(numeric)) {
		fact(summary.Words(name), func(in *ratio.Instance) string {
			switch x := in.Number(name); {
			case !numeric[name]:
				return words.Or(in.Word(name))
			case summary.IsShare(name):
				return words.Percentage(x, x)
			default:
				return words.Known(x, "%.6g")
			}
		})
	}
	fact("why it has no ratios", func(in *ratio.Instance) string { return words.Or(in.Trouble) })
	d.Facts = slices.DeleteFunc(d.Facts, func(c *texts) bool { return len(c.Words) == 1 && c.Words[0] == words.None })
	for _, ref := range p.References {
		best := func(i int) ratio.Best { return in(i).Best(ref.Name) }
		d.Known = append(d.Known, known{ref.Name, []*texts{
			newTexts("best value", n, func(i int) string { return value(best(i).Value) }),
			newTexts("best bound", n, func(i int) string { return value(best(i).Bound) }),
			newTexts("proven", n, func(i int) string { return map[bool]string{true: "yes", false: "no"}[best(i).Proven] }),
		}})
	}
}

// The places that the script fills in to make a command of its pattern.
const (
	instancePlace = "INSTANCE"
	hashPlace     = "SHA256"
)

func (d *problemData) addUnits(p *summary.Problem, results *ratio.Problem) {
	list := results.Units
	of, _ := summary.FindVariants(results)
	column := func(head string, text func(u *ratio.Unit) string) {
		d.Units = append(d.Units, newTexts(head, len(list), func(i int) string { return text(list[i]) }))
	}
	for _, u := range list {
		d.Instance = append(d.Instance, u.In.Index)
	}
	column("algorithm", func(u *ratio.Unit) string { return p.Marked(of[u.Setup].Label) })
	column("method", func(u *ratio.Unit) string {
		return words.Or(strings.Trim(words.Text(u.Model)+"/"+words.Text(u.Solver), "/"))
	})
	column("status", func(u *ratio.Unit) string { return u.Status })
	column("seed", func(u *ratio.Unit) string { return strconv.FormatUint(uint64(u.Seed), 10) })
	column("objective", func(u *ratio.Unit) string { return value(u.Value) })
	column("bound", func(u *ratio.Unit) string { return value(u.Bound) })
	for _, ref := range p.References {
		views := map[bool]*summary.View{}
		for _, v := range p.Views {
			if v.Reference == ref.Name {
				views[v.Regret] = v
			}
		}
		if len(views) == 0 { // a restricted class
			continue
		}
		column(p.Apart(ref.Name, views[true] != nil && views[false] == nil), func(u *ratio.Unit) string {
			v := views[u.In.Comparison.ByRegret()]
			if !u.Related(ref.Name) || u.Kind == string(models.Bound) {
				return words.None
			}
			lo, hi := v.Ends(u)
			return words.Percentage(p.Far(v.Regret, lo), p.Far(v.Regret, hi))
		})
	}
	column("time", func(u *ratio.Unit) string { return pointer(u.WallSeconds, words.Seconds) })
	commands := map[*ratio.Setup]string{} // the seed is the last word of those that have one
	column("to run it again", func(u *ratio.Unit) string {
		command, known := commands[u.Setup]
		if !known {
			at := &ratio.Place{Instance: instancePlace, InstanceSHA256: hashPlace}
			command = summary.Command(&ratio.Record{Place: at, Setup: u.Setup})
			commands[u.Setup] = command
		}
		if stem, seeded := strings.CutSuffix(command, "--seed 0"); seeded {
			return fmt.Sprintf("%s--seed %d", stem, uint64(u.Seed))
		}
		return command
	})
	column("error", func(u *ratio.Unit) string { return words.Text(u.Error) })
}
