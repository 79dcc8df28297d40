package suite

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

var units = []struct {
	suffix string
	bytes  int64
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}, {"", 1}}

// ParseSize reads a positive size: bytes, or a number with one of the units B, KiB, MiB, GiB and TiB, such as 1.5GiB.
func ParseSize(text string) (int64, error) {
	for _, u := range units {
		digits, ok := strings.CutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		f, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
		size := f * float64(u.bytes)
		if err != nil || !(size >= 1 && size < math.MaxInt64) {
			break
		}
		return int64(size), nil
	}
	return 0, fmt.Errorf("%q must be a size such as 4GiB, 512MiB or a number of bytes", text)
}

// FormatSize writes a size in the largest unit that divides it.
func FormatSize(bytes int64) string {
	for _, u := range units {
		if bytes >= u.bytes && bytes%u.bytes == 0 {
			return strconv.FormatInt(bytes/u.bytes, 10) + u.suffix
		}
	}
	return "0"
}
