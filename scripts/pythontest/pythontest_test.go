package pythontest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/scripts/pythontest"
)

type tests func() int

func (t tests) Run() int { return t() }

// Tests find a Python that works, in a folder that ends with them.
func TestWith(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	t.Setenv("PATH", os.Getenv("PATH")) // which is set back at the end
	var python string
	code := pythontest.With(tests(func() int {
		python, _ = exec.LookPath("python3")
		if out, err := exec.Command("python3", "-c", "import json; print(json.dumps([1]))").CombinedOutput(); err != nil || string(out) != "[1]\n" {
			t.Errorf("%s: %s, %v", python, out, err)
		}
		return 3
	})).Run()
	if code != 3 {
		t.Errorf("code %d, want that of the tests", code)
	}
	if !strings.HasPrefix(python, os.TempDir()) {
		t.Skip("this Python makes no environments")
	}
	if _, err := os.Stat(filepath.Dir(python)); !os.IsNotExist(err) {
		t.Errorf("the environment is left: %v", err)
	}
}
