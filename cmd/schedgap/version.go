package main

import (
	"bytes"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"schedgap/bench/catalog"
	"schedgap/bench/sysinfo"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the versions of the program, of Go and of the solvers",
		Example: "  schedgap version",
		Args:    positional(),
		RunE: func(*cobra.Command, []string) error {
			solvers, err := catalog.Solvers()
			if err != nil {
				return err
			}
			info := sysinfo.Read()
			var text bytes.Buffer
			fmt.Fprintf(&text, "schedgap %s\n%s %s/%s\n", info.BinaryVersion, info.GoVersion, runtime.GOOS, runtime.GOARCH)
			for _, s := range solvers {
				if s.Available {
					fmt.Fprintf(&text, "%s %s\n", s.Name, s.Version)
				}
			}
			_, err = a.stdout.Write(text.Bytes())
			return err
		},
	}
}
