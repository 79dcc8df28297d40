package bench

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Limits bound one unit; zero means no limit.
type Limits struct {
	Time   time.Duration // of the algorithm's run; process start and the reading of the instance are not charged
	Memory int64         // resident bytes of the processes
	CPU    time.Duration // processor time of all processes and threads
	Output int64         // bytes that an external command may print, 0: DefaultOutput
}

// DefaultOutput is how much an external command may print unless a limit says otherwise.
const DefaultOutput = 64 << 20

// OutputBytes is the limit on output in force.
func (l Limits) OutputBytes() int64 { return cmp.Or(l.Output, DefaultOutput) }

// A Unit is one thing to run: an algorithm with all its settings on an instance. It becomes one row of the results.
type Unit struct {
	Suite, Source string // the suite's name, and generate, trace:FORMAT or files
	Factors       string // the source's parameters that the suite sets, see Record
	Instance      *Instance
	Request       Request // Params with the defaults written out
	Limits        Limits
	Dir           string   // the working folder of an external command; not part of the unit's identity
	Watch         []string // patterns of further files that the command depends on; not part of the unit's identity
	Skip          string   // why the algorithm is not defined for the instance; empty: it is
}

// Own reports whether the unit's command is one of its problem's own.
func (u *Unit) Own() bool {
	p := u.Instance.Problem
	if p.Folder == nil || len(u.Request.Command) == 0 {
		return false
	}
	a, _, err := p.Find(u.Request.Algorithm)
	return err == nil && slices.Equal(a.Command, u.Request.Command)
}

// Home is the folder in which the unit's command runs.
func (u *Unit) Home() string {
	if u.Own() {
		return u.Instance.Problem.Folder.Path
	}
	return u.Dir
}

// ID is the unit's identity, 32 hexadecimal digits: units with the same ID ask for the same thing, whatever suite, machine
// or version of the program they come from.
func (u *Unit) ID() (string, error) {
	r := u.Request
	output := u.Limits.Output
	if len(r.Command) == 0 || output == DefaultOutput {
		output = 0 // it changes nothing
	}
	key, err := json.Marshal(struct {
		Schema    int
		Problem   string
		Instance  string
		Algorithm string
		Params    map[string]any
		Command   []string
		Solver    string
		Model     string
		Seed      uint64
		Threads   int
		Time      time.Duration
		Memory    int64
		CPU       time.Duration `json:",omitempty"` // younger than the schema
		Output    int64         `json:",omitempty"` // younger than the schema
		Reference string        `json:",omitempty"` // younger than the schema
	}{
		SchemaVersion, u.Instance.Problem.Name, u.Instance.SHA256, r.Algorithm, r.Params, r.Command, r.Solver, r.Model, r.Seed,
		r.Threads, u.Limits.Time, u.Limits.Memory, u.Limits.CPU, output, r.Reference,
	})
	if err != nil {
		return "", fmt.Errorf("unit %s on %s: %w", r.Algorithm, u.Instance.Name, err)
	}
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:16]), nil
}

// Resolve writes the defaults of an algorithm's parameters out into r, so that r says all there is to say. A command has
// none. Errors name the algorithm and the parameter.
func (p *Problem) Resolve(r *Request) error {
	if len(r.Command) > 0 {
		return nil
	}
	a, _, err := p.Find(r.Algorithm)
	if err != nil {
		return err
	}
	v, err := a.resolve(r.Params)
	if err != nil {
		return fmt.Errorf("algorithm %s: %w", r.Algorithm, err)
	}
	r.Params, r.Command = v, a.Command
	return nil
}
