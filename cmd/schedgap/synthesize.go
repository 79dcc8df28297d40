package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"schedgap/datasets/synthetic"
)

func (a *app) traceSynthesizeCommand() *cobra.Command {
	var p synthetic.Params
	seed, out := uint64(1), ""
	cmd := &cobra.Command{
		Use:   "synthesize -o DIR",
		Short: "Write a small synthetic trace for those without a real one",
		Long: "Writes a synthetic trace in the google2011 format, drawn from distributions that were fitted to that trace. Results on\n" +
			"it are not results on the real trace.",
		Example: "  schedgap trace synthesize --hours 2 -o trace",
		Args:    positional(),
		RunE: func(*cobra.Command, []string) error {
			if err := writableFolder(out); err != nil {
				return err
			}
			if err := synthetic.Write(out, p, rand.New(rand.NewPCG(seed, 0))); err != nil {
				return err
			}
			_, err := fmt.Fprintln(a.stdout, out)
			return err
		},
	}
	fs := cmd.Flags()
	fs.Float64Var(&p.Hours, "hours", 1, "length of the time in which jobs are submitted; they run on after that, the longest for a day or more")
	seedFlag(fs, &seed)
	writesTo(cmd, &out, "`DIR` for the trace")
	return cmd
}
