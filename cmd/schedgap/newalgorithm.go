package main

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/reports/summary"
)

func (a *app) newAlgorithmCommand(name string) *cobra.Command {
	var language, out string
	cmd := a.problemCommand(name+" PROBLEM --lang python|c++ [-o FILE]", func(_ *cobra.Command, p *bench.Problem, _ []string) error {
		file := cmp.Or(out, map[string]string{"python": "mine.py", "c++": "mine.cpp"}[language])
		text, err := catalog.Skeleton(p.Name, language, summary.Quote(file), out == "")
		if err != nil {
			return err
		}
		if out == "" {
			return a.print([]byte(text))
		}
		if err := cmp.Or(writableFile(out, ""), unused(out)); err != nil {
			return err
		}
		files := map[string][]byte{filepath.Base(out): []byte(text)}
		if language == "python" && unused(filepath.Join(filepath.Dir(out), catalog.Helper)) == nil {
			files[catalog.Helper] = catalog.HelperText()
		}
		if err := writeFiles(filepath.Dir(out), files); err != nil {
			return err
		}
		command := "python3 " + summary.Quote(out)
		if language == "c++" {
			command = "./mine"
			a.next("g++ -O2 -o mine " + summary.Quote(out))
		}
		a.next(fmt.Sprintf("schedgap algorithm check %s -- %s", p.Name, command))
		return nil
	})
	fs := cmd.Flags()
	choice(fs, &language, "lang", "of the program", catalog.Languages...)
	fs.StringVarP(&out, "output", "o", "", "`FILE` to write instead of stdout")
	must(cmd, "lang")
	return cmd
}
