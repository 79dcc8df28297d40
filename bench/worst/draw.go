package worst

import (
	"bytes"
	"fmt"
	"html"
	"slices"

	"schedgap/models"
)

// drawing is both solutions as bars, the algorithm's over the optimum, on one scale; nil: the problem has no drawings.
func (f *Found) drawing() []byte {
	p := f.Instance.Problem
	actual, err := p.Chart(f.Instance, ActualFile, f.Value.Solution)
	if err != nil {
		return nil
	}
	optimal, err := p.Chart(f.Instance, OptimalFile, f.Value.Optimal)
	if err != nil || len(actual.Bars)+len(optimal.Bars) == 0 {
		return nil
	}
	const width, left, lane, top = 720.0, 90.0, 26.0, 34.0
	end, most := 0.0, 0.0
	var lanes, jobs []string
	for _, bar := range slices.Concat(actual.Bars, optimal.Bars) {
		end, most = max(end, bar.End), max(most, bar.Amount)
		if !slices.Contains(lanes, bar.Lane) {
			lanes = append(lanes, bar.Lane)
		}
		if job := owner(bar); !slices.Contains(jobs, job) {
			jobs = append(jobs, job)
		}
	}
	slices.Sort(lanes)
	slices.Sort(jobs)
	if end == 0 {
		return nil
	}
	panel := top + lane*float64(len(lanes))
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" font-family="sans-serif" font-size="12">`+"\n", left+width+20, 2*panel+30)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/>`+"\n")
	for k, c := range []struct {
		title string
		chart models.Chart
	}{
		{fmt.Sprintf("%s: %.6g", f.Algorithm, f.Value.Objective), actual}, {fmt.Sprintf("%s: %.6g", f.Reference, *f.Value.Optimum), optimal},
	} {
		y := panel * float64(k)
		fmt.Fprintf(&b, `<text x="%g" y="%g" font-weight="bold">%s</text>`+"\n", left, y+20, html.EscapeString(c.title))
		for i, name := range lanes {
			fmt.Fprintf(&b, `<text x="%g" y="%g" text-anchor="end">%s</text>`+"\n", left-8, y+top+lane*(float64(i)+0.65), html.EscapeString(name))
		}
		for _, bar := range c.chart.Bars {
			height := (lane - 6) * bar.Amount / most
			at := y + top + lane*float64(slices.Index(lanes, bar.Lane)+1) - 3 - height
			hue := 360 * slices.Index(jobs, owner(bar)) / len(jobs)
			fmt.Fprintf(&b, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" fill="hsl(%d 60%% 62%%)" stroke="#333" stroke-width="0.5"><title>%s: %.4g %s, %.6g to %.6g</title></rect>`+"\n",
				left+width*bar.Start/end, at, width*(bar.End-bar.Start)/end, height, hue, html.EscapeString(owner(bar)), bar.Amount, html.EscapeString(bar.Label), bar.Start, bar.End)
		}
	}
	y := 2*panel + 8
	fmt.Fprintf(&b, `<line x1="%g" y1="%g" x2="%g" y2="%g" stroke="#333"/>`+"\n", left, y, left+width, y)
	for i := range 5 {
		at := float64(i) / 4
		fmt.Fprintf(&b, `<text x="%g" y="%g" text-anchor="middle">%.4g</text>`+"\n", left+width*at, y+15, end*at)
	}
	fmt.Fprintf(&b, `<text x="%g" y="%g" text-anchor="end">%s</text>`+"\n</svg>\n", left-8, y+15, html.EscapeString(actual.Axis))
	return b.Bytes()
}

func owner(b models.Bar) string {
	if b.Job != "" {
		return b.Job
	}
	return b.Lane
}
