// Command schedcheck judges solutions and proofs like schedgap check and schedgap verify, and prints the same. It contains only
// the definitions of the problems and the verifier, so that a referee can read all of it. The work is done by package
// exact/verify/referee; docs/bounds-and-proofs.md describes proofs.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"schedgap/exact/verify/referee"
)

const usage = `usage: schedcheck check INSTANCE.json SOLUTION.json
       schedcheck verify INSTANCE.json PROOF

check recomputes objective and constraints from the instance and the decisions in the solution only; verify evaluates the
proof of an optimum or a bound again. Each prints one JSON object. Exit codes: 0 feasible or verified, 1 infeasible or refused,
2 bad usage or bad input, 130 interrupted.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Stdout, os.Stderr, os.Args[1:]))
}

// run is the program. It returns the exit code.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) int {
	good, result, err := judge(ctx, args)
	if err == nil {
		var line bytes.Buffer
		e := json.NewEncoder(&line)
		e.SetEscapeHTML(false)
		err = e.Encode(result)
		if err == nil {
			_, err = stdout.Write(line.Bytes())
		}
	}
	switch {
	case errors.Is(err, errHelp):
		fmt.Fprint(stdout, usage)
		return 0
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "schedcheck: interrupted")
		return 130
	case err != nil:
		fmt.Fprintf(stderr, "schedcheck: %s\n", strings.NewReplacer("\n", "; ", "\r", "; ").Replace(err.Error()))
		return 2
	case !good:
		return 1
	}
	return 0
}

var errHelp = errors.New("help is asked for")

// judge runs a command line. good reports whether the solution is feasible or the proof verified.
func judge(ctx context.Context, args []string) (good bool, result any, err error) {
	switch {
	case len(args) > 0 && (args[0] == "-h" || args[0] == "--help" || args[0] == "help"):
		return false, nil, errHelp
	case len(args) == 3 && args[0] == "check":
		j, err := referee.Check(args[1], args[2])
		return err == nil && j.Feasible, j, err
	case len(args) == 3 && args[0] == "verify":
		v, err := referee.Verify(ctx, args[1], args[2])
		return err == nil && v.Verified, v, err
	}
	return false, nil, errors.New("two commands are known, check INSTANCE.json SOLUTION.json and verify INSTANCE.json PROOF; see: " +
		"schedcheck --help")
}
