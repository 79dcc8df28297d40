package proc

import (
	"os/exec"
	"testing"
	"time"
)

// A process may end before its clocks are set back, however often; its watcher then holds nobody up.
func TestRestartAfterTheEnd(t *testing.T) {
	p, err := Start(exec.Command("true"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := Watch(t.Context(), p, Limits{Time: time.Minute}, 0)
	<-p.Done()
	for range 5 {
		w.Restart(Limits{Time: time.Minute}, 0)
	}
	if cause, _ := w.Stop(); cause != Alive {
		t.Errorf("killed for %v", cause)
	}
}

// A clock that goes off while it is set back kills nothing.
func TestRestartAsTheClockGoesOff(t *testing.T) {
	p, err := Start(exec.Command("sleep", "60"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := Watch(t.Context(), p, Limits{Time: time.Minute}, 0)
	for range 20 {
		w.Restart(Limits{Time: time.Minute}, 0)
		w.mu.Lock()
		w.clock.Reset(0)
		time.Sleep(time.Millisecond)
		w.set(Limits{Time: time.Minute}, 0)
		w.mu.Unlock()
	}
	time.Sleep(5 * time.Millisecond)
	if cause, _ := w.Stop(); cause != Alive {
		t.Errorf("killed for %v", cause)
	}
	p.Signal(9)
	p.Wait()
}
