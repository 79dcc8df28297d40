package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"schedgap/bench"
	"schedgap/datasets/synthetic"
	"schedgap/datasets/trace"
	"schedgap/models"
)

func (a *app) traceCommand() *cobra.Command {
	cmd := a.command("trace info|derive|synthesize", nil)
	group(cmd, a.traceInfoCommand(), a.traceDeriveCommand(), a.traceSynthesizeCommand())
	return cmd
}

func (a *app) traceInfoCommand() *cobra.Command {
	var format string
	var asJSON, strict bool
	cmd := a.command("info DIR", func(cmd *cobra.Command, args []string) error {
		source, err := trace.Open(args[0], format)
		if err != nil {
			return err
		}
		info, err := trace.ReadInfo(cmd.Context(), source, strict)
		if err != nil {
			return err
		}
		if left := trace.Sentence(info.LeftOut); left != "" {
			a.log.Warn(left)
		}
		if asJSON {
			return a.printJSON(info)
		}
		return info.WriteText(a.stdout)
	})
	formatFlag(cmd.Flags(), &format)
	strictFlag(cmd.Flags(), &strict)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) traceDeriveCommand() *cobra.Command {
	var (
		r     = models.DeriveRequest{N: 1, Seed: 1}
		win   window
		given []string
		out   string
	)
	cmd := a.problemCommand("derive PROBLEM DIR -o DIR", func(cmd *cobra.Command, p *bench.Problem, args []string) error {
		if p.Folder != nil {
			return needsGo(p, "instances of traces")
		}
		if p.Deriver == nil {
			return fmt.Errorf("instances of %s cannot be derived from a trace", p.Name)
		}
		r.Dir, r.From, r.To = args[1], win.from, win.to
		asked, errAsked := models.ParseAssignments(given)
		params, idle, err := p.Deriver.Resolve(asked)
		if err := cmp.Or(errAsked, err); err != nil {
			return err
		}
		if err := writableInstances(out); err != nil {
			return err
		}
		if idle != "" {
			a.log.Warn(idle)
		}
		r.Params = params
		fewer := r.Watch(asked)
		r.Warn = func(sentence string) { a.log.Warn(sentence) }
		instances, err := derive(cmd.Context(), p, r)
		if err != nil {
			return err
		}
		if len(instances) < r.N {
			a.log.Warn("the trace yields fewer instances than asked for", "asked", r.N, "derived", len(instances))
		}
		for _, sentence := range fewer() {
			a.log.Warn(sentence)
		}
		return a.writeInstances(out, instances)
	})
	fs := cmd.Flags()
	formatFlag(fs, &r.Format)
	strictFlag(fs, &r.Strict)
	windowFlag(fs, &win)
	countFlag(fs, &r.N, most, "count", "n", "number of instances")
	seedFlag(fs, &r.Seed)
	paramFlag(fs, &given, "derivation")
	writesTo(cmd, &out, "`DIR` for the instances; - prints them, one a line")
	a.completeParams(cmd, func(p *bench.Problem) []models.Param { return paramsIn(p.Deriver) })
	a.helpByProblem(cmd, func(b *strings.Builder, p *bench.Problem) string {
		return describeSource(b, p.Deriver, "schedgap trace derive "+p.Name+" TRACE", "-o instances")
	})
	return cmd
}

// derive makes instances out of a trace, at least one.
func derive(ctx context.Context, p *bench.Problem, r models.DeriveRequest) (list []*bench.Instance, err error) {
	for in, err := range p.Derive(ctx, r) {
		if err != nil {
			return nil, err
		}
		list = append(list, in)
	}
	return list, nil
}

// A window is a part of a trace in seconds of its clock; to 0: to the end.
type window struct{ from, to float64 }

func windowFlag(fs *pflag.FlagSet, w *window) {
	fs.Var(parsed[window]{
		value: w, kind: "FROM,TO",
		parse: func(s string) (w window, err error) {
			from, to, ok := strings.Cut(s, ",")
			if !ok {
				return w, fmt.Errorf("it must have the form FROM,TO, such as 600s,4200s")
			}
			for i, text := range []string{from, to} {
				d, err := time.ParseDuration(strings.TrimSpace(text))
				if err != nil {
					return w, err
				}
				if d < 0 {
					return w, fmt.Errorf("%v must not be negative", d)
				}
				*[]*float64{&w.from, &w.to}[i] = d.Seconds()
			}
			if w.to <= w.from {
				return w, fmt.Errorf("TO must be later than FROM")
			}
			return w, nil
		},
		show: func(w window) string { return fmt.Sprintf("%gs,%gs", w.from, w.to) },
	}, "window", "the part of the trace to use, as durations from the zero of its clock (default: all)")
}

func formatFlag(fs *pflag.FlagSet, format *string) {
	choiceFlag(fs, format, "format", "of the trace (default: recognised)", trace.Formats()...)
}

func strictFlag(fs *pflag.FlagSet, strict *bool) {
	fs.BoolVar(strict, "strict", false, "stop at the first unusable record of the trace instead of leaving it out")
}

func (a *app) traceSynthesizeCommand() *cobra.Command {
	var p synthetic.Params
	seed, out := uint64(1), ""
	cmd := a.command("synthesize -o DIR", func(*cobra.Command, []string) error {
		if err := writableFolder(out); err != nil {
			return err
		}
		if err := synthetic.Write(out, p, rand.New(rand.NewPCG(seed, 0))); err != nil {
			return err
		}
		return a.print([]byte(out + "\n"))
	})
	fs := cmd.Flags()
	fs.Float64Var(&p.Hours, "hours", 1, "length of the time in which jobs are submitted; they run on after that, the longest for "+
		"a day or more")
	seedFlag(fs, &seed)
	writesTo(cmd, &out, "`DIR` for the trace")
	return cmd
}
