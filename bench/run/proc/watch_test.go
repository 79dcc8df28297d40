package proc

import (
	"os/exec"
	"testing"
	"time"

	"schedgap/models/fail"
)

// A process may end before its clocks are set back, however often; its watcher then holds nobody up.
func TestRestartAfterTheEnd(t *testing.T) {
	p, err := Start(exec.Command("true"), Options{})
	fail.On(t, err)
	w := Watch(t.Context(), p, Limits{Time: time.Minute}, 0)
	<-p.Done()
	for range 5 {
		w.Restart(Limits{Time: time.Minute}, 0)
	}
	if cause, _ := w.Stop(); cause != Alive {
		t.Errorf("killed for %v", cause)
	}
}

// A clock that is set back takes the place of the one before, which kills nothing more; the last one does. The clocks are set back
// at once, so that a busy machine has a whole second for it.
func TestRestart(t *testing.T) {
	p, err := Start(exec.Command("sleep", "60"), Options{})
	fail.On(t, err)
	w := Watch(t.Context(), p, Limits{Time: time.Second}, 0)
	for range 5 {
		w.Restart(Limits{Time: time.Second}, 0)
	}
	last := time.Now()
	w.Restart(Limits{Time: 2 * time.Second}, 0)
	<-p.Done()
	if cause, _ := w.Stop(); cause != Time || time.Since(last) < 2*time.Second {
		t.Errorf("killed for %v after %v", cause, time.Since(last))
	}
}
