package runner

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"schedgap/bench/run/store"
)

// A journal knows which commands were running when a run of a shard died, so that one that ends every run does not keep the set
// from ever being complete. It is a file of lines, each appended at once: "+ ID TIME" when a unit starts, "- ID" when its row is
// there, "interrupted" when the user asked the run to end, after which its death is nobody's fault, and, at its beginning, "died
// ID TIME" for every earlier run that died with the unit, which had started then. A line that is torn, or lost with the machine,
// costs one more try.
type journal struct {
	mu     sync.Mutex
	file   *os.File
	deaths map[string][]string // when the unit had started in each of the runs that died before it ended
}

// openJournal reads what earlier runs left and begins with that.
func openJournal(path string) (*journal, error) {
	j := &journal{deaths: map[string][]string{}}
	data, _ := os.ReadFile(path) // no journal, no deaths
	running := map[string]string{}
	interrupted := false
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		verb, rest, _ := strings.Cut(lines.Text(), " ")
		id, at, _ := strings.Cut(rest, " ")
		switch verb {
		case "+":
			running[id] = cmp.Or(at, "at an unknown time")
		case "-":
			delete(running, id)
			delete(j.deaths, id)
		case "died":
			j.deaths[id] = append(j.deaths[id], cmp.Or(at, "at an unknown time"))
		case "interrupted":
			interrupted = true
		}
	}
	for id, at := range running {
		if !interrupted {
			j.deaths[id] = append(j.deaths[id], at)
		}
	}
	var text bytes.Buffer
	for id, deaths := range j.deaths {
		for _, at := range deaths {
			fmt.Fprintf(&text, "died %s %s\n", id, at)
		}
	}
	if err := store.WriteFile(path, text.Bytes()); err != nil {
		return nil, err
	}
	var err error
	j.file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	return j, err
}

func (j *journal) write(format string, args ...any) error {
	if _, err := fmt.Fprintf(j.file, format, args...); err != nil {
		return fmt.Errorf("noting the running units: %w", err)
	}
	return nil
}

// start notes that a unit is about to run.
func (j *journal) start(u planned) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.write("+ %s %s\n", u.noted(), time.Now().UTC().Format(time.RFC3339))
}

// died lists the runs that died with a unit and the same files of its command, by the time at which it had started.
func (j *journal) died(u planned) []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.deaths[u.noted()]
}

// history describes the runs that died with a command.
func history(deaths []string) string {
	times := "once"
	if n := len(deaths); n > 1 {
		times = fmt.Sprintf("%d times in a row", n)
	}
	return fmt.Sprintf("the run died %s while this command was running, which had started %s", times, strings.Join(deaths, ", "))
}

// noted is the journal's key of a unit.
func (u planned) noted() string { return u.id + u.digest }

// ended notes that a unit has its row, if it is one of those that are noted.
func (j *journal) ended(u planned) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.present(); err != nil || len(u.Request.Command) == 0 {
		return err
	}
	delete(j.deaths, u.noted())
	return j.write("- %s\n", u.noted())
}

// present returns an error if the results folder is gone or was replaced: earlier rows are lost then, and new ones would lie in a
// folder without them.
func (j *journal) present() error {
	mine, err := j.file.Stat()
	if err != nil {
		return fmt.Errorf("looking after the results folder: %w", err)
	}
	if there, err := os.Stat(j.file.Name()); err != nil || !os.SameFile(mine, there) {
		return fmt.Errorf("%s was removed or replaced during the run, and the rows written before with it",
			filepath.Dir(filepath.Dir(j.file.Name())))
	}
	return nil
}

// interrupted notes that the run was asked to end.
func (j *journal) interrupted() {
	j.mu.Lock()
	defer j.mu.Unlock()
	_ = j.write("interrupted\n") // without, the units that are running may have to be run again by hand
}

func (j *journal) close() { j.file.Close() }
