package sandbox

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// namespaces are the flags of clone that make some.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER |
	unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWTIME

// mark is the answer of the sandbox, and of no kernel, to kcmp.
const mark = unix.ENOTUNIQ

// Inside reports whether this process is in a sandbox, where a copy of this program, which knows optima, has no business.
func Inside() bool {
	_, _, err := unix.RawSyscall(unix.SYS_KCMP, 0, 0, ^uintptr(0))
	return err == mark
}

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

// unless denies a call whose argument i is none of values.
func (r *rules) unless(call uint32, e unix.Errno, i uint32, values ...uint32) {
	look := []unix.SockFilter{load(argumentAt + 8*i)}
	for k, v := range values {
		look = append(look, jump(unix.BPF_JEQ, v, len(values)-k, 0))
	}
	r.deny(call, e, look...)
}

// where denies a call whose argument i is one of values.
func (r *rules) where(call uint32, e unix.Errno, i uint32, values ...uint32) {
	look := []unix.SockFilter{load(argumentAt + 8*i)}
	for k, v := range values {
		look = append(look, jump(unix.BPF_JEQ, v, len(values)-k, 0))
	}
	r.deny(call, e, append(look, jump(unix.BPF_JA, 1, 0, 0))...)
}

// calls are the rules for a command, which replaces this process: first the calls whose arguments decide, then those that are
// allowed whatever their arguments. No other call exists.
func (c *confinement) calls() rules {
	var r rules
	self := uint32(os.Getpid())
	r.deny(unix.SYS_KCMP, mark)
	r.deny(unix.SYS_FADVISE64, 0) // pages that are dropped, or read early, would be a message to other instances
	r.deny(unix.SYS_READAHEAD, 0)
	r.deny(unix.SYS_CLONE, unix.EPERM, load(argumentAt), jump(unix.BPF_JSET, namespaces, 0, 1))
	r.unless(unix.SYS_PRLIMIT64, unix.EPERM, 0, 0, self)
	r.unless(unix.SYS_PRCTL, unix.EINVAL, 0, ownSettings...)
	r.unless(unix.SYS_IOCTL, unix.ENOTTY, 1, unix.TCGETS, unix.TIOCGWINSZ, unix.TIOCGPGRP, unix.TIOCINQ, fionbio, fioclex, fionclex)
	r.unless(unix.SYS_FCNTL, unix.EINVAL, 1, unix.F_DUPFD, unix.F_DUPFD_CLOEXEC, unix.F_GETFD, unix.F_SETFD, unix.F_GETFL, unix.F_SETFL,
		unix.F_ADD_SEALS, unix.F_GET_SEALS)
	r.where(unix.SYS_MADVISE, unix.EINVAL, 2, unix.MADV_COLD, unix.MADV_PAGEOUT)
	r.unless(unix.SYS_PREADV2, unix.EOPNOTSUPP, 5, 0) // RWF_NOWAIT tells which pages are in memory
	r.unless(unix.SYS_PWRITEV2, unix.EOPNOTSUPP, 5, 0)
	// Connected pairs of this machine remain: others could send to any address.
	r.deny(unix.SYS_SOCKETPAIR, unix.EPERM, load(argumentAt), jump(unix.BPF_JEQ, unix.AF_UNIX, 0, 4), load(argumentAt+8),
		unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: 0xf}, // the rest are flags
		jump(unix.BPF_JEQ, unix.SOCK_STREAM, 2, 0), jump(unix.BPF_JEQ, unix.SOCK_SEQPACKET, 1, 0))
	if !c.enclosed && c.landlock < 6 { // nothing else keeps signals from other processes, its own children included
		for _, call := range []uint32{unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO} {
			r.deny(call, unix.EPERM)
		}
		r.unless(unix.SYS_KILL, unix.EPERM, 0, 0, self)
		r.unless(unix.SYS_TGKILL, unix.EPERM, 0, 0, self)
	}
	allowed := append(slices.Clone(common), machine[runtime.GOARCH].calls...)
	if c.enclosed { // all but TMPDIR is read-only; Landlock does not refuse these, which would mark a file for the next instance
		allowed = append(append(allowed, metadata...), machine[runtime.GOARCH].metadata...)
	}
	r = append(r, load(callAt))
	for _, call := range allowed {
		r = append(r, jump(unix.BPF_JEQ, call, 0, 1), answer(unix.SECCOMP_RET_ALLOW))
	}
	return append(r, errno(unix.ENOSYS))
}

// filter makes the kernel apply rules to every system call of this thread and of its descendants. A call without a rule is
// allowed.
func filter(r rules) error {
	m, ok := machine[runtime.GOARCH]
	if !ok {
		return fmt.Errorf("there is no filter of system calls for %s", runtime.GOARCH)
	}
	all := append([]unix.SockFilter{
		// Calls by the numbers of another architecture would pass a filter. Those of amd64's x32 have bit 30.
		load(machineAt), jump(unix.BPF_JEQ, m.audit, 1, 0), answer(unix.SECCOMP_RET_KILL_PROCESS),
		load(callAt), jump(unix.BPF_JGE, 1<<30, 0, 1), errno(unix.ENOSYS),
	}, append(r, answer(unix.SECCOMP_RET_ALLOW))...)
	program := unix.SockFprog{Len: uint16(len(all)), Filter: &all[0]}
	if _, _, err := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program))); err != 0 {
		return fmt.Errorf("a filter of system calls: %w", err)
	}
	return nil
}
