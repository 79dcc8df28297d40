// Command mutation changes a package's code one operator at a time, runs the package's own tests on each change, and lists the changes
// that they do not notice; scripts/mutate runs it at the top of the checkout.
//
//	mutation [-diff BASE] [-tenth SEED] PACKAGE
//
// All changes are compiled into one test program, in which a variable of the environment says which is on. So a change costs no more than
// the tests that reach it. A change that may stay is a line of survivors.tsv: file, kind, text of the line, reason. The text, not the
// line's number, is compared, so that a reason outlives changes elsewhere in its file.
package main

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const survivors = "scripts/mutation/survivors.tsv"

func main() {
	diff := flag.String("diff", "", "change only lines that differ from this commit")
	tenth := flag.String("tenth", "", "change only a tenth, drawn with this seed")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	open, err := run(strings.TrimSuffix(strings.TrimPrefix(flag.Arg(0), "./"), "/"), *diff, *tenth)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(2)
	}
	if open > 0 {
		os.Exit(1)
	}
}

// run prints the survivors and returns how many are neither killed nor excused.
func run(pkg, diff, tenth string) (open int, err error) {
	excused, stale, err := excuses(pkg)
	if err != nil {
		return 0, err
	}
	fresh, err := differ(pkg, diff)
	if err != nil {
		return 0, err
	}
	f, p, err := find(pkg, func(m mutant) bool {
		return (diff == "" || fresh[line{m.file, m.line}]) && (tenth == "" || drawn(m, tenth))
	})
	if err != nil {
		return 0, err
	}
	for _, s := range stale {
		open++
		fmt.Printf("%s: %s has no line %q any more\n", survivors, s.file, s.text)
	}
	if len(f.mutants) == 0 {
		fmt.Printf("%s: nothing to change\n", pkg)
		return open, nil
	}
	count := map[string]int{}
	reasons := 0
	err = try(f, p, func(m mutant, status string) {
		count[status]++
		if status != lived && status != unreached {
			return
		}
		if excused[survivor{m.file, m.kind, m.text}] {
			reasons++
			return
		}
		open++
		fmt.Printf("%s:%d:%d: %s %s: %s\n", m.file, m.line, m.column, status, m.kind, m.text)
	})
	if err != nil {
		return 0, err
	}
	noticed := count[killed] + count[late]
	fmt.Printf("%s: %d changes, %d noticed (%d by time), %d not, %d not reached: efficacy %.1f %%; %d have a reason\n", pkg, len(f.mutants),
		noticed, count[late], count[lived], count[unreached], 100*float64(noticed)/float64(max(1, noticed+count[lived])), reasons)
	return open, nil
}

// drawn reports whether a change is in the tenth of a seed.
func drawn(m mutant, seed string) bool {
	h := fnv.New64a()
	fmt.Fprint(h, seed, m.file, m.text, m.column, m.kind)
	sum := h.Sum64()
	return (sum^sum>>29)*0x9e3779b97f4a7c15>>32%10 == 0
}

// A line is one of a file.
type line struct {
	file   string
	number int
}

// differ lists the lines of a package that differ from a commit; none: it is not asked.
func differ(pkg, base string) (map[line]bool, error) {
	if base == "" {
		return nil, nil
	}
	cmd := exec.Command("git", "diff", "--unified=0", "--no-prefix", base, "--", pkg)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git diff %s: %w", base, err)
	}
	fresh := map[line]bool{}
	file := ""
	for text := range strings.Lines(string(out)) {
		if name, found := strings.CutPrefix(text, "+++ "); found {
			file = strings.TrimSpace(name)
		}
		if !strings.HasPrefix(text, "@@ ") {
			continue
		}
		at, size, _ := strings.Cut(strings.TrimPrefix(strings.Fields(text)[2], "+"), ",")
		from, err := strconv.Atoi(at)
		n := 1
		if err == nil && size != "" {
			n, err = strconv.Atoi(size)
		}
		if err != nil {
			return nil, fmt.Errorf("git diff %s: %q: %w", base, text, err)
		}
		for i := range n {
			fresh[line{file, from + i}] = true
		}
	}
	return fresh, nil
}

// A survivor is a change that the tests do not notice.
type survivor struct{ file, kind, text string }

// excuses reads the survivors of a package that have a reason, and those whose line is gone.
func excuses(pkg string) (excused map[survivor]bool, stale []survivor, err error) {
	data, err := os.ReadFile(survivors)
	if err != nil {
		return nil, nil, err
	}
	excused = map[survivor]bool{}
	for i, text := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if strings.HasPrefix(text, "#") {
			continue
		}
		fields := strings.Split(text, "\t")
		if len(fields) != 4 || strings.TrimSpace(fields[3]) == "" {
			return nil, nil, fmt.Errorf("%s:%d: expected file, kind, text, and reason, separated by tabs", survivors, i+1)
		}
		s := survivor{fields[0], fields[1], fields[2]}
		if filepath.ToSlash(filepath.Dir(s.file)) != pkg {
			continue
		}
		excused[s] = true
		source, err := os.ReadFile(s.file)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, nil, err
		}
		if !slices.ContainsFunc(strings.Split(string(source), "\n"), func(l string) bool { return strings.TrimSpace(l) == s.text }) {
			stale = append(stale, s)
		}
	}
	return excused, stale, nil
}
