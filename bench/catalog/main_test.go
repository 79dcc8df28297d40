package catalog

import (
	"os"
	"runtime/debug"
	"testing"

	"schedgap/scripts/pythontest"
)

func TestMain(m *testing.M) {
	// Memory is there, and a fifth of the processor time was for garbage.
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(1 << 30)
	os.Exit(pythontest.With(m).Run())
}
