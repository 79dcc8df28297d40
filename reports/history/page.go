package history

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"path/filepath"
	"strings"

	"schedgap/bench/store"
	"schedgap/reports/page"
	"schedgap/reports/summary"
)

//go:embed page.html
var pageHTML string

var pageTemplate = template.Must(template.New("history").Funcs(template.FuncMap{
	"css": page.Style, "svg": func(f summary.Figure) template.HTML { return template.HTML(f.SVG) }, "join": strings.Join,
}).Parse(pageHTML))

// Write writes plots/*.{svg,png,pdf}, history.json and index.html to a folder, the page last; version is that of the program.
func Write(ctx context.Context, r *Report, dir, version string) error {
	found, all := r.draw()
	figures, err := page.Draw(ctx, append(found, all...), func(name string, data []byte) error {
		return store.WriteFile(filepath.Join(dir, "plots", name), data)
	})
	if err != nil {
		return fmt.Errorf("history: %w", err)
	}
	data, errData := json.MarshalIndent(r, "", "  ")
	var html bytes.Buffer
	err = pageTemplate.Execute(&html, struct {
		*Report
		Version    string
		Found, All []summary.Figure
	}{r, version, figures[:len(found)], figures[len(found):]})
	if err := cmp.Or(errData, err); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	if err := store.WriteFile(filepath.Join(dir, "history.json"), append(data, '\n')); err != nil {
		return err
	}
	return store.WriteFile(filepath.Join(dir, "index.html"), html.Bytes())
}
