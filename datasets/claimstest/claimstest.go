// Package claimstest lets the tests of sweeps look up the claims that they measure, on the pages under docs/claims.
package claimstest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A Page holds the rows of a page of claims: the claim, the paper's number, what is measured here, the verdict, and where.
type Page map[string]string // by the number of the claim, such as c07

// Read returns the page of a problem.
func Read(tb testing.TB, problem string) Page {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "claims", problem+".md"))
	if err != nil {
		tb.Fatal(err)
	}
	page := Page{}
	for line := range strings.Lines(string(data)) {
		id, row, ok := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		if ok && strings.HasPrefix(line, "| ") {
			page[number(id)] = strings.TrimSpace(row)
		}
	}
	return page
}

// Row returns the row of a claim, such as shed-c07; empty: there is none.
func (p Page) Row(id string) string { return p[number(id)] }

// number is the last part of a claim's id.
func number(id string) string { return id[strings.LastIndexByte(id, '-')+1:] }
