package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/sys/unix"

	"schedgap/bench"
	"schedgap/bench/runner"
)

// logEvery is how often progress is logged where there is no terminal for a bar.
const logEvery = 10 * time.Second

// A progress shows how far a run is: as a bar on a terminal, else as a log line now and then, whether units end or not.
type progress struct {
	app   *app
	bars  *mpb.Progress // nil: no terminal
	bar   *mpb.Bar
	ended chan struct{}

	mu  sync.Mutex
	now runner.Progress
}

func (a *app) progress(ctx context.Context, every time.Duration) *progress {
	p := &progress{app: a, ended: make(chan struct{})}
	if f, ok := a.stderr.(*os.File); ok && !a.quiet && a.logFormat == logText && terminal(f) {
		p.bars = mpb.NewWithContext(ctx, mpb.WithOutput(f), mpb.WithWidth(40))
	} else {
		go p.logNowAndThen(every)
	}
	return p
}

func (p *progress) logNowAndThen(every time.Duration) {
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			p.mu.Lock()
			now := p.now
			p.mu.Unlock()
			if now.Done < now.Total {
				p.line(now)
			}
		case <-p.ended:
			return
		}
	}
}

func (p *progress) line(now runner.Progress) {
	p.app.log.Info("progress", "done", now.Done, "units", now.Total, "failed", now.Failed, "left", left(now))
}

// left says how long the rest will take; ? when nothing is known about that.
func left(now runner.Progress) string {
	if now.Done == 0 {
		return "?"
	}
	return now.Left(time.Now()).Round(time.Second).String()
}

func terminal(f *os.File) bool {
	_, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	return err == nil
}

func (p *progress) show(now runner.Progress) {
	p.mu.Lock()
	p.now = now
	p.mu.Unlock()
	if r := now.Record; r != nil && bench.Status(r.Status).Broken() {
		reason := ""
		if r.Error != nil {
			reason = firstLine(*r.Error)
		}
		p.log("unit failed", "algorithm", r.Algorithm, "instance", r.Instance, "status", r.Status, "error", reason)
	}
	if p.bars != nil {
		if p.bar == nil {
			p.bar = p.bars.AddBar(int64(now.Total),
				mpb.PrependDecorators(decor.CountersNoUnit("%d/%d units")),
				mpb.AppendDecorators(decor.Elapsed(decor.ET_STYLE_GO), decor.Any(p.rest)))
		}
		p.bar.SetCurrent(int64(now.Done))
		return
	}
	if now.Done == now.Total {
		p.line(now)
	}
}

// log writes a warning above the bar, if there is one.
func (p *progress) log(message string, args ...any) {
	if p.bars == nil {
		p.app.log.Warn(message, args...)
		return
	}
	p.app.loggerTo(io.Writer(p.bars), p.app.quiet).Warn(message, args...)
}

// rest is what the bar says behind the time that has passed.
func (p *progress) rest(decor.Statistics) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf(", %s left, %d failed", left(p.now), p.now.Failed)
}

func (p *progress) close() {
	close(p.ended)
	if p.bars == nil {
		return
	}
	if p.bar != nil && !p.bar.Completed() {
		p.bar.Abort(false)
	}
	p.bars.Wait()
}
