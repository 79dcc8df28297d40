package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/models"
	"schedgap/reports/summary"
	template "schedgap/scripts"
)

func (a *app) newAlgorithmCommand(name string) *cobra.Command {
	var language, out, service string
	cmd := a.problemCommand(name+" PROBLEM --lang python|c++ [-o FILE]", func(_ *cobra.Command, p *bench.Problem, _ []string) error {
		if p.Folder != nil {
			return needsGo(p, "skeletons of algorithms")
		}
		if service != "" {
			return a.newRepository(p, language, service, out)
		}
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
		for name, text := range catalog.Modules() {
			if language == "python" && unused(filepath.Join(filepath.Dir(out), name)) == nil {
				files[name] = text
			}
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
	choiceFlag(fs, &language, "lang", "of the program", catalog.Languages...)
	fs.StringVarP(&out, "output", "o", "", "`FILE` to write instead of stdout")
	choiceFlag(fs, &service, "ci", "service for which -o gets a repository", "github", "gitlab")
	must(cmd, "lang")
	return cmd
}

// services are the files by which a CI service knows what to do.
var services = map[string]string{"github": template.GitHub, "gitlab": template.GitLab}

// newRepository writes the files of a repository with an algorithm in Python, a suite and a CI service's workflow into a folder.
func (a *app) newRepository(p *bench.Problem, language, service, dir string) error {
	switch {
	case language != "python":
		return errors.New("--ci: is for --lang python")
	case dir == "":
		return errors.New("--ci: needs -o DIR, the folder of the repository")
	}
	const suiteFile, program = "suite.yaml", "mine.py"
	text, err := catalog.Skeleton(p.Name, language, program, false)
	if err != nil {
		return err
	}
	files := catalog.Modules()
	files[program] = []byte(text)
	words := strings.NewReplacer("PROBLEM", p.Name, "RIVALS", strings.Join(rivals(p), ", "), "WORKFLOW", services[service])
	// A repository may have its own README and list of ignored files already, which stay.
	beside := []string{"README.md", ".gitignore"}
	for _, name := range append([]string{suiteFile, services[service]}, beside...) {
		data, err := template.Template.ReadFile("template/" + name)
		if err != nil {
			return err
		}
		files[name] = data
		if name == suiteFile || name == "README.md" {
			files[name] = []byte(words.Replace(string(data)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		file := filepath.Join(dir, name)
		if err := unused(file); err == nil {
			continue
		}
		data, err := os.ReadFile(file)
		if err == nil && slices.Contains(beside, name) && !bytes.Equal(data, files[name]) {
			a.log.Warn(name+" stays as it is; the one that would be written is in scripts/template of schedgap", "in", dir)
		} else if err != nil || !bytes.Equal(data, files[name]) {
			return fmt.Errorf("%s: exists with other contents, and is not replaced; "+
				"let -o name a new folder, and copy the files from there that are missing here", file)
		}
		delete(files, name) // it is there as it would be written
	}
	if err := writableFolder(dir); err != nil {
		return err
	}
	for name, text := range files {
		if err := writeFiles(filepath.Join(dir, filepath.Dir(name)), map[string][]byte{filepath.Base(name): text}); err != nil {
			return err
		}
	}
	a.next(fmt.Sprintf("cd %s && schedgap run %s -o results && schedgap report results", summary.Quote(dir), suiteFile))
	return nil
}

// rivals are the problem's heuristics that decide once and by no chance.
func rivals(p *bench.Problem) (names []string) {
	for _, alg := range p.Algorithms {
		if alg.Kind == models.Heuristic && alg.Arg == "" && !alg.Random {
			names = append(names, alg.Name)
		}
	}
	return names
}
