package page

import (
	"context"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"schedgap/reports/plots"
	"schedgap/reports/summary"
)

// A Drawing is a figure with what pages say of it.
type Drawing struct {
	summary.Figure
	Plot   *plots.Figure
	Strips *plots.Layout // nil: it is no strip of dots
}

// Draw renders drawings as SVG, PNG and PDF on all processors, hands on the files by their names, and returns the figures with
// the SVG that a page shows.
func Draw(ctx context.Context, drawings []Drawing, write func(name string, data []byte) error) ([]summary.Figure, error) {
	figures := make([]summary.Figure, len(drawings)) // not nil, so that its JSON is a list
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, d := range drawings {
		g.Go(func() error {
			figures[i] = d.Figure
			for ending, render := range map[string]func() ([]byte, error){".svg": d.Plot.SVG, ".png": d.Plot.PNG, ".pdf": d.Plot.PDF} {
				if err := ctx.Err(); err != nil {
					return err
				}
				data, err := render()
				if err != nil {
					return fmt.Errorf("%s%s: %w", d.Name, ending, err)
				}
				if ending == ".svg" {
					figures[i].SVG = plots.Inline(data, d.Title)
				}
				if err := write(d.Name+ending, data); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return figures, g.Wait()
}
