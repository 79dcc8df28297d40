package main

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/sys/unix"

	"schedgap/bench"
	"schedgap/bench/runner"
)

// logEvery is how often progress is logged where there is no terminal for a bar.
const logEvery = 30 * time.Second

// A progress shows how far a run is: as a bar on a terminal, else as a log line now and then.
type progress struct {
	app    *app
	bars   *mpb.Progress // nil: no terminal
	bar    *mpb.Bar
	logged time.Time
}

func (a *app) progress(ctx context.Context) *progress {
	p := &progress{app: a, logged: time.Now()}
	if f, ok := a.stderr.(*os.File); ok && !a.quiet && a.logFormat == logText && terminal(f) {
		p.bars = mpb.NewWithContext(ctx, mpb.WithOutput(f), mpb.WithWidth(40))
	}
	return p
}

func terminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}

func (p *progress) show(now runner.Progress) {
	if r := now.Record; r != nil && failed(r) {
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
				mpb.AppendDecorators(decor.Elapsed(decor.ET_STYLE_GO)))
		}
		p.bar.SetCurrent(int64(now.Done))
		return
	}
	if now.Done == now.Total || time.Since(p.logged) >= logEvery {
		p.logged = time.Now()
		p.app.log.Info("progress", "done", now.Done, "units", now.Total)
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

func (p *progress) close() {
	if p.bars == nil {
		return
	}
	if p.bar != nil && !p.bar.Completed() {
		p.bar.Abort(false)
	}
	p.bars.Wait()
}

func failed(r *bench.Record) bool {
	switch bench.Status(r.Status) {
	case bench.Crash, bench.Error, bench.OOM, bench.Invalid:
		return true
	}
	return false
}
