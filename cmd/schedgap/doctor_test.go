package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestDoctor: what this machine gives is said, in words and as JSON; root has namespaces unless they are switched off.
func TestDoctor(t *testing.T) {
	t.Parallel()
	var list []finding
	if err := json.Unmarshal([]byte(succeed(t, "doctor", "--json")), &list); err != nil {
		t.Fatal(err)
	}
	text := succeed(t, "doctor")
	for _, name := range []string{
		"namespaces", "supervisor", "memory limit", "CPU limit", "control groups", "pinning",
		"solver highs", "traces",
	} {
		i := slices.IndexFunc(list, func(f finding) bool { return f.Name == name })
		if i < 0 || list[i].Says == "" || !strings.Contains(text, list[i].Says) {
			t.Errorf("%s: %+v\n%s", name, list, text)
		}
		if i >= 0 && name == "supervisor" && !list[i].OK {
			t.Errorf("%+v", list[i])
		}
		if i >= 0 && name == "namespaces" && !list[i].OK && os.Geteuid() == 0 {
			t.Logf("root without namespaces: %s", list[i].Says)
		}
	}
}
