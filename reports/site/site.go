// Package site shows a library of instances as pages: static, without a network, in the look of reports.
package site

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/bench/evidence"
	"schedgap/bench/store"
	"schedgap/datasets/library"
	"schedgap/reports/page"
	"schedgap/reports/plots"
	"schedgap/reports/words"
)

//go:embed site.html
var pages string

// maxBars is how many bars of a schedule are drawn, more than a reader tells apart.
const maxBars = 300

// A Site is what the pages show.
type Site struct {
	Library *evidence.Collection
	Files   fs.FS          // of the library, for downloads
	Rows    []bench.Record // results on its instances, for the table of algorithms; may be empty
}

// An instance is one page.
type instance struct {
	*library.Entry
	History   []library.Event
	Drawing   template.HTML // of the best solution; empty: there is none
	Downloads []string      // paths from the site's root
}

// Write writes index.html, a page an instance below instances, and what is stored of them below files.
func (s *Site) Write(ctx context.Context, dir string) error {
	t, err := template.New("site").Funcs(template.FuncMap{
		"css": page.Style, "percent": percent, "number": func(x *float64) string { return words.Or(library.Number(x)) },
		"base":     path.Base,
		"list":     func(names []string) string { return words.Or(strings.Join(names, ", ")) },
		"sortable": func(x *float64) string { return library.Number(x) },
		"short": func(x *float64) string {
			if x == nil {
				return words.None
			}
			return fmt.Sprintf("%.6g", *x)
		},
	}).Parse(pages)
	if err != nil {
		return fmt.Errorf("site: %w", err)
	}
	write := func(name, of string, data any) error {
		var b bytes.Buffer
		if err := t.ExecuteTemplate(&b, of, data); err != nil {
			return fmt.Errorf("site: %w", err)
		}
		return store.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), b.Bytes())
	}
	history := map[string][]library.Event{}
	for _, v := range s.Library.Events {
		history[v.ID] = append(history[v.ID], v)
	}
	for _, e := range s.Library.Entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		one := instance{Entry: e, History: history[e.ID]}
		for _, file := range []string{e.InstanceFile(), e.SolutionFile(), e.ProofFile()} {
			data, err := fs.ReadFile(s.Files, file)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			to := path.Join("files", file)
			if err == nil {
				err = store.WriteFile(filepath.Join(dir, filepath.FromSlash(to)), data)
			}
			if err != nil {
				return err
			}
			one.Downloads = append(one.Downloads, to)
		}
		svg, err := Drawing(ctx, s.Library, e)
		if err != nil {
			return err
		}
		if svg != nil {
			one.Drawing = template.HTML(plots.Inline(svg, "The best solution known of "+e.ID))
		}
		if err := write("instances/"+e.ID+".html", "instance", one); err != nil {
			return err
		}
	}
	open := slices.Clone(s.Library.Entries)
	slices.SortStableFunc(open, func(a, b *library.Entry) int { return cmp.Compare(order(a), order(b)) })
	release := ""
	if n := len(s.Library.Events); n > 0 {
		release = s.Library.Events[n-1].Release
	}
	return write("index.html", "index", map[string]any{"Release": release, "Entries": open, "Algorithms": s.algorithms()})
}

// order puts what is open first.
func order(e *library.Entry) int {
	return slices.Index([]string{library.Unproven, library.Scale, library.Hard, library.Easy}, e.Tier())
}

func percent(gap *float64) string {
	if gap == nil {
		return words.None
	}
	return words.Percentage(*gap, *gap)
}

// Drawing draws the best solution of a stored instance as SVG; nil: there is none, or too much for a drawing.
func Drawing(ctx context.Context, c *evidence.Collection, e *library.Entry) ([]byte, error) {
	if e.Solution == nil || !e.Stored {
		return nil, nil
	}
	in, err := c.Instance(ctx, e)
	if err != nil {
		return nil, err
	}
	data, err := c.Solution(e)
	if err != nil {
		return nil, err
	}
	chart, err := in.Chart(e.ID, data)
	if err != nil || len(chart.Bars) == 0 || len(chart.Bars) > maxBars {
		return nil, err
	}
	figure, err := plots.Schedules([]plots.Schedule{{Chart: chart}})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.ID, err)
	}
	return figure.SVG()
}

// An algorithm is how far one was from the bounds of a tier's instances.
type algorithm struct {
	Problem, Name, Tier string
	Instances           int
	Mean, Worst         float64
}

// Far and Farthest are Mean and Worst, for percent.
func (a *algorithm) Far() *float64      { return &a.Mean }
func (a *algorithm) Farthest() *float64 { return &a.Worst }

// algorithms are those of the rows, by problem and tier, the nearest to the bounds first.
func (s *Site) algorithms() (list []*algorithm) {
	bySHA := map[string]*library.Entry{}
	for _, e := range s.Library.Entries {
		bySHA[e.SHA256] = e // in which its id is
	}
	of := map[[3]string]*algorithm{}
	for i := range s.Rows {
		r := &s.Rows[i]
		e := bySHA[r.InstanceSHA256]
		p, err := s.Library.Registry.Problem(r.Problem)
		if e == nil || err != nil || !p.ReferenceWithin(r.Reference, e.Reference) || e.Bound == nil || e.Proof.Kind == library.Search ||
			r.Objective == nil || r.Feasible == nil || !*r.Feasible || r.Waived != "" ||
			r.Algorithm == bench.FromLibrary {
			continue
		}
		gap := e.Far(*r.Objective)
		key := [3]string{e.Problem, e.Tier(), r.Algorithm}
		a := of[key]
		if a == nil {
			a = &algorithm{Problem: e.Problem, Tier: e.Tier(), Name: r.Algorithm}
			of[key], list = a, append(list, a)
		}
		a.Mean, a.Worst = (a.Mean*float64(a.Instances)+gap)/float64(a.Instances+1), max(a.Worst, gap)
		a.Instances++
	}
	slices.SortFunc(list, func(a, b *algorithm) int {
		return cmp.Or(cmp.Compare(a.Problem, b.Problem), cmp.Compare(a.Tier, b.Tier), cmp.Compare(a.Mean, b.Mean),
			cmp.Compare(a.Name, b.Name))
	})
	return list
}
