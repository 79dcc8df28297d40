package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
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
	_, err = a.stdout.Write(line)
	return err
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
