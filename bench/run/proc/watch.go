package proc

import (
	"cmp"
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

// A Watcher enforces limits on one process. It looks at it for the first time after pollEvery, and has no goroutine before, so that
// short work costs nothing: limits change and a watch ends without a switch to another thread.
type Watcher struct {
	process *Process

	mu          sync.Mutex // of the rest
	now         Limits
	used        time.Duration // processor time before they held
	clock, poll *time.Timer   // nil: not set
	forget      func() bool   // the end of the context
	over        bool          // nothing changes any more
	stopped     int           // looks in a row that found the leader stopped
	cause       Cause
	asked       time.Time // when SIGTERM was sent
	most        Usage
}

// Watch starts to enforce limits on p, which has used that much processor time; the end of ctx kills it at once. Stop must be
// called in the end.
func Watch(ctx context.Context, p *Process, limits Limits, used time.Duration) *Watcher {
	w := &Watcher{process: p, now: limits, used: used}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.set(limits.Time)
	w.poll = time.AfterFunc(pollEvery, func() { w.unlessOver(w.look) })
	w.forget = context.AfterFunc(ctx, func() { w.unlessOver(func() { w.kill(cmp.Or(w.cause, Canceled)) }) })
	return w
}

// unlessOver acts while the watch and the process go on.
func (w *Watcher) unlessOver(act func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.over && !w.gone() {
		act()
	}
}

// gone reports whether the process has ended.
func (w *Watcher) gone() bool {
	select {
	case <-w.process.Done():
		return true
	default:
		return false
	}
}

// set makes the clock go off after a time; 0: never.
func (w *Watcher) set(d time.Duration) {
	if w.clock != nil {
		w.clock.Stop()
		w.clock = nil
	}
	if d == 0 {
		return
	}
	var c *time.Timer
	c = time.AfterFunc(d, func() {
		w.unlessOver(func() {
			if w.clock == c { // else it was set again meanwhile
				w.expire(Time)
			}
		})
	})
	w.clock = c
}

// Restart sets the clocks of wall and processor time back to zero, with other limits; used is the processor time until now. Once
// the process has ended it does nothing.
func (w *Watcher) Restart(l Limits, used time.Duration) {
	w.unlessOver(func() {
		w.now, w.used, w.most.CPU = l, used, 0
		if w.cause == Alive {
			w.set(l.Time)
		}
	})
}

// Stop ends the watch. It returns why the process was killed, if it was, and the most that it was seen to use: resident memory,
// and processor time since the last restart, that of children included which nobody will wait for any more.
func (w *Watcher) Stop() (Cause, Usage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	w.set(0)
	w.poll.Stop()
	w.forget()
	return w.cause, w.most
}

func (w *Watcher) kill(c Cause) {
	w.cause = c
	w.process.Signal(unix.SIGKILL)
}

// expire asks the process to end, and makes it end when it was asked before.
func (w *Watcher) expire(c Cause) {
	if w.cause != Alive {
		w.process.Signal(unix.SIGKILL)
		return
	}
	w.cause = c
	w.set(killDelay)
	w.asked = time.Now()
	w.process.Signal(unix.SIGTERM)
}

// Asked is when SIGTERM was sent; zero: it was not. Call it after Stop.
func (w *Watcher) Asked() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked
}

// look measures the process, and does so again after a while.
func (w *Watcher) look() {
	w.poll.Reset(pollEvery)
	var u Usage
	if !w.now.Awake || w.now.Memory > 0 { // else somebody else looks at that
		u = w.process.Usage()
		w.most = Usage{RSS: max(w.most.RSS, u.RSS), CPU: max(w.most.CPU, u.CPU-w.used)}
	}
	w.stopped++
	if !w.now.Awake || !w.process.Stopped() {
		w.stopped = 0
	}
	switch {
	case w.cause != Alive:
	case w.stopped == stopPolls:
		w.kill(Stopped)
	case w.now.Memory > 0 && u.RSS > w.now.Memory:
		w.kill(Memory)
	case w.now.CPU > 0 && u.CPU-w.used > w.now.CPU:
		w.expire(CPU)
	}
}
