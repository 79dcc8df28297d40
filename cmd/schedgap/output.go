package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

// encode returns v as one line of JSON. Texts are left readable: no escapes for the sake of HTML.
func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return buf.Bytes(), err
}

// printJSON prints v as one line of JSON.
func (a *app) printJSON(v any) error {
	line, err := encode(v)
	if err != nil {
		return err
	}
	return a.print(line)
}

// print prints a text that is whole.
func (a *app) print(text []byte) error {
	_, err := a.stdout.Write(text)
	return err
}

// printPath prints the path of a written file or folder.
func (a *app) printPath(parts ...string) error {
	return a.print([]byte(filepath.Join(parts...) + "\n"))
}

// printTable prints rows of cells below their heading, in columns.
func (a *app) printTable(head []string, rows [][]string) error {
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{head}, rows...) {
		fmt.Fprintln(t, strings.Join(row, "\t"))
	}
	return t.Flush()
}

// printList prints items as JSON, or their cells as a table.
func (a *app) printList(asJSON bool, items any, head []string, rows [][]string) error {
	if asJSON {
		return a.printJSON(items)
	}
	return a.printTable(head, rows)
}

// firstLine returns the first line of s.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// next shows the command to type after this one, on stderr.
func (a *app) next(command string) {
	switch {
	case command == "" || a.quiet:
	case a.logFormat == logJSON:
		a.log.Info("done", "next", command)
	default:
		fmt.Fprintf(a.stderr, "next: %s\n", command)
	}
}
