package worker

import (
	"bytes"
	"os"
	"strconv"
)

// resetPeakRSS makes the kernel forget the largest resident size of this process so far.
func resetPeakRSS() bool { return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil }

// peakRSS is the largest resident size of this process since the last reset in bytes, 0 if the system does not say.
func peakRSS() int64 {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := bytes.Cut(status, []byte("\nVmHWM:"))
	line, _, _ := bytes.Cut(rest, []byte(" kB"))
	kib, _ := strconv.ParseInt(string(bytes.TrimSpace(line)), 10, 64)
	return kib << 10
}
