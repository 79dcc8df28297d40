package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"schedgap/bench"
	"schedgap/bench/run/external"
	"schedgap/bench/run/proc"
	"schedgap/bench/run/sandbox"
)

// Supervise is Serve for external commands: it runs them one at a time below itself, and reads and checks their output. So a
// command that kills its parent, or whose output fills the reader's memory, costs one row. When the parent of this process ends,
// the command and all processes that it has started end too.
func Supervise(ctx context.Context, registry *bench.Registry, in io.Reader, out io.Writer) error {
	if os.Getenv(guardVariable) != "" {
		return guard()
	}
	// Signals that a command sends are caught, so that they do nothing. They are not ignored, which commands would inherit.
	signal.Notify(make(chan os.Signal, 1))
	if proc.Isolated() {
		ctx = context.WithoutCancel(ctx) // as the kernel ends this process with its parent, no signal needs to
	} else {
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, syscall.SIGTERM)
		defer stop()
	}
	if err := proc.Supervise(); err != nil {
		return err
	}
	s := &server{registry: registry, supervises: true, folder: os.Getenv(folderVariable)}
	os.Unsetenv(folderVariable) // commands have no use for it
	defer s.batch.Close()
	if os.Getenv(confinedVariable) != "" {
		s.confined, s.unconfined = tryConfined()
	}
	if groups, err := proc.FindCgroups("/"); err == nil && (groups.Memory || !proc.Isolated()) {
		s.cgroups = groups // in a namespace they add only the limit on memory
	}
	return s.loop(ctx, in, out)
}

// guardVariable makes a supervisor a guard.
const guardVariable = "SCHEDGAP_GUARD"

// guard runs a supervisor below this process, with its standard streams, and does nothing else: it is there to be killed in place of
// its parent.
func guard() error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this executable: %w", err)
	}
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Args[0], cmd.Stdin, cmd.Stdout = os.Args[0], os.Stdin, os.Stdout
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, guardVariable+"=") })
	p, err := proc.Start(cmd, proc.Options{Supervisor: true})
	if err != nil {
		return err
	}
	state, err := p.Wait()
	if err == nil && !state.Success() {
		err = errors.New(p.Stderr.Because(state.String()))
	}
	return err
}

// confinedVariable asks a supervisor to try whether it can confine commands.
const confinedVariable = "SCHEDGAP_CONFINED"

// tryConfined confines nothing in the way of a command. It returns what confines it, or why nothing does.
func tryConfined() (confined, unconfined string) {
	probe, err := sandbox.Spec{}.Wrap(nil)
	if err != nil {
		return "", err.Error()
	}
	var stderr proc.Tail
	cmd := exec.Command(probe[0], probe[1:]...)
	cmd.Stderr, cmd.Dir = &stderr, "/"
	said, err := cmd.Output()
	if err != nil {
		return "", cmp.Or(stderr.LastLine(), err.Error())
	}
	return string(said), ""
}

// crowded is the resident size beyond which a supervisor is not used again, since the measured peak of a command starts at the
// size of its supervisor.
const crowded = 192 << 20

// command runs a job's command.
func (s *server) command(ctx context.Context, in *bench.Instance, j *job) (*bench.Result, error) {
	debug.SetMemoryLimit(checkMemory(proc.PeakRSS(), j.Limits.Memory) / 10 * 9)
	o := external.Options{
		Dir: j.Dir, Grace: j.Grace, Supervised: true, Cgroups: s.cgroups, Progress: j.Progress, Unchecked: j.Folder != "",
		Impatient: j.Impatient,
		Starting:  func() { _ = s.send(message{Kind: start, ID: j.ID}) }, // what cannot be sent is lost with the parent
		Ended: func() {
			if proc.PeakRSS() > crowded/2 { // a long output leaves garbage as it grows, which the parent would count from now on
				debug.FreeOSMemory()
			}
			_ = s.send(message{Kind: ended, ID: j.ID})
		},
	}
	clean := func() { tidy(s.folder) }
	if j.Request.Batch {
		return s.batch.Run(ctx, in, j.Request, j.Limits, o, clean)
	}
	s.batch.Close()
	defer clean()
	return external.Run(ctx, in, j.Request, j.Limits, o)
}

// tidy replaces a command's folder for temporary files by an empty one: a folder that is only emptied keeps its size, which the
// next instance could see.
func tidy(dir string) {
	if dir == "" {
		return
	}
	if info, err := os.Stat(dir); err == nil {
		raze(dir)
		_ = os.Mkdir(dir, info.Mode().Perm())
	}
}

// checkRoom is the memory always allowed for reading and checking a command's output, since limits may be smaller than the size
// of an idle process.
const checkRoom = 100 << 20

// checkMemory is the limit on the resident size of a supervisor of the given size while it checks; 0: none.
func checkMemory(idle, limit int64) int64 {
	if limit == 0 {
		return 1 << 62
	}
	return idle + max(checkRoom, limit)
}
