package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/external"
	"schedgap/bench/run/proc"
	"schedgap/bench/run/sysinfo"

	"golang.org/x/sys/unix"
)

// Serve is the child's side: it runs the jobs that it reads from in and writes their results to out, until in ends. Run it in a
// process of its own: it changes that process's limits. When out is the standard output, Serve keeps it for itself and points
// file descriptor 1 at the standard error, so that output of native code cannot break the protocol. It returns an error when in
// ends, which means that the parent is gone, or ctx is done while a job runs; the job then still runs, and the process should end.
func Serve(ctx context.Context, registry *bench.Registry, in io.Reader, out io.Writer) error {
	return (&server{registry: registry}).loop(ctx, in, out)
}

func (s *server) loop(ctx context.Context, in io.Reader, out io.Writer) error {
	if f, ok := out.(*os.File); ok && f == os.Stdout {
		own, err := claimStdout()
		if err != nil {
			return err
		}
		defer own.Close()
		out = own
	}
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return fmt.Errorf("switching core dumps off: %w", err)
	}
	s.out = out
	_ = os.WriteFile("/proc/self/comm", []byte(filepath.Base(os.Args[0])), 0) // Linux took it from the path, which may be sysinfo's
	if err := s.send(message{Kind: ready, Build: sysinfo.BuildID(), Confined: s.confined, Unconfined: s.unconfined}); err != nil {
		return err
	}
	jobs, readErr := readJobs(ctx, in)
	for {
		var j *job
		select {
		case <-ctx.Done():
			return nil
		case j = <-jobs:
		}
		if j == nil {
			return *readErr
		}
		if err := s.serve(ctx, j, jobs); err != nil {
			return err
		}
	}
}

// claimStdout returns the standard output under another descriptor, which children do not inherit.
func claimStdout() (*os.File, error) {
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("duplicating the standard output: %w", err)
	}
	if err := redirect(2, 1); err != nil {
		return nil, fmt.Errorf("redirecting the standard output: %w", err)
	}
	return os.NewFile(uintptr(fd), "protocol"), nil
}

// readJobs reads jobs until in ends or breaks, which closes the channel; the error is then set.
func readJobs(ctx context.Context, in io.Reader) (<-chan *job, *error) {
	jobs, failure := make(chan *job), new(error)
	go func() {
		defer close(jobs)
		for lines := json.NewDecoder(in); ; {
			j := &job{}
			if err := lines.Decode(j); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				*failure = fmt.Errorf("reading a job: %w", err)
				return
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				return
			}
		}
	}()
	return jobs, failure
}

type server struct {
	registry   *bench.Registry
	instance   *bench.Instance // of the job before
	supervises bool            // it runs commands, and nothing else
	folder     string          // for commands' temporary files, emptied after each; empty: there is none
	cgroups    *proc.Cgroups   // for commands; nil: none
	batch      external.Batch  // the command that is kept, if any
	used       bool            // an algorithm has run
	collected  uint64          // bytes that had been allocated when garbage was collected last
	confined   string          // what confines commands
	unconfined string          // why nothing does

	mu  sync.Mutex // of out: algorithms may report from several goroutines
	out io.Writer
}

func (s *server) send(m message) error {
	_, kept := proc.Kept()
	m.CPU = bench.ProcessCPU() + kept
	head, solution := m.cut()
	line, err := json.Marshal(head)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, part := range [][]byte{append(line, '\n'), solution} {
		if _, err := s.out.Write(part); err != nil {
			return fmt.Errorf("writing to the parent: %w", err)
		}
	}
	return nil
}

// errOrphan says that the parent is gone.
var errOrphan = errors.New("the parent closed the connection while a job was running")

// serve runs one job in a goroutine of its own, so that the end of the parent is noticed meanwhile.
func (s *server) serve(ctx context.Context, j *job, jobs <-chan *job) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	before := goroutines()
	answer := make(chan *bench.Result, 1)
	go func() {
		run := s.run
		if s.supervises {
			run = s.command
		}
		in, err := s.load(j)
		if err == nil {
			var res *bench.Result
			res, err = run(ctx, in, j)
			if err == nil {
				answer <- res
				return
			}
		}
		answer <- &bench.Result{Status: bench.Error, Error: err.Error()}
	}()
	end := func(err error) error {
		if s.supervises { // the command dies first
			cancel()
			<-answer
		}
		return err
	}
	select {
	case <-ctx.Done():
		return end(ctx.Err())
	case <-jobs:
		return end(errOrphan)
	case res := <-answer:
		if len(res.Solution) > j.Solution && !unchecked(res) {
			res.Solution = nil
		}
		m := message{Kind: result, ID: j.ID, Result: res, Dirty: !j.Request.Batch && leftovers(before) || s.supervises &&
			proc.PeakRSS() > crowded}
		err := s.send(m)
		if bad := new(json.UnsupportedValueError); errors.As(err, &bad) {
			m.Result = &bench.Result{
				Kind: res.Kind, Reference: res.Reference, Waived: res.Waived, WallSeconds: res.WallSeconds,
				Status: bench.Error, Error: fmt.Sprintf("the result holds the value %s, which is no number", bad.Str),
			}
			err = s.send(m)
		}
		if err != nil {
			return err
		}
	}
	// The garbage of this job is nobody else's to collect, least of all on the next job's time.
	debug.SetMemoryLimit(math.MaxInt64)
	if s.supervises && proc.PeakRSS() > crowded/2 || !s.supervises && allocated() > s.collected+litter {
		debug.FreeOSMemory()
		s.collected = allocated()
	}
	return nil
}

// unchecked reports whether a result has a solution and no verdict on it.
func unchecked(r *bench.Result) bool { return len(r.Solution) > 0 && r.Feasible == nil }

// litter is how many bytes of garbage the next job may find: collecting any costs as much as many a job.
const litter = 2 << 20

// allocated is how many bytes this process has ever allocated.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// goroutines is how many run, without those of commands that are kept on purpose.
func goroutines() int {
	kept, _ := proc.Kept()
	return runtime.NumGoroutine() - kept
}

// leftovers reports whether more goroutines run than before the job, after a moment's grace for those about to end.
func leftovers(before int) bool {
	for try := range 20 {
		if goroutines() <= before {
			return false
		}
		if try < 10 {
			runtime.Gosched()
		} else {
			time.Sleep(time.Millisecond)
		}
	}
	return true
}

func (s *server) run(ctx context.Context, in *bench.Instance, j *job) (*bench.Result, error) {
	runtime.GOMAXPROCS(max(1, j.Request.Threads))
	if j.Limits.Memory > 0 {
		debug.SetMemoryLimit(j.Limits.Memory / 10 * 9)
	}
	peakKnown := proc.ResetPeakRSS() || !s.used
	s.used = true
	if err := s.send(message{Kind: start, ID: j.ID}); err != nil {
		return nil, err
	}
	limited := func() (context.Context, context.CancelFunc) {
		if j.Limits.Time > 0 {
			return context.WithTimeout(ctx, j.Limits.Time)
		}
		return context.WithCancel(ctx)
	}
	running, cancel := limited()
	defer cancel()
	// What cannot be sent is lost with the parent, and NaN is no bound: neither is the algorithm's business.
	res := in.Problem.Run(running, in, j.Request, bench.Observer{
		Incumbent: func(at bench.Moment, solution json.RawMessage) {
			_ = s.send(message{Kind: incumbent, ID: j.ID, Solution: solution, At: &at})
		},
		Bound: func(at bench.Moment, b float64) { _ = s.send(message{Kind: bound, ID: j.ID, Bound: &b, At: &at}) },
		Ended: func() { _ = s.send(message{Kind: ended, ID: j.ID}) },
		Kept:  &j.Solution,
	})
	if peakKnown {
		res.PeakRSSBytes = bench.OrNull(proc.PeakRSS())
	}
	proves := j.Request.Prove && (res.Status == bench.Optimal || res.Status == bench.Timeout || res.Status == bench.Feasible)
	if proves || res.Relaxes() {
		unproven := *res
		if len(res.Solution) > j.Solution {
			unproven.Solution = nil
		}
		_ = s.send(message{Kind: judged, ID: j.ID, Result: &unproven})
		later, cancel := limited()
		defer cancel()
		if proves {
			in.Problem.Prove(later, in, res)
		} else {
			res.Relax(later)
		}
	}
	return res, nil
}

// load returns the job's instance.
func (s *server) load(j *job) (*bench.Instance, error) {
	if len(j.Instance) > 0 && j.Folder != "" {
		if _, err := s.registry.Adopt(j.Folder); err != nil {
			return nil, err
		}
	}
	if len(j.Instance) > 0 {
		in, err := s.registry.ParseInstance("instance", j.Instance)
		if err != nil {
			return nil, err
		}
		s.instance = in
	}
	if s.instance == nil || s.instance.SHA256 != j.SHA256 {
		return nil, fmt.Errorf("the worker was sent another instance than %s", j.SHA256)
	}
	return s.instance, nil
}
