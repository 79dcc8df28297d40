package toyproblem

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"runtime"
	"time"

	"schedgap/models"
	"schedgap/models/proof"

	"golang.org/x/sys/unix"
)

func feasible(index int) (outcome, error) {
	return outcome{Solution: Pick{index}, Found: true, Status: models.Feasible}, nil
}

func heuristic(name, doc string, run func(ctx context.Context, p *pass) (outcome, error)) *algorithm {
	return &algorithm{Name: name, Doc: doc, Kind: models.Heuristic, Reference: "opt", Run: run}
}

// proving is good with passes that are to prove the optimum or to solve a relaxation.
func proving(name, doc string, prove func() error) *algorithm {
	return &algorithm{
		Name: name, Doc: doc, Kind: models.Exact, Reference: "opt", Proves: true,
		Run: func(_ context.Context, p *pass) (outcome, error) {
			o, err := feasible(best(p.Instance))
			o.Status = models.Optimal
			o.Prove = func(context.Context, float64) (*proof.Claim, error) { return nil, prove() }
			o.Relax = func(context.Context) (float64, error) { return 1, prove() }
			return o, err
		},
	}
}

// forever ignores its context, as native code does.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

var algorithms = []*algorithm{
	{
		Name: "good", Doc: "the optimum, by looking", Kind: models.Exact, Reference: "opt",
		Solvers: []string{"alpha", "beta"}, Models: []string{"list"},
		Run: func(_ context.Context, p *pass) (outcome, error) {
			solver := p.Solver
			if solver == "" {
				solver = "own"
			}
			o, err := feasible(best(p.Instance))
			o.Status, o.Stats = models.Optimal, models.Stats{Solver: solver, Model: p.Model}
			return o, err
		},
	},
	proving("dies-proving", "the optimum, then its process dies over the proof",
		func() error { return unix.Kill(unix.Getpid(), unix.SIGKILL) }),
	proving("hangs-proving", "the optimum, then never ends to prove it", func() error { forever(); return nil }),
	heuristic("first", "the first number", func(context.Context, *pass) (outcome, error) { return feasible(0) }),
	{
		Name: "nth", Doc: "the number of a given index", Kind: models.Heuristic, Reference: "opt", Waives: []string{"even"},
		Params: []models.Param{{Name: "index", Doc: "which", Default: 0, Max: 1000}},
		Run:    func(_ context.Context, p *pass) (outcome, error) { return feasible(p.Params.Int("index")) },
	},
	{
		Name: "random", Doc: "any number of the even ones", Kind: models.Heuristic, Reference: "opt", Random: true,
		Run: func(_ context.Context, p *pass) (outcome, error) {
			return feasible(p.Rand().IntN((len(p.Instance.Values)+1)/2) * 2)
		},
	},
	{
		Name: "pair", Doc: "needs two numbers", Kind: models.Heuristic, Reference: "opt",
		Applies: func(t *Toy, _ string) error {
			if len(t.Values) < 2 {
				return errors.New("it needs two numbers")
			}
			return nil
		},
		Run: func(context.Context, *pass) (outcome, error) { return feasible(0) },
	},
	{
		Name: "nap", Doc: "sleeps, then picks the first", Kind: models.Heuristic, Reference: "opt",
		Params: []models.Param{{Name: "ms", Doc: "how long, in milliseconds", Default: 20, Max: 1e6}},
		Run: func(_ context.Context, p *pass) (outcome, error) {
			time.Sleep(time.Duration(p.Params.Int("ms")) * time.Millisecond)
			return feasible(0)
		},
	},
	heuristic("slow", "works until it is stopped and hands back what it has", func(ctx context.Context, p *pass) (outcome, error) {
		p.Bounded(0)
		<-ctx.Done()
		return outcome{Solution: Pick{0}, Found: true, Status: models.Timeout}, nil
	}),
	{
		Name: "quits", Doc: "reports an incumbent, then only that it was stopped", Kind: models.Exact, Reference: "opt",
		Solvers: []string{"alpha"}, Models: []string{"list"},
		Run: func(ctx context.Context, p *pass) (outcome, error) {
			p.Improved(Pick{0})
			p.Bounded(0.5)
			<-ctx.Done()
			return outcome{}, fmt.Errorf("stopped: %w", ctx.Err())
		},
	},
	heuristic("improves", "reports incumbents until it is stopped", func(ctx context.Context, p *pass) (outcome, error) {
		for ctx.Err() == nil {
			p.Improved(Pick{0})
			time.Sleep(10 * time.Millisecond)
		}
		o, err := feasible(0)
		o.Status = models.Timeout
		return o, err
	}),
	heuristic("spins", "complains on the standard error, as native code does, and never ends",
		func(context.Context, *pass) (outcome, error) {
			if _, err := unix.Write(2, []byte("last words\n")); err != nil {
				return outcome{}, err
			}
			for i := 0; ; i++ {
				runtime.KeepAlive(i)
			}
		}),
	heuristic("deaf", "never ends", func(context.Context, *pass) (outcome, error) {
		forever()
		return feasible(0)
	}),
	heuristic("hangs", "reports incumbents and bounds, then never ends", func(_ context.Context, p *pass) (outcome, error) {
		p.Improved(Pick{0})
		p.Improved(Pick{2})
		p.Bounded(-1)
		p.Bounded(-3) // worse, must not win
		forever()
		return feasible(0)
	}),
	heuristic("hangs-wrong", "reports an infeasible incumbent, then never ends", func(_ context.Context, p *pass) (outcome, error) {
		p.Improved(Pick{1})
		forever()
		return feasible(0)
	}),
	heuristic("stubborn", "starts a child that ignores SIGTERM, then never ends", func(_ context.Context, p *pass) (outcome, error) {
		cmd := exec.Command("sh", "-c", Stubborn)
		cmd.Env = append(cmd.Environ(), "PIDFILE="+p.Instance.Name)
		if err := cmd.Start(); err != nil {
			return outcome{}, err
		}
		forever()
		return feasible(0)
	}),
	heuristic("segv", "dies of SIGSEGV", func(context.Context, *pass) (outcome, error) {
		_ = unix.Kill(unix.Getpid(), unix.SIGSEGV)
		forever()
		return feasible(0)
	}),
	heuristic("killed", "dies of SIGKILL, with an incumbent", func(_ context.Context, p *pass) (outcome, error) {
		p.Improved(Pick{0})
		p.Bounded(-1)
		_ = unix.Kill(unix.Getpid(), unix.SIGKILL)
		forever()
		return feasible(0)
	}),
	heuristic("leak", "allocates until it is stopped", func(context.Context, *pass) (outcome, error) {
		var hoard [][]byte
		for {
			block := make([]byte, 8<<20)
			for i := 0; i < len(block); i += 4096 {
				block[i] = 1
			}
			hoard = append(hoard, block)
			time.Sleep(time.Duration(len(hoard)) * time.Millisecond)
		}
	}),
	heuristic("liar", "claims a wrong objective", func(context.Context, *pass) (outcome, error) {
		o, err := feasible(0)
		claim := -1e9
		o.Claimed = &claim
		return o, err
	}),
	heuristic("invalid", "picks what is not there", func(context.Context, *pass) (outcome, error) { return feasible(-1) }),
	heuristic("panics", "panics", func(context.Context, *pass) (outcome, error) { panic("toy panic") }),
	heuristic("fails", "fails", func(context.Context, *pass) (outcome, error) {
		return outcome{}, errors.New("toy failure")
	}),
	heuristic("noisy", "prints to the standard output, as native code does", func(context.Context, *pass) (outcome, error) {
		if _, err := unix.Write(1, []byte("{\"kind\":\"result\",\"id\":1}\nSet parameter LogToConsole\n")); err != nil {
			return outcome{}, err
		}
		return feasible(0)
	}),
	heuristic("litters", "leaves a goroutine behind", func(context.Context, *pass) (outcome, error) {
		go forever()
		return feasible(0)
	}),
	{
		Name: "pid", Doc: "claims its process id as the objective", Kind: models.Heuristic, Reference: "opt",
		Run: func(context.Context, *pass) (outcome, error) {
			o, err := feasible(0)
			pid := float64(unix.Getpid())
			o.Claimed = &pid
			return o, err
		},
	},
	{
		Name: "printed", Doc: "the optimum, claimed with six decimals", Kind: models.Exact, Reference: "opt",
		Run: func(_ context.Context, p *pass) (outcome, error) {
			i := best(p.Instance)
			claim := math.Round(p.Instance.Values[i]*1e6) / 1e6
			return outcome{Solution: Pick{Index: i}, Found: true, Status: models.Optimal, Claimed: &claim}, nil
		},
	},
	{
		Name: "gap", Doc: "a bound and no solution", Kind: models.Bound, Reference: "opt",
		Run: func(_ context.Context, p *pass) (outcome, error) {
			lower := p.Instance.Values[best(p.Instance)] - 1
			return outcome{Status: models.Feasible, Bound: &lower}, nil
		},
	},
}

// Stubborn is a shell script that writes its process id to $PIDFILE and ignores SIGTERM.
const Stubborn = `trap "" TERM; echo $$ > "$PIDFILE.tmp"; mv "$PIDFILE.tmp" "$PIDFILE"; while :; do sleep 1; done`
