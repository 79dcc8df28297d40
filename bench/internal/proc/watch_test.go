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

// Clocks that are set back in time kill nothing; the last one does.
func TestRestart(t *testing.T) {
	p, err := Start(exec.Command("sleep", "60"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	w := Watch(t.Context(), p, Limits{Time: time.Second}, 0)
	for range 5 {
		time.Sleep(300 * time.Millisecond)
		w.Restart(Limits{Time: time.Second}, 0)
	}
	<-p.Done()
	if cause, _ := w.Stop(); cause != Time || time.Since(began) < 2400*time.Millisecond {
		t.Errorf("killed for %v after %v", cause, time.Since(began))
	}
}
