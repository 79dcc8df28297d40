package page

import (
	"embed"
	"html/template"
	"strings"
)

//go:embed app
var app embed.FS

// script is the interactive part: one module, whose files follow each other here in the order in which they need each other. It
// shows the report's tables and figures and computes nothing, and it imports nothing, so that the page opens from a file.
func script() (template.JS, error) {
	var b strings.Builder
	for _, name := range []string{"dom", "theme", "table", "strip", "details", "main"} {
		text, err := app.ReadFile("app/" + name + ".js")
		if err != nil {
			return "", err
		}
		b.Write(text)
	}
	return template.JS(b.String()), nil
}

//go:embed app/app.css
var appCSS string
