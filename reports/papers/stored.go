package papers

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"reflect"
	"slices"
	"strings"

	"schedgap/models"
)

// A Row is a number that was measured, of a statement or of a drawing; NaN and empty texts stand for what is missing.
type Row struct {
	Entry     string  `csv:"entry"`
	Statement int     `csv:"statement"` // from 1; 0: it is drawn
	Of        string  `csv:"of"`        // of the drawing
	Against   string  `csv:"against"`
	X         float64 `csv:"x"`                            // where
	Value     float64 `csv:"value" json:"value"`           // at our defaults
	Low       float64 `csv:"low" json:"low"`               // its interval over blocks
	High      float64 `csv:"high" json:"high"`             //
	Least     float64 `csv:"least" json:"least"`           // mean over the settings, measured again with as many blocks as at our defaults
	LeastLow  float64 `csv:"least_low" json:"least_low"`   // its interval
	LeastHigh float64 `csv:"least_high" json:"least_high"` //
	Most      float64 `csv:"most" json:"most"`             //
	MostLow   float64 `csv:"most_low" json:"most_low"`     //
	MostHigh  float64 `csv:"most_high" json:"most_high"`   //
	Settings  int     `csv:"settings" json:"settings"`     // our defaults among them
	Mover     string  `csv:"mover" json:"mover"`           // the open setting that alone moves the value most
	MoverFrom string  `csv:"mover_from" json:"mover_from"` // where the value is least
	MoverTo   string  `csv:"mover_to" json:"mover_to"`     // and where it is greatest
	Moved     float64 `csv:"moved" json:"moved"`           // by how much, the blocks having the same seeds
	Met       string  `csv:"met" json:"met"`               // the open setting that alone gives the printed number: NAME = VALUE
	MetValue  float64 `csv:"met_value" json:"met_value"`   //
	MetLow    float64 `csv:"met_low" json:"met_low"`       //
	MetHigh   float64 `csv:"met_high" json:"met_high"`     //
	Count     int     `csv:"count" json:"count"`           // blocks at our defaults; of a theorem all instances
}

// missing is a row without numbers.
func missing(entry string) Row {
	r := Row{Entry: entry}
	for _, x := range []*float64{
		&r.Low, &r.High, &r.Least, &r.LeastLow, &r.LeastHigh, &r.Most, &r.MostLow, &r.MostHigh, &r.Moved, &r.MetValue,
		&r.MetLow, &r.MetHigh,
	} {
		*x = math.NaN()
	}
	return r
}

// columns are the fields of a row, by the tag of what they are for.
func columns(tag string) (names []string, at []int) {
	t := reflect.TypeFor[Row]()
	for i := range t.NumField() {
		if name := t.Field(i).Tag.Get(tag); name != "" && name != "-" {
			names, at = append(names, name), append(at, i)
		}
	}
	return names, at
}

// MarshalJSON writes the numbers of a statement's row; null: there is none.
func (r *Row) MarshalJSON() ([]byte, error) {
	list := map[string]any{}
	names, at := columns("json")
	for k, name := range names {
		list[name] = reflect.ValueOf(r).Elem().Field(at[k]).Interface()
		if x, ok := list[name].(float64); ok && math.IsNaN(x) || list[name] == "" {
			list[name] = nil
		}
	}
	return json.Marshal(list)
}

// CSV writes rows.
func CSV(rows []Row) []byte {
	names, at := columns("csv")
	out := []byte(strings.Join(names, ",") + "\n")
	for _, r := range rows {
		cells := make([]string, len(at))
		for k, i := range at {
			switch x := reflect.ValueOf(r).Field(i).Interface().(type) {
			case float64:
				cells[k] = fmt.Sprintf("%.8g", x)
			default:
				cells[k] = fmt.Sprint(x)
			}
		}
		out = append(out, strings.Join(cells, ",")+"\n"...)
	}
	return out
}

// Stored reads the rows of a paper's file.
func Stored(folder fs.FS, paper string) (rows []Row, err error) {
	data, err := fs.ReadFile(folder, paper+".csv")
	if err != nil {
		return nil, err
	}
	names, at := columns("csv")
	text, ok := strings.CutPrefix(string(data), strings.Join(names, ",")+"\n")
	if !ok {
		return nil, fmt.Errorf("%s.csv: line 1: the columns must be %s", paper, strings.Join(names, ","))
	}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		cells := strings.Split(line, ",")
		if len(cells) != len(names) {
			return nil, fmt.Errorf("%s.csv: line %d: %q must have %d values", paper, i+2, line, len(names))
		}
		var r Row
		for k, cell := range cells {
			field := reflect.ValueOf(&r).Elem().Field(at[k])
			if field.Kind() == reflect.String {
				field.SetString(cell)
				continue
			}
			if _, err := fmt.Sscan(cell, field.Addr().Interface()); err != nil {
				return nil, fmt.Errorf("%s.csv: line %d: %s: %q must be a number", paper, i+2, names[k], cell)
			}
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
		if s := e.Statements[r.Statement-1]; s.Theorem != nil || s.Bound {
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
