package proc

import (
	"os/exec"
	"testing"
)

// BenchmarkPoll is what one look at the memory of a group costs; there are forty a second.
func BenchmarkPoll(b *testing.B) {
	cmd := exec.Command("sh", "-c", "sleep 100 & sleep 100")
	p, err := Start(cmd, nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		p.RSS()
	}
	p.Signal(9)
	p.Wait()
}
