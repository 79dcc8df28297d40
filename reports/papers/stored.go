package papers

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"schedgap/models"
)

// A Row is a number that was measured, of a statement or of a drawing; NaN stands for missing numbers.
type Row struct {
	Entry            string
	Statement        int     // from 1; 0: it is drawn
	Of, Against      string  // of the drawing
	X                float64 // where
	Value, Low, High float64 // at our defaults, with the interval over blocks
	Least, Most      float64 // over all settings
	Count            int     // blocks at our defaults; of a theorem all instances
}

const header = "entry,statement,of,against,x,value,low,high,least,most,count\n"

// MarshalJSON writes the numbers of a statement's row.
func (r *Row) MarshalJSON() ([]byte, error) {
	list := map[string]any{"count": r.Count}
	for key, x := range map[string]float64{"value": r.Value, "low": r.Low, "high": r.High, "least": r.Least, "most": r.Most} {
		if list[key] = x; math.IsNaN(x) {
			list[key] = nil
		}
	}
	return json.Marshal(list)
}

// CSV writes rows.
func CSV(rows []Row) []byte {
	out := []byte(header)
	for _, r := range rows {
		out = fmt.Appendf(out, "%s,%d,%s,%s,%.8g,%.8g,%.8g,%.8g,%.8g,%.8g,%d\n",
			r.Entry, r.Statement, r.Of, r.Against, r.X, r.Value, r.Low, r.High, r.Least, r.Most, r.Count)
	}
	return out
}

// Stored reads the rows of a paper's file.
func Stored(folder fs.FS, paper string) (rows []Row, err error) {
	data, err := fs.ReadFile(folder, paper+".csv")
	if err != nil {
		return nil, err
	}
	text, ok := strings.CutPrefix(string(data), header)
	if !ok {
		return nil, fmt.Errorf("%s.csv: line 1: the columns must be %s", paper, header)
	}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		f := strings.Split(line, ",")
		if len(f) != 11 {
			return nil, fmt.Errorf("%s.csv: line %d: %q must have 11 values", paper, i+2, line)
		}
		r := Row{Entry: f[0], Of: f[2], Against: f[3]}
		_, err := fmt.Sscan(f[1]+" "+strings.Join(f[4:], " "), &r.Statement, &r.X, &r.Value, &r.Low, &r.High, &r.Least, &r.Most, &r.Count)
		if err != nil {
			return nil, fmt.Errorf("%s.csv: line %d: %w", paper, i+2, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// Row returns the row of a statement; nil: there is none.
func (e *Entry) Row(rows []Row, statement int) *Row {
	i := slices.IndexFunc(rows, func(r Row) bool { return r.Entry == e.ID && r.Statement == statement })
	if i < 0 {
		return nil
	}
	return &rows[i]
}

// Check measures the reduced form of an entry and names stale rows among the stored ones, a sentence each. A stored value must
// lie in its own interval and range, and in the interval of the reduced measurement. Of k blocks that is wider than the stored
// one, of n, by the root of n/k; it is doubled, to four standard errors on both sides, since about eighty values are compared
// and one in twenty would lie outside of intervals of 95 %.
func (e *Entry) Check(ctx context.Context, stored []Row, workers int) (stale []string, err error) {
	now, err := e.Measure(ctx, Options{Workers: workers, Reduced: true})
	if err != nil {
		return nil, err
	}
	for _, r := range now {
		if r.Statement == 0 {
			continue
		}
		was := e.Row(stored, r.Statement)
		if was == nil {
			stale = append(stale, fmt.Sprintf("%s, statement %d was never measured", e.ID, r.Statement))
			continue
		}
		outside := func(low, high float64, of string) {
			near := models.Accuracy{}.Near // the file has eight digits of each number, whatever its size
			if was.Value < low && !near(was.Value, low) || was.Value > high && !near(was.Value, high) {
				stale = append(stale, fmt.Sprintf("%s, statement %d: the stored value %.8g lies outside %s, %.8g to %.8g",
					e.ID, r.Statement, was.Value, of, low, high))
			}
		}
		if e.Statements[r.Statement-1].Theorem != nil {
			outside(r.Value, math.Inf(1), "if it is worse than the value measured now")
			continue
		}
		outside(was.Low, was.High, "its interval")
		outside(was.Least, was.Most, "its range")
		wide := 0.0
		if !math.IsNaN(was.High) {
			wide = (was.High - was.Low) * math.Sqrt(float64(was.Count)/float64(r.Count))
		}
		outside(r.Value-wide, r.Value+wide, "the interval measured now")
	}
	return stale, nil
}
