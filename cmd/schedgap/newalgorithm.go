package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/reports/summary"
)

func (a *app) newAlgorithmCommand(name string) *cobra.Command {
	var language, out string
	cmd := &cobra.Command{
		Use:   name + " PROBLEM --lang python|c++ [-o FILE]",
		Short: "Print an algorithm of your own to begin with",
		Long: "Prints a program that reads an instance of a problem and prints a simple solution, which algorithm check accepts as it\n" +
			"is. It needs nothing but Python 3 or a C++ compiler. Beside a FILE in Python a module is put, schedgap_helper.py, that reads,\n" +
			"writes, queues events and knows what fits; on stdout it is part of the program. An existing file is never replaced.",
		Example:           "  schedgap algorithm new flex --lang python -o mine.py\n  schedgap algorithm check flex -- python3 mine.py",
		Args:              positional("PROBLEM"),
		ValidArgsFunction: a.completeProblems,
		RunE: a.onProblem(func(_ *cobra.Command, p *bench.Problem, _ []string) error {
			file := cmp.Or(out, map[string]string{"python": "mine.py", "c++": "mine.cpp"}[language])
			text, err := catalog.Skeleton(p.Name, language, summary.Quote(file), out == "")
			if err != nil {
				return err
			}
			if out == "" {
				return a.print([]byte(text))
			}
			if err := writableFile(out, ""); err != nil {
				return err
			}
			if _, err := os.Lstat(out); err == nil {
				return fmt.Errorf("%s: exists, and is not replaced", out)
			}
			if err := writeFile(out, []byte(text)); err != nil {
				return err
			}
			helper := filepath.Join(filepath.Dir(out), catalog.Helper)
			if _, err := os.Lstat(helper); language == "python" && err != nil {
				if err := writeFile(helper, catalog.HelperText()); err != nil {
					return err
				}
			}
			command := "python3 " + summary.Quote(out)
			if language == "c++" {
				command = "./mine"
				a.next("g++ -O2 -o mine " + summary.Quote(out))
			}
			a.next(fmt.Sprintf("schedgap algorithm check %s -- %s", p.Name, command))
			return nil
		}),
	}
	fs := cmd.Flags()
	choice(fs, &language, "lang", "of the program", catalog.Languages...)
	fs.StringVarP(&out, "output", "o", "", "`FILE` to write instead of stdout")
	must(cmd, "lang")
	return cmd
}
