package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

const schemaFolder = "../../docs/schemas"

// TestSchemasAreCurrent: docs/schemas is what the program writes.
func TestSchemasAreCurrent(t *testing.T) {
	dir := t.TempDir()
	succeed(t, "schemas", "-o", dir)
	fresh, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadDir(schemaFolder)
	if err != nil {
		t.Fatal(err)
	}
	if len(fresh) != len(kept) {
		t.Errorf("%d schemas are written, docs/schemas has %d", len(fresh), len(kept))
	}
	for _, f := range fresh {
		want, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(schemaFolder, f.Name()))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("docs/schemas/%s is not current; go generate ./cmd/schedgap writes it", f.Name())
		}
	}
}
