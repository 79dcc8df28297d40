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
	"schedgap/bench/external"
	"schedgap/bench/internal/proc"
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
	// probing is how much longer than alone a command may take to show that it reads many questions, one a line.
	probing = 2 * time.Second
	// kept is how many processes of a command wait for the next question.
	kept = 64
)

// A command is one of the problem's: it is started for each question or, once it has shown that it reads many, one a line, asked
// again and again. It may be used by several goroutines.
type command struct {
	problem string // its name
	what    string // such as check
	words   []string
	dir     string
	time    time.Duration // for an answer

	mu    sync.Mutex
	asked int // alone
	first [2]exchange
	batch bool // it reads many questions
	never bool // it does not
	idle  []*external.Stream
}

// An exchange is a question with its answer.
type exchange struct {
	question, answer []byte
	took             time.Duration
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
	return fmt.Errorf("the problem %s: its command %s %w", c.problem, c.what, fmt.Errorf(format, args...))
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
	watch := proc.Watch(ctx, p, proc.Limits{Time: c.time, Memory: mostMemory}, 0)
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
	case cause == proc.Canceled:
		return nil, ctx.Err()
	case cause == proc.Time:
		return nil, c.errorf("gave no answer within %v", c.time)
	case cause == proc.Memory:
		return nil, c.errorf("was killed beyond %d bytes of memory", int64(mostMemory))
	case state.ExitCode() == external.NotApplicable:
		return nil, models.NotApplicablef("%s of %s: %s", c.what, c.problem, cmp.Or(p.Stderr.LastLine(), "the command ended with exit code 77"))
	case !state.Success():
		return nil, c.errorf("failed (%s)", p.Stderr.Because(state.String()))
	case len(bytes.TrimSpace(out.Bytes())) == 0:
		return nil, c.errorf("printed nothing")
	}
	return out.Bytes(), nil
}

// ask puts a JSON object to the command and returns the one that it answers. The end of ctx kills it.
func (c *command) ask(ctx context.Context, question []byte, s settings) (json.RawMessage, error) {
	if answer := c.again(ctx, question); answer != nil {
		return answer, nil
	}
	began := time.Now()
	out, err := c.alone(ctx, question, s)
	if err != nil {
		return nil, err
	}
	answer, err := c.object(out)
	if err == nil {
		c.learn(ctx, exchange{bytes.Clone(question), answer, time.Since(began)})
	}
	return answer, err
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

// again asks a process that reads many questions; nil: there is none, or it failed, which the command alone may explain.
func (c *command) again(ctx context.Context, question []byte) json.RawMessage {
	c.mu.Lock()
	if !c.batch {
		c.mu.Unlock()
		return nil
	}
	var stream *external.Stream
	if n := len(c.idle); n > 0 {
		stream, c.idle = c.idle[n-1], c.idle[:n-1]
	}
	c.mu.Unlock()
	if stream == nil {
		stream = c.stream()
	}
	answer, err := c.exchange(ctx, stream, question, c.time)
	if err != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.idle) < kept {
		c.idle = append(c.idle, stream)
	} else {
		stream.Kill()
	}
	return answer
}

// stream starts a process that reads many questions; nil: none starts.
func (c *command) stream() *external.Stream {
	s, _ := external.StartKept(c.prepare(settings{seed: 1}, "SCHEDGAP_BATCH=1"))
	return s
}

// exchange asks a process, which is killed if it fails.
func (c *command) exchange(ctx context.Context, s *external.Stream, question []byte, limit time.Duration) (json.RawMessage, error) {
	if s == nil {
		return nil, errors.New("it does not start")
	}
	var line bytes.Buffer
	if err := json.Compact(&line, question); err != nil {
		return nil, err
	}
	out, err := s.AskWithin(ctx, line.Bytes(), proc.Limits{Time: limit, Memory: mostMemory})
	var answer json.RawMessage
	if err == nil {
		answer, err = c.object(out)
	}
	if err != nil {
		s.Kill()
	}
	return answer, err
}

// learn remembers the first two answers that were given alone. With them it finds out whether the command gives them in one process,
// too, which costs nothing where a command is asked but once.
func (c *command) learn(ctx context.Context, e exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asked < len(c.first) {
		c.first[c.asked] = e
	}
	if c.asked++; c.asked != len(c.first) || c.never {
		return
	}
	c.never = true // unless it shows otherwise
	proc.Aside(func() { c.probe(context.WithoutCancel(ctx)) })
}

// probe asks both questions of one process. What it answers must be the same.
func (c *command) probe(ctx context.Context) {
	s := c.stream()
	for _, e := range c.first {
		answer, err := c.exchange(ctx, s, e.question, probing+2*e.took)
		if err != nil {
			return
		}
		if !bytes.Equal(answer, e.answer) {
			s.Kill()
			return
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.batch, c.idle = true, append(c.idle, s)
}

// quoted are the words of a command in a sentence.
func (c *command) String() string { return strings.Join(c.words, " ") }
