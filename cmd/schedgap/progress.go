package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/sys/unix"

	"schedgap/bench"
	"schedgap/bench/run/runner"
	"schedgap/reports/words"
)

// logEvery is how often progress is logged where there is no terminal for a bar.
const logEvery = 10 * time.Second

// A progress shows how far a run is: as a bar on a terminal, else as a log line now and then, whether units end or not.
type progress struct {
	log  *slog.Logger  // warnings go above the bar, if there is one
	bars *mpb.Progress // nil: no terminal
	bar  *mpb.Bar
	stop func()

	mu  sync.Mutex
	now runner.Progress
}

func (a *app) progress(ctx context.Context, every time.Duration) *progress {
	p := &progress{log: a.log, stop: func() {}}
	if f, ok := a.stderr.(*os.File); ok && !a.quiet && a.logFormat == logText && terminal(f) {
		p.bars = mpb.NewWithContext(ctx, mpb.WithOutput(f), mpb.WithWidth(40))
		p.log = a.loggerTo(p.bars, a.quiet)
		return p
	}
	ctx, p.stop = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		for ticks := time.Tick(every); ; {
			select {
			case <-ticks:
				p.mu.Lock()
				now := p.now
				p.mu.Unlock()
				if now.Done < now.Total {
					p.line(now)
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return p
}

func (p *progress) line(now runner.Progress) {
	p.log.Info("progress", "done", now.Done, "units", now.Total, "failed", now.Failed, "left", left(now))
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
		reason := firstLine(words.Text(r.Error))
		p.log.Warn("unit failed", "algorithm", r.Algorithm, "instance", r.Instance, "status", r.Status, "error", reason)
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

// rest is the part of the bar after the elapsed time.
func (p *progress) rest(decor.Statistics) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprintf(", %s left, %d failed", left(p.now), p.now.Failed)
}

func (p *progress) close() {
	p.stop()
	if p.bars == nil {
		return
	}
	if p.bar != nil && !p.bar.Completed() {
		p.bar.Abort(false)
	}
	p.bars.Wait()
}
