package main

import (
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
			text := fmt.Sprintf("schedgap %s\n%s %s/%s\n", info.BinaryVersion, info.GoVersion, runtime.GOOS, runtime.GOARCH)
			for _, s := range solvers {
				if s.Available {
					text += fmt.Sprintf("%s %s\n", s.Name, s.Version)
				}
			}
			return a.print([]byte(text))
		},
	}
}
