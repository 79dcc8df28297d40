package experiment

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

// The parts of a setting, as targets name them.
const (
	partWorkload = "workload"
	partParams   = "params"
)

// A Target is a parameter that a factor sets.
type Target struct {
	Part string // workload or params
	Key  string
}

func (t Target) String() string { return t.Part + "." + t.Key }

// MarshalText implements encoding.TextMarshaler.
func (t Target) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Targets are parameters that move together; a file may have one without a list.
type Targets []Target

// UnmarshalYAML reads one target or a list of them.
func (t *Targets) UnmarshalYAML(data []byte) error {
	list := make([]string, 1)
	if yaml.Unmarshal(data, &list) != nil {
		if err := yaml.Unmarshal(data, &list[0]); err != nil {
			return err
		}
	}
	*t = nil
	for _, text := range list {
		part, key, _ := strings.Cut(text, ".")
		if key == "" || part != partWorkload && part != partParams {
			return fmt.Errorf("set: %q must be workload.KEY or params.KEY", text)
		}
		*t = append(*t, Target{part, key})
	}
	return nil
}
