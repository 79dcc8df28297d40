package sandbox

import "golang.org/x/sys/unix"

// common lists the system calls that a command may make with any arguments: they work on its own memory, threads, children,
// streams and files, or read the clock and its own settings. Calls for networks, mounts, keys and the kernel are left out. So are
// calls by which instances could inform each other or change another process: locks, priorities and affinities, notifications
// about files, the contents of the page cache, objects that outlive the process, and filters, which could hide the sandbox.
var common = []uint32{
	unix.SYS_BRK, unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MPROTECT, unix.SYS_MREMAP, unix.SYS_MSYNC, unix.SYS_MADVISE, unix.SYS_MLOCK,
	unix.SYS_MLOCK2, unix.SYS_MUNLOCK, unix.SYS_MLOCKALL, unix.SYS_MUNLOCKALL, unix.SYS_MEMBARRIER, unix.SYS_MEMFD_CREATE,
	unix.SYS_PKEY_ALLOC, unix.SYS_PKEY_FREE, unix.SYS_PKEY_MPROTECT, unix.SYS_MAP_SHADOW_STACK,
	unix.SYS_GET_MEMPOLICY, unix.SYS_SET_MEMPOLICY, unix.SYS_MBIND,

	unix.SYS_CLONE, unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_WAIT4, unix.SYS_WAITID,
	unix.SYS_SET_TID_ADDRESS, unix.SYS_SET_ROBUST_LIST, unix.SYS_GET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_RESTART_SYSCALL,
	unix.SYS_FUTEX, unix.SYS_FUTEX_WAITV, unix.SYS_PRCTL, unix.SYS_PERSONALITY, unix.SYS_CAPGET,
	unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETTID, unix.SYS_GETPGID, unix.SYS_SETPGID, unix.SYS_GETSID, unix.SYS_SETSID,
	unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID, unix.SYS_GETRESUID, unix.SYS_GETRESGID, unix.SYS_GETGROUPS,
	unix.SYS_GETRLIMIT, unix.SYS_SETRLIMIT, unix.SYS_PRLIMIT64, unix.SYS_GETRUSAGE, unix.SYS_TIMES, unix.SYS_UNAME, unix.SYS_SYSINFO,
	unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_SCHED_GETPARAM, unix.SYS_SCHED_GETSCHEDULER, unix.SYS_SCHED_GETATTR,
	unix.SYS_SCHED_GET_PRIORITY_MAX, unix.SYS_SCHED_GET_PRIORITY_MIN, unix.SYS_SCHED_RR_GET_INTERVAL, unix.SYS_GETPRIORITY,
	unix.SYS_IOPRIO_GET, unix.SYS_GETCPU, unix.SYS_GETRANDOM, unix.SYS_UMASK,

	unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN,
	unix.SYS_RT_SIGPENDING, unix.SYS_RT_SIGTIMEDWAIT, unix.SYS_RT_SIGSUSPEND, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO,
	unix.SYS_SIGALTSTACK, unix.SYS_SIGNALFD4,

	unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_GETTIMEOFDAY,
	unix.SYS_GETITIMER, unix.SYS_SETITIMER, unix.SYS_TIMER_CREATE, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_GETTIME,
	unix.SYS_TIMER_GETOVERRUN, unix.SYS_TIMER_DELETE, unix.SYS_TIMERFD_CREATE, unix.SYS_TIMERFD_SETTIME, unix.SYS_TIMERFD_GETTIME,

	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_PREAD64, unix.SYS_PWRITE64, unix.SYS_PREADV,
	unix.SYS_PWRITEV, unix.SYS_PREADV2, unix.SYS_PWRITEV2, unix.SYS_LSEEK, unix.SYS_CLOSE, unix.SYS_CLOSE_RANGE, unix.SYS_DUP,
	unix.SYS_DUP3, unix.SYS_FCNTL, unix.SYS_IOCTL, unix.SYS_PIPE2, unix.SYS_EVENTFD2, unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL,
	unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_PWAIT2, unix.SYS_PPOLL, unix.SYS_PSELECT6, unix.SYS_SENDFILE, unix.SYS_SPLICE, unix.SYS_TEE,
	unix.SYS_VMSPLICE, unix.SYS_COPY_FILE_RANGE, unix.SYS_SOCKETPAIR, unix.SYS_SENDTO, unix.SYS_RECVFROM, unix.SYS_SENDMSG,
	unix.SYS_RECVMSG, unix.SYS_SHUTDOWN, unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME, unix.SYS_GETSOCKOPT, unix.SYS_SETSOCKOPT,

	unix.SYS_OPENAT, unix.SYS_OPENAT2, unix.SYS_FSTAT, unix.SYS_NEWFSTATAT, unix.SYS_STATX, unix.SYS_STATFS, unix.SYS_FSTATFS,
	unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2, unix.SYS_GETDENTS64, unix.SYS_GETCWD, unix.SYS_CHDIR, unix.SYS_FCHDIR, unix.SYS_READLINKAT,
	unix.SYS_MKDIRAT, unix.SYS_UNLINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT, unix.SYS_SYMLINKAT, unix.SYS_TRUNCATE,
	unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE, unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_GETXATTR, unix.SYS_LGETXATTR, unix.SYS_FGETXATTR,
	unix.SYS_LISTXATTR, unix.SYS_LLISTXATTR, unix.SYS_FLISTXATTR,
}

// metadata are the system calls that change modes, owners, times and attributes of files.
var metadata = []uint32{
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR,
}

// machine has for each architecture its number in the kernel and the numbers of the calls that only it has.
var machine = map[string]struct {
	audit           uint32
	calls, metadata []uint32
}{
	"amd64": {unix.AUDIT_ARCH_X86_64, []uint32{
		2, 4, 6, 7, 21, 22, 23, 33, 34, 37, // open, stat, lstat, poll, access, pipe, select, dup2, pause, alarm
		57, 58, 78, 82, 83, 84, 85, 86, 87, 88, 89, // fork, vfork, getdents, rename, mkdir, rmdir, creat, link, unlink, symlink, readlink
		111, 158, 201, 213, 232, 281, 282, 284, // getpgrp, arch_prctl, time, epoll_create, epoll_wait, epoll_pwait, signalfd, eventfd
	}, []uint32{90, 92, 94, 132, 235, 261}}, // chmod, chown, lchown, utime, utimes, futimesat
	"arm64": {unix.AUDIT_ARCH_AARCH64, nil, nil},
}

// Requests of ioctl for which the package unix has no name: whether reads wait, and whether a stream survives exec.
const (
	fionbio  = 0x5421
	fionclex = 0x5450
	fioclex  = 0x5451
)

// ownSettings are the requests of prctl that read or set something of the process alone, and no filter of system calls.
var ownSettings = []uint32{
	unix.PR_SET_PDEATHSIG, unix.PR_GET_PDEATHSIG, unix.PR_SET_NAME, unix.PR_GET_NAME, unix.PR_SET_DUMPABLE, unix.PR_GET_DUMPABLE,
	unix.PR_GET_SECCOMP, unix.PR_CAPBSET_READ, unix.PR_CAP_AMBIENT, unix.PR_SET_TIMERSLACK, unix.PR_GET_TIMERSLACK,
	unix.PR_SET_NO_NEW_PRIVS, unix.PR_GET_NO_NEW_PRIVS, unix.PR_SET_CHILD_SUBREAPER, unix.PR_GET_CHILD_SUBREAPER,
	unix.PR_SET_THP_DISABLE, unix.PR_GET_THP_DISABLE, unix.PR_GET_SPECULATION_CTRL, unix.PR_GET_TAGGED_ADDR_CTRL, unix.PR_SET_VMA,
}
