package sandbox

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// refused are the system calls that no heuristic needs: of networks (pairs of sockets remain), other processes, mounts,
// namespaces, keys, the kernel and the machine, and those whose objects outlive the process.
var refused = []uint32{
	unix.SYS_SOCKET, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
	unix.SYS_PROCESS_MRELEASE, unix.SYS_KCMP, unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_GETFD, unix.SYS_PIDFD_SEND_SIGNAL,
	unix.SYS_MOVE_PAGES, unix.SYS_MIGRATE_PAGES,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN,
	unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_STATMOUNT, unix.SYS_LISTMOUNT,
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT,
	unix.SYS_FANOTIFY_INIT, unix.SYS_ACCT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_REBOOT, unix.SYS_SETHOSTNAME,
	unix.SYS_SETDOMAINNAME, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SYSLOG, unix.SYS_VHANGUP, unix.SYS_SETTIMEOFDAY,
	unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
	unix.SYS_SHMGET, unix.SYS_SEMGET, unix.SYS_MSGGET, unix.SYS_MQ_OPEN,
}

// metadata are the system calls that change modes, owners, times and attributes of files, which Landlock does not refuse: a mark
// for the next instance, and harm to files of the same user. Those of the system's older numbers are numbers of amd64 only.
var metadata = []uint32{
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR,
}

// older are chmod, chown, lchown, utime, utimes and futimesat, which not every machine has.
var older = map[string][]uint32{"amd64": {90, 92, 94, 132, 235, 261}}

const (
	// newest is the last system call that this filter knows; later ones do not exist in the sandbox.
	newest = unix.SYS_MSEAL
	// namespaces are the flags of clone that make some.
	namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER |
		unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWTIME
	// mark is what the sandbox, and no kernel, answers to kcmp.
	mark = unix.ENOTUNIQ
)

// Inside reports whether this process is in a sandbox, where a copy of this program, which knows optima, has no business.
func Inside() bool {
	_, _, err := unix.RawSyscall(unix.SYS_KCMP, 0, 0, ^uintptr(0))
	return err == mark
}

// architectures are the numbers by which the kernel knows them: calls by the numbers of another one would pass a filter.
var architectures = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// Offsets in the kernel's struct seccomp_data; the lower half of an argument comes first.
const (
	callAt     = 0
	machineAt  = 4
	argumentAt = 16
)

func load(at uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
}

// jump goes on after so many instructions.
func jump(compare uint16, k uint32, yes, no int) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_K | compare, K: k, Jt: uint8(yes), Jf: uint8(no)}
}

func answer(k uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k}
}

func errno(e unix.Errno) unix.SockFilter { return answer(unix.SECCOMP_RET_ERRNO | uint32(e)) }

// rules are instructions, one group a system call.
type rules []unix.SockFilter

// deny answers a call with an error, unless what looks at its arguments skips that.
func (r *rules) deny(call uint32, e unix.Errno, look ...unix.SockFilter) {
	*r = append(append(append(*r, load(callAt), jump(unix.BPF_JEQ, call, 0, len(look)+1)), look...), errno(e))
}

// calls are the rules for a command, which replaces this process.
func (c *confinement) calls() rules {
	var r rules
	deny := r.deny
	// only lets a call through if its first argument is 0 or this process.
	only := func(call uint32) {
		deny(call, unix.EPERM, load(argumentAt), jump(unix.BPF_JEQ, 0, 2, 0), jump(unix.BPF_JEQ, uint32(os.Getpid()), 1, 0))
	}
	for _, call := range refused {
		deny(call, map[bool]unix.Errno{true: mark, false: unix.EPERM}[call == unix.SYS_KCMP])
	}
	deny(unix.SYS_CLONE3, unix.ENOSYS) // its flags cannot be seen; libraries take clone then
	deny(unix.SYS_CLONE, unix.EPERM, load(argumentAt), jump(unix.BPF_JSET, namespaces, 0, 1))
	only(unix.SYS_PRLIMIT64)
	// Connected pairs of this machine remain: others could send to any address.
	deny(unix.SYS_SOCKETPAIR, unix.EPERM, load(argumentAt), jump(unix.BPF_JEQ, unix.AF_UNIX, 0, 4), load(argumentAt+8),
		unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: 0xf}, // the rest are flags
		jump(unix.BPF_JEQ, unix.SOCK_STREAM, 2, 0), jump(unix.BPF_JEQ, unix.SOCK_SEQPACKET, 1, 0))
	if !c.enclosed { // in namespaces all but TMPDIR is read-only
		for _, call := range append(slices.Clone(metadata), older[runtime.GOARCH]...) {
			deny(call, unix.EPERM)
		}
	}
	if !c.enclosed && c.landlock < 6 { // nothing else keeps signals from other processes, its own children included
		for _, call := range []uint32{unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO} {
			deny(call, unix.EPERM)
		}
		only(unix.SYS_KILL)
		only(unix.SYS_TGKILL)
	}
	return r
}

// filter has the kernel ask rules at every system call of this thread and of what it starts.
func filter(r rules) error {
	machine, ok := architectures[runtime.GOARCH]
	if !ok {
		return fmt.Errorf("there is no filter of system calls for %s", runtime.GOARCH)
	}
	all := append([]unix.SockFilter{
		load(machineAt), jump(unix.BPF_JEQ, machine, 1, 0), answer(unix.SECCOMP_RET_KILL_PROCESS),
		load(callAt), jump(unix.BPF_JGT, newest, 0, 1), errno(unix.ENOSYS), // those of amd64's x32 are larger, too
	}, append(r, answer(unix.SECCOMP_RET_ALLOW))...)
	program := unix.SockFprog{Len: uint16(len(all)), Filter: &all[0]}
	if _, _, err := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program))); err != 0 {
		return fmt.Errorf("a filter of system calls: %w", err)
	}
	return nil
}
