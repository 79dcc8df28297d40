package proc

import (
	"context"
	"sync"
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

// A Watcher enforces limits on one process. It looks at it for the first time after pollEvery, so that short work costs nothing.
type Watcher struct {
	process     *Process
	clock, poll *time.Timer
	forget      func() bool // the end of the context

	mu      sync.Mutex
	over    bool
	limits  Limits
	due     time.Time     // when the clock goes off
	start   time.Duration // processor time before the last restart
	stopped int           // looks in a row
	cause   Cause
	most    Usage
}

// Watch starts to enforce limits on p, which has used that much processor time; the end of ctx kills it at once. Stop must be
// called in the end.
func Watch(ctx context.Context, p *Process, limits Limits, used time.Duration) *Watcher {
	w := &Watcher{process: p, start: used}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock = time.AfterFunc(pollEvery, w.alive(func() {
		if !w.due.IsZero() && !time.Now().Before(w.due) { // else it was set back while it went off
			w.expire(Time)
		}
	}))
	w.poll = time.AfterFunc(pollEvery, w.alive(w.look))
	w.set(limits, used)
	w.forget = context.AfterFunc(ctx, w.alive(func() {
		if w.cause == Alive {
			w.cause = Canceled
		}
		p.Signal(unix.SIGKILL)
	}))
	return w
}

// alive returns do for a moment when the process may have ended, or the watch: then it does nothing.
func (w *Watcher) alive(do func()) func() {
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		select {
		case <-w.process.Done():
		default:
			if !w.over {
				do()
			}
		}
	}
}

// Restart sets the clocks of wall and processor time back to zero, with other limits; used is the processor time until now. Once
// the process has ended it does nothing.
func (w *Watcher) Restart(l Limits, used time.Duration) { w.alive(func() { w.set(l, used) })() }

func (w *Watcher) set(l Limits, used time.Duration) {
	w.limits, w.start, w.most.CPU = l, used, 0
	switch {
	case w.cause != Alive:
	case l.Time > 0:
		w.setClock(l.Time)
	default:
		w.clock.Stop()
		w.due = time.Time{}
	}
}

func (w *Watcher) setClock(d time.Duration) {
	w.due = time.Now().Add(d)
	w.clock.Reset(d)
}

// Stop ends the watch. It returns why the process was killed, if it was, and the most that it was seen to use: resident memory,
// and processor time since the last restart, that of children included which nobody will wait for any more.
func (w *Watcher) Stop() (Cause, Usage) {
	w.forget()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	w.clock.Stop()
	w.poll.Stop()
	return w.cause, w.most
}

// expire is SIGTERM, and SIGKILL a little later.
func (w *Watcher) expire(cause Cause) {
	if w.cause == Alive {
		w.cause = cause
		w.process.Signal(unix.SIGTERM)
		w.setClock(killDelay)
	} else {
		w.process.Signal(unix.SIGKILL)
	}
}

func (w *Watcher) look() {
	p, l := w.process, w.limits
	var u Usage
	if !l.Awake || l.Memory > 0 { // else somebody else looks at that
		u = p.Usage()
		w.most = Usage{RSS: max(w.most.RSS, u.RSS), CPU: max(w.most.CPU, u.CPU-w.start)}
	}
	if w.stopped++; !l.Awake || !p.Stopped() {
		w.stopped = 0
	}
	switch {
	case w.cause != Alive:
	case w.stopped == stopPolls:
		w.cause = Stopped
		p.Signal(unix.SIGKILL)
	case l.Memory > 0 && u.RSS > l.Memory:
		w.cause = Memory
		p.Signal(unix.SIGKILL)
	case l.CPU > 0 && u.CPU-w.start > l.CPU:
		w.expire(CPU)
	}
	w.poll.Reset(pollEvery)
}
