package papers

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
)

// A Row is a number that was measured, of a statement or of a drawing; NaN stands for what it does not have.
type Row struct {
	Entry            string
	Statement        int     // from 1; 0: it is drawn
	Of, Against      string  // of what is drawn
	X                float64 // where
	Value, Low, High float64 // at our defaults, with the interval over blocks
	Least, Most      float64 // over all settings
	Count            int     // blocks at our defaults; of a theorem all instances
}

var header = []string{"entry", "statement", "of", "against", "x", "value", "low", "high", "least", "most", "count"}

// numbers are the columns from x on.
func (r *Row) numbers() []*float64 {
	return []*float64{&r.X, &r.Value, &r.Low, &r.High, &r.Least, &r.Most}
}

// CSV writes rows.
func CSV(rows []Row) ([]byte, error) {
	var out bytes.Buffer
	w, lines := csv.NewWriter(&out), [][]string{header}
	for _, r := range rows {
		line := []string{r.Entry, strconv.Itoa(r.Statement), r.Of, r.Against}
		for _, x := range r.numbers() {
			line = append(line, digits(*x))
		}
		lines = append(lines, append(line, strconv.Itoa(r.Count)))
	}
	err := w.WriteAll(lines)
	return out.Bytes(), err
}

// digits writes a number to eight digits.
func digits(x float64) string { return strconv.FormatFloat(x, 'g', 8, 64) }

// Stored reads the rows of a paper's file.
func Stored(folder fs.FS, paper string) (rows []Row, err error) {
	file := paper + ".csv"
	data, err := fs.ReadFile(folder, file)
	if err != nil {
		return nil, err
	}
	lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(lines) == 0 || !slices.Equal(lines[0], header) {
		return nil, fmt.Errorf("%s: line 1: the columns must be %v: %w", file, header, err)
	}
	for i, line := range lines[1:] {
		r := Row{Entry: line[0], Of: line[2], Against: line[3]}
		var errs [8]error
		r.Statement, errs[0] = strconv.Atoi(line[1])
		r.Count, errs[1] = strconv.Atoi(line[10])
		for k, x := range r.numbers() {
			*x, errs[2+k] = strconv.ParseFloat(line[4+k], 64)
		}
		for _, err := range errs {
			if err != nil {
				return nil, fmt.Errorf("%s: line %d: %w", file, i+2, err)
			}
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// row returns the row of a statement; nil: there is none.
func (e *Entry) row(rows []Row, statement int) *Row {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Entry == e.ID && r.Statement == statement })
	if i < 0 {
		return nil
	}
	return &rows[i]
}

// Check measures the reduced form of an entry and says what is stale in the stored rows, a sentence each. A stored value must lie
// in its own interval and range, and in the interval of the reduced measurement. Of k blocks that is wider than the stored one,
// of n, by the root of n/k; it is doubled, to four standard errors on both sides, since about eighty values are compared and one in
// twenty would lie outside of intervals of 95 %.
func (e *Entry) Check(ctx context.Context, stored []Row, workers int) (stale []string, err error) {
	const rounding = 1e-6 // of the stored digits
	now, err := e.Measure(ctx, Options{Workers: workers, Reduced: true})
	if err != nil {
		return nil, err
	}
	for _, r := range now {
		if r.Statement == 0 {
			continue
		}
		say := func(text string, args ...any) {
			stale = append(stale, fmt.Sprintf("%s, statement %d: ", e.ID, r.Statement)+fmt.Sprintf(text, args...))
		}
		was := e.row(stored, r.Statement)
		if was == nil {
			say("it was never measured")
			continue
		}
		slack := rounding * max(1, math.Abs(was.Value))
		wide := slack
		if !math.IsNaN(was.High) {
			wide += (was.High - was.Low) * math.Sqrt(float64(was.Count)/float64(r.Count))
		}
		theorem := e.Statements[r.Statement-1].Theorem != nil
		switch {
		case theorem && r.Value > was.Value+slack:
			say("the worst stored value is %s, and %s is measured now", digits(was.Value), digits(r.Value))
		case theorem:
		case was.Value < was.Low-slack || was.Value > was.High+slack:
			say("the stored value %s lies outside its interval, %s to %s", digits(was.Value), digits(was.Low), digits(was.High))
		case was.Value < was.Least-slack || was.Value > was.Most+slack:
			say("the stored value %s lies outside its range, %s to %s", digits(was.Value), digits(was.Least), digits(was.Most))
		case math.Abs(was.Value-r.Value) > wide:
			say("the stored value %s lies outside the interval that is measured now, %s to %s",
				digits(was.Value), digits(r.Value-wide), digits(r.Value+wide))
		}
	}
	return stale, nil
}
