package main

import (
	"bytes"

	"github.com/spf13/cobra"

	"schedgap/bench"
)

func (a *app) exportCommand() *cobra.Command {
	var model, format, out string
	cmd := a.command("export INSTANCE.json --model NAME --format mps|lp [-o FILE]", func(_ *cobra.Command, args []string) error {
		in, err := a.readInstance(args[0])
		if err != nil {
			return err
		}
		if err := writableFile(out, args[0]); err != nil {
			return err
		}
		var buf bytes.Buffer
		if err := in.Export(&buf, model, format); err != nil {
			return err
		}
		if out != "" {
			return writeFile(out, buf.Bytes())
		}
		return a.print(buf.Bytes())
	})
	fs := cmd.Flags()
	fs.StringVar(&model, "model", "", "`NAME` of the model; see: schedgap list models")
	choiceFlag(fs, &format, "format", "of the file", "mps", "lp")
	fs.StringVarP(&out, "output", "o", "", "`FILE` to write instead of stdout")
	must(cmd, "model", "format")
	a.completeFlag(cmd, "model", func(p *bench.Problem, _ string) []string { return p.Models })
	return cmd
}
