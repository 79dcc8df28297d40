package runner

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"schedgap/bench/store"
)

// A journal knows which commands were running when a run of a shard died, so that one that ends every run does not keep the set
// from ever being complete. It is a file of lines, each appended at once: "+ ID" when a unit starts, "- ID" when its row is
// there, "interrupted" when the user asked the run to end, after which its death is nobody's fault, and, at its beginning, "died
// ID" for every earlier run that died with the unit. A line that is torn, or lost with the machine, costs one more try.
type journal struct {
	mu     sync.Mutex
	file   *os.File
	deaths map[string]int // of runs in which the unit had started and not ended
}

// openJournal reads what earlier runs left and begins with that.
func openJournal(path string) (*journal, error) {
	j := &journal{deaths: map[string]int{}}
	data, _ := os.ReadFile(path) // no journal, no deaths
	running := map[string]bool{}
	interrupted := false
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		verb, id, _ := strings.Cut(lines.Text(), " ")
		switch verb {
		case "+":
			running[id] = true
		case "-":
			delete(running, id)
			delete(j.deaths, id)
		case "died":
			j.deaths[id]++
		case "interrupted":
			interrupted = true
		}
	}
	for id := range running {
		if !interrupted {
			j.deaths[id]++
		}
	}
	var text bytes.Buffer
	for id, n := range j.deaths {
		text.WriteString(strings.Repeat("died "+id+"\n", n))
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
		return fmt.Errorf("noting what is running: %w", err)
	}
	return nil
}

// start notes that a unit is about to run; it returns how many runs died with it and the same files of its command.
func (j *journal) start(u planned) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.deaths[u.noted()], j.write("+ %s\n", u.noted())
}

// noted is what the journal calls a unit by.
func (u planned) noted() string { return u.id + u.command }

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

// present reports that the results folder is gone, or is another one: what was written is lost, and what is written now lies
// in a folder that lacks the rest.
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
