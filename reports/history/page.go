package history

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"schedgap/bench/store"
	"schedgap/reports/page"
	"schedgap/reports/plots"
)

//go:embed page.html
var pageHTML string

// Write writes plots/*.{svg,png,pdf}, history.json and index.html to a folder, the page last; version is that of the program.
func Write(ctx context.Context, r *Report, dir, version string) error {
	drawings := draw(r)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4)
	for i := range drawings {
		g.Go(func() error { return drawings[i].write(ctx, filepath.Join(dir, "plots")) })
	}
	if err := g.Wait(); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	if err := store.WriteFile(filepath.Join(dir, "history.json"), append(data, '\n')); err != nil {
		return err
	}
	t, err := template.New("history").Funcs(template.FuncMap{
		"css":     page.Style,
		"version": func() string { return version },
		"svg":     func(d drawing) template.HTML { return template.HTML(d.SVG) },
		"found":   func(d drawing) bool { return d.found },
		"drawn":   func() []drawing { return drawings },
		"join":    strings.Join,
		"date":    func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") },
	}).Parse(pageHTML)
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	var html bytes.Buffer
	if err := t.Execute(&html, r); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	return store.WriteFile(filepath.Join(dir, "index.html"), html.Bytes())
}

func (d *drawing) write(ctx context.Context, dir string) error {
	for _, f := range []struct {
		extension string
		render    func() ([]byte, error)
	}{{".svg", d.figure.SVG}, {".png", d.figure.PNG}, {".pdf", d.figure.PDF}} {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := f.render()
		if err != nil {
			return fmt.Errorf("%s%s: %w", d.Name, f.extension, err)
		}
		if f.extension == ".svg" {
			d.SVG = plots.Inline(data, d.Title)
		}
		if err := store.WriteFile(filepath.Join(dir, d.Name+f.extension), data); err != nil {
			return err
		}
	}
	return nil
}
