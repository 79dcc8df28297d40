package evidence

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
)

// AddWorst takes the instances on which algorithms are known to be worst, of a folder a problem, into the library in dir: of
// each problem the n of largest ratio, as its set adversarial.
func (c *Collection) AddWorst(files fs.FS, dir string, n int, release string) error {
	for _, p := range c.Registry.Problems {
		names, err := fs.Glob(files, p.Name+"/*.json")
		if err != nil {
			return err
		}
		var list []*candidate
		seen := map[string]bool{}
		for _, name := range names {
			data, err := fs.ReadFile(files, name)
			if err != nil {
				return err
			}
			in, err := p.ParseInstance(name, data)
			if err != nil {
				return err
			}
			var about struct {
				Worst struct{ Ratio *float64 } // nil: unbounded
			}
			if err := json.Unmarshal(in.Lineage, &about); err != nil {
				return fmt.Errorf("%s: lineage: %w", name, err)
			}
			shape := shape(in.JSON)
			if seen[shape] {
				continue
			}
			seen[shape] = true
			k := &candidate{
				Instance: in, set: "adversarial", source: "worst", lineage: in.Lineage, far: math.Inf(1),
				family: &Family{Name: "worst-of-" + strings.TrimSuffix(path.Base(name), ".json"), Licence: "CC-BY-4.0"},
			}
			if about.Worst.Ratio != nil {
				k.far = *about.Worst.Ratio
			}
			list = append(list, k)
		}
		slices.SortStableFunc(list, func(a, b *candidate) int { return cmp.Compare(b.far, a.far) })
		if err := c.enter(dir, release, "opt", list[:min(n, len(list))]); err != nil {
			return err
		}
	}
	return c.save(dir)
}
