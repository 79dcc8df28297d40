package experiment

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/bench/catalog/measure"
	"schedgap/models"
	"schedgap/models/nearest"
)

// checking is an experiment of a program.
type checking struct {
	Check string `yaml:"check"` // the program's name

	e     *Experiment
	check measure.Check
}

func (c *checking) bind(e *Experiment, checks map[string]measure.Check) error {
	var ok bool
	if c.check, ok = checks[c.Check]; !ok {
		return fmt.Errorf("check: %w", nearest.Unknown("check", c.Check, slices.Sorted(maps.Keys(checks))))
	}
	c.e, e.Policies, e.params = e, []string{c.Check}, c.check.Params
	e.lucky = e.Seeds != 1 // that is not known: with one block it must not be
	if e.Repetitions > 1 {
		return fmt.Errorf("repetitions: %d must be absent: a check has one a block", e.Repetitions)
	}
	e.Repetitions = 1
	return nil
}

func (c *checking) resolve(given map[string]any) (models.Values, error) {
	return models.Resolve(c.check.Params, given)
}

// A counter counts what is drawn.
type counter struct {
	rand.Source
	n int
}

func (c *counter) Uint64() uint64 {
	c.n++
	return c.Source.Uint64()
}

func (c *checking) measure(ctx context.Context, s *setting, _ []string, block int) ([]bench.SimRecord, error) {
	src := &counter{Source: rand.NewPCG(uint64(block), 0)}
	values, err := c.check.Run(ctx, rand.New(src), s.params)
	if err != nil {
		return nil, fmt.Errorf("%s: check %s: %w", c.e.Name, c.Check, err)
	}
	if src.n > 0 && c.e.Seeds < MinSeeds {
		return nil, fmt.Errorf("%s: seeds: %d must be at least %d, since the check draws random numbers", c.e.file, c.e.Seeds, MinSeeds)
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("%s: check %s: it gave no numbers", c.e.Name, c.Check)
	}
	var rows []bench.SimRecord
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !finite(values[name]) || strings.TrimSpace(name) == "" {
			return nil, fmt.Errorf("%s: check %s: %q is %v", c.e.Name, c.Check, name, values[name])
		}
		rows = append(rows, c.e.row(s, c.Check, block, 0, name, values[name]))
	}
	return rows, nil
}

func (c *checking) functions(v *view) map[string]any { return map[string]any{"v": v.number} }

// number is a number of the check.
func (v *view) number(name string, x ...any) (float64, error) {
	list, err := v.samples(v.e.Policies[0], x)
	if err != nil {
		return 0, err
	}
	value, ok := list[0].run[name]
	if !ok {
		return 0, fmt.Errorf("%w", nearest.Unknown("number", name, slices.Sorted(maps.Keys(list[0].run))))
	}
	return value, nil
}
