// Command schedgap measures how far cluster-scheduling heuristics are from proven optima. Each command is a method of app in a
// file of its name (solve.go, run.go); help.md has the text of its help. The commands only read flags and print: the work is done
// by packages bench (running), reports (tables and pages) and bench/catalog, which joins the five problems. docs/using.md has the
// rules that all commands share.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"schedgap/bench/catalog"
	"schedgap/bench/library/evidence"
	"schedgap/bench/run/sandbox"
	"schedgap/datasets/library"
	"schedgap/models"
)

func main() {
	os.Exit(run(context.Background(), os.Getenv, os.Stdin, os.Stdout, os.Stderr, os.Args[1:]))
}

// The exit codes. Others than these come only from a second interrupt, which kills.
const (
	// an outcome that is no success: infeasible, out of time with nothing found, a failed algorithm, a full disk
	exitFailed      = 1
	exitUsage       = 2   // bad usage or bad input; stdout stays empty
	exitInterrupted = 130 // SIGINT or SIGTERM

	exitUnstarted = 126 // of the sandbox's launcher: the command does not start
)

// run is the program. It returns the exit code; stdout gets the result and nothing else, stderr all the rest. Getenv is the environment
// that commands read the program's own variables from. Processes that they start have the environment of this one.
//
// The first interrupt ends the context of every command but run, which stops handing out units and waits for those that are
// being worked on; the second ends that one's context, too.
func run(ctx context.Context, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer, args []string) (code int) {
	if len(args) > 1 && args[0] == sandbox.Mode {
		fmt.Fprintln(stderr, sandbox.Launch(args[1:]))
		return exitUnstarted
	}
	hard, stop := context.WithCancel(ctx)
	defer stop()
	soft, drain := context.WithCancel(hard)
	defer drain()
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(interrupts)
	go func() {
		for _, cancel := range []context.CancelFunc{drain, stop} {
			select {
			case <-interrupts:
				cancel()
			case <-hard.Done():
				return
			}
		}
	}()

	answer := &checked{w: stdout}
	defer func() {
		if answer.err != nil && code != exitInterrupted {
			fmt.Fprintf(stderr, "schedgap: writing to standard output: %v\n", answer.err)
			code = exitFailed
		}
	}()
	a := &app{getenv: getenv, stdin: stdin, stdout: answer, stderr: stderr, hard: hard}
	a.completing = len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd)
	if sandbox.Inside() {
		a.complain("it does not run in its own sandbox: it knows optima")
		return exitUsage
	}
	var err error
	a.registry, err = catalog.NewUntil(hard)
	if err != nil {
		a.complain(err.Error())
		return exitUsage
	}
	evidence.Attach(a.registry, getenv(tracesVariable), func() (*library.Library, error) {
		return a.openLibrary("")
	})
	if len(args) == 1 && serving[args[0]] != nil {
		if err := serving[args[0]](soft, a.registry, stdin, stdout); err != nil { // stdout itself, which they take for their own
			a.complain(err.Error())
			return exitFailed
		}
		return 0
	}
	root := a.root()
	root.SetArgs(append([]string{}, args...)) // nil would mean os.Args
	err = root.ExecuteContext(soft)
	if answer.err != nil && errors.Is(err, answer.err) {
		return exitFailed
	}
	var e *exit
	var na *models.NotApplicable
	var fault *models.Fault
	switch {
	case err == nil:
		return 0
	case errors.As(err, &na):
		a.complain(na.Reason)
		return exitUsage
	case errors.As(err, &e):
		if e.message != "" {
			a.complain(e.message)
		}
		return e.code
	case errors.As(err, &fault):
		a.complain(err.Error() + "; " + faultAdvice)
		return exitFailed
	case soft.Err() != nil:
		a.complain("interrupted")
		return exitInterrupted
	case resourceAdvice(err) != "":
		a.complain(err.Error() + "; " + resourceAdvice(err))
		return exitFailed
	}
	a.complain(err.Error())
	return exitUsage
}

// faultAdvice is the advice for a command of a problem's own that failed.
const faultAdvice = "to see more: schedgap problem check FOLDER"

// A checked is a writer that remembers its first error.
type checked struct {
	w   io.Writer
	err error
}

func (c *checked) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

// resourceAdvice is the advice for an error that comes from the machine or a limit of the process and not from the input; empty for
// other errors.
func resourceAdvice(err error) string {
	for cause, advice := range map[error]string{
		unix.ENOSPC: "free some space", unix.EDQUOT: "free some space", unix.EIO: "look after the disk", unix.EFBIG: "raise ulimit -f",
		unix.EMFILE: "raise ulimit -n", unix.ENFILE: "close some files", unix.ENOMEM: "free some memory or raise ulimit -v",
		unix.EAGAIN: "end some processes or raise ulimit -u",
	} {
		if errors.Is(err, cause) {
			return advice
		}
	}
	return ""
}

// An exit is how a command ends otherwise than by success or by bad input, which is any other error.
type exit struct {
	code    int
	message string // for stderr; empty: stdout says it all
}

func (e *exit) Error() string { return fmt.Sprintf("exit %d: %s", e.code, e.message) }

// complain writes one sentence to stderr, whatever --quiet says.
func (a *app) complain(message string) {
	message = strings.Join(strings.FieldsFunc(message, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
	if a.logFormat == logJSON {
		a.logger(false).Error(message)
		return
	}
	fmt.Fprintf(a.stderr, "schedgap: %s\n", message)
}
