package experiment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// spend adds processor time to what was spent in a folder before, and returns the sum.
func spend(folder string, spent time.Duration) (time.Duration, error) {
	file := filepath.Join(folder, "seconds")
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	if err == nil {
		before, err := strconv.ParseFloat(strings.TrimSpace(string(data)), 64)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", file, err)
		}
		spent += time.Duration(before * float64(time.Second))
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return 0, err
	}
	return spent, os.WriteFile(file, []byte(strconv.FormatFloat(spent.Seconds(), 'f', 3, 64)+"\n"), 0o666)
}
