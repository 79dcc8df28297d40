package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// ProcessCPU is the processor time that this process and the children it has waited for, such as solvers run as commands,
// have used, user and system; negative when the system does not say.
func ProcessCPU() time.Duration {
	var total time.Duration
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var ru unix.Rusage
		if err := unix.Getrusage(who, &ru); err != nil {
			return -1
		}
		total += time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
	}
	return total
}
