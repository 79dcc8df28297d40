package page

import (
	"embed"
	"html/template"
	"strings"
)

// dist holds the interactive part's script and styles, app.js and app.css, if scripts/bundle made them before this package
// was compiled.
//
//go:embed all:app/dist
var dist embed.FS

// An app is the interactive part of the page.
type app struct {
	JS  template.JS
	CSS template.CSS
}

// Interactive reports whether the interactive part is in this binary.
func Interactive() bool { return bundled() != nil }

// bundled returns the interactive part; nil: this binary was built without.
func bundled() *app {
	js, err := dist.ReadFile("app/dist/app.js")
	if err != nil {
		return nil
	}
	css, err := dist.ReadFile("app/dist/app.css")
	if err != nil {
		return nil
	}
	// Inside of a script element its end tag may not occur; the bundler escapes it in strings, and it occurs nowhere else.
	return &app{JS: template.JS(strings.ReplaceAll(string(js), "</script", `<\/script`)), CSS: template.CSS(css)}
}
