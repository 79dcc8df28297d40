package experiment

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

// A Target is a parameter that a factor sets.
type Target struct {
	Part string // workload or params
	Key  string
}

func (t Target) String() string { return t.Part + "." + t.Key }

// Targets are parameters that move together; a file may have one without a list.
type Targets []Target

// UnmarshalYAML reads one target or a list of them.
func (t *Targets) UnmarshalYAML(data []byte) error {
	var list []string
	if err := yaml.Unmarshal(data, &list); err != nil {
		var one string
		if err := yaml.Unmarshal(data, &one); err != nil {
			return err
		}
		list = []string{one}
	}
	*t = nil
	for _, text := range list {
		part, key, ok := strings.Cut(text, ".")
		if !ok || key == "" || part != partWorkload && part != partParams {
			return fmt.Errorf("set: %q must be workload.KEY or params.KEY", text)
		}
		*t = append(*t, Target{part, key})
	}
	return nil
}
