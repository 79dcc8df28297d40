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
	w := Watch(t.Context(), p, Limits{Time: time.Minute})
	<-p.Done()
	for range 5 {
		w.Restart(Limits{Time: time.Minute})
	}
	if cause, _ := w.Stop(); cause != Alive {
		t.Errorf("killed for %v", cause)
	}
}
