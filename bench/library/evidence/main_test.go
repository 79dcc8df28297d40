package evidence

import (
	"os"
	"testing"

	"schedgap/scripts/pythontest"
)

func TestMain(m *testing.M) { os.Exit(pythontest.With(m).Run()) }
