package folder_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"schedgap/bench/catalog"
	"schedgap/bench/run/worker"
	"schedgap/scripts/pythontest"
)

// TestMain makes the test binary a worker when it is started as one.
func TestMain(m *testing.M) {
	serve := map[string]bool{"worker": true, "supervise": true}
	if len(os.Args) != 2 || !serve[os.Args[1]] {
		os.Exit(pythontest.With(m).Run())
	}
	r, err := catalog.New()
	if err == nil && os.Args[1] == "worker" {
		err = worker.Serve(context.Background(), r, os.Stdin, os.Stdout)
	} else if err == nil {
		err = worker.Supervise(context.Background(), r, os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
