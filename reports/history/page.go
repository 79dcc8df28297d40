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

	"schedgap/bench/store"
	"schedgap/reports/page"
	"schedgap/reports/summary"
)

//go:embed page.html
var pageHTML string

// Write writes plots/*.{svg,png,pdf}, history.json and index.html to a folder, the page last; version is that of the program.
func Write(ctx context.Context, r *Report, dir, version string) error {
	found, all := r.draw()
	figures, err := page.Draw(ctx, append(found, all...), func(name string, data []byte) error {
		return store.WriteFile(filepath.Join(dir, "plots", name), data)
	})
	if err != nil {
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
		"svg":     func(f summary.Figure) template.HTML { return template.HTML(f.SVG) },
		"found":   func() []summary.Figure { return figures[:len(found)] },
		"all":     func() []summary.Figure { return figures[len(found):] },
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
