package worst

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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
	Ratio       *float64 `json:"ratio"` // of the values; nil: one of them is not positive, or ratios of such values mean nothing
	Difference  *float64 `json:"difference"`
	Objective   *float64 `json:"objective"`
	Optimum     *float64 `json:"optimum"`
	Bound       *float64 `json:"bound"`
	Instance    string   `json:"instance"`    // path
	Evaluations int      `json:"evaluations"` // of the search
	Seed        uint64   `json:"seed"`
	Measure     string   `json:"measure"` // what the search maximised: ratio or regret
	Regret      *float64 `json:"regret"`  // in the instance's own scale; null where it is ratio
}

// Answer is the result in short; path is that of the instance.
func (f *Found) Answer(path string) Answer {
	a, d := f.report.Answer, f.Difference()
	a.Problem, a.Instance, a.Measure, a.Difference = f.Instance.Problem.Name, path, f.Value.Score.Rank.String(), &d
	a.Objective, a.Optimum, a.Bound = &f.Value.Objective, f.Value.Optimum, f.Value.Bound
	return a
}

// report is worst.json.
type report struct {
	Answer
	Before      float64       `json:"before_shrinking"` // the score of the instance before it was simplified
	Methods     []string      `json:"methods"`          // of the proofs
	Confirmed   *Proof        `json:"confirmed"`        // the second proof; nil: there was no other method, or it found none in time
	Strategy    Strategy      `json:"strategy"`
	Simplifying int           `json:"shrinking_evaluations"`
	Explaining  int           `json:"explaining_evaluations"`
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
	r.Answer, r.Methods = f.Answer(InstanceFile), []string{}
	if f.Value.Optimum != nil {
		r.Methods = append(r.Methods, f.Value.Solver)
	}
	if f.Confirmed != nil {
		r.Methods = append(r.Methods, f.Confirmed.Method)
	}
	var text bytes.Buffer
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
	if f.Why != nil {
		files[WhyFile] = f.why()
	}
	return files, nil
}

// why is why.md.
func (f *Found) why() []byte {
	var b bytes.Buffer
	in, score := f.Instance, f.Value.Score
	fmt.Fprintf(&b, "# Why %s is bad on %s\n\n", f.Algorithm, in.Name)
	fmt.Fprintf(&b, "%s has the value %.6g, the optimum of `%s` is %.6g: the %s is **%.6g**.\n", f.Algorithm, f.Value.Objective,
		f.Reference,
		*f.Value.Optimum, score.Rank, score.Value)
	if f.Regret != nil {
		fmt.Fprintf(&b, "Values may come close to 0, where a ratio has no ceiling: regret is their difference in units of the "+
			"instance, here %.6g.\n",
			in.Scale(f.Reference))
	}
	fmt.Fprintf(&b, "The optimum is proven by %s", f.Value.Solver)
	if f.Confirmed != nil {
		fmt.Fprintf(&b, " and by %s", f.Confirmed.Method)
	}
	fmt.Fprintf(&b, ". The instance is the simplest found of about the same %s; `%s` shows both schedules.\n", score.Rank,
		DrawingFile)
	fmt.Fprintf(&b, "\n```json\n%s```\n", f.bare())

	if p := f.Why.Parting; p != nil {
		fmt.Fprintf(&b, "\n## Where the schedules part\n\n%s\n", p.Text)
	}
	b.WriteString("\n## Which numbers matter\n\n")
	if n := len(f.Why.Sensitivities); n < f.Why.Numbers {
		fmt.Fprintf(&b, "%d of %d numbers were tried before the time was over. ", n, f.Why.Numbers)
	}
	b.WriteString("The " + score.Rank.String() +
		" when one number is scaled (integers change by at least 1); – is an instance that is not valid.\n\n")
	b.WriteString("| number | value | −10 % | −1 % | +1 % | +10 % |\n|---|--:|--:|--:|--:|--:|\n")
	list := slices.Clone(f.Why.Sensitivities)
	slices.SortStableFunc(list, func(a, b Sensitivity) int { return cmp.Compare(b.spread(score.Value), a.spread(score.Value)) })
	for _, s := range list {
		fmt.Fprintf(&b, "| `%s` | %.6g |", s.Path, s.Value)
		for _, x := range s.Scaled {
			if x.Score == nil {
				b.WriteString(" – |")
			} else {
				fmt.Fprintf(&b, " %.4g |", *x.Score)
			}
		}
		b.WriteByte('\n')
	}
	b.WriteString("\n## Among all instances searched\n\n")
	if r := f.Why.Rule; r != nil {
		fmt.Fprintf(&b, "%s.\n\n", strings.ToUpper(r.String()[:1])+r.String()[1:])
		fmt.Fprintf(&b, "That is the branch of a regression tree with the largest mean, %.4g. Of %d instances that meet it and were "+
			"held out from fitting it,\n"+
			"%.0f %% are above; of all instances held out, %.0f %%. (Where bounds ruled an instance out, what they allow counts in "+
			"place of its value.)\n",
			r.Mean, r.Held, 100*r.Precision, 100*r.Base)
	} else {
		b.WriteString("The instances of the search are too few, or too alike, for a rule.\n")
	}
	return b.Bytes()
}

// bare is the instance without its lineage.
func (f *Found) bare() []byte {
	return cmp.Or(changed(f.Instance, f.Instance.Name, func(*bench.Draft) bool { return true }), f.Instance).JSON
}
