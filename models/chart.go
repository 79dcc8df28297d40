package models

// A Chart draws a solution, in most problems as a Gantt chart.
type Chart struct {
	Axis string // what Start and End measure, such as time
	Bars []Bar
}

// A Bar is one rectangle of a Chart: on the lane of a job or machine, from Start to End.
type Bar struct {
	Lane, Label string
	Job         string // what the bar belongs to, which gives it its colour; empty: its lane
	Start, End  float64
	Amount      float64 // of what the lane holds meanwhile, such as slots or copies, by which thicker bars are drawn; > 0
}
