package worst

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"

	"schedgap/bench"
)

// Names of the files.
const (
	InstanceFile = "instance.json"
	ReportFile   = "worst.json"
	WhyFile      = "why.md"
	DrawingFile  = "drawing.svg"
	ActualFile   = "heuristic.json"
	OptimalFile  = "optimum.json"
)

// An Answer is the result in short.
type Answer struct {
	Problem     string   `json:"problem"`
	Algorithm   string   `json:"algorithm"`
	Reference   string   `json:"reference"`
	Ratio       *float64 `json:"ratio"`      // of the values; nil: one is not positive, or such ratios mean nothing
	Difference  *float64 `json:"difference"` // of the algorithm's value from the optimum, or from the best value known
	Objective   *float64 `json:"objective"`
	Optimum     *float64 `json:"optimum"`
	Bound       *float64 `json:"bound"`
	Instance    string   `json:"instance"`    // path
	Evaluations int      `json:"evaluations"` // of the search
	Seed        uint64   `json:"seed"`
	Measure     string   `json:"measure"` // what the search maximised: ratio or regret
	Regret      *float64 `json:"regret"`  // in the instance's own scale; null where it is ratio
}

// report is worst.json.
type report struct {
	Answer
	Before      float64       `json:"before_shrinking"` // the score of the instance before it was simplified
	Methods     []string      `json:"methods"`          // of the proofs
	Confirmed   *Proof        `json:"confirmed"`        // the second proof; nil: there was no other method, or it found none in time
	Simplifying int           `json:"shrinking_evaluations"`
	Unproven    int           `json:"unproven"` // instances of the search whose optimum was not proven within the steps
	Failures    int           `json:"failures"` // instances on which the algorithm failed
	Failure     string        `json:"failure,omitempty"`
	Interrupted bool          `json:"interrupted"` // the context ended; what there is was found until then
	History     []Improvement `json:"history"`
	Lineage     []string      `json:"lineage"`
	Why         *Explanation  `json:"why"`
}

// Files are the files of the result by name, except the drawing: a deterministic function of it.
func (f *Found) Files() (map[string][]byte, error) {
	r := f.report
	r.Methods = []string{}
	if f.Value.Optimum != nil {
		r.Methods = append(r.Methods, f.Value.Solver)
	}
	if f.Confirmed != nil {
		r.Methods = append(r.Methods, f.Confirmed.Method)
	}
	var text, reasons bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil {
		return nil, err
	}
	files := map[string][]byte{InstanceFile: f.Instance.JSON, ReportFile: text.Bytes()}
	if f.Value.Solution != nil {
		files[ActualFile] = append(slices.Clone(f.Value.Solution), '\n')
	}
	if f.Value.Optimal != nil {
		files[OptimalFile] = append(slices.Clone(f.Value.Optimal), '\n')
	}
	if f.Why == nil {
		return files, nil
	}
	err := reason().Execute(&reasons, struct {
		*Found
		Scale   float64
		Drawing string
		Bare    string // the instance without its lineage
	}{f, f.Instance.Scale(f.Reference), DrawingFile, string(changed(f.Instance, f.Instance.Name, unchanged).JSON)})
	files[WhyFile] = reasons.Bytes()
	return files, err
}

func unchanged(*bench.Draft) bool { return true }

// reason is why.md. A backslash at the end of a line joins it to the next.
var reason = sync.OnceValue(func() *template.Template {
	return template.Must(template.New(WhyFile).Funcs(template.FuncMap{
		"code": func(s string) string { return "`" + s + "`" },
		"g": func(digits int, x any) string {
			if p, ok := x.(*float64); ok {
				x = *p
			}
			return fmt.Sprintf("%.*g", digits, x)
		},
	}).Parse(strings.ReplaceAll(`# Why {{.Algorithm}} is bad on {{.Found.Instance.Name}}

{{.Algorithm}} has the value {{g 6 .Objective}}, the optimum of {{code .Reference}} is {{g 6 .Optimum}}: \
the {{.Measure}} is **{{g 6 .Value.Score.Value}}**.
{{if .Regret}}Values may come close to 0, where a ratio has no ceiling: regret is their difference in units of the instance, \
here {{g 6 .Scale}}.
{{end}}The optimum is proven by {{.Value.Solver}}{{with .Confirmed}} and by {{.Method}}{{end}}. The instance is the simplest \
found of about the same {{.Measure}}; {{code .Drawing}} shows both schedules.

{{"\x60\x60\x60"}}json
{{.Bare}}{{"\x60\x60\x60"}}
{{with .Why.Parting}}
## Where the schedules part

{{.Text}}
{{end}}`, "\\\n", "")))
})
