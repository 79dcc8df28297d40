package speculation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/models"
	"schedgap/models/speculation"
)

// Moves take windows apart. The weight of energy stays as it is: it is a part of the objective.
var Moves = &models.Moves[*speculation.Instance]{
	Parts: parts,
	Start: map[string]any{"slots": 5, "nodes": 8}, Jobs: "stragglers",
}

// The values worth trying.
const (
	mostSeconds = 1e4
	mostWatts   = 1e3
)

func parts(in *speculation.Instance) models.Parts {
	// Rows and columns of the copies' times go along with stragglers and slots.
	stragglers := models.ListOf("stragglers", "stragglers", "s", &in.Stragglers)
	along(&stragglers, func(i int) { in.CopyTime = slices.Delete(in.CopyTime, i, i+1) },
		func(i int) { in.CopyTime = slices.Insert(in.CopyTime, i+1, slices.Clone(in.CopyTime[i])) },
		func(i, j int) { in.CopyTime[i], in.CopyTime[j] = in.CopyTime[j], in.CopyTime[i] })
	slots := models.ListOf("slots", "slots", "v", &in.Slots)
	rows := func(do func(row *[]float64)) {
		for i := range in.CopyTime {
			do(&in.CopyTime[i])
		}
	}
	along(&slots, func(j int) { rows(func(row *[]float64) { *row = slices.Delete(*row, j, j+1) }) },
		func(j int) { rows(func(row *[]float64) { *row = slices.Insert(*row, j+1, (*row)[j]) }) },
		func(j, k int) { rows(func(row *[]float64) { (*row)[j], (*row)[k] = (*row)[k], (*row)[j] }) })
	p := models.Parts{Lists: []models.List{stragglers, slots}}

	for i := range in.Stragglers {
		s, at := &in.Stragglers[i], fmt.Sprintf("stragglers[%d].", i)
		p.Numbers = append(p.Numbers,
			models.NumberOf(at+"finish", "finish", "time", &s.Finish, 0, mostSeconds),
			models.NumberOf(at+"power", "power", "power", &s.Power, 0, mostWatts),
			models.NumberOf(at+"progress", "progress", "", &s.Progress, 0.001, 0.999),
			models.NumberOf(at+"duration", "duration", "time", &s.Duration, 1e-2, mostSeconds))
	}
	for j := range in.Slots {
		v, at := &in.Slots[j], fmt.Sprintf("slots[%d].", j)
		p.Numbers = append(p.Numbers,
			models.NumberOf(at+"start", "start", "time", &v.Start, 0, mostSeconds),
			models.NumberOf(at+"power", "power", "power", &v.Power, 0, mostWatts))
	}
	for i, row := range in.CopyTime {
		for j := range row {
			if !math.IsNaN(row[j]) {
				p.Numbers = append(p.Numbers, models.NumberOf(
					fmt.Sprintf("copy_time.%s.%s", in.Stragglers[i].ID, in.Slots[j].ID), "copy_time", "time", &row[j], 1e-2, mostSeconds))
			}
		}
	}
	if len(in.Slots) > 0 {
		p.Changes = []models.Change{{Name: "allow or forbid a pair", Do: func(rng *rand.Rand) {
			row := in.CopyTime[rng.IntN(len(in.CopyTime))]
			if j := rng.IntN(len(row)); math.IsNaN(row[j]) {
				row[j] = math.Round(1 + 100*rng.Float64())
			} else {
				row[j] = math.NaN()
			}
		}}}
	}
	return p
}

// along makes a table follow the changes of a list.
func along(l *models.List, dropRow, copyRow func(i int), swapRows func(i, j int)) {
	drop, double, swap := l.Drop, l.Copy, l.Swap
	l.Drop = func(i int) { drop(i); dropRow(i) }
	l.Copy = func(i int) { double(i); copyRow(i) }
	l.Swap = func(i, j int) { swap(i, j); swapRows(i, j) }
}
