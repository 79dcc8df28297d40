package proc

import (
	"os/exec"
	"testing"

	"schedgap/models/fail"
)

// BenchmarkPoll is what one look at what a group uses costs; there are forty a second.
func BenchmarkPoll(b *testing.B) {
	cmd := exec.Command("sh", "-c", "sleep 100 & sleep 100")
	p, err := Start(cmd, Options{})
	fail.On(b, err)
	for b.Loop() {
		p.Usage()
	}
	p.Signal(9)
	p.Wait()
}
