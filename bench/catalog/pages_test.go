package catalog

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
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

var update = flag.Bool("update", false, "write the tables of docs/problems instead of comparing with them")

// TestProblemPages: the page of a problem under docs/problems has the tables of constraints, of the rows of its models and of its
// algorithms as they are declared, explains every reference, and its examples are
// an instance and feasible solutions of it.
func TestProblemPages(t *testing.T) {
	milps, err := solvers()
	if err != nil {
		t.Fatal(err)
	}
	page(t, flexDefinition(milps), exactflex.Opt)
	page(t, pocdDefinition(milps), exactpocd.Opt)
	page(t, cloningDefinition(milps), exactcloning.Opt, exactcloning.OptNonpreemptive)
	page(t, redundancyDefinition(milps), exactredundancy.Opt)
	page(t, speculationDefinition(milps), exactspeculation.Opt)
}

func page[I models.Instance, S any](t *testing.T, d bench.Definition[I, S], targets ...*exact.Target[I, S]) {
	file := filepath.Join("..", "..", "docs", "problems", d.Problem.Name+".md")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
		return
	}
	text := string(data)
	for block, table := range map[string]string{
		"constraints": constraintList(d.Problem.Constraints),
		"models":      rowLists(d.Problem, targets),
		"algorithms":  algorithmList(d.Problem, d.Algorithms),
		"features":    featureList(t, d),
	} {
		begin, end := "<!-- generated: "+block+" -->\n", "<!-- end -->"
		before, rest, ok := strings.Cut(text, begin)
		old, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Errorf("%s has no block %q", file, begin)
			continue
		}
		if !*update && old != table {
			t.Errorf("%s: the %s are not those declared; go test ./bench/catalog -run TestProblemPages -update writes them", file, block)
		}
		text = before + begin + table + end + after
	}
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range d.Problem.References {
		if !strings.Contains(text, "* `"+r.Name+"` — ") && !strings.HasPrefix(section(text, "References"), "`"+r.Name+"` — ") {
			t.Errorf("%s does not explain the reference %s", file, r.Name)
		}
	}
	for _, heading := range []string{
		"Question", "Symbols", "Instance", "Solution", "Constraints", "Objective", "References", "Models", "Algorithms",
		"Bounds", "Simulator", "What the paper leaves open",
	} {
		if section(text, heading) == "" {
			t.Errorf("%s has no section %q", file, heading)
		}
	}
	examples(t, file, text, d)
}

// featureList is the table of features, which are those that the problem's examples and a generated instance have.
func featureList[I models.Instance, S any](t *testing.T, d bench.Definition[I, S]) string {
	has, rows := map[string]bool{}, "\n| feature | meaning |\n|---|---|\n"
	erased := bench.Adapt(d)
	list, err := erased.Examples()
	values, errParams := models.Resolve(erased.Generator.Params, nil)
	if err := cmp.Or(err, errParams); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		in, err := erased.Generate("one", values, rand.New(rand.NewPCG(1, uint64(i))))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, in)
	}
	for _, in := range list {
		dated := strings.HasSuffix(in.Objective, "tardiness") || strings.HasSuffix(in.Objective, "lateness")
		if a := in.Accuracy; a.Whole != (in.Problem.Name == "cloning") || (a.Least > 0) != dated {
			t.Errorf("%s, %s: %+v, which docs/bounds-and-proofs.md#optimal does not say", in.Name, in.Objective, a)
		}
		for name := range in.Features {
			has[name] = true
		}
	}
	for _, f := range d.Problem.FeatureDocs {
		if !has[f.Name] {
			t.Errorf("%s explains the feature %s, which no instance has", d.Problem.Name, f.Name)
		}
		delete(has, f.Name)
		rows += fmt.Sprintf("| `%s` | %s |\n", f.Name, cell(f.Doc))
	}
	for name := range has {
		t.Errorf("%s does not explain the feature %s", d.Problem.Name, name)
	}
	return rows + "\n"
}

// section is the text under a heading of the second level.
func section(text, heading string) string {
	_, rest, _ := strings.Cut(text, "\n## "+heading+"\n")
	body, _, _ := strings.Cut(rest, "\n## ")
	return strings.TrimSpace(body)
}

// examples: the page's instance is read, and its solutions are feasible and worth what they claim.
func examples[I models.Instance, S any](t *testing.T, file, text string, d bench.Definition[I, S]) {
	blocks := func(heading string) []string {
		var list []string
		for _, part := range strings.Split(section(text, heading), "```json\n")[1:] {
			code, _, _ := strings.Cut(part, "```")
			list = append(list, code)
		}
		return list
	}
	instances, solutions := blocks("Instance"), blocks("Solution")
	if len(instances) != 1 || len(solutions) == 0 {
		t.Errorf("%s has %d instances and %d solutions", file, len(instances), len(solutions))
		return
	}
	in, err := d.Problem.ParseInstance(file, []byte(instances[0]))
	if err != nil {
		t.Error(err)
		return
	}
	for _, s := range solutions {
		sf, err := d.Problem.ParseSolution(file, []byte(s), in)
		if err != nil {
			t.Error(err)
			continue
		}
		if r := d.Problem.CheckClaim(in, sf.Solution, sf.Claimed); !r.Feasible(nil) {
			t.Errorf("%s: the example breaks %+v", file, r.Violations)
		}
	}
}

// constraintList lists the constraints. A source is given without the paper's name, as in every citation of it on its page.
func constraintList(list []models.Constraint) string {
	var b strings.Builder
	b.WriteString("\n")
	for _, c := range list {
		fmt.Fprintf(&b, "* `%s`: %s (%s)\n", c.Name, cell(c.Statement), cell(strings.TrimPrefix(c.Source, paperOf(list)+", ")))
	}
	return b.String() + "\n"
}

// paperOf is the name of a problem's paper, with which the source of the first constraint begins.
func paperOf(list []models.Constraint) string { return paperName.FindString(list[0].Source) }

// rowLists has the rows of every model: those that state constraints first, then the auxiliary ones. Rows that a model shares
// with one above it are only named.
func rowLists[I models.Instance, S any](p *models.Problem[I, S], targets []*exact.Target[I, S]) string {
	var b strings.Builder
	var above []string
	shown := map[string][]exact.Row{}
	for i := range targets[0].Formulations {
		for n, target := range targets {
			f := target.Formulations[i]
			if n > 0 && slices.Equal(f.Rows, targets[0].Formulations[i].Rows) {
				continue
			}
			name := "`" + f.Name + "`"
			if len(targets) > 1 {
				name += " of `" + target.Name + "`"
			}
			title, _, _ := strings.Cut(f.Doc, "\n")
			if n > 0 {
				title = "" // that of the first one
			}
			fmt.Fprintf(&b, "\n%s\n\n", strings.TrimSuffix(name+": "+title, " "))
			rows := slices.Clone(f.Rows)
			slices.SortStableFunc(rows, func(x, y exact.Row) int { return rank(p, x) - rank(p, y) })
			for _, other := range above {
				var same []string
				rows = slices.DeleteFunc(rows, func(r exact.Row) bool {
					found := slices.Contains(shown[other], r)
					if found {
						same = append(same, names([]exact.Row{r}))
					}
					return found
				})
				switch text := strings.Join(same, ", "); {
				case len(same) > 3 && strings.Contains(names(shown[other]), text):
					fmt.Fprintf(&b, "* %s to %s: as in %s\n", same[0], same[len(same)-1], other)
				case len(same) > 0:
					fmt.Fprintf(&b, "* %s: as in %s\n", text, other)
				}
			}
			for _, r := range rows {
				cut := ""
				if r.Cut {
					cut = ", cut"
				}
				fmt.Fprintf(&b, "* `%s`%s: %s\n", r.Name, cut, cell(r.Statement))
			}
			above, shown[name] = append(above, name), rows
		}
	}
	return b.String() + "\n"
}

// names are the names of rows, as code.
func names(rows []exact.Row) string {
	var list []string
	for _, r := range rows {
		list = append(list, "`"+r.Name+"`")
	}
	return strings.Join(list, ", ")
}

// rank is 0 for the rows that state a constraint of the problem, which bear its name, 1 for auxiliary ones and 2 for cuts.
func rank[I models.Instance, S any](p *models.Problem[I, S], r exact.Row) int {
	switch {
	case slices.ContainsFunc(p.Constraints, func(c models.Constraint) bool { return c.Name == r.Name }):
		return 0
	case r.Cut:
		return 2
	}
	return 1
}

// algorithmList has a row for every algorithm. Neighbours with the same explanation share a row if only a number k tells their
// titles apart, and refer to the one above otherwise. The first reference is the usual one and not named.
func algorithmList[I models.Instance, S any](p *models.Problem[I, S], list []*models.Algorithm[I, S]) string {
	var rows [][2]string
	var before, beforeTitle string
	for i, a := range list {
		name := "`" + a.Name + "`"
		if a.Arg != "" {
			name = "`" + a.Name + ":" + a.Arg + "`"
		}
		title, source, _ := strings.Cut(a.Doc, "\n\n")
		number := strings.TrimLeft(a.Name, "abcdefghijklmnopqrstuvwxyz+-")
		if number != "" {
			title = strings.ReplaceAll(title, " "+number+" ", " k ")
		}
		if source == before && title == beforeTitle {
			rows[len(rows)-1][0] += ", " + name
			continue
		}
		if a.Kind == models.Exact {
			name += ", exact"
		}
		text := cell(title) + "."
		if rest := ownPage.ReplaceAllString(source, "."); source != before && rest != "." {
			text += " " + cell(inPaper(rest, paperOf(p.Constraints)))
		} else if source == before && !strings.Contains(title, "the same as") {
			text = cell(title) + "; otherwise as `" + list[i-1].Name + "`."
		}
		if a.Reference != p.References[0].Name {
			text += " Reference: `" + a.Reference + "`."
		}
		if len(a.Waives) > 0 && !strings.Contains(text, "waives") {
			text += " Waives `" + strings.Join(a.Waives, "`, `") + "`."
		}
		rows = append(rows, [2]string{name, text})
		before, beforeTitle = source, title
	}
	var b strings.Builder
	b.WriteString("\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "* %s: %s\n", r[0], r[1])
	}
	return b.String() + "\n"
}

// inPaper is a source without the paper's name: Smith 2020, section 3 becomes Section 3.
func inPaper(source, paper string) string {
	if rest, ok := strings.CutPrefix(source, paper+", "); ok {
		source = strings.ToUpper(rest[:1]) + rest[1:]
	}
	return strings.ReplaceAll(source, paper+", ", "")
}

var (
	ownPage    = regexp.MustCompile(`[;.]? ?docs/problems/[\w#.-]+\.$`) // at the end of a source: there is the reader already
	paperName  = regexp.MustCompile(`^.*? 20\d\d`)
	pageCited  = regexp.MustCompile(`docs/problems/(\w+\.md)#([\w-]+)`)
	otherCited = regexp.MustCompile(`docs/((?:design/)?([\w-]+)\.md(?:#([\w-]+))?)`)
)

// cell is a text as Markdown takes it, its citations as links.
func cell(text string) string {
	text = strings.NewReplacer("\n", " ", "*", "\\*").Replace(text)
	return otherCited.ReplaceAllStringFunc(pageCited.ReplaceAllString(text, "[$2]($1#$2)"), func(cited string) string {
		m := otherCited.FindStringSubmatch(cited)
		return "[" + cmp.Or(m[3], m[2]) + "](../" + m[1] + ")"
	})
}
