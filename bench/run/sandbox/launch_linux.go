package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// system lists the folders that all commands may read: programs, libraries and the settings of loaders and interpreters.
var system = []string{
	"/bin", "/gnu/store", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/sbin", "/usr",
	"/etc/R", "/etc/alternatives", "/etc/fonts", "/etc/group", "/etc/java*", "/etc/ld.so.*", "/etc/locale*",
	"/etc/localtime", "/etc/mime.types", "/etc/nsswitch.conf", "/etc/os-release", "/etc/passwd", "/etc/python*",
	"/etc/ssl/openssl.cnf", "/etc/timezone",
}

// devices lists the devices that a command may open, also for writing.
var devices = []string{"/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"}

// variables are all that a command finds in its environment, beside HOME, which is its TMPDIR.
var variables = []string{"LANG", "SCHEDGAP_BATCH", "SCHEDGAP_SEED", "SCHEDGAP_THREADS", "SCHEDGAP_TIME_LIMIT_SECONDS"}

const (
	// room is the size in bytes of TMPDIR where that is in memory, and of each file elsewhere.
	room = 256 << 20
	// inodes is how many files and folders TMPDIR can hold where it is in memory.
	inodes = 1 << 16
	// tasks is how many processes and threads a command may have in namespaces.
	tasks = 512
)

// Launch becomes the command, confined: the first argument is a Spec, the others are the command's words. Without any it does all
// but the last step and prints what confines. It returns only if something fails.
func Launch(args []string) error {
	// Restrictions are a thread's. That which calls exec becomes the whole process, the others end.
	runtime.LockOSThread()
	var s Spec
	if err := json.Unmarshal([]byte(args[0]), &s); err != nil {
		return fmt.Errorf("reading the sandbox's settings: %w", err)
	}
	command := args[1:]
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	c := &confinement{uid: os.Getuid(), tmp: os.Getenv("TMPDIR"), dir: dir, enclosed: os.Getppid() == 1}
	if c.tmp == "" {
		return errors.New("there is no folder for temporary files")
	}
	c.landlock, err = landlockVersion()
	if err != nil && !c.enclosed {
		return fmt.Errorf("without namespaces it takes Landlock: %w", err)
	}
	unix.Umask(0o022)
	// What this program was started with by mistake is not the command's.
	if err := unix.CloseRange(3, ^uint(0)>>1, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("closing files: %w", err)
	}
	list := views(system, s.Read)
	read, covered := []string{"/"}, hidden(list, s.Hide, append(slices.Clone(s.Read), c.tmp, c.dir))
	if c.enclosed {
		if c.uid == 0 {
			c.uid = nobody()
		}
		err = c.enclose(list, covered)
	} else {
		read = without(list, covered)
	}
	if err == nil && c.landlock > 0 {
		err = c.narrow(read)
	}
	if err == nil {
		err = c.drop()
	}
	if err == nil {
		err = filter(c.calls())
	}
	if err != nil {
		return err
	}
	if len(command) == 0 {
		fmt.Print(c)
		os.Exit(0)
	}
	// Python's order of sets is by chance otherwise, and the same seed should give the same score.
	env := []string{"PYTHONHASHSEED=0", "HOME=" + c.tmp, "TMPDIR=" + c.tmp, "PATH=" + filepath.Dir(command[0]) + ":" + os.Getenv("PATH")}
	for _, name := range variables {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return fmt.Errorf("%s: %w", command[0], unix.Exec(command[0], command, env))
}

// nobody draws a user id for a command that root runs, from a range in which no system puts its users. The limit on tasks does not bind
// root, and it counts all tasks of a user. 0 means that this user namespace has no other ids.
func nobody() int {
	text, _ := os.ReadFile("/proc/self/uid_map")
	first, size := 0, 0
	for line := range strings.Lines(string(text)) {
		var from, outside, n int
		if _, err := fmt.Sscan(line, &from, &outside, &n); err == nil && n > size {
			first, size = from, n
		}
	}
	if size < 4 {
		return 0
	}
	return first + size/4 + rand.IntN(size/4)
}

// A confinement is one command's.
type confinement struct {
	enclosed bool // in namespaces
	landlock int  // the version of Landlock; 0: there is none
	uid      int  // the command's user
	tmp, dir string
}

func (c *confinement) String() string {
	parts := []string{"a filter of system calls"}
	if c.landlock > 0 {
		parts = append(parts, fmt.Sprintf("Landlock %d", c.landlock))
	}
	if c.enclosed {
		parts = append(parts, "namespaces")
	}
	return strings.Join(parts, ", ")
}

// enclose makes a file system of the views, with a TMPDIR, a /dev and a /proc of the command's own, and enters it.
func (c *confinement) enclose(list []view, covered []string) error {
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		return fmt.Errorf("a mount namespace: %w", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_PRIVATE|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("a private mount namespace: %w", err)
	}
	links := map[string]string{
		"/dev/fd": "/proc/self/fd", "/dev/shm": c.tmp,
		"/dev/stdin": "/proc/self/fd/0", "/dev/stdout": "/proc/self/fd/1", "/dev/stderr": "/proc/self/fd/2",
	}
	if err := mount("tmpfs", c.tmp, 0, "size=1m,mode=755"); err != nil {
		return err
	}
	if err := unix.Chdir(c.tmp); err != nil {
		return err
	}
	for _, v := range list {
		if to, err := os.Readlink(v.path); err == nil && strings.Count(v.path, "/") == 1 {
			links[v.path] = to // /bin is /usr/bin, and a file hidden there is hidden here
		} else if err := show(v.path, unix.MOUNT_ATTR_NODEV); err != nil {
			return err
		}
	}
	for _, path := range devices {
		if err := show(path, 0); err != nil {
			return err
		}
	}
	for _, path := range []string{"./proc", "." + c.tmp} {
		if err := os.MkdirAll(path, 0o755); err != nil {
			return err
		}
	}
	for path, to := range links {
		if err := os.Symlink(to, "."+path); err != nil {
			return err
		}
	}
	// Its own processes are all that it sees, its supervisor not.
	if err := mount("proc", "./proc", unix.MS_RDONLY|unix.MS_NOEXEC, "hidepid=2"); err != nil {
		return err
	}
	own := fmt.Sprintf("size=%d,nr_inodes=%d,mode=700,uid=%d,gid=%d", room, inodes, c.uid, os.Getgid())
	if err := mount("tmpfs", "."+c.tmp, 0, own); err != nil {
		return err
	}
	for _, path := range covered {
		if err := cover(path); err != nil {
			return err
		}
	}
	if err := errors.Join(unix.PivotRoot(".", "."), unix.Unmount(".", unix.MNT_DETACH), unix.Chdir("/")); err != nil {
		return fmt.Errorf("entering the sandbox: %w", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, ""); err != nil {
		return fmt.Errorf("closing the sandbox: %w", err)
	}
	if err := unix.Chdir(c.dir); err != nil {
		return fmt.Errorf("entering the command's folder: %w", err)
	}
	return nil
}

// mount mounts a file system of a kind that has neither devices nor programs with a user of their own.
func mount(kind, path string, flags uintptr, options string) error {
	if err := unix.Mount(kind, path, kind, flags|unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return fmt.Errorf("mounting %s in the sandbox: %w", kind, err)
	}
	return nil
}

// show gives the file system in the working directory a view of a path, to read.
func show(path string, flags uint64) error {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		err = os.MkdirAll("."+path, 0o755)
	} else {
		err = os.MkdirAll("."+filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile("."+path, nil, 0o644)
		}
	}
	if err == nil {
		err = unix.Mount(path, "."+path, "", unix.MS_BIND|unix.MS_REC, "")
	}
	if err == nil {
		attributes := unix.MountAttr{Attr_set: flags | unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID}
		err = unix.MountSetattr(unix.AT_FDCWD, "."+path, unix.AT_RECURSIVE, &attributes)
	}
	if err != nil {
		return fmt.Errorf("a view of %s: %w", path, err)
	}
	return nil
}

// cover hides a path of the file system in the working directory behind an empty folder or file.
func cover(path string) error {
	info, err := os.Stat("." + path)
	switch {
	case err != nil:
		return nil // another covers it
	case info.IsDir():
		err = mount("tmpfs", "."+path, unix.MS_RDONLY, "size=4k")
	default:
		err = unix.Mount("./dev/null", "."+path, "", unix.MS_BIND, "")
	}
	if err != nil {
		return fmt.Errorf("hiding %s: %w", path, err)
	}
	return nil
}

// drop gives up the user's rights: for those of a user who has none, where this is root's, and all capabilities.
func (c *confinement) drop() error {
	for cap := range unix.CAP_LAST_CAP + 24 { // of later kernels, too; what cannot be dropped cannot be had either, below
		_ = unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(cap), 0, 0, 0)
	}
	if c.uid != os.Getuid() {
		for fd := range 3 { // which programs open by /dev/stdin and the like
			if err := unix.Fchown(fd, c.uid, os.Getgid()); err != nil {
				return fmt.Errorf("handing over a stream: %w", err)
			}
		}
	}
	if c.enclosed {
		if err := unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: tasks, Max: tasks}); err != nil {
			return fmt.Errorf("limiting processes: %w", err)
		}
	}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: room, Max: room}); err != nil {
		return fmt.Errorf("limiting files: %w", err)
	}
	if c.uid != os.Getuid() {
		id := uintptr(c.uid)
		for _, call := range [][4]uintptr{{unix.SYS_SETGROUPS}, {unix.SYS_SETRESGID, id, id, id}, {unix.SYS_SETRESUID, id, id, id}} {
			if _, _, err := unix.RawSyscall(call[0], call[1], call[2], call[3]); err != 0 { // of this thread
				return fmt.Errorf("becoming a user of its own: %w", err)
			}
		}
	}
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) // none is left without permitted ones
	var none [2]unix.CapUserData
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0]); err != nil {
		return fmt.Errorf("giving up capabilities: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up privileges: %w", err)
	}
	return nil
}

// without lists the visible parts of views, leaving out the covered paths.
func without(list []view, covered []string) (read []string) {
	var add func(path string)
	add = func(path string) {
		switch {
		case slices.Contains(covered, path):
		case slices.ContainsFunc(covered, func(hide string) bool { return below(path, hide) }):
			entries, _ := os.ReadDir(path) // what cannot be listed is not shown
			for _, e := range entries {
				if e.Type()&os.ModeSymlink == 0 { // a link's target is shown at its own place
					add(filepath.Join(path, e.Name()))
				}
			}
		default:
			read = append(read, path)
		}
	}
	for _, v := range list {
		add(v.path)
	}
	return read
}
