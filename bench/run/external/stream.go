package external

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"schedgap/bench"
	"schedgap/bench/run/proc"
	"schedgap/models/environ"
)

// A Stream is a running command that is asked one line at a time: the policy of a simulation, which sees the present and
// never what comes later.
type Stream struct {
	process *proc.Process
	stdin   *os.File
	answers *bufio.Reader
	pipe    *os.File
	timeout time.Duration

	mu sync.Mutex
}

var errLate = errors.New("no answer within")

// maxAnswer bounds an answer.
const maxAnswer = bench.DefaultOutput

// lastWords is how long a command that has closed its streams may take to end by itself.
const lastWords = 200 * time.Millisecond

// DefaultAnswerTime is how long a policy may take over one decision.
const DefaultAnswerTime = 10 * time.Second

// StartStream starts a command, which finds the seed of its repetition in SCHEDGAP_SEED. It may take timeout over an answer.
func StartStream(command []string, dir string, seed uint64, timeout time.Duration) (*Stream, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(environ.Short(), "SCHEDGAP_SEED="+strconv.FormatUint(seed, 10))
	return startStream(cmd, timeout, proc.Options{})
}

// StartKept starts a command that waits for questions between the units of its process.
func StartKept(cmd *exec.Cmd) (*Stream, error) {
	return startStream(cmd, 1<<63-1, proc.Options{Kept: true})
}

// AskWithin is Ask within limits and until ctx ends, which kill the command; the cause says so. With impatient, a command is also
// killed, which is an error without a cause, when it has read the question and waits: it may want to read to the end of its input.
func (s *Stream) AskWithin(ctx context.Context, question []byte, limits proc.Limits, impatient bool) ([]byte, proc.Cause, error) {
	watch := proc.Watch(ctx, s.process, limits, 0)
	answer, err := s.ask(question, impatient)
	cause, _ := watch.Stop()
	return answer, cause, err
}

// ask is Ask; impatient is that of AskWithin.
func (s *Stream) ask(question []byte, impatient bool) ([]byte, error) {
	if !impatient {
		return s.Ask(question)
	}
	answered, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		if s.process.Idles(s.stdin, answered) {
			s.cut()
		}
	}()
	answer, err := s.Ask(question)
	close(answered)
	<-watched
	return answer, err
}

// Stderr is the end of the command's standard error.
func (s *Stream) Stderr() *proc.Tail { return s.process.Stderr }

// ExitCode is that of the command that ended in place of an answer, -1 for other errors.
func ExitCode(err error) int {
	if ended := new(endedError); errors.As(err, &ended) {
		return ended.state.ExitCode()
	}
	return -1
}

// Kill ends the command at once.
func (s *Stream) Kill() { s.cut() }

func startStream(cmd *exec.Cmd, timeout time.Duration, o proc.Options) (*Stream, error) {
	p, stdin, stdout, err := proc.StartPiped(cmd, o)
	if err != nil {
		return nil, err
	}
	return &Stream{process: p, stdin: stdin, answers: bufio.NewReaderSize(stdout, 1<<16), pipe: stdout, timeout: timeout}, nil
}

// Ask writes a line and reads one. Output beyond the last answer is an error, since later questions would otherwise get the
// answers of earlier ones. It is a models.Ask.
func (s *Stream) Ask(question []byte) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.answers.Buffered(); n > 0 {
		more, _ := s.answers.Peek(min(n, 100)) // it is there
		return nil, fmt.Errorf("more than one line for an answer: %q is left over", more)
	}
	late := time.AfterFunc(s.timeout, s.cut)
	line, err := s.exchange(question)
	if !late.Stop() {
		return nil, fmt.Errorf("%w %v", errLate, s.timeout)
	}
	switch {
	case errors.Is(err, errTooMuch):
		s.cut()
		return nil, fmt.Errorf("an answer of more than %d bytes", maxAnswer)
	case err != nil:
		select { // its own end says more than that it was killed
		case <-s.process.Done():
		case <-time.After(lastWords):
		}
		s.cut()
		state, _ := s.process.Wait()
		return nil, &endedError{state, s.process.Stderr.Because(fmt.Sprintf("no answer (%v)", state))}
	}
	return line, nil
}

// An endedError says that the command ended in place of an answer.
type endedError struct {
	state *os.ProcessState
	says  string
}

func (e *endedError) Error() string { return e.says }

func (s *Stream) exchange(question []byte) ([]byte, error) {
	if _, err := s.stdin.Write(append(question, '\n')); err != nil {
		return nil, err
	}
	var line []byte
	for {
		part, more, err := s.answers.ReadLine()
		if err != nil {
			return nil, err
		}
		if len(line)+len(part) > maxAnswer {
			return nil, errTooMuch
		}
		line = append(line, part...)
		if !more {
			return line, nil
		}
	}
}

// cut kills the command and closes the pipes, which ends reads and writes even while a process that left the command's session
// holds the other ends open.
func (s *Stream) cut() {
	s.process.Signal(unix.SIGKILL)
	s.stdin.Close()
	s.pipe.Close()
}

// Close ends the command: its standard input ends, and after a second it is killed.
func (s *Stream) Close() error {
	err := s.stdin.Close()
	s.process.End(time.Second)
	return errors.Join(err, s.pipe.Close())
}

// Watch kills the command when ctx ends; the returned function stops watching.
func (s *Stream) Watch(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, s.cut)
}
