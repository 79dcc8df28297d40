package catalog

import (
	"flag"
	"fmt"
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
		"constraints": constraintTable(d.Problem.Constraints),
		"models":      rowTables(d.Problem, targets),
		"algorithms":  algorithmTable(d.Algorithms),
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

func constraintTable(list []models.Constraint) string {
	var b strings.Builder
	b.WriteString("\n| | name | statement | source |\n|---|---|---|---|\n")
	for i, c := range list {
		fmt.Fprintf(&b, "| %d | `%s` | %s | %s |\n", i+1, c.Name, cell(c.Statement), cell(c.Source))
	}
	return b.String() + "\n"
}

// rowTables lists the rows of every model: those of constraints first, then the auxiliary ones. A model of several targets is
// shown once where its rows are the same.
func rowTables[I models.Instance, S any](p *models.Problem[I, S], targets []*exact.Target[I, S]) string {
	var b strings.Builder
	for i := range targets[0].Formulations {
		for n, target := range targets {
			f := target.Formulations[i]
			if n > 0 && slices.Equal(f.Rows, targets[0].Formulations[i].Rows) {
				continue
			}
			title, _, _ := strings.Cut(f.Doc, "\n")
			of := ""
			if len(targets) > 1 {
				of = " of `" + target.Name + "`"
			}
			fmt.Fprintf(&b, "\n`%s`%s: %s\n\n| rows | state | kind |\n|---|---|---|\n", f.Name, of, title)
			for _, kind := range []string{"constraint", "auxiliary"} {
				for _, r := range f.Rows {
					states := slices.ContainsFunc(p.Constraints, func(c models.Constraint) bool { return c.Name == r.Name })
					if states != (kind == "constraint") {
						continue
					}
					shown := kind
					if r.Cut {
						shown = "cut"
					}
					fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.Name, cell(r.Statement), shown)
				}
			}
		}
	}
	return b.String() + "\n"
}

func algorithmTable[I models.Instance, S any](list []*models.Algorithm[I, S]) string {
	var b strings.Builder
	b.WriteString("\n| name | kind | reference | what it does, and its source |\n|---|---|---|---|\n")
	for _, a := range list {
		name, reference := a.Name, "`"+a.Reference+"`"
		if a.Arg != "" {
			name += ":" + a.Arg
		}
		if len(a.Waives) > 0 {
			reference += ", waives `" + strings.Join(a.Waives, "`, `") + "`"
		}
		title, source, _ := strings.Cut(a.Doc, "\n\n")
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s. %s |\n", name, a.Kind, reference, cell(title), cell(source))
	}
	return b.String() + "\n"
}

var (
	pageCited  = regexp.MustCompile(`docs/problems/(\w+\.md)#([\w-]+)`)
	otherCited = regexp.MustCompile(`docs/(design/[\w-]+\.md#([\w-]+))`)
)

// cell is a text as a table of Markdown takes it, its citations as links.
func cell(text string) string {
	text = strings.NewReplacer("|", "\\|", "\n", " ", "*", "\\*").Replace(text)
	return otherCited.ReplaceAllString(pageCited.ReplaceAllString(text, "[$2]($1#$2)"), "[$2](../$1)")
}
