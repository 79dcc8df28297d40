// Package store keeps a results dataset: a folder of Parquet files that are written whole and never changed, so that a kill
// at any moment loses at most the rows that were not written yet, and any number of machines can fill one folder.
//
//	DIR/runs/<shard>-<sequence>.parquet   one row a unit (bench.Record)
//	DIR/sim/<shard>-<sequence>.parquet    one row a metric (bench.SimRecord)
//	DIR/progress/<shard>-<sequence>.parquet  one row an incumbent or a bound on the way (bench.ProgressRecord)
//	DIR/instances/<sha256>.json           the instances that the rows speak of
//	DIR/solutions/<unit_id>.json          small solutions, for drawings
//
// A writer's sequence numbers begin above all that it finds in the folder. Where two files have a row for the same unit, the
// one with the higher number was written by a later run and counts; that is how a unit is run again. Readers apply this
// rule, so they see exactly one row a unit.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/input"

	"golang.org/x/sys/unix"
)

// A Dir is the folder of a dataset. Opening one reads and writes nothing.
type Dir struct{ path string }

// Open returns the dataset in the folder path, which need not exist yet.
func Open(path string) *Dir { return &Dir{path: path} }

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

// SetAside renames a bad file to *.bad and returns the new name. Only a runner that is about to fill the gap does that.
func (d *Dir) SetAside(bad *FileError) (string, error) {
	to := bad.Path + ".bad"
	if err := os.Rename(bad.Path, to); err != nil {
		return "", fmt.Errorf("setting a bad file aside: %w", err)
	}
	return to, nil
}

// A shardFile is a Parquet file by its name.
type shardFile struct {
	path, shard string
	sequence    int
	named       bool // as a shard is named
}

var shardName = regexp.MustCompile(`^([^-.][^-]*)-(\d{1,18})\.parquet(\.bad)?$`)

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
		if a.sequence != b.sequence {
			return b.sequence - a.sequence
		}
		return strings.Compare(a.path, b.path)
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
// ends. It creates the folder and removes what a killed writer of the shard left half written.
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
		if err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); errors.Is(err, unix.EWOULDBLOCK) {
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
	for _, sub := range []string{runs, filepath.Join(d.path, progresses)} {
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
	return filepath.Join(d.path, "instances", sha256+".json")
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

// PutInstance keeps an instance. A damaged one of that hash is replaced.
func (d *Dir) PutInstance(in *bench.Instance) error {
	path := d.InstancePath(in.SHA256)
	if info, err := os.Stat(path); err == nil && info.Size() == int64(len(in.JSON)) {
		return nil // its name is its contents
	}
	return WriteFile(path, in.JSON)
}

// CopyInstance keeps the instance of that hash, unless it is there, as the dataset from has it.
func (d *Dir) CopyInstance(from *Dir, sha256 string) (copied bool, err error) {
	if _, err := d.Instance(sha256); err == nil {
		return false, nil
	}
	data, err := from.Instance(sha256)
	if err != nil {
		return false, err
	}
	return true, WriteFile(d.InstancePath(sha256), data)
}

// SolutionPath is where the solution of that unit is kept, if it is small.
func (d *Dir) SolutionPath(unitID string) string {
	return filepath.Join(d.path, "solutions", unitID+".json")
}

// Solution reads a solution that PutSolution kept; nil: there is none.
func (d *Dir) Solution(unitID string) ([]byte, error) { return get(unitID, d.SolutionPath(unitID)) }

// PutSolution keeps a unit's solution, in the place of an older one; nil: it has none any more. Readers find all of it or nothing, but it
// is not made durable: no number rests on it, and a run should not wait for the disk after every unit.
func (d *Dir) PutSolution(unitID string, data []byte) error {
	if data != nil {
		return put("a solution", unitID, d.SolutionPath(unitID), data)
	}
	if err := os.Remove(d.SolutionPath(unitID)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing an old solution: %w", err)
	}
	return nil
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

// PutProof keeps the proof of a unit's bound as PutSolution keeps solutions: its hash in the unit's row tells a lost or damaged one.
func (d *Dir) PutProof(unitID string, data []byte) error {
	return put("a proof", unitID, d.ProofPath(unitID), data)
}

func put(what, unitID, path string, data []byte) error {
	if !models.IsHex(unitID, 32) {
		return fmt.Errorf("keeping %s: %q is not the id of a unit", what, unitID)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("keeping %s: %w", what, err)
	}
	// Two runs may work on the same unit, if their shards overlap.
	f, err := os.CreateTemp(filepath.Dir(path), "."+unitID+".*.tmp")
	if err != nil {
		return fmt.Errorf("keeping %s: %w", what, err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("keeping %s: %w", what, err), os.Remove(f.Name()))
	}
	return nil
}

// WriteFile writes a file and its folder so that, whatever happens meanwhile, readers find the old contents or the new.
func WriteFile(path string, data []byte) error {
	return writeWhole(path, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

// writeWhole writes a file under a temporary name beside path, makes it durable and moves it into place.
func writeWhole(path string, write func(f *os.File) error) (err error) {
	dir, name := filepath.Dir(path), filepath.Base(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	f, err := os.CreateTemp(dir, "."+name+".*.tmp")
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("writing %s: %w", path, err)
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	// CreateTemp makes files that only their owner may read; results are as readable as the folder is.
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
