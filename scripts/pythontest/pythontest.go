// Package pythontest gives tests a Python that starts at once.
package pythontest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// With returns tests that find a virtual environment first in PATH while they run: what a machine's own Python does at its start, such
// as to look for versions and certificates, takes hundreds of starts most of their time. Where there is no Python, or none that makes
// such environments, PATH stays as it is.
func With(tests interface{ Run() int }) interface{ Run() int } { return plain{tests} }

type plain struct{ tests interface{ Run() int } }

func (p plain) Run() int {
	dir, err := os.MkdirTemp("", "schedgap-python-")
	if err == nil {
		err = os.Chmod(dir, 0o755) // other users reach it
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if exec.Command("python3", "-m", "venv", "--without-pip", dir).Run() == nil {
		os.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	return p.tests.Run()
}
