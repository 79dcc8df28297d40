package proc

import (
	"context"
	"time"

	"golang.org/x/sys/unix"
)

// A Cause says why a watcher killed its process.
type Cause int

// The causes; Alive means that the watcher killed nothing.
const (
	Alive Cause = iota
	Time
	Memory
	CPU
	Canceled
	Stopped // somebody stopped it
)

const (
	// pollEvery is how often it is looked at what a group uses.
	pollEvery = 25 * time.Millisecond
	// killDelay is how long a group may survive SIGTERM.
	killDelay = time.Second
)

// Limits are what a Watcher enforces; zero means no limit.
type Limits struct {
	Time   time.Duration // SIGTERM after that much time, SIGKILL a second later
	Memory int64         // SIGKILL as soon as the group's resident bytes exceed it
	CPU    time.Duration // SIGTERM and SIGKILL likewise as soon as it has used so much processor time
	Awake  bool          // SIGKILL when the leader is seen stopped for a while
}

// stopPolls is how many looks in a row must find a leader stopped.
const stopPolls = 8

// A Watcher enforces limits on one process.
type Watcher struct {
	restart        chan Limits
	stop, finished chan struct{}
	cause          Cause
	most           Usage
}

// Watch starts to enforce limits on p; the end of ctx kills it at once. Stop must be called in the end.
func Watch(ctx context.Context, p *Process, limits Limits) *Watcher {
	w := &Watcher{restart: make(chan Limits), stop: make(chan struct{}), finished: make(chan struct{})}
	go w.run(ctx, p, limits)
	return w
}

// Restart sets the clocks of wall and processor time back to zero, with other limits. Once the process has ended it does nothing.
func (w *Watcher) Restart(l Limits) {
	select {
	case w.restart <- l:
	case <-w.finished:
	}
}

// Stop ends the watch. It returns why the process was killed, if it was, and the most that it was seen to use: resident memory,
// and processor time since the last restart, that of children included which nobody will wait for any more.
func (w *Watcher) Stop() (Cause, Usage) {
	close(w.stop)
	<-w.finished
	return w.cause, w.most
}

func (w *Watcher) run(ctx context.Context, p *Process, limits Limits) {
	defer close(w.finished)
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	clock := time.NewTimer(limits.Time)
	defer clock.Stop()
	if limits.Time == 0 {
		clock.Stop()
	}
	interrupt := ctx.Done()
	stopped := 0 // looks in a row
	start := p.Usage().CPU
	expire := func(cause Cause) {
		if w.cause == Alive {
			w.cause = cause
			p.Signal(unix.SIGTERM)
			clock.Reset(killDelay)
		} else {
			p.Signal(unix.SIGKILL)
		}
	}
	for {
		select {
		case <-w.stop:
			return
		case <-p.Done():
			return
		case limits = <-w.restart:
			switch {
			case w.cause != Alive:
			case limits.Time > 0:
				clock.Reset(limits.Time)
			default:
				clock.Stop()
			}
			start, w.most.CPU = p.Usage().CPU, 0
		case <-clock.C:
			expire(Time)
		case <-interrupt:
			interrupt = nil
			if w.cause == Alive {
				w.cause = Canceled
			}
			p.Signal(unix.SIGKILL)
		case <-poll.C:
			var u Usage
			if !limits.Awake || limits.Memory > 0 { // else somebody else looks at that
				u = p.Usage()
				w.most = Usage{RSS: max(w.most.RSS, u.RSS), CPU: max(w.most.CPU, u.CPU-start)}
			}
			if stopped++; !limits.Awake || !p.Stopped() {
				stopped = 0
			}
			switch {
			case w.cause != Alive:
			case stopped == stopPolls:
				w.cause = Stopped
				p.Signal(unix.SIGKILL)
			case limits.Memory > 0 && u.RSS > limits.Memory:
				w.cause = Memory
				p.Signal(unix.SIGKILL)
			case limits.CPU > 0 && u.CPU-start > limits.CPU:
				expire(CPU)
			}
		}
	}
}
