// Package store keeps a results dataset: a folder of Parquet files that are written whole and never changed, so that a kill
// at any moment loses at most the rows that were not written yet, and any number of machines can fill one folder.
//
//	DIR/runs/<shard>-<sequence>.parquet   one row a unit (bench.Record)
//	DIR/sim/<shard>-<sequence>.parquet    one row a metric (bench.SimRecord)
//	DIR/progress/<shard>-<sequence>.parquet  one row an incumbent or a bound on the way (bench.ProgressRecord)
//	DIR/instances/<sha256>.json           the instances that the rows speak of
//	DIR/solutions/<shard>-<sequence>.jsonl.gz  small solutions, for drawings (Solution)
//
// A writer's sequence numbers begin above all that it finds in the folder. Where two files have a row for the same unit, the
// one with the higher number was written by a later run and counts; that is how a unit is run again. Readers apply this
// rule, so they see exactly one row a unit.
package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"schedgap/models"
	"schedgap/models/input"
	"schedgap/models/output"

	"golang.org/x/sys/unix"
)

// A Dir is the folder of a dataset. Opening one reads and writes nothing.
type Dir struct {
	path  string
	index func() *index // of solutions, read once
	whole bool          // rows that the plan does not ask for are read, too

	outside atomic.Int64 // units that the last reading of rows left out

	mu       sync.Mutex
	unsynced []string // instances that may be lost with the machine
}

// Open returns the dataset in the folder path, which need not exist yet.
func Open(path string) *Dir {
	d := &Dir{path: path}
	d.index = sync.OnceValue(d.indexSolutions)
	return d
}

// Path is the dataset's folder.
func (d *Dir) Path() string { return d.path }

// A FileError is a file among a dataset's that cannot be read as such: torn, damaged, foreign, or of another version.
type FileError struct {
	Path    string
	Version bool // sound, but written by another version of the program
	Err     error
}

func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }

func (e *FileError) Unwrap() error { return e.Err }

// All returns the rows, or an error if a file could not be read.
func All[R any](rows R, bad []*FileError, err error) (R, error) {
	if err == nil && len(bad) > 0 {
		err = bad[0]
	}
	return rows, err
}

// SetAside renames a bad file to *.bad and returns the new name. Only a runner that is about to fill the gap does that.
func (d *Dir) SetAside(bad *FileError) (string, error) {
	to := bad.Path + ".bad"
	if err := os.Rename(bad.Path, to); err != nil {
		return "", fmt.Errorf("setting a bad file aside: %w", err)
	}
	return to, nil
}

// A shardFile is a file of rows or solutions by its name.
type shardFile struct {
	path, shard string
	sequence    int
	named       bool // as a shard is named
}

var shardName = regexp.MustCompile(`^([^-.][^-]*)-(\d{1,18})\.(?:parquet|jsonl\.gz)(\.bad)?$`)

// maxSequence is the largest number of 18 digits, as many as shardName reads and an int holds.
const maxSequence = 1e18 - 1

// files lists the Parquet files of a subfolder, the newest first.
func (d *Dir) files(sub string) ([]shardFile, error) {
	entries, err := d.list(sub)
	if err != nil {
		return nil, err
	}
	var files []shardFile
	for _, name := range entries {
		if strings.HasSuffix(name, ".parquet") && !strings.HasPrefix(name, ".") {
			files = append(files, parseName(filepath.Join(d.path, sub, name)))
		}
	}
	slices.SortFunc(files, func(a, b shardFile) int {
		return cmp.Or(cmp.Compare(b.sequence, a.sequence), cmp.Compare(a.path, b.path))
	})
	return files, nil
}

func (d *Dir) list(sub string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(d.path, sub))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading a results folder: %w", err)
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, nil
}

func parseName(path string) shardFile {
	f := shardFile{path: path}
	if m := shardName.FindStringSubmatch(filepath.Base(path)); m != nil {
		f.shard, f.named = m[1], true
		f.sequence, _ = strconv.Atoi(m[2])
	}
	return f
}

// nextSequence is above every number in a subfolder, those of files that were set aside included.
func (d *Dir) nextSequence(sub string) (int, error) {
	names, err := d.list(sub)
	if err != nil {
		return 0, err
	}
	next := 0
	for _, n := range names {
		if f := parseName(n); f.named {
			next = max(next, f.sequence+1)
		}
	}
	if next > maxSequence {
		return 0, fmt.Errorf("%s: no sequence number is left after that of the last file, %d", filepath.Join(d.path, sub), next-1)
	}
	return next, nil
}

// ErrLocked says that another process writes the same shard.
var ErrLocked = errors.New("another run is writing the same shard")

// lockPatience is how long Lock waits for a shard that another process holds.
const lockPatience = 2 * time.Second

// Lock makes this process the only one that writes a shard of DIR/runs, until the returned function is called or the process
// ends. It creates the folder and removes half-written files of a killed writer of the shard.
func (d *Dir) Lock(shard string) (unlock func(), err error) {
	runs := filepath.Join(d.path, runs)
	if err := os.MkdirAll(runs, 0o777); err != nil {
		return nil, fmt.Errorf("creating a results folder: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(runs, "."+shard+".lock"), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, fmt.Errorf("locking shard %s: %w", shard, err)
	}
	// A killed run's last processes may hold the lock for a moment longer than it lives.
	err = unix.EWOULDBLOCK
	for end := time.Now().Add(lockPatience); errors.Is(err, unix.EWOULDBLOCK) && time.Now().Before(end); {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if errors.Is(err, unix.EWOULDBLOCK) {
			time.Sleep(20 * time.Millisecond)
		}
	}
	if err != nil {
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = ErrLocked
		}
		return nil, fmt.Errorf("shard %s of %s: %w", shard, d.path, err)
	}
	for _, sub := range []string{runs, filepath.Join(d.path, progresses), filepath.Join(d.path, solutions)} {
		torn, globErr := input.Glob(sub, "."+shard+"-*.tmp")
		err = errors.Join(err, globErr)
		for _, t := range torn {
			err = errors.Join(err, os.Remove(t))
		}
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("tidying up after a killed run: %w", err)
	}
	return func() { f.Close() }, nil
}

// InstancePath is where the instance of that hash is kept.
func (d *Dir) InstancePath(sha256 string) string {
	return filepath.Join(d.path, InstancesFolder, sha256+".json")
}

// Instance reads the file of the instance of that hash, whose contents must be what its name says. The error wraps
// fs.ErrNotExist when the folder has none.
func (d *Dir) Instance(sha256 string) ([]byte, error) {
	if !models.IsHex(sha256, 64) {
		return nil, fmt.Errorf("%s: %q is not the hash of an instance", d.path, sha256)
	}
	path := d.InstancePath(sha256)
	data, err := input.ReadIn(filepath.Dir(path), filepath.Base(path), input.MaxData)
	if err == nil && models.Digest(data) != sha256 {
		err = fmt.Errorf("%s: damaged, its contents do not match its name", path)
	}
	return data, err
}

// PutInstance keeps the file of the instance of that hash; Sync makes it durable. A damaged one is replaced.
func (d *Dir) PutInstance(sha256 string, data []byte) error {
	path := d.InstancePath(sha256)
	if info, err := os.Stat(path); err != nil || info.Size() != int64(len(data)) { // its name is its contents
		if err := output.Write(path, data, false); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unsynced = append(d.unsynced, path) // one that was there may be a moment old, and another run's
	return nil
}

// few is up to how many files are made durable one by one; for more, the file system has to write all that waits.
const few = 8

// Sync makes the instances durable that were put since the last time, as it must be done before rows speak of them.
func (d *Dir) Sync() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.unsynced) == 0 {
		return nil
	}
	folder := filepath.Join(d.path, InstancesFolder)
	err := errors.ErrUnsupported
	if len(d.unsynced) > few {
		err = onFile(folder, syncAll)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		err = nil
		for _, path := range append(d.unsynced, folder) {
			err = errors.Join(err, onFile(path, (*os.File).Sync))
		}
	}
	if err != nil {
		return fmt.Errorf("keeping instances: %w", err)
	}
	d.unsynced = d.unsynced[:0]
	return nil
}

// onFile does something to an open file or folder.
func onFile(path string, do func(f *os.File) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return do(f)
}

// ProofPath is where the proof of that unit's bound is kept, if it has one.
func (d *Dir) ProofPath(unitID string) string {
	return filepath.Join(d.path, "proofs", unitID+".jsonl.gz")
}

// Proof reads a proof that PutProof kept; nil: there is none.
func (d *Dir) Proof(unitID string) ([]byte, error) { return get(unitID, d.ProofPath(unitID)) }

func get(unitID, path string) ([]byte, error) {
	if !models.IsHex(unitID, 32) {
		return nil, nil // nothing was ever kept under such a name
	}
	data, err := input.ReadIn(filepath.Dir(path), filepath.Base(path), input.MaxData)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// PutProof keeps the proof of a unit's bound, all of it or nothing, but does not make it durable: its hash in the unit's row
// tells a lost or damaged one, and a run should not wait for the disk after every unit.
func (d *Dir) PutProof(unitID string, data []byte) error {
	if !models.IsHex(unitID, 32) {
		return fmt.Errorf("keeping a proof: %q is not the id of a unit", unitID)
	}
	return output.Write(d.ProofPath(unitID), data, false) // two runs may write it, if their shards overlap
}

// WriteFile is output.Write of a file that is to be durable.
func WriteFile(path string, data []byte) error { return output.Write(path, data, true) }
