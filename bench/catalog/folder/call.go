package folder

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/external"
	"schedgap/bench/run/proc"
	"schedgap/models"
	"schedgap/models/environ"

	"golang.org/x/sys/unix"
)

const (
	// answerTime is how long a command may take over one answer. It is shorter than the time that a worker has for handing over a
	// solution, so that a checker that hangs is reported as such.
	answerTime = 30 * time.Second
	// mostMemory is the limit on a command's resident memory, beside that of the unit in which it runs.
	mostMemory = 4 << 30
	// spare is how many processes of a command wait for the next question.
	spare = 64
)

// A command is one of the problem's. It is asked in a process that is kept for further questions, one a line, as long as it answers
// there; a command that does not read them so is started for each question. It may be used by several goroutines.
type command struct {
	problem string // its name
	what    string // such as check
	words   []string
	dir     string
	time    time.Duration // for an answer
	defined bool          // for every question

	mu    sync.Mutex
	batch bool // one process has answered two questions
	never bool // it reads one question only
	idle  []*external.Stream
}

// A settings holds what the environment of a command says of a run.
type settings struct {
	seed    uint64
	threads int
}

// environment is that of algorithms.
func (c *command) prepare(s settings, more ...string) *exec.Cmd {
	cmd := exec.Command(c.words[0], c.words[1:]...)
	cmd.Dir = c.dir
	cmd.Env = append(environ.Short(), "SCHEDGAP_SEED="+strconv.FormatUint(s.seed, 10), "SCHEDGAP_THREADS="+strconv.Itoa(max(1, s.threads)),
		"SCHEDGAP_TIME_LIMIT_SECONDS="+strconv.FormatFloat(c.time.Seconds(), 'f', -1, 64))
	cmd.Env = append(cmd.Env, more...)
	return cmd
}

// errorf says whose fault it is: the problem's.
func (c *command) errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &models.Fault{Reason: fmt.Sprintf("the problem %s: its command %s %v", c.problem, c.what, err), Err: err}
}

// A capped buffer takes the output of a command up to a limit.
type capped struct {
	bytes.Buffer
	full chan struct{} // closed when there is more
}

var errTooMuch = errors.New("too much output")

func (b *capped) Write(p []byte) (int, error) {
	if b.Len()+len(p) > bench.DefaultOutput {
		close(b.full)
		return 0, errTooMuch
	}
	return b.Buffer.Write(p)
}

// alone runs the command for one question. A NotApplicable error says that it is not defined for it.
func (c *command) alone(ctx context.Context, question []byte, s settings) ([]byte, error) {
	out := &capped{full: make(chan struct{})}
	cmd := c.prepare(s)
	cmd.Stdin, cmd.Stdout = bytes.NewReader(question), out
	p, err := proc.Start(cmd, proc.Options{})
	if err != nil {
		return nil, c.errorf("does not start: %w", err)
	}
	watch := proc.Watch(ctx, p, c.limits(), 0)
	select {
	case <-p.Done():
	case <-out.full:
		p.Signal(unix.SIGKILL)
	}
	state, _ := p.Wait() // the copying of a question may break off: not all programs read theirs to the end
	cause, _ := watch.Stop()
	select {
	case <-out.full:
		return nil, c.errorf("printed more than %d bytes", bench.DefaultOutput)
	default:
	}
	switch {
	case cause != proc.Alive:
		return nil, c.killed(ctx, cause)
	case state.ExitCode() == external.NotApplicable:
		return nil, c.undefined(p.Stderr)
	case !state.Success():
		return nil, c.errorf("failed (%s)", p.Stderr.Because(state.String()))
	case len(bytes.TrimSpace(out.Bytes())) == 0:
		return nil, c.errorf("printed nothing")
	}
	return out.Bytes(), nil
}

func (c *command) limits() proc.Limits { return proc.Limits{Time: c.time, Memory: mostMemory} }

// killed is the error of a command that did not end by itself.
func (c *command) killed(ctx context.Context, cause proc.Cause) error {
	switch cause {
	case proc.Time:
		return c.errorf("gave no answer within %v", c.time)
	case proc.Memory:
		return c.errorf("was killed beyond %d bytes of memory", int64(mostMemory))
	}
	return ctx.Err()
}

// undefined is the error of a command that says that it is not defined for the question, which not all may be.
func (c *command) undefined(stderr *proc.Tail) error {
	if c.defined {
		return c.errorf("must answer every question, and ended with exit code 77 (%s)", cmp.Or(stderr.LastLine(), "no reason is given"))
	}
	return models.NotApplicablef("%s of %s: %s", c.what, c.problem, cmp.Or(stderr.LastLine(), "the command ended with exit code 77"))
}

// ask puts a JSON object to the command and returns the one that it answers. The end of ctx kills it.
func (c *command) ask(ctx context.Context, question []byte, s settings) (json.RawMessage, error) {
	answer, err := c.kept(ctx, question)
	if answer != nil || err != nil {
		return answer, err
	}
	out, err := c.alone(ctx, question, s)
	if err != nil {
		return nil, err
	}
	return c.object(out)
}

// text asks for a text: what the command prints or, in a process that is kept, the value of a key of the object that it answers.
func (c *command) text(ctx context.Context, question []byte, key string) ([]byte, error) {
	answer, err := c.kept(ctx, question)
	if err != nil {
		return nil, err
	}
	var said map[string]json.RawMessage
	var text string
	if answer != nil && json.Unmarshal(answer, &said) == nil && json.Unmarshal(said[key], &text) == nil {
		return []byte(text), nil
	}
	return c.alone(ctx, question, settings{seed: 1})
}

// object is the JSON object that a command printed.
func (c *command) object(out []byte) (json.RawMessage, error) {
	var line bytes.Buffer
	if err := json.Compact(&line, out); err != nil {
		return nil, c.errorf("printed no JSON object (%v): %.100q", err, bytes.TrimSpace(out))
	}
	if line.Bytes()[0] != '{' {
		return nil, c.errorf("printed no JSON object: %.100q", line.Bytes())
	}
	return line.Bytes(), nil
}

// kept asks a process that reads many questions. Neither an answer nor an error means that none does, or that it failed in a way that
// the command alone may explain. Until one process has answered two questions, it is given up as soon as it waits for more input.
func (c *command) kept(ctx context.Context, question []byte) (json.RawMessage, error) {
	c.mu.Lock()
	if c.never {
		c.mu.Unlock()
		return nil, nil
	}
	var stream *external.Stream
	again, shown := len(c.idle) > 0, c.batch
	if again {
		last := len(c.idle) - 1
		stream, c.idle = c.idle[last], c.idle[:last]
	}
	c.mu.Unlock()
	if stream == nil {
		stream = c.stream()
	}
	answer, err := c.exchange(ctx, stream, question, shown)
	c.mu.Lock()
	defer c.mu.Unlock()
	failed := new(failure)
	switch {
	case errors.As(err, &failed):
		c.never = c.never || !c.batch
		return nil, nil
	case err != nil:
		return nil, err
	}
	c.batch = c.batch || again
	if len(c.idle) < spare {
		c.idle = append(c.idle, stream)
	} else {
		stream.Kill()
	}
	return answer, nil
}

// A failure is that of a process that is to answer many questions; the command alone may answer.
type failure struct{ error }

// stream starts a process that reads many questions; nil: none starts.
func (c *command) stream() *external.Stream {
	s, _ := external.StartKept(c.prepare(settings{seed: 1}, "SCHEDGAP_BATCH=1"))
	return s
}

// exchange asks a process, which is killed if it fails. Shown says that it is known to read many questions.
func (c *command) exchange(ctx context.Context, s *external.Stream, question []byte, shown bool) (json.RawMessage, error) {
	if s == nil {
		return nil, &failure{errors.New("it does not start")}
	}
	var line bytes.Buffer
	if err := json.Compact(&line, question); err != nil {
		return nil, err
	}
	out, cause, err := s.AskWithin(ctx, line.Bytes(), c.limits(), !shown)
	var answer json.RawMessage
	if err == nil && cause == proc.Alive {
		answer, err = c.object(out)
		if err == nil {
			return answer, nil
		}
	}
	s.Kill()
	switch {
	case cause != proc.Alive:
		return nil, c.killed(ctx, cause)
	case external.ExitCode(err) == external.NotApplicable:
		return nil, c.undefined(s.Stderr())
	}
	return nil, &failure{err}
}

// String returns the words of a command in a sentence.
func (c *command) String() string { return strings.Join(c.words, " ") }
