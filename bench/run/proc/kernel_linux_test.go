package proc

import (
	"os"
	"strconv"
	"testing"
)

// Threads of the kernel have no program, and no process that has one is taken for such a thread.
func TestKernelThreads(t *testing.T) {
	threads := kernelThreads()
	if program, err := os.Readlink("/proc/2/exe"); err == nil && len(threads) > 0 {
		t.Errorf("the second process runs %s, and %d threads of the kernel are found", program, len(threads))
	}
	if comm, _ := os.ReadFile("/proc/2/comm"); string(comm) == "kthreadd\n" && len(threads) == 0 {
		t.Error("no thread of the kernel is found")
	}
	for pid := range threads {
		if program, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe"); err == nil {
			t.Errorf("%d runs %s", pid, program)
		}
	}
	if threads[os.Getpid()] || threads[1] {
		t.Error("a process is taken for a thread of the kernel")
	}
}
