package main

import (
	"math/rand/v2"

	"github.com/spf13/cobra"

	"schedgap/datasets/synthetic"
)

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
