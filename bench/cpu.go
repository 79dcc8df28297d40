package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// processCPU is the processor time that this process has used, user and system; negative when the system does not say.
func processCPU() time.Duration {
	var ru unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &ru); err != nil {
		return -1
	}
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}
