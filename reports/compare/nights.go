package compare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/plots"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// A Step is a change of an algorithm from one night to the next.
type Step struct {
	Note
	Night string `json:"night"` // the first that has it, with its label and commit
	Worse bool   `json:"worse"`
	Cause string `json:"cause"` // what else is different in that night
}

// steps lists what changed between each night and the ones before, the latest first; last is the comparison of the last night.
func (c *comparison) steps(ctx context.Context, last []Algorithm) ([]Step, error) {
	var out []Step
	for k := len(c.in.Sides) - 1; k > 0; k-- {
		algorithms := last
		if k < len(c.in.Sides)-1 {
			algorithms = c.match(k).algorithms
			if err := c.fill(ctx, algorithms); err != nil {
				return nil, err
			}
		}
		for i := range algorithms {
			a := &algorithms[i]
			var parts []string
			say := func(when bool, format string, args ...any) {
				if when {
					parts = append(parts, fmt.Sprintf(format, args...))
				}
			}
			q, proofs := &a.Quality, 0
			for _, p := range a.pairs {
				if b, h := p.base.Proved(), p.head.Proved(); b != h && p.steady(func(u *ratio.Unit) float64 {
					return map[bool]float64{true: 1}[u.Proved()]
				}) {
					proofs += map[bool]int{true: 1, false: -1}[h]
				}
			}
			values := q.worse() || q.better() || slices.ContainsFunc(a.pairs, func(p *pair) bool {
				return p.changed() && p.steady(func(u *ratio.Unit) float64 { return stats.Value(worth(u)) })
			})
			say(values, "%s, worse on %d and better on %d of %d instances", a.change(), q.Worse, q.Better, q.Instances)
			say(q.Lost > 0, "no result any more of %s", words.Count(q.Lost, "unit"))
			say(q.Found > 0, "a result of %s that had none", words.Count(q.Found, "unit"))
			say(proofs != 0, "%+d proofs", proofs)
			slower := a.Time.Verdict == Slower
			say(slower || a.Time.Verdict == Faster, "%s", a.Time.words())
			if len(parts) > 0 {
				out = append(out, Step{
					Note{a.Problem, a.Algorithm, strings.Join(parts, "; ")},
					c.in.Sides[k].title(),
					q.worse() || values && (q.Change > 1 || q.Shift > 0) || proofs < 0 || slower, cause(a.pairs),
				})
			}
		}
	}
	return out, nil
}

// title is the side's name with the labels and commits of its rows.
func (s Side) title() string {
	var says []string
	for _, r := range s.Records {
		for _, what := range []*string{r.Label, short(r.Commit)} {
			if text := words.Text(what); text != "" && !slices.Contains(says, text) {
				says = append(says, text)
			}
		}
	}
	if len(says) == 0 {
		return s.Name
	}
	return fmt.Sprintf("%s (%s)", s.Name, strings.Join(says, ", "))
}

// changed reports whether the value of a unit is another than before.
func (p *pair) changed() bool {
	if worth(p.base) == nil || worth(p.head) == nil || p.redefined() {
		return p.lost() || p.found()
	}
	d, _, _ := p.move()
	return d != 0
}

// steady reports whether a unit's number changed in few nights only, as in a deterministic program. Others, such as values of
// searches that end with their time, have noise. NaN is a number like any other.
func (p *pair) steady(of func(u *ratio.Unit) float64) bool {
	var last *ratio.Unit
	changes, known := 0, 0
	for _, u := range p.rows {
		if u == nil {
			continue
		}
		known++
		if last != nil {
			if x, y := of(last), of(u); math.IsNaN(x) != math.IsNaN(y) || !math.IsNaN(x) && x != y && !(models.Accuracy{}).Same(x, y) {
				changes++
			}
		}
		last = u
	}
	return changes <= max(2, known/5)
}

// cause says what else differs between the two sides of the pairs whose rows changed.
func cause(pairs []*pair) string {
	var causes []string
	add := func(what string, b, h string) {
		if text := fmt.Sprintf("%s %s → %s", what, words.Or(b), words.Or(h)); b != h && !slices.Contains(causes, text) {
			causes = append(causes, text)
		}
	}
	for _, p := range pairs {
		b, h := p.base, p.head
		if b.Kind == string(models.External) && words.Text(b.CommandSHA256) != words.Text(h.CommandSHA256) {
			add("the command's files changed:", words.Text(short(b.CommandSHA256)), words.Text(short(h.CommandSHA256)))
			continue
		}
		add("schedgap", b.BinaryVersion, h.BinaryVersion)
		add("solver", words.Text(b.SolverVersion), words.Text(h.SolverVersion))
	}
	const most = 3
	if len(causes) == 0 {
		return "neither the program nor the command changed"
	}
	return strings.Join(causes[:min(most, len(causes))], ", ")
}

// short is the beginning of a digest, which tells it from others, with what follows it, such as -dirty.
func short(digest *string) *string {
	if digest == nil {
		return nil
	}
	hex, more, _ := strings.Cut(*digest, "-")
	if len(hex) <= 12 {
		return digest
	}
	return new(hex[:12] + strings.TrimSuffix("-"+more, "-"))
}

func (s Step) String() string {
	direction := "better"
	if s.Worse {
		direction = "worse"
	}
	return fmt.Sprintf("%s: %s %s: %s; %s (%s)", s.Night, s.Problem, s.Algorithm, s.Text, direction, s.Cause)
}

// A series is the line of an algorithm in the plot of a suite: mean distances from the best value known, night by night.
type series struct {
	suite, problem string
	line           plots.Line
}

// lines are the series of all suites. Each is over the units that all nights have in which the suite has the algorithm; where
// there are none, each night is over its own.
func (c *comparison) lines() []series {
	type key struct{ suite, problem, label string }
	units := map[key][]*unit{}
	var order []key
	styles := map[string]int{}
	for _, u := range c.units {
		for _, row := range u.rows {
			if row == nil || row.Kind == string(models.Bound) || bench.Status(row.Status) == bench.Skipped {
				continue
			}
			k := key{row.Suite, u.problem.Name, c.labels[row.Setup]}
			if units[k] == nil {
				order = append(order, k)
			}
			if of := units[k]; len(of) == 0 || of[len(of)-1] != u {
				units[k] = append(of, u)
			}
		}
	}
	slices.SortFunc(order, func(a, b key) int { return words.Natural(fmt.Sprint(a), fmt.Sprint(b)) })
	var out []series
	for _, k := range order {
		plot := k.suite + "/" + k.problem
		s := series{k.suite, k.problem, plots.Line{Label: k.label, Style: plots.Style{Index: styles[plot]}, Points: true}}
		styles[plot]++
		nights := make([]bool, len(c.in.Sides))
		for _, u := range units[k] {
			for n, row := range u.rows {
				nights[n] = nights[n] || row != nil
			}
		}
		common := slices.DeleteFunc(slices.Clone(units[k]), func(u *unit) bool {
			for n, row := range u.rows {
				if nights[n] && row == nil {
					return true
				}
			}
			return false
		})
		if len(common) == 0 {
			common = units[k]
		}
		for n := range nights {
			if nights[n] {
				s.add(n, common)
			}
		}
		out = append(out, s)
	}
	return out
}

// add adds the point of a night with its 95 % interval.
func (s *series) add(night int, units []*unit) {
	var far sample
	for _, u := range units {
		if row := u.rows[night]; row != nil {
			d, _ := distance(u.problem, row)
			if worth(row) == nil {
				d = math.Inf(1)
			}
			far.add(row.In, d, !math.IsNaN(d))
		}
	}
	xs := far.means(stats.Mean)
	interval := summary.Bootstrap(1).Mean(xs)[0]
	l := &s.line
	l.X, l.Y = append(l.X, float64(night)), append(l.Y, stats.Mean(xs))
	l.Low, l.High = append(l.Low, interval.Lo), append(l.High, interval.Hi)
}

// A Plot is the file of one suite's line plot.
type Plot struct {
	Name string
	SVG  []byte
}

// Plots draws one figure a suite and problem: every algorithm's mean distance from the best value known, night by night.
func (r *Report) Plots() ([]Plot, error) {
	var out []Plot
	for left := r.series; len(left) > 0; {
		first := left[0]
		frame := plots.Frame{
			Title: fmt.Sprintf("%s: distance from the best value known", first.suite), X: plots.Axis{Label: "night", Base: math.NaN()},
			Y: plots.Axis{Label: "mean ratio − 1, or regret", Scale: plots.Linear, Base: 0},
		}
		for _, n := range r.Nights {
			frame.X.Names = append(frame.X.Names, n.Name)
		}
		var lines []plots.Line
		for len(left) > 0 && left[0].suite == first.suite && left[0].problem == first.problem {
			lines, left = append(lines, left[0].line), left[1:]
		}
		svg, err := plots.Lines(frame, lines).SVG()
		if err != nil {
			return nil, fmt.Errorf("compare: the plot of %s: %w", first.suite, err)
		}
		name := first.suite
		if slices.ContainsFunc(r.series, func(s series) bool { return s.suite == first.suite && s.problem != first.problem }) {
			name += "-" + first.problem
		}
		out = append(out, Plot{strings.Map(fileName, name) + ".svg", svg})
	}
	return out, nil
}

// fileName keeps the letters and digits of a name.
func fileName(r rune) rune {
	if strings.ContainsRune(`/\:*?"<>|`, r) || r <= ' ' {
		return '_'
	}
	return r
}
