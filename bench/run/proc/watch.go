package proc

import (
	"cmp"
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
	// pollEvery is the time between two measurements of a group's usage.
	pollEvery = 25 * time.Millisecond
	// killDelay is how long a group may survive SIGTERM.
	killDelay = time.Second
)

// Limits are enforced by a Watcher; zero means no limit.
type Limits struct {
	Time   time.Duration // SIGTERM after that much time, SIGKILL a second later
	Memory int64         // SIGKILL as soon as the group's resident bytes exceed it
	CPU    time.Duration // SIGTERM and SIGKILL, as for Time, when it has used this much processor time
	Awake  bool          // SIGKILL when the leader is seen stopped for a while
}

// stopPolls is how many looks in a row must find a leader stopped.
const stopPolls = 8

// A Watcher enforces limits on one process. It looks at it for the first time after pollEvery, so that short work costs nothing.
type Watcher struct {
	process *Process
	limits  chan limited
	stop    chan struct{}
	over    chan struct{} // closed at the watch's end, after which the rest does not change
	cause   Cause
	most    Usage
}

// limited are limits, with the processor time that was used before they held.
type limited struct {
	Limits
	used time.Duration
}

// Watch starts to enforce limits on p, which has used that much processor time; the end of ctx kills it at once. Stop must be
// called in the end.
func Watch(ctx context.Context, p *Process, limits Limits, used time.Duration) *Watcher {
	w := &Watcher{process: p, limits: make(chan limited), stop: make(chan struct{}), over: make(chan struct{})}
	go w.watch(ctx, limited{limits, used})
	return w
}

// Restart sets the clocks of wall and processor time back to zero, with other limits; used is the processor time until now. Once
// the process has ended it does nothing.
func (w *Watcher) Restart(l Limits, used time.Duration) {
	select {
	case w.limits <- limited{l, used}:
	case <-w.over:
	}
}

// Stop ends the watch. It returns why the process was killed, if it was, and the most that it was seen to use: resident memory,
// and processor time since the last restart, that of children included which nobody will wait for any more.
func (w *Watcher) Stop() (Cause, Usage) {
	close(w.stop)
	<-w.over
	return w.cause, w.most
}

func (w *Watcher) watch(ctx context.Context, now limited) {
	defer close(w.over)
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	clock, canceled, stopped := after(now.Time), ctx.Done(), 0
	kill := func(c Cause) {
		w.cause = c
		w.process.Signal(unix.SIGKILL)
	}
	expire := func(c Cause) {
		if w.cause != Alive {
			w.process.Signal(unix.SIGKILL)
			return
		}
		w.cause, clock = c, after(killDelay)
		w.process.Signal(unix.SIGTERM)
	}
	for {
		select {
		case <-w.stop:
			return
		case <-w.process.Done():
			return
		case <-canceled:
			canceled = nil
			kill(cmp.Or(w.cause, Canceled))
		case now = <-w.limits:
			w.most.CPU = 0
			if w.cause == Alive {
				clock = after(now.Time)
			}
		case <-clock:
			expire(Time)
		case <-poll.C:
			var u Usage
			if !now.Awake || now.Memory > 0 { // else somebody else looks at that
				u = w.process.Usage()
				w.most = Usage{RSS: max(w.most.RSS, u.RSS), CPU: max(w.most.CPU, u.CPU-now.used)}
			}
			stopped++
			if !now.Awake || !w.process.Stopped() {
				stopped = 0
			}
			switch {
			case w.cause != Alive:
			case stopped == stopPolls:
				kill(Stopped)
			case now.Memory > 0 && u.RSS > now.Memory:
				kill(Memory)
			case now.CPU > 0 && u.CPU-now.used > now.CPU:
				expire(CPU)
			}
		}
	}
}

// after is a clock that goes off after a time; 0: never.
func after(d time.Duration) <-chan time.Time {
	if d == 0 {
		return nil
	}
	return time.After(d)
}
