package suite

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"schedgap/models/strict"
)

var units = []struct {
	suffix string
	bytes  int64
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}, {"", 1}}

// minSize is the least memory limit: no process does with less, so that a smaller one is a forgotten unit.
const minSize = 1 << 20

// ParseSize reads the size of a memory limit: bytes, or a number with one of the units B, KiB, MiB, GiB and TiB, such as
// 1.5GiB; at least 1 MiB.
func ParseSize(text string) (int64, error) {
	for _, u := range units {
		digits, ok := strings.CutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		digits = strings.TrimSpace(digits)
		f, err := strconv.ParseFloat(digits, 64)
		size := f * float64(u.bytes)
		n, whole := strict.Whole(digits)
		switch {
		case err != nil || !(size > 0 && size < math.MaxInt64) || whole && n > math.MaxInt64/u.bytes:
			return 0, unknownSize(text)
		case size < minSize:
			return 0, fmt.Errorf("%q must be at least 1MiB; without a unit it is a number of bytes", text)
		case whole:
			return n * u.bytes, nil
		case u.bytes == 1:
			return 0, fmt.Errorf("%q must be a whole number of bytes", text)
		}
		return int64(size), nil
	}
	return 0, unknownSize(text)
}

func unknownSize(text string) error {
	return fmt.Errorf("%q must be a size such as 4GiB, 512MiB or a number of bytes", text)
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
