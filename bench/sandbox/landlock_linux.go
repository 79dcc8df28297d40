package sandbox

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// landlockVersion is the version of Landlock that the kernel has, at least 1.
func landlockVersion() (int, error) {
	v, _, err := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if err != 0 {
		return 0, fmt.Errorf("the kernel has no Landlock: %w", err)
	}
	return int(v), nil
}

const (
	readFile = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE
	readAll  = readFile | unix.LANDLOCK_ACCESS_FS_READ_DIR
	// all are the rights of the first version: to read, write, make and remove.
	all = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1
)

// narrow restricts this thread to reading below paths, opening devices and writing below TMPDIR. Where the kernel's version
// supports it, ports, abstract sockets and signals to processes other than its descendants are closed as well.
func (c *confinement) narrow(paths []string) error {
	handled := unix.LandlockRulesetAttr{Handled_access_fs: all}
	if c.landlock >= 2 {
		handled.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if c.landlock >= 3 {
		handled.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if c.landlock >= 4 {
		handled.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if c.landlock >= 6 {
		handled.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	// Kernels that know less of it accept the rest as long as that is 0.
	rules, _, failed := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&handled)), unsafe.Sizeof(handled), 0)
	if failed != 0 {
		return fmt.Errorf("rules of Landlock: %w", failed)
	}
	defer unix.Close(int(rules))
	allow := func(path string, rights uint64) error {
		fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
		if err == nil {
			defer unix.Close(fd)
			var info os.FileInfo
			info, err = os.Stat(path)
			if err == nil && !info.IsDir() {
				rights &= readFile | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
			}
		}
		if err == nil {
			rule := unix.LandlockPathBeneathAttr{Allowed_access: rights & handled.Handled_access_fs, Parent_fd: int32(fd)}
			_, _, failed := unix.Syscall6(
				unix.SYS_LANDLOCK_ADD_RULE, rules, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
			if failed != 0 {
				err = failed
			}
		}
		if err != nil {
			return fmt.Errorf("a rule of Landlock for %s: %w", path, err)
		}
		return nil
	}
	for _, path := range paths {
		if err := allow(path, readAll); err != nil {
			return err
		}
	}
	for _, path := range devices {
		if err := allow(path, readFile|unix.LANDLOCK_ACCESS_FS_WRITE_FILE|unix.LANDLOCK_ACCESS_FS_TRUNCATE); err != nil {
			return err
		}
	}
	if err := allow(c.tmp, handled.Handled_access_fs); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up privileges: %w", err)
	}
	if _, _, failed := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0, 0); failed != 0 {
		return fmt.Errorf("entering Landlock: %w", failed)
	}
	return nil
}
