package external

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"schedgap/bench"
	"schedgap/bench/run/proc"
)

// A Batch is a command that is given many instances: SCHEDGAP_BATCH is 1 in its environment, an instance is a line on its
// standard input, and the next comes when it has answered with a line that is a solution. Whatever goes wrong costs the instance
// at which it happens; the process is then started again for the next one, as it is for another command, seed or limit. The zero
// value is ready; it is not for concurrent use.
type Batch struct {
	stream *Stream
	group  *proc.Cgroup
	serves string // command, seed, threads, limits and folder of the process
}

// Run is the function Run for the next instance of a batch. The time limit holds for each line, the start of a process included.
// fresh, unless nil, is called before a process is started.
func (b *Batch) Run(
	ctx context.Context, in *bench.Instance, r bench.Request, limits bench.Limits, o Options, fresh func(),
) (*bench.Result, error) {
	c := &command{in: in, request: r, limits: limits, options: o, res: in.Problem.Blank(r)}
	if o.Starting != nil {
		o.Starting()
	}
	c.began = time.Now()
	if serves := fmt.Sprintf("%q %d %d %+v %q", r.Command, r.Seed, r.Threads, limits, o.Dir); b.stream == nil || serves != b.serves {
		b.Close()
		b.serves = serves
		if fresh != nil {
			fresh()
		}
		if err := b.start(r, limits, o); err != nil {
			c.res.Status, c.res.Error, c.res.Raw = bench.Error, err.Error(), bench.NotStarted
			return c.res, nil
		}
	}
	c.process, c.group = b.stream.process, b.group
	c.process.Stderr.Reset() // it holds output about earlier instances
	var line bytes.Buffer
	if err := json.Compact(&line, in.JSON); err != nil {
		return nil, fmt.Errorf("instance %s: %w", in.Name, err)
	}
	before := c.process.Usage().CPU
	watch := proc.Watch(ctx, c.process, proc.Limits{Memory: limits.Memory, CPU: limits.CPU}, before)
	answer, err := b.stream.ask(line.Bytes(), o.Impatient)
	cause, most := watch.Stop()
	c.cause = cause
	c.res.WallSeconds = time.Since(c.began).Seconds()
	after := c.process.Usage()
	c.res.CPUSeconds, c.res.PeakRSSBytes = new(max(0, after.CPU-before).Seconds()), bench.OrNull(max(after.RSS, most.RSS))
	if c.cause == proc.Canceled {
		b.Close()
		return nil, ctx.Err()
	}
	if o.Ended != nil {
		o.Ended()
	}
	if err == nil && c.cause == proc.Alive {
		if limits.Time > 0 && c.res.WallSeconds > limits.Time.Seconds() {
			c.res.Status, c.res.Error = bench.Timeout, inBatch+afterLimit(limits)
		} else {
			c.accept(answer, nil)
		}
		return c.res, nil
	}
	ended := new(endedError)
	switch {
	case c.cause == proc.Memory || b.group != nil && b.group.OOMKilled():
		c.fail(bench.OOM, "killed beyond the memory limit of %d bytes", limits.Memory)
	case c.cause == proc.CPU:
		c.fail(bench.Timeout, inBatch+"killed beyond the CPU limit of %v", limits.CPU)
	case errors.Is(err, errLate):
		c.res.Status, c.res.Error = bench.Timeout, inBatch+err.Error()
	case errors.As(err, &ended):
		c.unanswered(ended.state)
	default:
		c.res.Status, c.res.Error = bench.Error, err.Error()
	}
	b.Close()
	return c.res, nil
}

func (b *Batch) start(r bench.Request, limits bench.Limits, o Options) (err error) {
	b.group = o.group(limits)
	cmd := prepare(r, limits, o.Dir)
	cmd.Env = append(cmd.Env, "SCHEDGAP_BATCH=1")
	timeout := limits.Time + o.Grace
	if limits.Time == 0 {
		timeout = 1<<63 - 1
	}
	b.stream, err = startStream(cmd, timeout, proc.Options{Sole: o.Supervised, Cgroup: b.group})
	return err
}

// inBatch begins the reason of a timeout, since a command may be slower in a batch than alone.
const inBatch = "one of a batch: "

// Close kills the process with all that it started; Run starts another.
func (b *Batch) Close() {
	if b.stream != nil {
		b.stream.process.Signal(unix.SIGKILL)
		_ = b.stream.Close() // it is dead
		b.stream = nil
	}
	if b.group != nil {
		b.group.Close()
		b.group = nil
	}
}
