package catalog

import (
	"os"
	"runtime/debug"
	"testing"

	"schedgap/scripts/pythontest"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // an eighth of the processor time was for garbage, and memory is there
	os.Exit(pythontest.With(m).Run())
}
