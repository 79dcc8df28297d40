package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"schedgap/bench/catalog"
	"schedgap/bench/sysinfo"
)

func (a *app) versionCommand() *cobra.Command {
	return a.command("version", func(*cobra.Command, []string) error {
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
	})
}
