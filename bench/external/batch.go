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
	"schedgap/bench/internal/proc"
)

// A Batch is a command that is given many instances: SCHEDGAP_BATCH is 1 in its environment, an instance is a line on its
// standard input, and the next comes when it has answered with a line that is a solution. Whatever goes wrong costs the instance
// at which it happens; the process is then started again for the next one. The zero value is ready; it is not for concurrent use.
type Batch struct {
	stream *Stream
	group  *proc.Cgroup
}

// Run is the function Run for the next instance of a batch; every Run of it has the same command, limits and options. The time
// limit holds for each line, the start of a process included. fresh, unless nil, is called before a process is started.
func (b *Batch) Run(
	ctx context.Context, in *bench.Instance, r bench.Request, limits bench.Limits, o Options, fresh func(),
) (*bench.Result, error) {
	res := in.Problem.Blank(r)
	if o.Starting != nil {
		o.Starting()
	}
	began := time.Now()
	if b.stream == nil {
		if fresh != nil {
			fresh()
		}
		if err := b.start(r, limits, o); err != nil {
			res.Status, res.Error = bench.Error, err.Error()
			return res, nil
		}
	}
	p := b.stream.process
	p.Stderr.Reset() // what it holds is about earlier instances
	watch := proc.Watch(ctx, p, proc.Limits{Memory: limits.Memory, CPU: limits.CPU}, p.Usage().CPU)
	var line bytes.Buffer
	err := json.Compact(&line, in.JSON)
	if err != nil {
		return nil, fmt.Errorf("instance %s: %w", in.Name, err)
	}
	answer, err := b.stream.Ask(line.Bytes())
	cause, _ := watch.Stop()
	res.WallSeconds = time.Since(began).Seconds()
	if cause == proc.Canceled {
		b.Close()
		return nil, ctx.Err()
	}
	if o.Ended != nil {
		o.Ended()
	}
	if err == nil && cause == proc.Alive {
		res.Status = bench.Feasible
		if err := in.Problem.Judge(res, in, "the command's output", answer); err != nil {
			res.Status, res.Error = bench.Error, p.Stderr.Because(err.Error())
		}
		return res, nil
	}
	switch {
	case cause == proc.Memory || b.group != nil && b.group.OOMKilled():
		res.Status, res.Error = bench.OOM, fmt.Sprintf("killed beyond the memory limit of %d bytes", limits.Memory)
	case cause == proc.CPU:
		res.Status, res.Error = bench.Timeout, fmt.Sprintf("killed beyond the CPU limit of %v", limits.CPU)
	case errors.Is(err, errLate):
		res.Status, res.Error = bench.Timeout, err.Error()
	default:
		res.Status, res.Error = bench.Crash, err.Error()
	}
	b.Close()
	return res, nil
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
