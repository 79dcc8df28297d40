package evidence

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"schedgap/datasets/library"
)

// AddWorst takes the instances on which algorithms are known to be worst, of a folder a problem, into the library in dir: of
// each problem the n of largest ratio, as its set adversarial.
func (c *Collection) AddWorst(files fs.FS, dir string, n int, release string) error {
	for _, p := range c.Registry.Problems {
		names, err := fs.Glob(files, p.Name+"/*.json")
		if err != nil {
			return err
		}
		type worst struct {
			*candidate
			ratio float64
		}
		var list []worst
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
				Worst struct {
					Ratio *float64 `json:"ratio"` // nil: unbounded
				} `json:"worst"`
			}
			if err := json.Unmarshal(in.Lineage, &about); err != nil {
				return fmt.Errorf("%s: lineage: %w", name, err)
			}
			if shape := shape(in.JSON); !seen[shape] {
				seen[shape] = true
				w := worst{&candidate{
					Instance: in, source: "worst", lineage: in.Lineage,
					family: &Family{Name: "worst", Licence: "CC-BY-4.0"},
				}, 1e300}
				if about.Worst.Ratio != nil {
					w.ratio = *about.Worst.Ratio
				}
				w.family.Name = "worst-of-" + path.Base(name[:len(name)-len(".json")])
				list = append(list, w)
			}
		}
		slices.SortStableFunc(list, func(a, b worst) int { return cmp.Compare(b.ratio, a.ratio) })
		for i, w := range list[:min(n, len(list))] {
			event, data, err := w.added(fmt.Sprintf("%s-adversarial-%03d", p.Name, i+1), "adversarial", release, "opt")
			if err != nil {
				return err
			}
			if err := putInstance(dir, event, data); err != nil {
				return err
			}
			c.Events = append(c.Events, event)
		}
	}
	entries, err := library.Derive(c.Events)
	if err != nil {
		return err
	}
	c.Entries = entries
	return c.save(dir)
}
