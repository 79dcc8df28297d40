package models

import (
	"slices"
)

// A Chart draws a solution, in most problems as a Gantt chart.
type Chart struct {
	Axis string // what Start and End measure, such as time
	Bars []Bar
}

// A Bar is one rectangle of a Chart: on the lane of a job or machine, from Start to End.
type Bar struct {
	Lane, Label string
	Job         string // the bar's job, which gives it its colour; empty: its lane
	Start, End  float64
	// amount that the lane holds meanwhile, such as slots or a share of a server; larger ones are drawn thicker; > 0
	Amount float64
	Clone  bool // a further copy of what another bar does at the same time
}

// A Stack says how bars lie in their lanes so that none is drawn over another.
type Stack struct {
	Below  []float64 // by bar: the amount between the lane's bottom and the bar
	Height float64   // that every lane needs, in amounts
	Levels int       // bars above each other, at most
}

// Stack places bars that overlap in time above each other: each as low as those allow that began before it.
func (c Chart) Stack() Stack {
	s := Stack{Below: make([]float64, len(c.Bars))}
	order := OrderBy(len(c.Bars), func(i int) float64 { return c.Bars[i].Start })
	running := map[string][]int{} // bars by lane, from the bottom up
	for _, i := range order {
		b := &c.Bars[i]
		lane := slices.DeleteFunc(running[b.Lane], func(k int) bool { return c.Bars[k].End <= b.Start })
		place := 0
		for place < len(lane) && s.Below[lane[place]]-s.Below[i] < b.Amount*(1-1e-9) {
			s.Below[i] = max(s.Below[i], s.Below[lane[place]]+c.Bars[lane[place]].Amount)
			place++
		}
		running[b.Lane] = slices.Insert(lane, place, i)
		s.Height = max(s.Height, s.Below[i]+b.Amount)
		s.Levels = max(s.Levels, len(lane)+1)
	}
	return s
}
